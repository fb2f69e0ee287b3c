"""Java drivers of peers: libraries by Maven, compiled by javac on demand, kept in a folder.

Nothing of this happens unless a peer is asked for, and each thing happens once.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from mnemata.theory.errors import EnvironmentProblem

HEAP: Final = "6g"
OPTIONS: Final = (f"-Xmx{HEAP}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4")
"""One thread collects garbage: all systems are to run on one core."""

_OPENED: Final = tuple(
    f"--add-opens=java.base/{package}=ALL-UNNAMED"
    for package in ("java.lang", "java.lang.invoke", "java.util", "java.util.concurrent", "java.nio")
)
_SECONDS: Final = 900
_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>mnemata</groupId><artifactId>peer</artifactId><version>1</version>
  <dependencies>
{dependencies}
  </dependencies>
</project>
"""
_DEPENDENCY: Final = """\
    <dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>"""


def libraries(coordinates: Sequence[str], cache: Path) -> Path:
    """The folder of jars with these Maven coordinates and all they need; fetched the first time.

    Parameters
    ----------
    coordinates : sequence of str
        ``group:artifact:version``.
    cache : Path
        Where jars are kept.

    Raises
    ------
    EnvironmentProblem
        When there is no Maven, or it fails.
    """
    folder = cache / _key(coordinates)
    if (folder / "complete").is_file():
        return folder / "jars"
    maven = _program("mvn", "Maven, which fetches the libraries of this peer,")
    folder.mkdir(parents=True, exist_ok=True)
    dependencies = "\n".join(_DEPENDENCY.format(*one.split(":")) for one in coordinates)
    (folder / "pom.xml").write_text(_POM.format(dependencies=dependencies), encoding="utf-8")
    _done([maven, "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=jars"], folder)
    (folder / "complete").touch()
    return folder / "jars"


def compiled(sources: Mapping[str, str], jars: Path | tuple[Path, ...], cache: Path) -> Path:
    """The folder of the classes of Java sources; compiled the first time.

    Parameters
    ----------
    sources : mapping of str to str
        Contents by file name.
    jars : Path or tuple of Path
        The libraries that they use: jars, and folders of jars.
    cache : Path
        Where classes are kept.

    Raises
    ------
    EnvironmentProblem
        When there is no Java compiler, or it finds errors.
    """
    path = class_path(jars)
    folder = cache / _key([path, *(part for item in sorted(sources.items()) for part in item)])
    if (folder / "complete").is_file():
        return folder / "classes"
    javac = _program("javac", "A Java compiler (of a JDK 17 or later), which builds the driver of this peer,")
    (folder / "classes").mkdir(parents=True, exist_ok=True)
    for name, text in sources.items():
        (folder / name).write_text(text, encoding="utf-8")
    options = ["-nowarn", "-proc:none", "-cp", path, "-d", "classes"]
    _done([javac, *options, *sorted(sources)], folder)
    (folder / "complete").touch()
    return folder / "classes"


def source(name: str) -> str:
    """One of the drivers that come with this package."""
    return files("mnemata.paper_figures.peers").joinpath("java", name).read_text(encoding="utf-8")


def java_command(main: str, classes: Path, jars: Path | tuple[Path, ...]) -> tuple[str, ...]:
    """The command that runs a driver."""
    path = os.pathsep.join((str(classes.resolve()), class_path(jars)))
    return (_program("java", "Java"), *OPTIONS, *_OPENED, "-cp", path, main)


def class_path(jars: Path | tuple[Path, ...]) -> str:
    """Jars, and all jars of folders, as Java wants them."""
    entries = [entry.resolve() for entry in (jars if isinstance(jars, tuple) else (jars,))]
    return os.pathsep.join(str(entry / "*" if entry.is_dir() else entry) for entry in entries)


def _program(name: str, what: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise EnvironmentProblem(f"{what} was not found; install it so that `{name}` is on the PATH")
    return found


def _done(command: Sequence[str], folder: Path) -> None:
    try:
        ran = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentProblem(f"`{Path(command[0]).name}` took longer than {_SECONDS} s") from None
    if ran.returncode:
        said = [line for line in (ran.stdout + ran.stderr).splitlines() if "error" in line.lower()]
        first = said[0].strip() if said else "no reason given"
        raise EnvironmentProblem(f"`{Path(command[0]).name}` failed in {folder}: {first}")


def _key(parts: Sequence[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
