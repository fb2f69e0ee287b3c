"""All results, in one place.

Every module of the packages `srt`, `cel`, `rma` and `own` that has a ``RESULT`` is in the registry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from mnemata.proofs.results import Result
from mnemata.theory.errors import UnknownResultError, suggestion

PACKAGES: Final = ("srt", "cel", "rma", "own")


@cache
def results() -> tuple[Result, ...]:
    """All results, ordered by paper and by their numbers there."""
    return tuple(result for package in PACKAGES for result in sorted(_of(package), key=_order))


def chosen(names: Iterable[str]) -> tuple[Result, ...]:
    """The results of some names; a name may also be the beginning of several: ``srt``, ``srt-algorithm``."""
    return tuple(dict.fromkeys(result for name in names for result in _named(name)))


def _named(name: str) -> tuple[Result, ...]:
    whole = tuple(result for result in results() if result.id == name)
    begun = tuple(result for result in results() if result.id.startswith(f"{name}-"))
    if not (whole or begun):
        ids = [result.id for result in results()]
        raise UnknownResultError(f"there is no result '{name}'.{suggestion(name, ids)}")
    return whole or begun


def _of(package: str) -> Iterator[Result]:
    path = import_module(f"mnemata.proofs.{package}").__path__
    for module in iter_modules(path, f"mnemata.proofs.{package}."):
        found = getattr(import_module(module.name), "RESULT", None)
        if isinstance(found, Result):
            yield found


def _order(result: Result) -> tuple[bool, tuple[int, ...], str]:
    numbers = re.findall(r"\d+|\b[A-Z](?=\.\d)", result.place)  # appendices have letters
    key = tuple(int(part) if part.isdigit() else 100 + ord(part) for part in numbers)
    return result.place.startswith("Algorithm"), key, result.place
