"""Systems that are in no package registry: where whoever has one says that it is, or how it is run."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from mnemata.paper_figures.peers.running import Launch
from mnemata.theory.errors import EnvironmentProblem


def variable_of(name: str) -> str:
    """The variable that says where a system is, or how it is run."""
    return f"MNEMATA_PEER_{name.upper()}"


def class_path_of(name: str) -> tuple[Path, ...]:
    """The jars of a system that the user has, and folders of jars, as `variable_of` names them.

    Raises
    ------
    EnvironmentProblem
        When none was named, or there is nothing where one should be.
    """
    entries = tuple(Path(entry) for entry in os.environ.get(variable_of(name), "").split(os.pathsep) if entry)
    if not entries:
        raise EnvironmentProblem(f"no jars were given in {variable_of(name)}")
    for entry in entries:
        if not (any(entry.glob("*.jar")) if entry.is_dir() else entry.is_file()):
            raise EnvironmentProblem(f"{variable_of(name)} names {entry}, where there is no jar")
    return entries


def launch_of(name: str, query: str) -> Launch:
    """How to run a system that the user has, by the command that `variable_of` names.

    The command is given the stream, a file with the pattern in the language of the system, how many rounds to
    make at most, after how many seconds none begins any more, and perhaps a file for the matches; it reports
    as `mnemata.paper_figures.peers.workers.reporting` does.

    Raises
    ------
    EnvironmentProblem
        When no command was named.
    """
    command = os.environ.get(variable_of(name))
    if not command:
        raise EnvironmentProblem(f"no command was given in {variable_of(name)}")
    return Launch(tuple(shlex.split(command)), query)
