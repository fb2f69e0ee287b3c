"""Questions about a fixed list of conditions, asked of Z3 in order of cost.

1. Integers and reals, incrementally, with the guess that arithmetic over doubles does not round: an
   example that passes the check settles the question.
2. The same without the guess: what is unsatisfiable there is so for the engine (see `mathematics`).
3. Machine words and IEEE doubles, from scratch, for the conditions in question only.

What remains open is unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any, Final

import z3

from mnemata.theory.budget import current
from mnemata.theory.conditions.formulas import TOP, Condition
from mnemata.theory.conditions.terms import Absolute, Arithmetic
from mnemata.theory.errors import LimitError
from mnemata.theory.satisfiability.answers import TIMEOUT, Answer, Finding, Literal, Verdict
from mnemata.theory.satisfiability.encoding import Encoding
from mnemata.theory.satisfiability.machine import Machine
from mnemata.theory.satisfiability.mathematics import Mathematics
from mnemata.theory.satisfiability.preparation import prepared
from mnemata.theory.satisfiability.scalars import Formula
from mnemata.theory.satisfiability.texts import texts_of
from mnemata.theory.satisfiability.witnesses import proposal, signs
from mnemata.theory.schema import Schema
from mnemata.theory.trees import walk

SEED: Final = 0
MOST_OPERATIONS: Final = 10_000  # of arithmetic; beyond, Z3 heeds no time limit
MOST_MACHINE_OPERATIONS: Final = 500  # as bits; beyond, they take gigabytes
MACHINE_TACTICS: Final = ("simplify", "fpa2bv", "simplify", "solve-eqs", "bit-blast", "sat")


class Inquiry:
    """Asks which truth values conditions can have together.

    Parameters
    ----------
    conditions : sequence of Condition
        Bound to `schema` or not.
    schema : Schema
        Types of the attributes.
    known : Condition
        What may be taken for granted.
    timeout_ms : int
        Bound on each call of the solver, in milliseconds.

    Attributes
    ----------
    calls : int
        Calls of the solver so far.
    """

    def __init__(
        self,
        conditions: Sequence[Condition],
        schema: Schema,
        *,
        known: Condition = TOP,
        timeout_ms: int = TIMEOUT,
    ) -> None:
        if timeout_ms < 1:
            raise LimitError(f"a solver call takes at least 1 ms, but timeout_ms is {timeout_ms}")
        self.calls = 0
        self._schema, self._timeout = schema, timeout_ms
        self._conditions = tuple(prepared(condition, schema) for condition in conditions)
        self._known = prepared(known, schema)
        self._operations = [_operations(c) for c in (*self._conditions, self._known)]
        self._texts = texts_of((*self._conditions, self._known), schema)
        context = z3.Context()
        self._encoding = Encoding(Mathematics(context, self._texts), self._texts, schema)
        holds = [z3.Bool(f"holds{i}", context) for i in range(len(self._conditions))]
        self._literals = [(z3.Not(flag), flag) for flag in holds]
        self._solver = z3.SimpleSolver(context)
        self._guess, self._guesses = z3.Bool("guess", context), False
        self._load()

    def _load(self) -> None:
        self._solver.set("random_seed", SEED)
        self._solver.add(self._encoding.formula(self._known))
        for (_, holds), condition in zip(self._literals, self._conditions, strict=True):
            self._solver.add(holds == self._encoding.formula(condition))
        self._solver.add(*self._encoding.axioms())
        guesses = self._encoding.domain.guesses()
        self._solver.add(*(z3.Implies(self._guess, guess) for guess in guesses))
        self._guesses = bool(guesses)

    def ask(self, assignment: Sequence[Literal]) -> Finding:
        """Whether the conditions can have the truth values in `assignment`, ``(index, value)`` each."""
        operations = self._operations[-1] + sum(self._operations[i] for i, _ in assignment)
        if operations > MOST_OPERATIONS:
            return _unknown(f"{operations} arithmetic operations are too many")
        for assumed in ([self._guess], []) if self._guesses else ([],):
            finding = self._by_mathematics(assignment, assumed)
            if not finding.answer.unknown:
                return finding
        if self._encoding.domain.conclusive:
            return finding
        if operations > MOST_MACHINE_OPERATIONS:
            return _unknown(f"{operations} arithmetic operations are too many to be exact")
        return self._by_machine(assignment)

    def _by_mathematics(self, assignment: Sequence[Literal], assumed: list[Formula]) -> Finding:
        literals = {self._literals[i][sign].get_id(): (i, sign) for i, sign in assignment}
        assumptions = [self._literals[i][sign] for i, sign in assignment]
        verdict, reason = self._check(self._solver, [*assumed, *assumptions])
        if verdict == z3.sat:
            return self._verified(self._encoding, self._solver.model(), assignment)
        if verdict == z3.unknown:
            return _unknown(reason)
        core = [literal.get_id() for literal in self._solver.unsat_core()]
        if any(name not in literals for name in core):
            return _unknown("impossible without rounding")
        return Finding(Answer(Verdict.NO), core=frozenset(literals[name] for name in core))

    def _by_machine(self, assignment: Sequence[Literal]) -> Finding:
        encoding = Encoding(Machine(z3.Context(), self._texts), self._texts, self._schema)
        formulas = [encoding.formula(self._known)]
        for i, sign in assignment:
            formula = encoding.formula(self._conditions[i])
            formulas.append(formula if sign else z3.Not(formula))
        solver = machine_solver(encoding, self._timeout)
        solver.add(*formulas, *encoding.axioms())
        verdict, reason = self._check(solver, [])
        if verdict == z3.sat:
            return self._verified(encoding, solver.model(), assignment)
        if verdict == z3.unknown:
            return _unknown(reason)
        return Finding(Answer(Verdict.NO), core=frozenset(assignment))

    def _check(self, solver: Any, assumptions: list[Formula]) -> tuple[Any, str]:
        self.calls += 1
        timeout, start = current().solver_call(self._timeout), monotonic()
        solver.set("timeout", timeout)
        try:
            verdict = solver.check(*assumptions)
            reason = solver.reason_unknown() if verdict == z3.unknown else ""
        except z3.Z3Exception as error:
            verdict, reason = z3.unknown, str(error)
        if verdict != z3.unknown:
            return verdict, ""
        if "canceled" in reason and (monotonic() - start) * 1000 < 0.9 * timeout:
            # While Z3 works, Ctrl-C reaches Z3 and not Python.
            raise KeyboardInterrupt
        late = "timeout" in reason or "canceled" in reason
        limit = f"the solver reached its limit of {timeout} ms"
        return verdict, limit if late else f"the solver gave up: {reason}"

    def _verified(self, encoding: Encoding, model: Any, assignment: Sequence[Literal]) -> Finding:
        """The model as a witness if it stands the check, else unknown."""
        try:
            witness = proposal(encoding, model, self._schema)
            known, *values = signs(witness, (self._known, *self._conditions))
        except Exception as error:  # raised by a user's predicate, whatever it may be
            return _unknown(f"an example could not be checked: {error!r}")
        if known and all(values[i] == sign for i, sign in assignment):
            return Finding(Answer(Verdict.YES, witness), tuple(values))
        return _unknown(_doubt(encoding))


def _operations(condition: Condition) -> int:
    return sum(isinstance(node, Arithmetic | Absolute) for node in walk(condition))


def _unknown(reason: str) -> Finding:
    return Finding(Answer(Verdict.UNKNOWN, reason=reason))


def _doubt(encoding: Encoding) -> str:
    if not encoding.domain.conclusive:
        return "an example was found over the reals that doubles do not have"
    if encoding.unknown_relations:
        names = ", ".join(f"'{name}'" for name in encoding.unknown_relations)
        return f"an example was found, but not for relation {names}, which has no Z3 encoding"
    return "an example was found that a relation's Z3 encoding accepts and its predicate does not"


def machine_solver(encoding: Encoding, timeout_ms: int) -> Any:
    """A solver for formulas in the machine domain, to be used once."""
    context = encoding.domain.context
    if encoding.needs_theories:
        solver = z3.Solver(ctx=context)
    else:
        tactics = (z3.Tactic(name, context) for name in MACHINE_TACTICS)
        solver = z3.Then(*tactics, ctx=context).solver()
    solver.set("timeout", timeout_ms)
    return solver
