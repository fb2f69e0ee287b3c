"""Chains as EPL patterns of Esper: ``every a=Tick(...) -> every b=Tick(...)``.

``every`` keeps listening after an event was found, which is skip-till-any for single events. There is no
counterpart of an iteration with anything in between: ``until`` collects all events, not each choice of them.
"""

from __future__ import annotations

from typing import Final

from mnemata.paper_figures.peers.chains import Chain, Step, chain_of
from mnemata.paper_figures.peers.conditions import Dialect, written
from mnemata.paper_figures.peers.refusals import InexpressibleError
from mnemata.theory.conditions.formulas import TOP
from mnemata.theory.conditions.terms import HEAD, Variable
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern

EPL: Final = Dialect("the pattern language of Esper")


def epl_query(pattern: Pattern, schema: Schema) -> str:
    """A statement of EPL that finds all matches of a chain; its columns are events.

    Parameters
    ----------
    pattern : Pattern
        Bound to `schema`.
    schema : Schema
        Of the event type ``Tick``.

    Raises
    ------
    InexpressibleError
        When the pattern is not a chain of single events.
    """
    chain = chain_of(pattern, EPL.language)
    first, *others = (_filter(step, chain, schema) for step in chain.steps)
    after = (
        f" -> ({' -> '.join(others)}) where timer:within({chain.window_ms} milliseconds)" if others else ""
    )
    names = ", ".join(step.name for step in chain.steps)
    return f"select {names} from pattern [{first}{after}]"


def _filter(step: Step, chain: Chain, schema: Schema) -> str:
    if step.repeated:
        raise InexpressibleError(EPL.language, "an iteration with anything between its events")
    if step.contiguous:
        raise InexpressibleError(EPL.language, "a contiguous sequence")
    if not step.earliest and step.between != TOP:
        raise InexpressibleError(EPL.language, "absence between marked events")

    def reading(variable: Variable, name: str) -> str:
        return name if variable == HEAD else f"{chain.holder(variable, step).name}.{name}"

    every = "" if step.earliest and step is not chain.steps[0] else "every "
    return f"{every}{step.name}=Tick({written(step.condition, EPL, reading, schema)})"
