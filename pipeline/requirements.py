"""Whether the Spark and the pandas that are installed are those that the pipeline is made for."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, version
from typing import Final, TypeAlias

from mnemata.theory.errors import EnvironmentProblem

Version: TypeAlias = tuple[int, int]

FITTING: Final[dict[str, tuple[Version, Version]]] = {"pyspark": ((4, 3), (5, 0)), "pandas": ((2, 2), (3, 0))}
"""For each package the first version that fits, and the first one that does not fit any more."""


def check_versions() -> None:
    """Raise `EnvironmentProblem` where a package is of a version that does not fit."""
    for package, (first, end) in FITTING.items():
        found = _installed(package)
        wanted = f"{package}>={first[0]}.{first[1]},<{end[0]}"
        if found is None:
            raise EnvironmentProblem(f"{package} is not installed; pip install '{wanted}'")
        if not first <= _numbers(found) < end:
            raise EnvironmentProblem(
                f"{package} {found} is installed, which does not fit; pip install '{wanted}'"
            )


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _numbers(text: str) -> Version:
    """The first two numbers of a version.

    >>> _numbers("4.3.0.dev1"), _numbers("5")
    ((4, 3), (5, 0))
    """
    major, minor, *_ = [*map(int, re.findall(r"\d+", text)), 0, 0]
    return major, minor
