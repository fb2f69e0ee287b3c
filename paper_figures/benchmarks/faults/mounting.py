"""What `mnemata.paper_figures.benchmarks.faults.disk` does where it may mount."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from mnemata.paper_figures.benchmarks.faults.places import RUN, STREAM, Place
from mnemata.paper_figures.benchmarks.faults.running import Running

_FULL: Final = "error: the disk is full"
_LEAST: Final = 4 * 1024
_COMMANDS: Final = {command.name: command for command in (STREAM, RUN)}


def main(root: str, name: str) -> None:
    """Run a command until the disk of its matches is large enough; prints how often it was not."""
    place = Place(Path(root), _COMMANDS[name])
    place.sink.mkdir()
    size, struck, how = _LEAST, 0, "size={}"
    while True:
        command = ["mount", "-t", "tmpfs", "-o", how.format(size), "tmpfs", str(place.sink)]
        subprocess.run(command, check=True)
        with Running(place.call()) as running:
            if running.end() == 0:
                break
        if _FULL not in running.said:
            raise RuntimeError(f"the disk is not what ended the command: {running.said}")
        size, struck, how = 2 * size, struck + 1, "remount,size={}"
    # What is mounted here ends with this process.
    shutil.copytree(place.sink, place.root / "kept")
    subprocess.run(["umount", str(place.sink)], check=True)
    shutil.copytree(place.root / "kept", place.sink, dirs_exist_ok=True)
    sys.stdout.write(f"{struck}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
