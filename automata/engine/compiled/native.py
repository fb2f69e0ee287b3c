"""User-declared relations as machine code that the kernel can call.

The kernel knows a relation by the address of a function that reads scalars from slots and answers. The kernel
itself is not compiled again for it: the address is data.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from mnemata.automata.engine.compiled.jit import INTERPRETED, compiled
from mnemata.theory.conditions.formulas import Relation
from mnemata.theory.errors import RelationError, UnsupportedError
from mnemata.theory.schema import AttributeType, Bool, Float64, Int64, Schema, Timestamp

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Truth: TypeAlias = npt.NDArray[np.bool_]
Callee: TypeAlias = Callable[[Ints, Floats], int]

FAILED: Final = 2
"""What a relation answers when it raises, instead of 0 or 1."""

_SCALARS: Final = {Int64: types.int64, Timestamp: types.int64, Bool: types.boolean, Float64: types.float64}
_SIGNATURE: Final = "uint8(CPointer(int64), CPointer(float64))"


class Native(NamedTuple):
    """A relation whose scalars are of given types: its address, and what has to be kept alive with it."""

    address: int
    callee: object


@lru_cache(maxsize=256)
def native(relation: Relation, schema: Schema) -> Native:
    """Compile a relation for events of a schema.

    Raises
    ------
    UnsupportedError
        When it has no compiled form, one that numba does not compile, or one that reads texts.
    """
    if relation.compiled is None:
        raise UnsupportedError(
            f"relation '{relation.name}' is a Python function of several events without a compiled form"
        )
    kinds = _kinds(relation, schema)
    if INTERPRETED:
        _INTERPRETED.append(_interpreted(relation.compiled, kinds))
        return Native(len(_INTERPRETED) - 1, relation)
    function = numba.njit(relation.compiled)
    try:
        function.get_call_template(kinds, {})  # compiled alone, for the sake of the message
        callee = numba.cfunc(_SIGNATURE)(_callee(function, kinds))
    except NumbaError as error:
        reason = str(error).strip().splitlines()
        raise UnsupportedError(
            f"the compiled form of relation '{relation.name}' is not compiled by numba: "
            f"{next((line for line in reason[1:] if line.strip()), reason[0]).strip()}"
        ) from None
    return Native(int(callee.address or 0), callee)


def failure(relation: Relation, schema: Schema, ints: Ints, floats: Floats) -> RelationError:
    """The error to raise when a relation has failed on the scalars in the first slots."""
    given = _scalars(_kinds(relation, schema), ints, floats)
    message = f"relation '{relation.name}' raised an exception in its compiled form, given {given}"
    error = RelationError(message)
    try:
        (relation.compiled or relation.predicate)(*given)
    except Exception as cause:
        error = RelationError(f"{message}: {type(cause).__name__}: {cause}")
        error.__cause__ = cause
    return error


def _kinds(relation: Relation, schema: Schema) -> tuple[types.Type, ...]:
    return tuple(_scalar(relation, name, schema[name]) for name in relation.attributes) * relation.arity


def _scalar(relation: Relation, name: str, kind: AttributeType) -> types.Type:
    if type(kind) not in _SCALARS:
        raise UnsupportedError(
            f"relation '{relation.name}' reads '{name}', which is text; a compiled form can read only numbers"
        )
    return _SCALARS[type(kind)]


def _callee(function: Any, kinds: tuple[types.Type, ...]) -> Callable[[Any, Any], int]:
    """What the kernel calls: takes the slots from the first argument on."""
    unpack = _unpacking(kinds)

    def answer(ints: Any, floats: Any) -> int:
        try:
            return 1 if function(*unpack(ints, floats)) else 0
        except Exception:
            return FAILED

    return answer


def _unpacking(kinds: tuple[types.Type, ...]) -> Any:
    """A function from slots to a tuple of scalars of given types."""

    @intrinsic
    def unpack(_context: Any, ints: Any, floats: Any) -> Any:
        found: Any = types.Tuple(kinds)  # type: ignore[no-untyped-call]

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            values = []
            for number, kind in enumerate(kinds):
                pointer = arguments[1] if kind is types.float64 else arguments[0]
                value = builder.load(builder.gep(pointer, [context.get_constant(types.intp, number)]))
                if kind is types.boolean:
                    value = builder.icmp_signed("!=", value, value.type(0))
                values.append(value)
            return context.make_tuple(builder, found, values)

        return found(ints, floats), generate

    return unpack


_INTERPRETED: Final[list[Callee]] = []
"""Where there is no machine code, relations are known by their number here."""


def _interpreted(function: Callable[..., bool], kinds: Sequence[types.Type]) -> Callee:
    def answer(ints: Ints, floats: Floats) -> int:
        try:
            return int(bool(function(*_scalars(kinds, ints, floats))))
        except Exception:
            return FAILED

    return answer


def _scalars(kinds: Sequence[types.Type], ints: Ints, floats: Floats) -> list[Any]:
    """The scalars in the first slots, as Python has them."""
    found: list[Any] = []
    for number, kind in enumerate(kinds):
        value = floats[number] if kind is types.float64 else ints[number]
        found.append(bool(value) if kind is types.boolean else value.item())
    return found


def call(address: int, ints: Ints, floats: Floats, first: int) -> int:
    """Ask the relation at an address about the scalars in the slots from `first` on."""
    return _INTERPRETED[address](ints[first:], floats[first:])


if not INTERPRETED:

    @intrinsic
    def call(_context: Any, address: Any, ints: Any, floats: Any, first: Any) -> Any:
        """As above, in machine code."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            from llvmlite import ir

            number, place = arguments[0], arguments[3]
            pointers = []
            for kind, value in zip(signature.args[1:3], arguments[1:3], strict=True):
                data = context.make_array(kind)(context, builder, value).data
                pointers.append(builder.gep(data, [place]))
            kind = ir.FunctionType(ir.IntType(8), [pointer.type for pointer in pointers])
            answer = builder.call(builder.inttoptr(number, kind.as_pointer()), pointers)
            return builder.zext(answer, ir.IntType(64))

        return types.int64(types.int64, ints, floats, types.int64), generate


def holds_for_rows(relation: Relation, schema: Schema, columns: Sequence[npt.NDArray[Any]]) -> Truth:
    """Where a relation holds, given a column for each of its scalars, without missing values.

    Raises `UnsupportedError` as `native` does, and `RelationError` when it raises.
    """
    address = native(relation, schema).address
    kinds = _kinds(relation, schema)
    rows = max((len(column) for column in columns), default=0)
    ints, floats = np.zeros((rows, len(kinds)), np.int64), np.zeros((rows, len(kinds)), np.float64)
    for number, (kind, column) in enumerate(zip(kinds, columns, strict=True)):
        (floats if kind is types.float64 else ints)[:, number] = column
    found = np.zeros(rows, np.uint8)
    failed = _ask(address, ints, floats, found)
    if failed >= 0:
        raise failure(relation, schema, ints[failed], floats[failed])
    return found.view(np.bool_)


@compiled
def _ask(address: int, ints: Ints, floats: Floats, found: npt.NDArray[np.uint8]) -> int:
    for row in range(len(found)):
        answer = call(address, ints[row], floats[row], 0)
        if answer == FAILED:
            return row
        found[row] = answer
    return -1
