"""Satisfiability, entailment and equivalence, case by case."""

from __future__ import annotations

import math
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import z3

from mnemata.theory.conditions.building import Quantity, defined, head, position, register, time
from mnemata.theory.conditions.evaluation import models
from mnemata.theory.conditions.formulas import (
    BOTTOM,
    TOP,
    And,
    Condition,
    Definition,
    Not,
    Or,
    Relation,
    conjunction,
)
from mnemata.theory.conditions.terms import (
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Term,
)
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import (
    ConditionTypeError,
    LimitError,
    MnemataError,
    PatternError,
    UnknownAttributeError,
)
from mnemata.theory.satisfiability import (
    Answer,
    Verdict,
    entails,
    equivalent,
    implied,
    satisfiable,
)
from mnemata.theory.satisfiability.preparation import prepared
from mnemata.theory.schema import (
    INT64_MAX,
    INT64_MIN,
    Bool,
    Category,
    Float64,
    Int64,
    Schema,
    String,
    Timestamp,
)

SCHEMA = Schema.of(
    a=Int64(),
    b=Int64(),
    x=Float64(),
    y=Float64(),
    flag=Bool(),
    name=String(),
    other=String(),
    kind=Category(("BUY", "SELL")),
    at=Timestamp("ms"),
    until=Timestamp("ms"),
    time="at",
)
NOW, R1, R2 = head(SCHEMA), register("r1", SCHEMA), register("r2", SCHEMA)
ODD = 2**53  # from here on, odd whole numbers are no doubles
LARGEST = 1.7976931348623157e308


def decided(condition: Condition, *, known: Condition = TOP) -> Verdict:
    answer = satisfiable(condition, SCHEMA, known=known, timeout_ms=20_000)
    if answer.yes:
        witness = answer.witness
        assert witness is not None
        assert models(witness.event, witness.valuation, prepared(condition & known, SCHEMA))
        events = [witness.event, *witness.valuation.values()]
        assert events == [SCHEMA.event(event.values, event.position) for event in events]
        assert all(event.position < witness.event.position for event in events[1:])
    return answer.verdict


POSSIBLE = {
    "a missing value makes an atom and its opposite false": ~(NOW.x > NOW.y) & ~(NOW.x <= NOW.y),
    "a missing value differs from itself": ~(NOW.a == NOW.a),
    "an empty register makes an atom and its opposite false": ~(NOW.x > R1.x) & ~(NOW.x <= R1.x),
    "a value of a filled register may be missing": defined(R1) & ~(R1.a == R1.a),
    "an int64 may be the largest": (NOW.a >= INT64_MAX) & (NOW.b <= INT64_MIN),
    "a sum that leaves 64 bits is missing": (NOW.a > 0) & (NOW.b > 0) & ~(NOW.a + NOW.b > 0),
    "the least int64 has no absolute value": (NOW.a < 0) & ~(abs(NOW.a) > 0),
    "doubles have a number between 0 and the least normal": (NOW.x > 0.0) & (NOW.x < 1e-310),
    "infinity is larger than every finite double": NOW.x > LARGEST,
    "infinity less infinity is missing": (NOW.x > 0.0) & ~(NOW.x - NOW.x == 0.0),
    "a sum of doubles may not change": (NOW.x > 0.0) & (NOW.y > 0.0) & (NOW.x + NOW.y == NOW.x),
    "sums of doubles do not associate": (NOW.x + 0.1) + 0.2 != NOW.x + (0.1 + 0.2),
    "two int64 may round to one double": (NOW.a != NOW.b) & (NOW.a == NOW.x) & (NOW.b == NOW.x),
    "an int64 rounds to a constant double": (NOW.a == float(ODD)) & (NOW.a > ODD),
    "the largest int64 rounds up": (NOW.a == 2.0**63) & (NOW.a == INT64_MAX),
    "a product that underflows": (NOW.x > 0.0) & (NOW.x * 0.5 == 0.0),
    "a sum and a product": (NOW.x + NOW.y == 5.0) & (NOW.x * NOW.y == 6.0) & (NOW.x - NOW.y > 0.0),
    "products of doubles": (NOW.x * NOW.y > 6.5) & (NOW.x < 3.0) & (NOW.y < 3.0),
    "strings that no condition mentions": (NOW.name != "p") & (NOW.name != "q") & (NOW.name != R1.name),
    "a string may equal a category": NOW.name == NOW.kind,
    "neither true nor false: missing": ~(NOW.flag == True) & ~(NOW.flag == False),  # noqa: E712
    "filled registers may hold the same event": position(R1) == position(R2),
    "the event just before": position(NOW) - position(R1) == 1,
    "an earlier event may differ": (position(R1) < position(R2)) & (R1.a != R2.a),
    "a later event may differ": (position(R1) > position(R2)) & (R1.a != R2.a),
    "a position of its own for each register": (position(R1) != position(R2)) & (R1.a == R2.a),
    "an empty register has no position": ~(position(NOW) > position(R1)),
    "timestamps in any order": time(R1) > time(NOW),
    "a length of time": (time(NOW) - time(R1)) < Duration(5, "s"),
    "a day": (NOW.at >= Instant("2024-01-01")) & (NOW.at < Instant("2024-01-02")),
    "nothing": TOP,
}

IMPOSSIBLE = {
    "an atom and its negation": (NOW.x > R1.x) & ~(NOW.x > R1.x),
    "an atom over an empty register": ~defined(R1) & (NOW.x > R1.x),
    "an atom over a missing value": ~(NOW.a == NOW.a) & (NOW.a > 0),
    "a missing value somewhere in a sum": ~(NOW.a == NOW.a) & (NOW.a * 0 == 0),
    "no int64 beyond the largest": NOW.a > INT64_MAX,
    "nor beyond the least": NOW.a < INT64_MIN,
    "none between the largest two": (NOW.a > INT64_MAX - 1) & (NOW.a < INT64_MAX),
    "no int64 between neighbours": (NOW.a > 1) & (NOW.a < 2),
    "a sum in 64 bits": (NOW.a > 0) & (NOW.b > 0) & (NOW.a + NOW.b <= 0),
    "no int64 beyond the largest, computed": (NOW.a == INT64_MAX) & (NOW.a + 1 > 0),
    "nor by multiplication": (NOW.a > 2**62) & (NOW.a * 2 != 0),
    "the least int64 has no opposite": (NOW.a == INT64_MIN) & (abs(NOW.a) != 0),
    "0.1 + 0.2 is not 0.3": Quantity(Constant(0.1)) + 0.2 == 0.3,
    "nor when computed from an attribute": (NOW.x == 0.1) & (NOW.x + 0.2 == 0.3),
    "constants overflow as values do": Quantity(Constant(INT64_MAX)) + 1 == NOW.a,
    "no double between neighbours": (NOW.x > 1.0) & (NOW.x < 1.0000000000000002),
    "no finite double beyond the largest": (NOW.x > LARGEST) & (NOW.x < math.inf),
    "nothing beyond infinity": NOW.x > math.inf,
    "-0.0 is 0.0": (NOW.x == -0.0) & (NOW.x != 0.0),
    "transitivity through missing values": (NOW.x < R1.x) & (R1.x < NOW.y) & ~(NOW.x < NOW.y),
    "rounding is monotone": (NOW.x > 0.0) & (NOW.x * 1.1 < NOW.x),
    "sums are monotone": (NOW.y >= 0.0) & (NOW.x + NOW.y < NOW.x),
    "a difference of different doubles is not zero": (NOW.x != NOW.y) & (NOW.x - NOW.y == 0.0),
    "2**53 + 1 is no double": (NOW.a == ODD + 1) & (NOW.a == NOW.x) & (NOW.x > float(ODD)),
    "nor as a constant": (NOW.a == ODD + 1) & (NOW.a > float(ODD)),
    "an int64 keeps its side of a double": (NOW.a < NOW.b) & (NOW.a > NOW.x) & (NOW.b < NOW.x),
    "a category has no other values": (NOW.kind != "BUY") & (NOW.kind != "SELL"),
    "a category is exhausted by three": (NOW.kind != R1.kind) & (R1.kind != R2.kind) & (R2.kind != NOW.kind),
    "text is one thing": (NOW.name == "p") & (NOW.name == "q"),
    "equality of text is transitive": (NOW.name == R1.name) & (R1.name == R2.name) & (NOW.name != R2.name),
    "a third truth value": (NOW.flag != True) & (NOW.flag != False),  # noqa: E712
    "registers hold earlier events": position(R1) >= position(NOW),
    "by one position at least": position(NOW) - position(R1) < 1,
    "positions count from 0": position(NOW) < 0,
    "a position is never missing": defined(R1) & ~(position(R1) == position(R1)),
    "one event has one value": (position(R1) == position(R2)) & (R1.a != R2.a),
    "one event is missing or not": (position(R1) == position(R2)) & (R1.x == R1.x) & ~(R2.x == R2.x),
    "a length of time": ((time(NOW) - time(R1)) < Duration(5, "s"))
    & ((time(NOW) - time(R1)) > Duration(5_000, "ms")),
    "a point in time": (NOW.at < Instant("2024-01-01")) & (NOW.at > Instant("2024-01-01T00:00:00.001")),
    "no value is among none": NOW.a.isin([]),
    "among several": NOW.a.isin([1, 2.0, 3]) & (NOW.a > 3),
    "text among several": NOW.name.isin(["p", "q"]) & (NOW.name != "p") & (NOW.name != "q"),
    "text between others": NOW.name.isin(["p", "r"]) & (NOW.name == "q"),
    "missing text among several": NOW.name.isin(["p", "q"]) & ~(NOW.name == NOW.name),
    "a whole number among doubles": NOW.a.isin([0.5, 1.5]),
}


@pytest.mark.parametrize("condition", POSSIBLE.values(), ids=POSSIBLE)
def test_possible(condition: Condition) -> None:
    assert decided(condition) is Verdict.YES


@pytest.mark.parametrize("condition", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_impossible(condition: Condition) -> None:
    assert decided(condition) is Verdict.NO
    assert decided(~condition) is Verdict.YES


@pytest.mark.parametrize("condition", [POSSIBLE["a day"], IMPOSSIBLE["a length of time"]])
def test_bound_conditions_mean_the_same(condition: Condition) -> None:
    assert decided(bind(condition, SCHEMA)) is decided(condition)
    assert decided(bind(condition, SCHEMA) & condition) is decided(condition)


def test_witness_shows_missing_values_and_empty_registers() -> None:
    witness = satisfiable(~defined(R1) & defined(R2) & ~(R2.a == R2.a) & (NOW.a == 7), SCHEMA).witness
    assert witness is not None
    assert witness.event["a"] == 7
    assert list(witness.valuation) == ["r2"]
    assert witness.valuation["r2"]["a"] is None
    assert witness.valuation["r2"]["b"] == 0  # not mentioned, hence ordinary


def test_registers_at_one_position_hold_one_event() -> None:
    condition = (position(R1) == position(R2)) & (R1.a == 1) & (R2.b == 2)
    witness = satisfiable(condition, SCHEMA).witness
    assert witness is not None
    assert witness.valuation["r1"] == witness.valuation["r2"]
    assert (witness.valuation["r1"]["a"], witness.valuation["r1"]["b"]) == (1, 2)


def test_what_is_known_counts() -> None:
    assert decided(R1.at > NOW.at) is Verdict.YES
    assert decided(R1.at > NOW.at, known=R1.at <= NOW.at) is Verdict.NO
    assert decided(TOP, known=BOTTOM) is Verdict.NO
    assert decided(TOP, known=IMPOSSIBLE["no double between neighbours"]) is Verdict.NO


class TestRelations:
    """Relations with and without a Z3 encoding, and definitions."""

    @staticmethod
    def rises(encode: Any) -> Relation:
        return Relation("Rises", 2, lambda u, v: bool(u["a"] > v["a"]), ("a",), encode)

    def test_an_encoding_is_used(self) -> None:
        rises = self.rises(lambda u, v: u > v)
        assert decided(rises("~", "r1")) is Verdict.YES
        assert decided(rises("~", "r1") & rises("r1", "r2") & ~rises("~", "r2")) is Verdict.NO

    def test_without_one_the_relation_may_hold_or_not(self) -> None:
        rises = self.rises(None)
        cycle = satisfiable(rises("~", "r1") & rises("r1", "~"), SCHEMA)
        assert cycle.unknown
        assert "'Rises', which has no Z3 encoding" in cycle.reason
        assert decided(~rises("~", "r1") & (NOW.a == 1)) is Verdict.YES

    @pytest.mark.parametrize("encode", [None, lambda u, v: u > v])
    def test_it_is_false_where_something_is_missing(self, encode: Any) -> None:
        holds = self.rises(encode)("~", "r1")
        assert decided(holds & ~defined(R1)) is Verdict.NO
        assert decided(holds & ~(R1.a == R1.a)) is Verdict.NO
        assert decided(~holds & ~(NOW.a == NOW.a)) is Verdict.YES

    @pytest.mark.parametrize("encode", [None, lambda: True])
    def test_it_is_false_of_an_empty_register(self, encode: Any) -> None:
        anything = Relation("Anything", 2, lambda *_: True, (), encode)
        assert decided(anything("~", "r1")) is Verdict.YES
        assert decided(anything("~", "r1") & ~defined(R1)) is Verdict.NO

    def test_one_application_has_one_truth_value(self) -> None:
        rises = self.rises(None)
        assert decided(rises("~", "r1") & ~rises("~", "r1")) is Verdict.NO

    def test_doubles_reach_an_encoding_as_doubles(self) -> None:
        third = Relation("Third", 1, lambda u: u["x"] + 0.2 == 0.3, ("x",), lambda x: x + 0.2 == 0.3)
        assert decided(third("~") & (NOW.x == 0.1)) is Verdict.NO
        assert decided(third("~") & (NOW.x < 0.1)) is Verdict.YES

    def test_whole_numbers_reach_an_encoding_unbounded(self) -> None:
        beyond = Relation("Beyond", 1, lambda u: u["a"] + 1 > INT64_MAX, ("a",), lambda a: a + 1 > INT64_MAX)
        assert decided(beyond("~")) is Verdict.YES
        assert decided(beyond("~") & (NOW.a < INT64_MAX)) is Verdict.NO

    def test_and_with_their_sign_beside_arithmetic_that_only_doubles_decide(self) -> None:
        negative = Relation("Negative", 1, lambda u: u["a"] < 0, ("a",), lambda a: a < 0)
        product = (NOW.x < 3.0) & (NOW.y < 3.0) & (NOW.x > 0.0) & (NOW.x * NOW.y > 8.99)
        assert decided(negative("~") & product) is Verdict.YES

    @pytest.mark.parametrize("text", ["p", "", "größe", "\\u{41}", "😀", "a\\"])
    def test_text_reaches_an_encoding_as_strings(self, text: str) -> None:
        named = Relation("Named", 1, lambda u: bool(u["name"] == text), ("name",), lambda n: n == _z3(text))
        witness = satisfiable(named("~"), SCHEMA).witness
        assert witness is not None
        assert witness.event["name"] == text
        assert decided(named("~") & (NOW.name != text)) is Verdict.NO
        assert decided(named("~") & (NOW.name == NOW.kind)) is Verdict.NO

    def test_text_beyond_z3_is_left_alone(self) -> None:
        same = Relation("Same", 2, lambda u, v: u["name"] == v["name"], ("name",), lambda u, v: u == v)
        rare = chr(0x3134A)
        answer = satisfiable(same("~", "r1") & (NOW.name == rare) & (R1.name != rare), SCHEMA)
        assert answer.unknown

    def test_definitions_are_expanded(self) -> None:
        below = Definition("Below", ("u", "v"), register("u").a < register("v").a)
        assert decided(below("~", "r1") & below("r1", "~")) is Verdict.NO
        assert decided(below("~", "r1") & ~defined(R1)) is Verdict.NO
        soon = Definition("Soon", ("u", "v"), (time("u") - time("v")) < Duration(1, "s"))
        assert decided(soon("~", "r1") & (time(NOW) - time(R1) > Duration(999, "ms"))) is Verdict.NO

    def test_a_wrong_encoding_is_found_out(self) -> None:
        wrong = Relation("Wrong", 1, lambda u: bool(u["a"] > 5), ("a",), lambda a: a < 5)
        answer = satisfiable(wrong("~"), SCHEMA)
        assert answer.unknown
        assert "its predicate does not" in answer.reason

    def test_a_predicate_that_fails_decides_nothing(self) -> None:
        fails = Relation("Fails", 1, lambda u: 1 // u["a"] > 0, ("a",))
        answer = satisfiable(fails("~") & (NOW.a == 0), SCHEMA)
        assert answer.unknown
        assert "ZeroDivisionError" in answer.reason

    def test_an_encoding_that_fails(self) -> None:
        with pytest.raises(PatternError, match="'Rises' failed on variables of sorts Int, Int: boom"):
            satisfiable(self.rises(_boom)("~", "r1"), SCHEMA)
        with pytest.raises(PatternError, match="must be a Z3 Boolean, got given0"):
            satisfiable(self.rises(lambda u, _: u)("~", "r1"), SCHEMA)
        assert decided(self.rises(lambda *_: False)("~", "r1")) is Verdict.NO


def _z3(text: str) -> Any:
    return z3.StringVal(text.replace("\\", "\\u{5c}"))


def _boom(*_: Any) -> Any:
    raise ValueError("boom")


class TestUnknown:
    """What the solver cannot decide in time is unknown, never false."""

    HARD = (
        (NOW.a * NOW.a * NOW.a + NOW.b * NOW.b * NOW.b + R1.a * R1.a * R1.a == 42)
        & (NOW.a > 100_000)
        & (NOW.b != R1.a)
    )

    def test_a_timeout_is_unknown(self) -> None:
        answer = satisfiable(self.HARD, SCHEMA, timeout_ms=100)
        assert answer.unknown
        assert answer.witness is None
        assert answer.reason == "the solver reached its limit of 100 ms"

    def test_of_an_entailment_too(self) -> None:
        assert entails(self.HARD, BOTTOM, SCHEMA, timeout_ms=100).unknown
        assert equivalent(self.HARD, BOTTOM, SCHEMA, timeout_ms=100).unknown
        answers = implied(self.HARD, [NOW.a > 5, NOW.b != R1.a, NOW.b > 5], SCHEMA, timeout_ms=100)
        assert [answer.verdict for answer in answers] == [Verdict.YES, Verdict.YES, Verdict.UNKNOWN]

    @pytest.mark.parametrize("limit", [0, -1])
    def test_a_limit_is_positive(self, limit: int) -> None:
        with pytest.raises(LimitError, match=f"timeout_ms is {limit}"):
            satisfiable(TOP, SCHEMA, timeout_ms=limit)

    def test_too_much_arithmetic_for_doubles_is_unknown(self) -> None:
        total: Term = NOW.x.term
        for _ in range(600):
            total = Arithmetic("+", total, Attribute("r1", "y"))
        answer = satisfiable(
            conjunction(Quantity(total) < 0.3, Quantity(total) > 0.29999999999999993), SCHEMA, timeout_ms=500
        )
        assert answer.unknown
        assert answer.reason == "600 arithmetic operations are too many to be exact"


def test_answers_have_no_truth_value() -> None:
    for answer in (Answer(Verdict.YES), Answer(Verdict.UNKNOWN, reason="late")):
        with pytest.raises(ConditionTypeError, match=f"this one is {answer.verdict.value}"):
            bool(answer)


@pytest.mark.parametrize(
    ("premise", "conclusion", "verdict"),
    [
        (NOW.a > 5, NOW.a > 3, Verdict.YES),
        (NOW.a > 3, NOW.a > 5, Verdict.NO),
        (NOW.a > 3, NOW.a >= 4, Verdict.YES),
        (NOW.x > 3.0, NOW.x >= 4.0, Verdict.NO),
        (NOW.a != 3, ~(NOW.a == 3), Verdict.YES),
        (~(NOW.a == 3), NOW.a != 3, Verdict.NO),
        (NOW.a > R1.a, defined(R1), Verdict.YES),
        (BOTTOM, NOW.a > 3, Verdict.YES),
        (TOP, ~(NOW.x < NOW.x), Verdict.YES),
        (TOP, NOW.x == NOW.x, Verdict.NO),
    ],
)
def test_entailment(premise: Condition, conclusion: Condition, verdict: Verdict) -> None:
    answer = entails(premise, conclusion, SCHEMA)
    assert answer.verdict is verdict
    if answer.no:
        witness = answer.witness
        assert witness is not None
        assert models(witness.event, witness.valuation, premise & ~conclusion)
    assert implied(premise, [TOP, conclusion], SCHEMA)[1].verdict is verdict


def test_equivalence() -> None:
    between = (NOW.a >= 1) & (NOW.a < 4)
    assert equivalent(between, NOW.a.isin([1, 2, 3]), SCHEMA).yes
    answer = equivalent(between, NOW.a.isin([1, 2]), SCHEMA)
    assert answer.no
    assert answer.witness is not None
    assert answer.witness.event["a"] == 3
    assert equivalent(NOW.a > 3, NOW.a >= 3, SCHEMA, known=NOW.a != 3).yes
    assert equivalent(NOW.a != 3, ~(NOW.a == 3), SCHEMA).no


def test_one_counterexample_serves_many() -> None:
    answers = implied(NOW.a > 3, [NOW.a > 5, NOW.a > 6, NOW.a > 2, defined(R1)], SCHEMA)
    assert [answer.verdict for answer in answers] == [Verdict.NO, Verdict.NO, Verdict.YES, Verdict.NO]
    assert answers[0] is answers[1]
    assert implied(TOP, [], SCHEMA) == ()


class TestBadInput:
    """What does not fit the schema is refused."""

    @pytest.mark.parametrize(
        ("condition", "message"),
        [
            (NOW.name > 3, "cannot compare text > int64"),
            (NOW.name < R1.name, "cannot compare text < text"),
            (NOW.flag == 1, "cannot compare bool = int64"),
            (NOW.name.isin([1]), "cannot compare text = int64"),
            (NOW.name + 1 == 2, r"cannot compute text \+ int64"),
            (abs(NOW.flag) == 1, r"abs\(\) takes a number, not bool"),
            (NOW.at < Duration(3, "s"), "cannot compare"),
        ],
    )
    def test_types(self, condition: Condition, message: str) -> None:
        with pytest.raises(ConditionTypeError, match=message):
            satisfiable(condition, SCHEMA)

    def test_unknown_attribute(self) -> None:
        with pytest.raises(UnknownAttributeError, match="Did you mean 'name'"):
            satisfiable(head()["nome"] == "p", SCHEMA)

    def test_time_without_a_time_attribute(self) -> None:
        with pytest.raises(ConditionTypeError, match="time attribute"):
            satisfiable(time(NOW) == time(R1), Schema.of(a=Int64()))

    def test_not_a_condition(self) -> None:
        with pytest.raises(MnemataError, match="is not a condition"):
            satisfiable(Constant(True), SCHEMA)  # type: ignore[arg-type]


class TestSize:
    """Deep and wide conditions."""

    DEPTH = 5_000

    def test_deep_negation(self) -> None:
        condition: Condition = NOW.a > 0
        for _ in range(self.DEPTH):
            condition = Not(condition)
        assert decided(condition & (NOW.a < 0)) is Verdict.NO

    def test_deep_alternation(self) -> None:
        condition: Condition = NOW.a > 0
        for i in range(self.DEPTH):
            condition = Or((condition, NOW.a == -i)) if i % 2 else And((condition, NOW.x != float(i)))
        assert decided(condition & (NOW.a < -self.DEPTH)) is Verdict.NO

    def test_deep_arithmetic(self) -> None:
        term: Term = NOW.a.term
        for i in range(1_000):
            term = Absolute(term) if i % 10 == 9 else Arithmetic("+", term, Constant(1))
        assert decided((NOW.a >= 0) & (Quantity(term) < 900)) is Verdict.NO

    def test_very_deep_arithmetic_ends(self) -> None:
        term: Term = NOW.x.term
        for _ in range(self.DEPTH):
            term = Arithmetic("+", term, Constant(1.0))
        assert not satisfiable(Quantity(term) > 5, SCHEMA, timeout_ms=200).no

    def test_too_deep_arithmetic_is_unknown(self) -> None:
        term: Term = NOW.a.term
        for i in range(10_001):
            term = Absolute(term) if i % 2 else Arithmetic("+", term, Constant(1))
        answer = satisfiable(Quantity(term) > 5, SCHEMA)
        assert answer.reason == "10001 arithmetic operations are too many"

    def test_wide(self) -> None:
        parts = [NOW.a == i for i in range(self.DEPTH)]
        assert decided(Or(tuple(parts)) & (NOW.a >= self.DEPTH)) is Verdict.NO


IN_A_SMALL_STACK = """
import threading
from mnemata.theory.conditions.terms import Absolute, Arithmetic, Attribute, Constant
from mnemata.theory.conditions.formulas import Comparison
from mnemata.theory.satisfiability import satisfiable
from mnemata.theory.schema import Int64, Schema

term = Attribute("~", "a")
for i in range(5_000):
    term = Arithmetic("+", term, Constant(1)) if i % 2 else Absolute(term)
condition, schema = Comparison(">", term, Constant(5)), Schema.of(a=Int64())
threading.stack_size(512 * 1024)
thread = threading.Thread(target=lambda: print(satisfiable(condition, schema, timeout_ms=3_000).no))
thread.start()
thread.join()
"""


def test_depth_does_not_overflow_the_stack_of_a_thread() -> None:
    command = [sys.executable, "-c", IN_A_SMALL_STACK]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stdout.strip()) == (0, "False"), process.stderr


def test_same_question_same_answer() -> None:
    condition = (NOW.x + R1.x > 1.5) & (NOW.name != R1.name) & (NOW.a * R1.a > 7) & ~defined(R2)
    assert len({satisfiable(condition, SCHEMA).witness for _ in range(5)}) == 1


def test_questions_in_threads_do_not_meet() -> None:
    rises = Relation("Rises", 2, lambda u, v: u["x"] > v["x"], ("x",), lambda u, v: u > v)
    start = threading.Barrier(4)

    def question(i: int) -> list[Verdict]:
        start.wait()
        low, high = NOW.a > i, NOW.a < i + 1 + i % 2
        return [decided(c & rises("~", "r1")) for c in (low & high, low & (NOW.x > R1.x))]

    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(question, range(4)))
    assert verdicts == [[Verdict.YES if i % 2 else Verdict.NO, Verdict.YES] for i in range(4)]
