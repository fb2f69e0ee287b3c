"""Chains as patterns of FlinkCEP, which are written in Java.

``followedByAny`` is skip-till-any between events, ``oneOrMore().allowCombinations()`` is the same between the
rounds of an iteration.
"""

from __future__ import annotations

import json
from typing import Final

from mnemata.paper_figures.peers.chains import Chain, Step, chain_of, opposite
from mnemata.paper_figures.peers.conditions import Dialect, Reading, written
from mnemata.theory.conditions.formulas import TOP, Condition, registers
from mnemata.theory.conditions.terms import HEAD, Variable
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern

_CLASS: Final = """\
import java.time.Duration;
import org.apache.flink.cep.nfa.aftermatch.AfterMatchSkipStrategy;
import org.apache.flink.cep.pattern.Pattern;
import org.apache.flink.cep.pattern.conditions.IterativeCondition;
import org.apache.flink.cep.pattern.conditions.SimpleCondition;

public final class Query {{
    private Query() {{
    }}

    private static Tick held(IterativeCondition.Context<Tick> context, String name) throws Exception {{
        return context.getEventsForPattern(name).iterator().next();
    }}

    public static Pattern<Tick, ?> pattern() {{
        return Pattern.<Tick>begin({first}
            .within(Duration.ofMillis({window}));
    }}
}}
"""
_SIMPLE: Final = """\
            .where(new SimpleCondition<Tick>() {{
                @Override
                public boolean filter(Tick event) {{
                    return {condition};
                }}
            }})"""
_ITERATIVE: Final = """\
            .where(new IterativeCondition<Tick>() {{
                @Override
                public boolean filter(Tick event, Context<Tick> context) throws Exception {{
                    return {condition};
                }}
            }})"""


def _compared(operator: str, left: str, right: str, texts: bool) -> str:
    if texts and operator in ("=", "!="):
        return f"{'' if operator == '=' else '!'}{left}.equals({right})"
    return f"{left} {'==' if operator == '=' else operator} {right}"


JAVA: Final = Dialect(
    "a chain of FlinkCEP",
    conjunction="&&",
    disjunction="||",
    negation="!",
    text=json.dumps,
    compare=_compared,
    absolute="Math.abs",
)


def flink_class(pattern: Pattern, schema: Schema) -> str:
    """A Java class ``Query`` whose ``pattern()`` finds all matches of a chain of ``Tick``.

    Parameters
    ----------
    pattern : Pattern
        Bound to `schema`.
    schema : Schema
        Whose attributes are fields of ``Tick``.

    Raises
    ------
    InexpressibleError
        When the pattern is not a chain.
    """
    chain = chain_of(pattern, JAVA.language)
    steps = "\n".join(_step(step, chain, schema) for step in chain.steps)
    return _CLASS.format(first=steps, window=chain.window_ms)


def _step(step: Step, chain: Chain, schema: Schema) -> str:
    def reading(variable: Variable, name: str) -> str:
        if variable == HEAD:
            return f"event.{name}"
        return f'held(context, "{chain.holder(variable, step).name}").{name}'

    begun = f'"{step.name}", AfterMatchSkipStrategy.noSkip())'
    if step is not chain.steps[0]:
        begun = f'{_absence(step, reading, schema)}            .{_following(step)}("{step.name}")'
    repeated = "\n            .oneOrMore().allowCombinations()" if step.repeated else ""
    return f"{begun}\n{_where(step.condition, reading, schema)}{repeated}"


def _following(step: Step) -> str:
    if step.earliest:
        return "followedBy"
    return "next" if step.contiguous else "followedByAny"


def _absence(step: Step, reading: Reading, schema: Schema) -> str:
    """What must not occur before a step, where that is neither anything nor nothing nor the step itself."""
    if step.contiguous or step.earliest or step.between == TOP:
        return ""
    where = _where(opposite(step.between), reading, schema)
    return f'            .notFollowedBy("n{step.name}")\n{where}\n'


def _where(condition: Condition, reading: Reading, schema: Schema) -> str:
    kind = _ITERATIVE if registers(condition) else _SIMPLE
    return kind.format(condition=written(condition, JAVA, reading, schema))
