"""Tests of all readers of foreign text: whatever the text is, they end soon, with a result or the error of a user's mistake."""

import functools
import random
import time

import pytest

from tests.cases import cases
from tests.foreign_text_readers import READERS, read, seeds
from tests.fuzzing import Fuzzer
from tests.product_patterns import GENERIC

FUZZED = 600
"""Seconds of processor time for all readers together."""
SLOWEST = 5.0


def _seconds(name: str, text: str) -> float:
    """Return the processor time of reading a text: where it is long, the least of three, since a garbage collection may fall into one."""
    least = float("inf")
    for _ in range(3):
        began = time.process_time()
        read(name, text)
        least = min(least, time.process_time() - began)
        if least <= 1.0:
            break
    return least


@cases("name", READERS)
def test_awkward_texts_are_read_soon(name: str) -> None:
    """A thousand characters of any kind, and five thousand, take at most a second, and are read without an error of the program.

    Many limits are on the length of a text: what is beyond them costs less than what is just within.
    """
    _seconds(name, "1")
    slow = {
        (unit, length): seconds
        for unit in GENERIC
        for length in (1_000, 5_000)
        if (seconds := _seconds(name, (unit * length)[:length])) > 1.0
    }
    assert slow == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_million_awkward_characters_are_read_soon(name: str) -> None:
    """A million characters of any kind, or what of them is read, take at most a second; behind the beginning of a text, too."""
    _seconds(name, "1")
    beginnings = (
        "",
        "```\n",
        "def solve(a: int = 1):\n    return a  # ",
        '{"function_code": "',
        "(assert ",
        "1 + 1 = 2\n",
    )
    slow = {
        (beginning, unit): seconds
        for unit in GENERIC
        for beginning in beginnings
        if (seconds := _seconds(name, beginning + (unit * 1_000_000)[:1_000_000])) > 1.0
    }
    assert slow == {}


@pytest.mark.parametrize(
    "seconds", [0.1, pytest.param(FUZZED / len(READERS), marks=pytest.mark.slow)], ids=["short", "long"]
)
@pytest.mark.parametrize("name", READERS)
def test_fuzzed_texts_are_read(name: str, seconds: float) -> None:
    """Texts of this project, changed at random and led by the lines that they reach, raise nothing and take no five seconds."""
    fuzzer = Fuzzer(functools.partial(read, name), random.Random(f"fuzz:{name}"))
    fuzzer.begin(seeds())
    fuzzer.go_on(seconds)
    assert fuzzer.tried > len(seeds())
    assert fuzzer.slowest[0] < SLOWEST
