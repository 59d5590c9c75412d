"""Tests of all regular expressions of the product: none takes long on an awkward text."""

import re
import signal
import time
from collections.abc import Iterable
from types import FrameType

import pytest

from generators.constraints.repair import program_repair
from harness.answers import answer_place, symbolic
from harness.corpora import labelled_solutions
from harness.equations import derivation
from harness.program.syntax import comments
from harness.text import quantity
from oracles.constraints import clause_alignment
from sft.validator import problem_text
from tests.product_patterns import ProductPattern, awkward_texts, product_patterns

WHOLE = 1_000_000
"""Characters of a text as long as any that is read."""
BOUNDS = {
    "generators.constraints.repair.": program_repair.LONGEST,
    "generators.flaws.solution.quantity_units._IN_COMMENT": comments.LONGEST_COMMENT,
    "generators.flaws.": labelled_solutions.LONGEST_TEXT,
    "generators.variants.": problem_text.LONGEST_TEXT,
    "harness.text.markup._PREFIX": labelled_solutions.LONGEST_TEXT,
    "harness.text.markup._EMPHASIS": labelled_solutions.LONGEST_TEXT,
    "harness.text.quantity.": quantity.LONGEST_QUANTITY,
    "harness.answers.symbolic.": symbolic.LONGEST_EXPRESSION,
    "harness.answers.answer_place._WORD": answer_place.LONGEST_LINE,
    "harness.corpora.problems._RANGE": 1_000,
    "harness.program.syntax.comments.": comments.LONGEST_COMMENT,
    "oracles.constraints.clause_alignment._OPTIONS": clause_alignment.LONGEST,
    "oracles.labels.": labelled_solutions.LONGEST_TEXT,
    "sft.constraints.program_writer.": 20_000,
    "sft.samples.": labelled_solutions.LONGEST_TEXT,
    "sft.validator.": problem_text.LONGEST_TEXT,
    "harness.equations.derivation.": derivation.LONGEST_LINE,
    "sft.verifier.": labelled_solutions.LONGEST_TEXT,
}
"""The longest text that the patterns of a module meet, by the beginning of their place; the first that fits holds."""


def test_patterns_are_found() -> None:
    """The scan finds patterns in every room that reads foreign text, in tables and within functions."""
    found = product_patterns()
    rooms = {pattern.module.partition(".")[0] for pattern in found}
    assert {"harness", "generators", "oracles", "sft"} <= rooms
    assert len(found) > 250
    assert any(pattern.name.startswith("line ") for pattern in found)
    assert any(pattern.name.isupper() for pattern in found)


def test_a_quadratic_pattern_is_noticed() -> None:
    """A run of letters with nothing behind it takes a search ever longer: the law would fail."""
    slow = ProductPattern(re.compile(r"\w+="), "harness.none", "SLOW", searched=True)
    assert _slow_texts(slow, 6_000, 0.008)


@pytest.mark.parametrize(
    ("longest", "seconds"), [(1_500, 0.008), pytest.param(100_000, 0.1, marks=pytest.mark.slow)], ids=["short", "long"]
)
def test_no_pattern_takes_long(longest: int, seconds: float) -> None:
    """Every pattern is through with an awkward text of the greatest length that is read within a second, as shorter ones foretell."""
    slow = [
        f"{pattern.place}: {seen}"
        for pattern in product_patterns()
        for seen in _slow_texts(pattern, min(longest, _bound(pattern)), max(seconds, _share(pattern, longest)))
    ]
    assert slow == []


@pytest.mark.slow
def test_no_reader_pattern_takes_long() -> None:
    """A million characters of what a pattern itself repeats take at most a second, where texts as long are read."""
    slow = []
    for pattern in product_patterns():
        if _bound(pattern) == WHOLE:
            texts = [(label, text) for label, text in awkward_texts(pattern.pattern, WHOLE) if "again" in label]
            slow += [f"{pattern.place}: {seen}" for seen in _slow_texts(pattern, WHOLE, 1.0, texts)]
    assert slow == []


def _bound(pattern: ProductPattern) -> int:
    return next((bound for place, bound in BOUNDS.items() if pattern.place.startswith(place)), WHOLE)


def _share(pattern: ProductPattern, longest: int) -> float:
    """Return the seconds that a shorter text may take, so that one of the bound's length takes one if time grows as its square."""
    return min(1.0, (longest / _bound(pattern)) ** 2)


def _slow_texts(
    pattern: ProductPattern, length: int, seconds: float, texts: Iterable[tuple[str, str]] | None = None
) -> list[str]:
    """Return the first awkward text that takes a pattern longer than so many seconds of processor time, three times."""
    method = pattern.pattern.search if pattern.searched else pattern.pattern.match
    for label, text in texts or awkward_texts(pattern.pattern, length):
        if all(_seconds(method, text, 4 * seconds) > seconds for _ in range(3)):
            return [f"{label} ({pattern.pattern.pattern[:60]})"]
    return []


def _seconds(method: object, text: str, limit: float) -> float:
    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, give_up)
    started = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, limit)
        method(text)  # type: ignore[operator]  # a bound method of a pattern
    except TimeoutError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return time.process_time() - started
