"""Values as the machine has them: 64-bit words and IEEE doubles, exact bit by bit, and slow.

int64 is a bit-vector with the predicates that no operation overflows; a double is a floating-point
number that is not NaN (missing has its own flag) and not -0.0: without division no condition tells
-0.0 from 0.0, so replacing one by the other changes no truth value. Arithmetic rounds to nearest,
ties to even.
"""

from __future__ import annotations

import struct
from typing import Any

import z3

from mnemata.theory.satisfiability.scalars import Expression, Formula, Kind, Scalar, truth
from mnemata.theory.satisfiability.texts import Texts
from mnemata.theory.schema import INT64_MIN, Value

BITS = 64


class Machine:
    """The domain of machine words and IEEE doubles."""

    conclusive = True

    def __init__(self, context: z3.Context, texts: Texts) -> None:
        self.context = context
        self._texts = texts
        self._axioms: list[Formula] = []
        self._double, self._mode = z3.Float64(context), z3.RNE(context)

    def variable(self, kind: Kind, name: str) -> Expression:
        match kind:
            case Kind.WHOLE:
                return z3.BitVec(name, BITS, self.context)
            case Kind.DOUBLE:
                double = z3.FP(name, self._double, self.context)
                negative_zero = double == z3.fpMinusZero(self._double)
                self._axioms += [z3.Not(self._is_nan(double)), z3.Not(negative_zero)]
                return double
            case Kind.TRUTH:
                return z3.Bool(name, self.context)
        return self._texts.variable(name, self.context)

    def literal(self, kind: Kind, value: Any) -> Expression:
        match kind:
            case Kind.WHOLE:
                return z3.BitVecVal(value, BITS, self.context)
            case Kind.DOUBLE:
                return self._numeral(value)
            case Kind.TRUTH:
                return truth(value, self.context)
        return self._texts.literal(value, self.context)

    def calculate(self, symbol: str, left: Scalar, right: Scalar) -> tuple[Expression, Formula]:
        if Kind.DOUBLE in (left.kind, right.kind):
            operation = {"+": z3.fpAdd, "-": z3.fpSub, "*": z3.fpMul}[symbol]
            x, y = self._as_double(left), self._as_double(right)
            result = operation(self._mode, x, y, self.context)
            return result, z3.Not(self._is_nan(result))
        return _words(symbol, left.value, right.value)

    def absolute(self, operand: Scalar) -> tuple[Expression, Formula]:
        x = operand.value
        if operand.kind is Kind.DOUBLE:
            return z3.fpAbs(x, self.context), truth(True, self.context)
        return z3.If(x < 0, -x, x), x != INT64_MIN

    def compare(self, symbol: str, left: Scalar, right: Scalar) -> Formula:
        a, b = left.value, right.value
        if Kind.DOUBLE in (left.kind, right.kind):
            a, b = self._as_double(left), self._as_double(right)
            return _DOUBLES_COMPARED[symbol](a, b, self.context)
        return _WORDS_COMPARED[symbol](a, b)

    def axioms(self) -> list[Formula]:
        return list(self._axioms)

    def guesses(self) -> list[Formula]:
        return []

    def reveal(self, model: Any, kind: Kind, value: Expression) -> Value:
        if kind is Kind.TEXT:
            return self._texts.reveal(model, value)
        if kind is Kind.DOUBLE:
            bits = model.eval(z3.fpToIEEEBV(value, self.context), model_completion=True).as_long()
            return float(struct.unpack("<d", struct.pack("<Q", bits))[0])
        assigned = model.eval(value, model_completion=True)
        return z3.is_true(assigned) if kind is Kind.TRUTH else int(assigned.as_signed_long())

    def argument(self, kind: Kind, value: Expression) -> Expression | None:
        if kind is Kind.WHOLE:
            return z3.BV2Int(value, is_signed=True)
        return None if kind is Kind.TEXT and not self._texts.spelled else value

    def _as_double(self, scalar: Scalar) -> Expression:
        if scalar.kind is Kind.DOUBLE:
            return scalar.value
        if isinstance(scalar.literal, int):
            return self._numeral(float(scalar.literal))
        return z3.fpSignedToFP(self._mode, scalar.value, self._double, self.context)

    def _numeral(self, value: float) -> Expression:
        bits = z3.BitVecVal(int.from_bytes(struct.pack(">d", value)), BITS, self.context)
        return z3.simplify(z3.fpBVToFP(bits, self._double, self.context))

    def _is_nan(self, double: Expression) -> Formula:
        return z3.fpIsNaN(double, self.context)


_DOUBLES_COMPARED: dict[str, Any] = {
    "=": z3.fpEQ,
    "!=": z3.fpNEQ,
    "<": z3.fpLT,
    "<=": z3.fpLEQ,
    ">": z3.fpGT,
    ">=": z3.fpGEQ,
}
_WORDS_COMPARED: dict[str, Any] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _words(symbol: str, a: Expression, b: Expression) -> tuple[Expression, Formula]:
    match symbol:
        case "+":
            return a + b, z3.And(z3.BVAddNoOverflow(a, b, True), z3.BVAddNoUnderflow(a, b))
        case "-":
            return a - b, z3.And(z3.BVSubNoOverflow(a, b), z3.BVSubNoUnderflow(a, b, True))
    return a * b, z3.And(z3.BVMulNoOverflow(a, b, True), z3.BVMulNoUnderflow(a, b))
