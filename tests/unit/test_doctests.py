"""The examples in the docstrings do what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import mnemata

MODULES = [module.name for module in pkgutil.walk_packages(mnemata.__path__, "mnemata.")]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = doctest.testmod(importlib.import_module(name))
    assert not outcome.failed, capsys.readouterr().out
