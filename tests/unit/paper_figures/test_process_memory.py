"""The memory of a process."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from mnemata.paper_figures import process_memory

LARGE = 64_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
def test_what_was_given_back_counts_in_the_peak() -> None:
    process_memory.forget_peak()
    before = process_memory.resident()
    assert before is not None
    held = np.ones(LARGE, np.uint8)
    during = process_memory.resident()
    del held
    after, peak = process_memory.resident(), process_memory.peak()
    assert during is not None
    assert after is not None
    assert peak is not None
    assert during > before + 0.9 * LARGE
    assert after < during - 0.9 * LARGE
    assert peak > before + 0.9 * LARGE


def test_a_process_that_is_not_there_has_none() -> None:
    assert process_memory.peak("there-is-no-such-process") is None
