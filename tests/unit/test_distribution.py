"""What is on disk is what is installed: every folder a package, every file in its place."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOLDERS: dict[str, str] = SETTINGS["tool"]["setuptools"]["package-dir"]
COMPILED = (".pyc", ".nbc", ".nbi")


def names(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix not in COMPILED)
    return {path.relative_to(folder).as_posix() for path in found}


@pytest.mark.parametrize("folder", FOLDERS.values())
def test_every_folder_with_modules_is_a_package(folder: str) -> None:
    bare = {path.parent for path in (ROOT / folder).rglob("*.py")}
    assert {path for path in bare if not (path / "__init__.py").is_file()} == set()


@pytest.mark.parametrize(("package", "folder"), FOLDERS.items())
def test_every_file_is_installed(package: str, folder: str) -> None:
    assert names(Path(str(files(package)))) == names(ROOT / folder)


def test_every_folder_is_in_the_import_contract() -> None:
    assert set(SETTINGS["tool"]["importlinter"]["root_packages"]) == set(FOLDERS)


def test_the_folders_say_that_they_are_typed() -> None:
    assert {folder for folder in FOLDERS.values() if not (ROOT / folder / "py.typed").exists()} == set()
