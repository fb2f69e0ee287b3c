"""What the tests of complex event logic share: the stream of Fig. 1, and streams of single letters."""

import pytest

from mnemata.theory.schema import Category, Int64, Schema


@pytest.fixture(scope="session")
def fig1():
    """The stream of Fig. 1; temperature and humidity are both called value."""
    schema = Schema.of(type=Category(("H", "T")), id=Int64(), value=Int64(), event_type="type")
    ids = [2, 0, 0, 1, 1, 0, 1, 1, 0]
    values = [25, 45, 20, 25, 40, 42, 25, 70, 18]
    return schema.stream(list(zip("HTHHTTTHH", ids, values, strict=True)))
