"""Tests of results computed in a copy of this process."""

import itertools
import time
from collections.abc import Iterator

from oracles.equivalence.provers.limited_process import limited_results


def test_waiting_is_no_work() -> None:
    """A copy that waits for its turn ten times as long as it may work gives its results: a busy machine changes no verdict."""

    def patient() -> Iterator[int]:
        yield 1
        time.sleep(1.0)
        yield 2

    assert list(limited_results(patient, 0.05)) == [1, 2]


def test_work_is_limited() -> None:
    """A copy that works on and on ends with what it gave before."""

    def busy() -> Iterator[int]:
        yield 1
        yield sum(itertools.repeat(1))

    assert list(limited_results(busy, 0.2)) == [1]
