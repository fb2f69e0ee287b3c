"""Systems that are in no package registry: where whoever has one says that it is."""

from __future__ import annotations

import os
from pathlib import Path

from mnemata.theory.errors import EnvironmentProblem


def variable_of(name: str) -> str:
    """The variable that says where a system is."""
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
