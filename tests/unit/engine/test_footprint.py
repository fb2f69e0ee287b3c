"""What recognition takes besides time: modules that it loads, memory that it keeps."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path

import pyarrow as pa
import pytest

from mnemata.automata.engine.recognition import recognise

UNNEEDED = ("hypothesis", "matplotlib", "networkx", "pandas", "pyspark", "z3")

PATTERN = """
any(SELL as s where name = 'A', any((BUY where name = 'B')+), BUY where name = 'C' and price > s.price)
within 10 events partition by id
"""

PROGRAM = f'''
import sys
from pyarrow import csv
from mnemata.automata.engine.recognition import recognise

matches = recognise("""{PATTERN}""", csv.read_csv(sys.argv[1]), event_type="type")
matches.count(), matches.ends(), list(matches.first(2))
matches.to_arrow(events=True), matches.explode()
print(" ".join(name for name in {UNNEEDED} if name in sys.modules))
'''


def test_a_process_that_recognises_loads_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    ticks = tmp_path / "ticks.csv"
    ticks.write_text(
        "type,name,id,price\nSELL,A,7,1.0\nBUY,B,7,\nBUY,B,7,2.0\nBUY,C,7,3.0\n", encoding="ascii"
    )
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(ticks)], capture_output=True, text=True, check=False, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == []


@pytest.mark.parametrize("key", ["", " partition by id"])
def test_columns_go_with_the_matches(key: str) -> None:
    table = pa.table({"id": [1, 2, 1, 2], "price": [1, 2, 3, 4]})
    matches = recognise(f"any(event as r, event where price > r.price){key}", table)
    assert matches.count() > 0
    search = weakref.ref(matches._search)
    collected = gc.isenabled()
    gc.disable()
    try:
        del matches
        assert search() is None
    finally:
        if collected:
            gc.enable()
