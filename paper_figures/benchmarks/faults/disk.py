"""A file system that is full again and again, and grows by a little each time."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

from mnemata.paper_figures.benchmarks.faults.places import Place
from mnemata.paper_figures.benchmarks.faults.running import SECONDS
from mnemata.paper_figures.benchmarks.faults.trials import Endured, different

_UNSHARED: Final = ("unshare", "--user", "--map-root-user", "--mount")
_MODULE: Final = "mnemata.paper_figures.benchmarks.faults.mounting"


def may_mount() -> bool:
    """Whether this user may mount a small file system for a process of its own."""
    command = [*_UNSHARED, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    try:
        return subprocess.run(command, capture_output=True, timeout=SECONDS).returncode == 0
    except OSError:
        return False


def filled(place: Place, whole: Place) -> Endured:
    """Let a command write its matches there, and compare with one that nothing disturbed."""
    command = [*_UNSHARED, sys.executable, "-P", "-m", _MODULE, str(place.root), place.command.name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    struck = int(done.stdout)
    return Endured(struck, struck, different(place, whole))
