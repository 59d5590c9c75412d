"""Values in a temporary file: they come back at any place, in any process, and hold no memory."""

from __future__ import annotations

import multiprocessing
import tracemalloc

import pytest
from hypothesis import given, strategies as st

from harness.store.spool import READ_AHEAD, Spool

VALUES = st.lists(st.text() | st.integers() | st.tuples(st.text(), st.none()))


@given(first=VALUES, second=VALUES)
def test_values_come_back(first: list[object], second: list[object]) -> None:
    """What was added is read in order and at each place, also when more is added after a look."""
    spool = Spool[object]()
    for value in first:
        spool.append(value)
    assert list(spool) == first
    for value in second:
        spool.append(value)
    every = first + second
    assert (list(spool), [spool[place] for place in range(-len(every), len(every))]) == (every, every + every)
    assert spool[1:] == every[1:]
    with pytest.raises(IndexError):
        spool[len(every)]


def test_long_values_come_back() -> None:
    """Values that are longer than what is read at once come back whole, between short ones."""
    values = ["a", "b" * (READ_AHEAD + 1), "", "c" * READ_AHEAD, "d"]
    spool = Spool[str]()
    for value in values:
        spool.append(value)
    assert list(spool) == values


def _sum(spool: Spool[int], answer: multiprocessing.Queue[int]) -> None:
    answer.put(sum(spool[place] for place in range(len(spool))))


def test_forked_processes_read_at_once() -> None:
    """Processes that are forked from the one that wrote read all values at the same time."""
    spool, context = Spool[int](), multiprocessing.get_context("fork")
    for value in range(2_000):
        spool.append(value)
    assert spool[0] == 0
    answers = context.Queue()
    readers = [context.Process(target=_sum, args=(spool, answers)) for _ in range(4)]
    for reader in readers:
        reader.start()
    sums = [answers.get(timeout=60) for _ in readers]
    for reader in readers:
        reader.join()
    assert sums == [sum(range(2_000))] * 4


def test_values_stay_on_disk() -> None:
    """Of 2,000 values of 2 kB each, 4 MB together, memory holds less than what is read at once, and a hundredth of them."""
    spool = Spool[str]()
    tracemalloc.start()
    try:
        for number in range(2_000):
            spool.append(f"{number:02000}")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < READ_AHEAD + 40_000
