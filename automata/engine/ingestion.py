"""A stream as patterns read it: its columns, sub-streams and event classes, made once for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import pyarrow as pa

from mnemata.automata.compilation import CompiledPattern
from mnemata.automata.engine.classes import classify_together
from mnemata.automata.engine.columns import Columns, columns_of
from mnemata.automata.engine.compiled.plan import Mode, plan_of
from mnemata.automata.engine.dividing import Conditions, EventClasses
from mnemata.automata.engine.relations import needs_events
from mnemata.automata.engine.substreams import Substreams, begins_of, substreams
from mnemata.theory.conditions.formulas import Apply, Relation, expand
from mnemata.theory.conditions.terms import Attribute
from mnemata.theory.trees import walk

Keys: TypeAlias = tuple[str, ...]


class Ingestion:
    """A table, converted to the columns that some patterns read.

    Sub-streams, and the classes of events for all patterns with the same ones, are made when they are first
    asked for.

    Parameters
    ----------
    table : pyarrow.Table
        The stream.
    patterns : sequence of CompiledPattern
        Prepared by `mnemata.automata.engine.preparation.prepared`; at least one, all for one schema.

    Raises
    ------
    SchemaError, StreamError
        See `mnemata.automata.engine.columns.columns_of`.
    """

    def __init__(self, table: pa.Table, patterns: Sequence[CompiledPattern]) -> None:
        schema = patterns[0].schema
        read = {name for pattern in patterns for name in names_read(pattern)}
        self.stream = columns_of(table, schema, [name for name in schema.names if name in read])
        self._patterns = patterns
        self._substreams: dict[Keys, Substreams] = {}
        self._columns: dict[Keys, Columns] = {}
        self._classes: dict[Keys, dict[Conditions, EventClasses]] = {}

    def substreams(self, keys: Keys) -> Substreams:
        """The sub-streams of events that agree on these attributes."""
        if keys not in self._substreams:
            self._substreams[keys] = substreams(self.stream, keys)
        return self._substreams[keys]

    def columns(self, keys: Keys) -> Columns:
        """The columns, sub-stream by sub-stream."""
        found = self.substreams(keys)
        if found.order is None:
            return self.stream
        if keys not in self._columns:
            self._columns[keys] = self.stream.take(found.order, begins_of(found))
        return self._columns[keys]

    def classes(self, keys: Keys, heads: Conditions) -> EventClasses:
        """The classes of the rows of `columns(keys)` with regard to the conditions of one of the patterns."""
        if keys not in self._classes:
            alike = [pattern for pattern in self._patterns if pattern.pattern.partition_by == keys]
            asked = list(dict.fromkeys(plan_of(pattern, Mode.DETECT).heads for pattern in alike))
            found = classify_together(asked, self.columns(keys))
            self._classes[keys] = dict(zip(asked, found, strict=True))
        return self._classes[keys][heads]


@lru_cache(maxsize=256)
def names_read(compiled: CompiledPattern) -> tuple[str, ...]:
    """The attributes whose columns recognition needs, in schema order.

    They are those that guards read, that the pattern is partitioned by, and the time that orders the
    stream; all of them when a guard applies a Python function to whole events.
    """
    schema = compiled.schema
    names = {*compiled.pattern.partition_by, *([schema.time] if schema.time else [])}
    for condition in {t.condition for t in compiled.srt.transitions if t.condition is not None}:
        for node in walk(expand(condition)):
            if isinstance(node, Attribute):
                names.add(node.name)
            if isinstance(node, Apply) and isinstance(node.relation, Relation):
                names.update(schema.names if needs_events(node.relation) else node.relation.attributes)
    return tuple(name for name in schema.names if name in names)
