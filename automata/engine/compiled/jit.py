"""Just-in-time compilation, with types that survive it, and machine code that survives the process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.generic)
F = TypeVar("F", bound=Callable[..., object])

INTERPRETED: Final = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
"""Whether everything stays the Python functions that it is written as."""

# Without the runtime (_nrt) arrays are not counted, which would take most of the time; so nothing that is
# compiled here may make arrays.
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def _stamp() -> str:
    """What the machine code depends on: all of this package, not only the file of a function."""
    found = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        found.update(source.read_bytes())
    return found.hexdigest()


_STAMP: Final = _stamp()


def frozen(array: npt.NDArray[T]) -> npt.NDArray[T]:
    """A view that cannot be written: arrays that can and cannot are different types to the compiler."""
    view = np.ascontiguousarray(array).view()
    view.flags.writeable = False
    return view


def compiled(function: F) -> F:
    """Compile a function, which must not make arrays, to machine code that the next process finds on disk.

    With ``NUMBA_DISABLE_JIT=1`` in the environment it stays the Python function that it is.
    """
    dispatcher: Any = numba.njit(cache=True, **_OPTIONS)(function)
    if dispatcher is not function:
        dispatcher._cache._cache_file._source_stamp = _STAMP
    return dispatcher  # type: ignore[no-any-return]


def inlined(function: F) -> F:
    """Compile a function into those that call it; for the innermost ones, whose calls would cost more."""
    return numba.njit(forceinline=True, **_OPTIONS)(function)  # type: ignore[no-any-return]
