"""The lines of a solution tied by their words to the steps of an oracle, assigned as a whole."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from harness.domain import Exact
from harness.text.numbers import mentions
from oracles.alignment.word_overlap import words_of_text
from sft.diagnosis.oracle import Oracle, OracleStep
from sft.diagnosis.stated_steps import StatedStep

LEAST_SHARED = 0.5
"""A line and a step say the same where more of their words are common than not."""
MOST_LINES = 40
"""The lines and the steps that are compared."""


def tied_steps(lines: Sequence[str], oracle: Oracle) -> Iterator[tuple[int, OracleStep, float]]:
    """Yield the lines, from zero, whose words are those of a step that the oracle computes, each step at most once."""
    steps = oracle.told_steps[:MOST_LINES]
    told = [words_of_text(line) for line in lines[:MOST_LINES]]
    if not told or not steps:
        return
    shared = np.array([[_likeness(own, other) for _, other in steps] for own in told])
    for line, place in zip(*linear_sum_assignment(shared, maximize=True), strict=True):
        if shared[line, place] > LEAST_SHARED:
            yield int(line), steps[place][0], float(shared[line, place])


def says_result(line: str, value: Exact, oracle: Oracle, *, own: bool) -> bool:
    """Tell whether a line says what a step with a value says, and no step with another value says it better; inputs are steps, too.

    A calculation that is the oracle's `own` needs no words.
    """
    told = words_of_text(line)
    shares: dict[bool, float] = {True: 0.0, False: 0.0}
    for step in itertools.islice(oracle.by_residue.values(), MOST_LINES):
        same = step.quantity.value == value
        shares[same] = max(shares[same], _likeness(told, words_of_text(step.words)))
    return shares[True] >= shares[False] and (own or shares[True] > LEAST_SHARED)


def says_another(step: StatedStep, oracle: Oracle) -> bool:
    """Tell whether the words of a line name a quantity of the oracle that is not what its step works out.

    The words after the result name any quantity. Those elsewhere in the line name one that is worked out, that is not asked for, and
    whose value the line does not use. The longest names count, of two words or more.
    """
    rest = step.text[step.equation.end :].lstrip(" >$.,0123456789")
    after = "".join(itertools.takewhile(lambda letter: letter not in ".;," and not letter.isdigit(), rest))
    used = {value for mention in mentions(step.text) for value in mention.readings} - {step.stated}
    elsewhere = [
        (size, own)
        for size, own in named_steps(step.text, oracle)
        if not own.given and own.quantity != oracle.target and own.quantity.value not in used
    ]
    for named in (named_steps(after, oracle), elsewhere):
        longest = max((size for size, _ in named), default=0)
        if longest > 1 and all(own.quantity.value != step.stated for size, own in named if size == longest):
            return True
    return False


def named_steps(text: str, oracle: Oracle) -> list[tuple[int, OracleStep]]:
    """Return the quantities that a text names, with the number of words of each name; see `Oracle.named`."""
    told = words_of_text(text)
    return [(len(words), step) for words, step in oracle.named if words <= told]


def _likeness(own: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the words of two texts that both have; 0 where neither has any."""
    return len(own & other) / max(len(own | other), 1)
