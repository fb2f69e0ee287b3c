"""The systems that are compared, and how each is started."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final, TypeAlias

from mnemata.paper_figures.peers.core import core_query
from mnemata.paper_figures.peers.epl import epl_query
from mnemata.paper_figures.peers.flink_cep import flink_class
from mnemata.paper_figures.peers.given import class_path_of
from mnemata.paper_figures.peers.java_programs import compiled, java_command, libraries, source
from mnemata.paper_figures.peers.match_recognize import esper_query, flink_query
from mnemata.paper_figures.peers.relational import relational_query
from mnemata.paper_figures.peers.running import Launch, python
from mnemata.paper_figures.peers.sase import sase_query
from mnemata.paper_figures.peers.wayeb import wayeb_expression
from mnemata.pipeline.datasets.arrivals import STOCKS
from mnemata.theory.errors import EnvironmentProblem
from mnemata.theory.schema import Schema
from mnemata.theory.sremo.expressions import Pattern
from mnemata.theory.sremo.rewriting import bound
from mnemata.theory.syntax import show

Generator: TypeAlias = Callable[[Pattern, Schema], str]
"""Writes a bound pattern in the language of a system."""

WORKERS: Final = "mnemata.paper_figures.peers.workers"
ESPER: Final = tuple(f"com.espertech:esper-{part}:8.9.0" for part in ("common", "compiler", "runtime"))
FLINK_VERSION: Final = "2.2.0"
FLINK_CEP: Final = tuple(
    f"org.apache.flink:{name}:{FLINK_VERSION}" for name in ("flink-cep", "flink-clients")
)
FLINK_SQL: Final = (
    *FLINK_CEP,
    *(
        f"org.apache.flink:{name}:{FLINK_VERSION}"
        for name in ("flink-table-api-java-bridge", "flink-table-planner_2.12", "flink-table-runtime")
    ),
)
COMMON: Final = ("Tick.java", "Report.java")


@dataclass(frozen=True, slots=True)
class System:
    """A system that can be asked to recognise a pattern.

    Parameters
    ----------
    name : str
        By which it is chosen.
    title : str
        For the reader, with its version.
    generator : callable
        Writes patterns in its language; raises `InexpressibleError`.
    starter : callable
        From what the generator wrote and a folder for what is made once, how to start it; raises
        `EnvironmentProblem` when something is missing.
    enumerates : bool
        Whether it says which events are matched; otherwise it only counts.
    keeps_code : bool
        Whether a process leaves machine code behind that the next one loads, and is run once beforehand:
        other systems come compiled.
    """

    name: str
    title: str
    generator: Generator
    starter: Callable[[str, Path], Launch]
    enumerates: bool = True
    keeps_code: bool = False

    def launch(self, pattern: Pattern, cache: Path) -> Launch:
        """How to run it on a pattern."""
        return self.starter(self.generator(bound(pattern, STOCKS), STOCKS), cache)


def own_notation(pattern: Pattern, _schema: Schema) -> str:
    """A pattern as this project writes it."""
    return show(pattern)


def _engine(mode: str) -> Callable[[str, Path], Launch]:
    return lambda query, _cache: Launch(python(f"{WORKERS}.recognition", mode), query)


def _algorithm_1(query: str, _cache: Path) -> Launch:
    return Launch(python(f"{WORKERS}.algorithm_1"), query)


def _duckdb(query: str, _cache: Path) -> Launch:
    if find_spec("duckdb") is None:
        raise EnvironmentProblem("DuckDB is not installed; `pip install 'mnemata[peers]'` installs it")
    return Launch(python(f"{WORKERS}.joins"), query)


def _esper(query: str, cache: Path) -> Launch:
    jars = libraries(ESPER, cache)
    sources = {name: source(name) for name in (*COMMON, "EsperDriver.java")}
    return Launch(java_command("EsperDriver", compiled(sources, jars, cache), jars), query)


def _flink_cep(query: str, cache: Path) -> Launch:
    jars = libraries(FLINK_CEP, cache)
    sources = {name: source(name) for name in (*COMMON, "Replay.java", "FlinkCepDriver.java")}
    classes = compiled({**sources, "Query.java": query}, jars, cache)
    return Launch(java_command("FlinkCepDriver", classes, jars), query)


def _flink_sql(query: str, cache: Path) -> Launch:
    jars = libraries(FLINK_SQL, cache)
    sources = {name: source(name) for name in (*COMMON, "Replay.java", "FlinkSqlDriver.java")}
    return Launch(java_command("FlinkSqlDriver", compiled(sources, jars, cache), jars), query)


def _wayeb(query: str, cache: Path) -> Launch:
    return _given_jars("wayeb", "WayebDriver", query, cache)


def _sase(query: str, cache: Path) -> Launch:
    return _given_jars("sase", "SaseDriver", query, cache)


def _core(query: str, cache: Path) -> Launch:
    return _given_jars("core", "CoreDriver", query, cache)


def _given_jars(name: str, driver: str, query: str, cache: Path) -> Launch:
    jars = class_path_of(name)
    sources = {file: source(file) for file in (*COMMON, f"{driver}.java")}
    return Launch(java_command(driver, compiled(sources, jars, cache), jars), query)


OWN: Final = "mnemata"
COUNTING: Final = "mnemata-count"
BASELINES: Final = ("duckdb", "algorithm-1")
"""These are no complex event systems: a database, and the algorithm that this project improves on."""
SYSTEMS: Final = (
    System(OWN, "mnemata, enumerating", own_notation, _engine("enumerate"), keeps_code=True),
    System(COUNTING, "mnemata, counting", own_notation, _engine("count"), enumerates=False, keeps_code=True),
    System("algorithm-1", "Algorithm 1 as published, in Python", own_notation, _algorithm_1),
    System("duckdb", "DuckDB, joins and recursion", relational_query, _duckdb),
    System("esper", "Esper 8.9.0, MATCH_RECOGNIZE", esper_query, _esper),
    System("esper-pattern", "Esper 8.9.0, EPL pattern", epl_query, _esper),
    System("flink-cep", f"FlinkCEP {FLINK_VERSION}", flink_class, _flink_cep),
    System("flink-sql", f"Flink SQL {FLINK_VERSION}, MATCH_RECOGNIZE", flink_query, _flink_sql),
)
GIVEN: Final = (
    System("wayeb", "Wayeb", wayeb_expression, _wayeb),
    System("sase", "SASE 1.0", sase_query, _sase),
    System("core", "CORE", core_query, _core),
)
"""Systems that are in no package registry; whoever has one says where it is."""
NAMED: Final = {system.name: system for system in (*SYSTEMS, *GIVEN)}
COLUMNS: Final = {
    "mnemata": (NAMED[OWN],),
    "Esper": (NAMED["esper"], NAMED["esper-pattern"]),
    "FlinkCEP": (NAMED["flink-cep"],),
    "Flink SQL": (NAMED["flink-sql"],),
    "DuckDB": (NAMED["duckdb"],),
}
"""What features are asked of: each system with its languages, the preferred one first."""


def given_columns() -> dict[str, tuple[System, ...]]:
    """The same for systems whose jars the user has."""
    found: dict[str, tuple[System, ...]] = {}
    for system in GIVEN:
        with suppress(EnvironmentProblem):
            class_path_of(system.name)
            found[system.title] = (system,)
    return found
