"""Runs notebooks from top to bottom, each from its source ``notebooks/NAME.py``.

``python .ci/notebooks.py [--write] [NAME]...`` runs those of some names, by default all; with ``--write``
what they show goes to ``notebooks/NAME.ipynb``. It ends with code 1 where a cell fails.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jupytext
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
AT_ONCE = 2
SECONDS_PER_CELL = 300
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"}


def run(source: Path) -> nbformat.NotebookNode:
    """Execute a source; the same cells and outputs give the same bytes."""
    notebook = jupytext.read(source)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
    client = NotebookClient(
        notebook,
        timeout=SECONDS_PER_CELL,
        kernel_name=KERNEL["name"],
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(source.parent)}},
    )
    client.execute()
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNEL, "language_info": LANGUAGE})
    return notebook


def report(source: Path, *, write: bool) -> bool:
    """Run one and say how it went."""
    start = time.monotonic()
    try:
        notebook = run(source)
    except CellExecutionError as error:
        sys.stderr.write(f"{source.stem}: failed\n{error}\n")
        return False
    if write:
        nbformat.write(notebook, source.with_suffix(".ipynb"))
    sys.stdout.write(f"{source.stem}: {len(notebook.cells)} cells, {time.monotonic() - start:.0f} s\n")
    sys.stdout.flush()
    return True


def main() -> int:
    """Run those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--write", action="store_true", help="write notebooks/NAME.ipynb")
    arguments = parser.parse_args()
    known = {source.stem: source for source in sorted(FOLDER.glob("*.py"))}
    names = arguments.names or list(known)
    if unknown := [name for name in names if name not in known]:
        parser.error(f"there is no notebook {', '.join(unknown)}; there are {', '.join(known)}")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        went = list(pool.map(lambda name: report(known[name], write=arguments.write), names))
    return 0 if all(went) else 1


if __name__ == "__main__":
    sys.exit(main())
