"""The README keeps its promises."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mnemata.pipeline.command import app, main

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_begins_with_the_two_commands() -> None:
    first = re.findall(r"```\n(.*?)```", README, flags=re.DOTALL)[0]
    assert [line.split("#")[0].strip() for line in first.splitlines()] == ["make demo", "make test"]


def test_the_ten_lines_print_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    first, *others = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    promised, names = first.rsplit("# ", 1)[1].strip(), {}
    exec(compile(first, "README.md", "exec"), names)  # noqa: S102 - our own text
    assert capsys.readouterr().out.strip() == promised
    for code in others:
        exec(compile(code, "README.md", "exec"), names)  # noqa: S102 - our own text


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_links_and_pictures_exist(target: str) -> None:
    assert (ROOT / target).exists()


def test_every_top_level_package_is_on_the_map() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} | {"paper_figures"}
    assert {name for name in packages if f"| `{name}/` |" not in README} == set()


def test_every_dependency_is_named_with_its_purpose() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (block,) = re.findall(r"^dependencies = \[\n(.*?)^\]", project, flags=re.DOTALL | re.MULTILINE)
    names = re.findall(r'"([a-z0-9-]+)', block)
    assert names
    table = README.split("## What it stands on")[1].split("## Sources")[0]
    assert [name for name in names if not re.search(rf"\b{name}\b", table)] == []


SESSIONS = re.findall(r"```\n\$ (mnemata .*?)\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize(("command", "promised"), SESSIONS)
def test_commands_print_what_they_say(
    command: str,
    promised: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (schema,) = re.findall(r"```json\n(.*?)```", README, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    Path("ticks.json").write_text(schema)
    with pytest.raises(SystemExit):
        main(shlex.split(command)[1:])
    printed = capsys.readouterr().out
    assert [line.rstrip() for line in printed.splitlines()] == promised.splitlines()
    assert Path("stages.svg").exists() == ("-o stages.svg" in command)


def test_the_first_pattern_on_ones_own_data(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, promised = re.findall(r"```csv\n(.*?)```", README, flags=re.DOTALL)
    (command,) = re.findall(r"^(mnemata run .* orders\.csv .*)$", README, flags=re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("orders.csv").write_text(events)
    with pytest.raises(SystemExit):
        main(shlex.split(command)[1:])
    assert Path("matches.csv").read_text() == promised


def test_every_command_of_the_readme_is_there() -> None:
    named = re.findall(r"^\$? ?mnemata (\w+)", README, flags=re.MULTILINE)
    known = {
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback
    }
    assert len(SESSIONS) == 2
    assert set(named) <= known
    assert known <= set(named)
