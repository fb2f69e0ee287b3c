"""Text in Z3: compared for equality only, so numbers can stand for it.

Only the texts that conditions mention can be told apart by them, and two unmentioned texts only
from each other. Hence one code per mentioned text and one more per text variable represent all
strings: any assignment of strings maps injectively to codes, and back. Where a user's encoding
reads text the codes give way to Z3's own strings.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import z3

from mnemata.theory.conditions.formulas import Apply, Condition, Relation
from mnemata.theory.conditions.terms import Attribute, Constant
from mnemata.theory.satisfiability.scalars import Expression, Formula, Kind, any_of, kind_of
from mnemata.theory.schema import Category, Schema
from mnemata.theory.trees import walk

LARGEST_CHARACTER = 0x2FFFF  # of Z3's strings


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts that some conditions mention, sorted, and how Z3 represents text.

    Parameters
    ----------
    mentioned : tuple of str
        Every constant, and every value of every category that is read.
    variables : int
        At least the number of text attributes that are read.
    spelled : bool
        Whether text is represented by Z3's strings rather than by codes.
    """

    mentioned: tuple[str, ...]
    variables: int
    spelled: bool

    @property
    def width(self) -> int:
        """Bits of a code."""
        return max(1, (len(self.mentioned) + self.variables).bit_length())

    def variable(self, name: str, context: z3.Context) -> Expression:
        """A new text variable."""
        return z3.String(name, context) if self.spelled else z3.BitVec(name, self.width, context)

    def literal(self, text: str, context: z3.Context) -> Expression:
        """A text constant."""
        if self.spelled:
            return z3.StringVal("".join(map(_escaped, text)), context)
        return z3.BitVecVal(self._code(text), self.width, context)

    def among(self, value: Expression, texts: Iterable[str], context: z3.Context) -> Formula:
        """Whether a text is one of `texts`."""
        if self.spelled:
            return any_of((value == self.literal(text, context) for text in texts), context)
        codes = sorted({self._code(text) for text in texts})
        return any_of((_between(value, low, high) for low, high in _runs(codes)), context)

    def reveal(self, model: Any, value: Expression) -> str:
        """The text that a model assigns; texts that nothing mentions get names of their own."""
        assigned = model.eval(value, model_completion=True)
        if self.spelled:
            return _spelling(assigned)
        code = assigned.as_long()
        return self.mentioned[code] if code < len(self.mentioned) else self._unmentioned(code)

    def _code(self, text: str) -> int:
        return bisect_left(self.mentioned, text)

    def _unmentioned(self, code: int) -> str:
        name = f"other{code - len(self.mentioned) + 1}"
        while name in self.mentioned:
            name += "'"
        return name


def texts_of(conditions: Iterable[Condition], schema: Schema) -> Texts:
    """What `conditions`, whose definitions are expanded, mention and read of text."""
    mentioned: set[str] = set()
    read: set[tuple[str, str]] = set()
    spelled = False
    for node in (node for condition in conditions for node in walk(condition)):
        if isinstance(node, Constant) and isinstance(node.value, str):
            mentioned.add(node.value)
        elif isinstance(node, Attribute):
            read.add((node.variable, node.name))
        elif isinstance(node, Apply) and isinstance(node.relation, Relation):
            names = [name for name in node.relation.attributes if _is_text(name, schema)]
            read.update((variable, name) for variable in node.arguments for name in names)
            spelled |= bool(names) and node.relation.encode is not None
    read = {(variable, name) for variable, name in read if _is_text(name, schema)}
    declared = (schema[name] for name in sorted({name for _, name in read}))
    mentioned.update(*(kind.values for kind in declared if isinstance(kind, Category)))
    return Texts(tuple(sorted(mentioned)), len(read), spelled and all(map(_spellable, mentioned)))


def _is_text(name: str, schema: Schema) -> bool:
    return kind_of(schema[name]) is Kind.TEXT


def _spellable(text: str) -> bool:
    return all(ord(c) <= LARGEST_CHARACTER and not 0xD800 <= ord(c) <= 0xDFFF for c in text)


def _escaped(character: str) -> str:
    plain = " " <= character <= "~" and character != "\\"
    return character if plain else f"\\u{{{ord(character):x}}}"


def _spelling(literal: Any) -> str:
    length = z3.Z3_get_string_length(literal.ctx_ref(), literal.as_ast())
    codes = (ctypes.c_uint * length)()
    if length:
        z3.Z3_get_string_contents(literal.ctx_ref(), literal.as_ast(), length, codes)
    return "".join(map(chr, codes))


def _runs(codes: list[int]) -> Iterable[tuple[int, int]]:
    start = previous = codes[0] if codes else 0
    for code in codes:
        if code > previous + 1:
            yield start, previous
            start = code
        previous = code
    if codes:
        yield start, previous


def _between(value: Expression, low: int, high: int) -> Formula:
    return value == low if low == high else z3.And(z3.UGE(value, low), z3.ULE(value, high))
