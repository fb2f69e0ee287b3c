"""Values as mathematical integers and reals: fast, sound, and exact except for doubles.

*int64.* Integer variables range over int64, and every operation carries the guard that its result
does: exact.

*Doubles without arithmetic* are compared only. Let ``h`` map each finite double to itself, -0.0 to
0 and the infinities to ``-i`` and ``i``, where ``i`` exceeds every finite double. `h` preserves and
reflects ``=`` and ``<`` (NaN is missing and never compared), so any doubles give reals under which
the same comparisons hold: what no reals satisfy, no doubles do. The converse fails (no double lies
between two neighbours), so an example found here is only a proposal until it has been checked. The
solver chooses ``i`` itself, above the finite constants.

*Arithmetic over doubles rounds*, and so does an int64 beside a double. The rounded value is a new
variable, about which this is said: rounding is monotone and leaves doubles alone, so for exact
values ``e <= f`` gives ``rounded(e) <= rounded(f)``, and ``e <= w`` gives ``rounded(e) <= w`` for
every double ``w`` in sight. That stays true of the infinities if ``i`` is large enough, and ``i`` is
bounded from below only. An operand that is missing may be taken for any double. The equation of exact
and rounded value is a mere guess that helps to find examples.

*int64 beside a constant double* is a bound on the integer, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import Any

import z3

from mnemata.theory.conditions.formulas import MIRRORED
from mnemata.theory.conditions.values import compare
from mnemata.theory.satisfiability.scalars import (
    NUMBERS,
    Expression,
    Formula,
    Kind,
    Scalar,
    truth,
)
from mnemata.theory.satisfiability.texts import Texts
from mnemata.theory.schema import INT64_MAX, INT64_MIN, Value

ODD = 2**53  # up to here every whole number is a double
FARTHEST = 512  # between an int64 and the nearest double
MOST_ROUNDINGS = 200  # about which anything is said
MOST_LAWS = 1_000  # about pairs of them
SIMPLE_FACTORS = (0, 1, -1, 2, 10)
LARGEST_WHOLE = float(2**63)  # no int64 rounds to more


@dataclass(frozen=True, slots=True)
class Rounding:
    """An exact value and the nearest double, where `fits` holds; a double is its own nearest."""

    exact: Expression
    result: Expression
    fits: Formula = None

    def keeps_order(self, other: Rounding) -> Formula:
        """Rounding is monotone: an order between exact values holds between the results."""
        below = z3.Implies(self.exact <= other.exact, self.result <= other.result)
        above = z3.Implies(self.exact >= other.exact, self.result >= other.result)
        given = [fits for fits in (self.fits, other.fits) if fits is not None]
        return z3.Implies(z3.And(*given), z3.And(below, above)) if given else z3.And(below, above)


class Mathematics:
    """The domain of integers and reals."""

    def __init__(self, context: z3.Context, texts: Texts) -> None:
        self.context, self.conclusive = context, True
        self._texts = texts
        self._axioms: list[Formula] = []
        self._guesses: list[Formula] = []
        self._reals: list[Expression] = []
        self._literals: dict[float, Expression] = {}
        self._rounded: dict[tuple[object, ...], tuple[Expression, ...]] = {}
        self._wholes: dict[int, tuple[Expression, Expression]] = {}
        self._roundings: list[Rounding] = []
        self._infinity = z3.Real("infinity", context)
        self._infinite, self._largest = False, LARGEST_WHOLE

    def variable(self, kind: Kind, name: str) -> Expression:
        match kind:
            case Kind.WHOLE:
                whole = z3.Int(name, self.context)
                self._axioms.append(_in_range(whole))
                return whole
            case Kind.DOUBLE:
                return self._real(name)
            case Kind.TRUTH:
                return z3.Bool(name, self.context)
        return self._texts.variable(name, self.context)

    def _real(self, name: str) -> Expression:
        self.conclusive = False
        self._reals.append(z3.Real(name, self.context))
        return self._reals[-1]

    def literal(self, kind: Kind, value: Any) -> Expression:
        match kind:
            case Kind.WHOLE:
                return z3.IntVal(value, self.context)
            case Kind.DOUBLE:
                return self._double(value)
            case Kind.TRUTH:
                return truth(value, self.context)
        return self._texts.literal(value, self.context)

    def _double(self, value: float) -> Expression:
        if math.isinf(value):
            self._infinite = True
            return self._infinity if value > 0 else -self._infinity
        self._largest = max(self._largest, abs(value))
        return self._literals.setdefault(value, z3.RealVal(str(Fraction(value)), self.context))

    def calculate(self, symbol: str, left: Scalar, right: Scalar) -> tuple[Expression, Formula]:
        if Kind.DOUBLE in (left.kind, right.kind):
            x, y = self._as_double(left), self._as_double(right)
            return self._round("+", x, -y) if symbol == "-" else self._round(symbol, x, y)
        result = self._whole(symbol, left, right)
        return result, _in_range(result)

    def _whole(self, symbol: str, left: Scalar, right: Scalar) -> Expression:
        if symbol == "*":
            linear = left.literal is not None or right.literal is not None
            self.conclusive = self.conclusive and linear
            return left.value * right.value
        return left.value + right.value if symbol == "+" else left.value - right.value

    def absolute(self, operand: Scalar) -> tuple[Expression, Formula]:
        result = z3.If(operand.value >= 0, operand.value, -operand.value)
        fits = _in_range(result) if operand.kind is Kind.WHOLE else truth(True, self.context)
        return result, fits

    def compare(self, symbol: str, left: Scalar, right: Scalar) -> Formula:
        if left.kind is Kind.WHOLE and right.kind is Kind.DOUBLE and right.literal is not None:
            return self._threshold(symbol, left.value, right.literal)
        if left.kind is Kind.DOUBLE and right.kind is Kind.WHOLE and left.literal is not None:
            return self._threshold(MIRRORED[symbol], right.value, left.literal)
        a, b = left.value, right.value
        if left.kind is not right.kind:
            a, b = self._as_double(left), self._as_double(right)
        constant = left.literal is not None or right.literal is not None
        if constant and left.kind in NUMBERS and symbol in ("=", "!="):
            equal = z3.And(a <= b, a >= b)  # thousands of equations take Z3 minutes, bounds do not
            return equal if symbol == "=" else z3.Not(equal)
        return _COMPARED[symbol](a, b)

    def _threshold(self, symbol: str, whole: Expression, double: Value) -> Formula:
        """``float(whole) symbol double`` as bounds on `whole`: rounding is monotone."""
        at_most, below = last_whole("<=", double), last_whole("<", double)
        match symbol:
            case "<":
                return whole <= below
            case "<=":
                return whole <= at_most
            case ">":
                return whole > at_most
            case ">=":
                return whole > below
        equal = z3.And(whole <= at_most, whole > below)
        return equal if symbol == "=" else z3.Not(equal)

    def axioms(self) -> list[Formula]:
        found = [*self._axioms, *islice(self._laws(), MOST_LAWS)]
        if self._infinite:
            largest = z3.RealVal(str(Fraction(self._largest)), self.context)
            found.append(self._infinity > largest)
            found += [z3.And(-self._infinity <= real, real <= self._infinity) for real in self._reals]
        return found

    def _laws(self) -> Iterator[Formula]:
        """Rounding is monotone and leaves doubles alone."""
        doubles = [Rounding(double, double) for double in (*self._reals, *self._literals.values())]
        for place, one in enumerate(self._roundings):
            for other in (*doubles, *self._roundings[:place]):
                yield one.keeps_order(other)

    def guesses(self) -> list[Formula]:
        return list(self._guesses)

    def reveal(self, model: Any, kind: Kind, value: Expression) -> Value:
        if kind is Kind.TEXT:
            return self._texts.reveal(model, value)
        assigned = model.eval(value, model_completion=True)
        if kind is Kind.WHOLE:
            return int(assigned.as_long())
        if kind is Kind.TRUTH:
            return bool(z3.is_true(assigned))
        infinity = model.eval(self._infinity, model_completion=True) if self._infinite else None
        return _nearest(_fraction(assigned), None if infinity is None else _fraction(infinity))

    def argument(self, kind: Kind, value: Expression) -> Expression | None:
        if kind is Kind.DOUBLE or (kind is Kind.TEXT and not self._texts.spelled):
            return None
        return value

    def _as_double(self, scalar: Scalar) -> Expression:
        if scalar.kind is Kind.DOUBLE:
            return scalar.value
        if isinstance(scalar.literal, int):
            return self._double(float(scalar.literal))
        return self._rounded_whole(scalar.value)

    def _rounded_whole(self, whole: Expression) -> Expression:
        """An int64 rounded to the nearest double: unchanged up to 2**53, and off by 512 at most."""
        key = whole.get_id()
        if key not in self._wholes:
            exact, result = z3.ToReal(whole), self._real(f"nearest{len(self._wholes)}")
            near = z3.And(result - exact <= FARTHEST, exact - result <= FARTHEST)
            small = z3.And(whole >= -ODD, whole <= ODD)
            self._axioms.append(z3.Implies(_in_range(whole), near))
            self._axioms.append(z3.Implies(small, result == exact))
            others = (Rounding(*pair) for pair in self._wholes.values())
            self._axioms += [Rounding(whole, result).keeps_order(other) for other in others]
            self._axioms += [z3.Implies(whole >= ODD, result >= ODD)]
            self._axioms += [z3.Implies(whole <= -ODD, result <= -ODD)]
            self._guesses.append(result == exact)
            self._wholes[key] = (whole, result)
        return self._wholes[key][1]

    def _round(self, symbol: str, x: Expression, y: Expression) -> tuple[Expression, Formula]:
        ids = (x.get_id(), y.get_id())
        key = (symbol, *sorted(ids))  # both operations commute, rounding included
        if key not in self._rounded:
            self._infinite = True
            number = len(self._rounded)
            result = self._real(f"rounded{number}")
            fits = z3.Bool(f"number{number}", self.context)
            if number < MOST_ROUNDINGS:
                self._constrain(symbol, x, y, Rounding(_exact(symbol, x, y), result, fits))
            self._rounded[key] = (result, fits, x, y)  # operands stay alive, so ids stay theirs
        return self._rounded[key][0], self._rounded[key][1]

    def _constrain(self, symbol: str, x: Expression, y: Expression, rounding: Rounding) -> None:
        self._double(0.0)
        fits, result = rounding.fits, rounding.result
        self._axioms.append(z3.Or(fits, self._unbounded(x), self._unbounded(y)))
        self._guesses.append(fits)
        if symbol == "*" and not _has_literal(x, y):
            self._axioms += [z3.Implies(fits, law) for law in _product_laws(x, y, result)]
            self._guesses.append(_simple_product(x, y, result))
            return
        if symbol == "+":
            self._axioms += [z3.Implies(fits, law) for law in _sum_laws(x, y, result)]
        self._roundings.append(rounding)
        self._guesses.append(result == rounding.exact)

    def _unbounded(self, x: Expression) -> Formula:
        return z3.Or(x == self._infinity, x == -self._infinity)


_COMPARED: dict[str, Any] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def _in_range(whole: Expression) -> Formula:
    return z3.And(whole >= INT64_MIN, whole <= INT64_MAX)


def _sum_laws(x: Expression, y: Expression, result: Expression) -> Iterator[Formula]:
    """A sum of doubles does not round to zero unless it is zero."""
    yield z3.Implies(x > -y, result > 0)
    yield z3.Implies(x < -y, result < 0)


def _product_laws(x: Expression, y: Expression, result: Expression) -> Iterator[Formula]:
    """What rounding keeps of ``x * y``: its sign unless it underflows, and whether it grows or shrinks."""
    alike = z3.Or(z3.And(x >= 0, y >= 0), z3.And(x <= 0, y <= 0))
    unlike = z3.Or(z3.And(x >= 0, y <= 0), z3.And(x <= 0, y >= 0))
    yield z3.Implies(alike, result >= 0)
    yield z3.Implies(unlike, result <= 0)
    for one, other in ((x, y), (y, x)):
        yield z3.Implies(_size(other) >= 1, _size(result) >= _size(one))
        yield z3.Implies(_size(other) <= 1, _size(result) <= _size(one))


def _size(x: Expression) -> Expression:
    return z3.If(x >= 0, x, -x)


def _exact(symbol: str, x: Expression, y: Expression) -> Expression:
    return x + y if symbol == "+" else x * y


def _has_literal(x: Expression, y: Expression) -> bool:
    return bool(z3.is_rational_value(x) or z3.is_rational_value(y))


def _simple_product(x: Expression, y: Expression, result: Expression) -> Formula:
    """That one factor is a simple number: linear, unlike the product."""
    simple = [z3.And(x == f, result == f * y) for f in SIMPLE_FACTORS]
    return z3.Or(*simple, *(z3.And(y == f, result == x * f) for f in SIMPLE_FACTORS))


@cache
def last_whole(symbol: str, double: float) -> int:
    """The largest int64 that, rounded to a double, is ``<`` or ``<=`` `double`; -2**63 - 1 if none is.

    >>> last_whole("<", 2.0**53)
    9007199254740991
    >>> last_whole("<=", 2.0**53)
    9007199254740993
    """
    low, high = INT64_MIN - 1, INT64_MAX
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if compare(symbol, middle, double) else (low, middle - 1)
    return low


def _fraction(assigned: Any) -> Fraction:
    rational = assigned.approx(30) if z3.is_algebraic_value(assigned) else assigned
    return Fraction(rational.numerator_as_long(), rational.denominator_as_long())


def _nearest(real: Fraction, infinity: Fraction | None) -> float:
    if infinity is not None and abs(real) >= infinity:
        return math.inf if real > 0 else -math.inf
    try:
        return float(real)
    except OverflowError:
        return math.inf if real > 0 else -math.inf
