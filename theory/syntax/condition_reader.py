"""From the parse tree of conditions to conditions: names, types and relations are checked on the way."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeVar

from lark import Token, Tree

from mnemata.theory.conditions.formulas import (
    And,
    Apply,
    Bottom,
    Comparison,
    ComparisonOperator,
    Condition,
    Defined,
    Definition,
    Membership,
    Not,
    Or,
    Relation,
    Top,
    variables,
)
from mnemata.theory.conditions.terms import (
    HEAD,
    Absolute,
    Arithmetic,
    Attribute,
    Constant,
    Duration,
    Instant,
    Position,
    Register,
    Term,
    Time,
    Variable,
)
from mnemata.theory.conditions.typing import bind
from mnemata.theory.errors import (
    ConditionTypeError,
    LimitError,
    PatternError,
    PatternSyntaxError,
    UnknownAttributeError,
    UnknownRegisterError,
    UnknownRelationError,
    placed,
    suggestion,
)
from mnemata.theory.schema import INT64_MAX, NANOSECONDS, Schema
from mnemata.theory.syntax.lexicon import BUILT_IN, BadEscape, Notation, name_text, unquoted
from mnemata.theory.syntax.located import Place, Places
from mnemata.theory.trees import Node, walk
