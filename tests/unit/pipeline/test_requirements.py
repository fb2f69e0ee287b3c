"""Versions of Spark and pandas that do not fit are told of before anything fails on them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from mnemata.pipeline import requirements
from mnemata.pipeline.command import main
from mnemata.pipeline.requirements import FITTING, check_versions
from mnemata.theory.errors import EnvironmentProblem

PROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_what_is_installed_fits() -> None:
    check_versions()


@pytest.mark.parametrize("package", FITTING)
def test_what_fits_is_what_the_distribution_asks_for(package: str) -> None:
    (first_major, first_minor), (end, _) = FITTING[package]
    assert f"{package}>={first_major}.{first_minor},<{end}" in PROJECT["dependencies"]


@pytest.mark.parametrize(
    ("package", "version", "said"),
    [
        ("pyspark", "3.5.4", "pyspark 3.5.4 is installed, which does not fit; pip install 'pyspark>=4.3,<5'"),
        ("pyspark", "5.0.0", "pyspark 5.0.0 is installed, which does not fit"),
        ("pandas", "3.0.1", "pandas 3.0.1 is installed, which does not fit; pip install 'pandas>=2.2,<3'"),
        ("pandas", None, "pandas is not installed; pip install 'pandas>=2.2,<3'"),
    ],
)
def test_others_are_told_of(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    package: str,
    version: str | None,
    said: str,
) -> None:
    installed = {"pyspark": "4.3.0", "pandas": "2.3.1", package: version}
    monkeypatch.setattr(requirements, "_installed", installed.get)
    with pytest.raises(EnvironmentProblem, match=re.escape(said)):
        check_versions()
    (tmp_path / "a.csv").write_text("x\n1\n")
    with pytest.raises(SystemExit) as end:
        main(["run", "event", str(tmp_path / "a.csv"), "-o", str(tmp_path / "m.csv"), "--quiet"])
    assert end.value.code == 9
    assert said in capsys.readouterr().err
