"""Just-in-time compilation, with types that survive it, and machine code that survives the process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

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


def _prefetch(array: npt.NDArray[Any], place: int) -> None:
    """Bring an entry of a contiguous array to the cache, and do not wait; `place` may be past its end."""


def _typed_prefetch(_context: Any, array: Any, place: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
        function = builder.module.declare_intrinsic("llvm.prefetch", [address.type], kind)
        reading, keep_near, of_data = flag(0), flag(3), flag(1)
        builder.call(function, [address, reading, keep_near, of_data])
        return context.get_dummy_value()

    return types.void(array, place), generate


prefetch: Any = _prefetch if INTERPRETED else intrinsic(_typed_prefetch)


def _natural(number: int) -> int:
    """A number that is not negative: it is said, so that arrays need not be asked from their end."""
    return number


def _typed_natural(_context: Any, number: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.assume(builder.icmp_signed(">=", arguments[0], arguments[0].type(0)))
        return arguments[0]

    return types.int64(types.int64), generate


natural: Any = _natural if INTERPRETED else intrinsic(_typed_natural)


def inlined(function: F) -> F:
    """Compile a function into those that call it; for the innermost ones, whose calls would cost more."""
    return numba.njit(forceinline=True, **_OPTIONS)(function)  # type: ignore[no-any-return]
