"""Matches, complex events and valuations as text, always in the same order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any, Final

from mnemata.theory.errors import brief

NO_MATCH: Final = "no match"


def told(found: Any) -> str:
    """What was found, as text.

    Parameters
    ----------
    found : object
        A set of matches, of valuations or of positions; such sets one for each position; or whether
        something is accepted.

    Examples
    --------
    >>> told(frozenset({frozenset({2, 1}), frozenset()}))
    '{}, {1, 2}'
    >>> told(frozenset()), told(True), told([frozenset(), frozenset({frozenset({0})})])
    ('no match', 'accepted', '0: no match; 1: {0}')
    """
    if isinstance(found, bool):
        return "accepted" if found else "not accepted"
    if isinstance(found, list | tuple):
        return "; ".join(f"{place}: {told(one)}" for place, one in enumerate(found))
    if isinstance(found, set | frozenset):
        return ", ".join(map(member_text, in_order(found))) or NO_MATCH
    return found if isinstance(found, str) else brief(found)


def member_text(member: Any) -> str:
    """A member of what was found, as text: a match, a valuation or a position."""
    if isinstance(member, bool):
        return told(member)
    if isinstance(member, set | frozenset):
        return f"{{{', '.join(str(part) for part in sorted(member))}}}"
    return str(member)


def in_order(found: Iterable[Any]) -> list[Any]:
    """Members in an order that depends on nothing but what they are."""
    return sorted(found, key=lambda member: (_numbers(member), member_text(member)))


def _numbers(member: Any) -> list[int]:
    plain = isinstance(member, set | frozenset) and all(isinstance(part, int) for part in member)
    return sorted(member) if plain else [member] if isinstance(member, int) else []


def surplus(one: Any, other: Any) -> list[Any]:
    """What is in `one` and not in `other`, in order; both are as for `told`.

    >>> surplus(frozenset({frozenset({1}), frozenset({2})}), frozenset({frozenset({1})}))
    [frozenset({2})]
    >>> surplus(True, False), surplus(False, True)
    ([True], [])
    """
    if isinstance(one, bool) and isinstance(other, bool):
        return [True] if one and not other else []
    if isinstance(one, set | frozenset) and isinstance(other, set | frozenset):
        return in_order(one - other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        pairs: Iterable[tuple[Any, Any]] = zip_longest(one, other, fillvalue=frozenset())
        return list(dict.fromkeys(member for pair in pairs for member in surplus(*pair)))
    return []


def members(found: Any) -> list[Any]:
    """What was found, one by one and in order; as for `told`.

    >>> members(frozenset({2, 1})), members(True), members("nothing")
    ([1, 2], [True], [])
    """
    plain = isinstance(found, bool | set | frozenset | list | tuple)
    return surplus(found, type(found)()) if plain else []


def amount(number: int, nouns: str) -> str:
    """How many of what.

    >>> amount(1, "formulas"), amount(1200, "formulas")
    ('1 formula', '1,200 formulas')
    """
    return f"{number:,} {nouns.removesuffix('s') if number == 1 else nouns}"
