"""The memory of a process, as the operating system counts it.

Not by `getrusage`, whose peak counts the memory of the parent from before the process began its program.
Where there is no ``/proc``, nothing is known.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

OWN: Final = "self"
"""The process that asks."""


def resident(process: int | str = OWN) -> int | None:
    """Bytes of memory that a process occupies just now; ``None`` where that is not known."""
    return _size("VmRSS:", process)


def peak(process: int | str = OWN) -> int | None:
    """The most bytes that it occupied since it began its program, or since `forget_peak`."""
    return _size("VmHWM:", process)


def forget_peak() -> None:
    """Begin anew with the peak of this process, where the system can do that."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _size(name: str, process: int | str) -> int | None:
    try:
        facts = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    sizes = (int(line.split()[1]) * 1024 for line in facts.splitlines() if line.startswith(name))
    return next(sizes, None)
