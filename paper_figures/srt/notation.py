"""Table 2: the notation of the paper, and what has its place in the code."""

from __future__ import annotations

from typing import Final

from mnemata.paper_figures.reproductions import Tables
from mnemata.paper_figures.tables import Table

NOTATION: Final = (
    ("𝒱, 𝒰", "relations and attributes; events", "theory.schema.Schema"),
    ("t, S, S_i..j", "an event; a stream and its parts, sequences", "theory.schema.Event"),
    ("f(t1, ..., tm)", "a term", "theory.conditions.terms.Term"),
    ("P", "a relation", "theory.conditions.formulas.Relation"),
    ("⊤", "what every event satisfies", "theory.conditions.formulas.TOP"),
    ("φ", "a condition", "theory.conditions.formulas.Condition"),
    ("r1, ..., rk", "registers, which have names", "theory.conditions.terms.Register"),
    ("∼", "the event at the head", "theory.conditions.terms.HEAD"),
    ("v, F(r1, ..., rk)", "a valuation, what registers hold", "theory.conditions.evaluation.Valuation"),
    (
        "♯",
        "what a register holds that was not written; the valuation of these",
        "theory.conditions.evaluation.EMPTY",
    ),
    ("(u, v) ⊨ φ", "an event and a valuation satisfy a condition", "theory.conditions.evaluation.models"),
    ("ε", "the empty string", "theory.sremo.expressions.Epsilon"),
    ("•, ⊗", "marked, passed over", "theory.sremo.expressions.Output"),
    ("e1 + e2", "disjunction", "theory.sremo.expressions.Union"),
    ("e1 · e2", "concatenation", "theory.sremo.expressions.Concatenation"),
    ("e*", "iteration", "theory.sremo.expressions.Star"),
    ("!e", "negation", "theory.sremo.expressions.Negation"),
    ("↻ e", "skip-till-any-match", "theory.sremo.expressions.SkipTillAny"),
    ("@ e", "skip-till-next-match", "theory.sremo.expressions.SkipTillNext"),
    ("e[1..w]", "a windowed expression", "theory.sremo.expressions.Windowed"),
    ("(e, S, M, v) ⊢ v'", "the ways in which a string matches", "theory.sremo.semantics.derivations"),
    ("Lang(e)", "whether a string is in the language", "theory.sremo.semantics.accepts"),
    ("Match(e, S)", "the matches of a string", "theory.sremo.semantics.matches"),
    ("T, Q, q_s, Q_f, R, Δ", "a transducer with its parts", "automata.srt.transducer.SRT"),
    ("δ, W", "a transition; the registers it writes", "automata.srt.transducer.Transition"),
    ("c = [j, q, v]", "a configuration", "automata.srt.runs.Configuration"),
    ("ϱ", "a run, a succession of configurations", "automata.srt.runs.Run"),
    ("Lang(T)", "whether an automaton accepts a string", "automata.srt.runs.accepts"),
    ("Match(T, S)", "the matches that an automaton detects", "automata.srt.runs.matches"),
)
"""Symbols, what they stand for, and the name in the code, without `mnemata.`"""


def table_2() -> Tables:
    """The symbols, with their names in the code."""
    rows = tuple((symbol, meaning, f"`mnemata.{name}`") for symbol, meaning, name in NOTATION)
    return Tables((Table("Notation", ("symbol", "meaning", "in the code"), rows, "lll"),))
