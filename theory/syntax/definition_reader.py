"""From parse trees of definitions, ``let EqualId(x, y) := x.id = y.id;``, to relations."""

from __future__ import annotations

from lark import Token

from mnemata.theory.conditions.formulas import Apply, Condition, Definition, variables
from mnemata.theory.conditions.terms import HEAD, Variable
from mnemata.theory.errors import (
    LimitError,
    PatternError,
    PatternSyntaxError,
    UnknownRegisterError,
    placed,
    suggestion,
)
from mnemata.theory.syntax.condition_reader import ConditionReader
from mnemata.theory.syntax.lexicon import BUILT_IN
from mnemata.theory.syntax.located import Place
from mnemata.theory.syntax.reader import place_of
from mnemata.theory.trees import Node, walk


class DefinitionReader(ConditionReader):
    """Reads definitions, each of which may use those before it."""

    def definition(self, place: Place, name: Token, *rest: object) -> Definition:
        parameters = tuple(self._parameter(token) for token in rest[:-1] if isinstance(token, Token))
        body = self.condition(rest[-1])
        self._check_name(name)
        self._check_body(self.name(name), parameters, body)
        try:
            defined = Definition(self.name(name), parameters, body)
        except PatternError as error:
            self.fail(type(error), str(error), place_of(name))
        except LimitError as error:
            raise LimitError(placed(str(error), *place, self.text)) from None
        if self.relations.setdefault(defined.name, defined) != defined:
            reason = f"relation '{defined.name}' is declared twice, with different meanings; rename one"
            self.fail(PatternError, reason, place_of(name))
        self.reads.clear()
        return defined

    def _parameter(self, token: Token) -> Variable:
        return HEAD if token.type == "HEAD" else self.register(token)

    def _check_name(self, token: Token) -> None:
        name = self.name(token)
        if token.type != "QUOTED_NAME" and name in BUILT_IN:
            reason = f"'{name}' is built in; choose another name, or put this one in backquotes"
            self.fail(PatternSyntaxError, reason, place_of(token))

    def _check_body(self, name: str, parameters: tuple[Variable, ...], body: Condition) -> None:
        have = f"the parameters of '{name}' are {', '.join(parameters)}"
        for variable, place in self.reads:
            if variable not in parameters:
                reason = f"'{variable}' is not a parameter; {have}.{suggestion(variable, parameters)}"
                self.fail(UnknownRegisterError, reason, place)
        if HEAD in variables(body) - set(parameters):
            reading = next(node for node in walk(body) if _reads_head(node))
            how = f"attributes are read from them, as in {parameters[0]}.price"
            reason = f"~ is not a parameter; {have}, and {how}"
            self.fail(UnknownRegisterError, reason, self.at(reading))


def _reads_head(node: Node) -> bool:
    return HEAD in node.arguments if isinstance(node, Apply) else getattr(node, "variable", None) == HEAD
