"""A model of wording, fitted on correct solutions: the probabilities of an operation and of an unused number, given their context.

Each is a logistic regression over texts of features that are hashed to a fixed number of columns; `benchmarks.verifier_wording` fits them.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from harness.equations.equation import Expression, Negative, Number, Operation, ParenthesizedExpression
from harness.text.words import wording_of
from sft.fitted.model import softmax
from sft.verifier.solution_steps import Operand, QuestionText, SolutionSteps

WEIGHTS = Path(__file__).with_name("wording_weights.npz")
BITS = 15
LEAST = 1e-6
NEAR = 5
MOST_WORDS = 60
OPERATORS = ("+", "-", "*", "/")


class OperationDoubt(NamedTuple):
    """An operation and the most probable other sign: the step, both signs, and the probability of each."""

    step: int
    stated: str
    expected: str
    stated_probability: float
    expected_probability: float


@cache
def weights() -> Mapping[str, np.ndarray]:
    """Return the tables that come with the package: `operator` of four signs, `use` of a number."""
    return load_tables(WEIGHTS)


def doubts(steps: SolutionSteps) -> list[OperationDoubt]:
    """Return for each operation its probability and that of the most probable other sign."""
    doubtful = []
    for operation in operation_contexts(steps):
        shares = dict(zip(OPERATORS, hashed_probabilities(weights()["operator"], operation.context), strict=True))
        stated = max(LEAST, shares.pop(operation.operator))
        other = max(shares, key=lambda sign: shares[sign])
        doubtful.append(OperationDoubt(operation.step, operation.operator, other, stated, shares[other]))
    return doubtful


def called_for(steps: SolutionSteps) -> dict[int, float]:
    """Return for each unused number of the question the probability that a solution uses it."""
    table = weights()["use"]
    unused = (number for number in number_contexts(steps) if not number.used)
    return {number.mention: hashed_probabilities(table, number.context)[1] for number in unused}


def hashed(context: Iterable[str]) -> list[int]:
    """Return the columns of a context's features, each once."""
    return sorted({zlib.crc32(feature.encode()) & ((1 << BITS) - 1) for feature in context})


def hashed_probabilities(table: np.ndarray, context: Iterable[str]) -> list[float]:
    """Return the probabilities of the classes of a context; `table` is columns x classes, or the log-odds of the second of two."""
    sums = table[hashed(context)].sum(axis=0)
    odds = sums if table.ndim > 1 else np.array([0.0, sums])
    shares: list[float] = softmax(odds[None])[0].tolist()
    return shares


def load_tables(path: Path) -> dict[str, np.ndarray]:
    """Return the tables of a file."""
    with np.load(path, allow_pickle=False) as saved:
        return {name: saved[name].astype(np.float32) for name in saved.files}


class OperationContext(NamedTuple):
    """An operation: its step, its sign, and the features of its context."""

    step: int
    operator: str
    context: tuple[str, ...]


class NumberContext(NamedTuple):
    """A number of the question: whether a step uses it, and the features of its context."""

    mention: int
    used: bool
    context: tuple[str, ...]


def operation_contexts(steps: SolutionSteps) -> Iterator[OperationContext]:
    """Yield the operations of all steps, each in its context."""
    last = len(steps.steps) - 1
    for number, step in enumerate(steps.steps):
        by_start = {operand.number.start: operand for operand in step.operands}
        line = _wording(step.text)
        ending = _wording(steps.asked.sentence) if number == last else ()
        for operation in step.operations():
            operator = "/" if operation.operator == "//" else operation.operator
            if operator in OPERATORS:
                sides = [_side(side, by_start, steps) for side in (operation.left, operation.right)]
                yield OperationContext(number, operator, tuple(_of_operation(line, ending, sides, operation)))


class _Side(NamedTuple):
    words: tuple[str, ...]
    before: str
    after: str
    source: str
    unit: str
    shape: str


def _side(side: Expression, by_start: dict[int, Operand], steps: SolutionSteps) -> _Side:
    inner = side
    while isinstance(inner, ParenthesizedExpression | Negative):
        inner = inner.inner
    if not isinstance(inner, Number):
        return _Side((), "", "", "computed", "", _shape(side))
    operand = by_start.get(inner.start)
    if operand is None:
        return _Side((), "", "", "none", inner.unit, _shape(side))
    if operand.given:
        words = [_around(steps.asked, given) for given in operand.given[:2]]
        near = tuple(dict.fromkeys(word for around in words for word in (*around[0], *around[1])))
        before, after = words[0][0][-1:], words[0][1][:1]
        return _Side(near, "".join(before), "".join(after), operand.source, inner.unit, _shape(side))
    near = _wording(steps.steps[operand.made[-1]].text)[:NEAR] if operand.made else ()
    return _Side(near, "", "", operand.source, inner.unit, _shape(side))


def _shape(side: Expression) -> str:
    value = side.value
    if value is None:
        return "none"
    if isinstance(side, Number) and side.percent:
        return "percent"
    if value.denominator > 1:
        return "share" if -1 < value < 1 else "mixed"
    return "small" if -1 < value < 4 else "hundred" if value == 100 else "dozen" if value in {12, 60} else "whole"


def _of_operation(
    line: tuple[str, ...], ending: tuple[str, ...], sides: list[_Side], operation: Operation
) -> Iterator[str]:
    left, right = sides
    yield "1"
    yield f"shape {left.shape} {right.shape}"
    yield f"source {left.source} {right.source}"
    yield f"units {_units(left.unit, right.unit)}"
    values = operation.left.value, operation.right.value
    if values[0] is not None and values[1] is not None:
        order = "less" if values[0] < values[1] else "same" if values[0] == values[1] else "more"
        divides = values[1] != 0 and (Fraction(values[0]) / values[1]).denominator == 1
        yield f"order {order} {divides}"
    yield f"closes {bool(ending)}"
    yield from _words_and_pairs("line", line)
    yield from _words_and_pairs("ask", ending)
    for name, side in (("left", left), ("right", right)):
        yield f"{name} before {side.before}"
        yield f"{name} after {side.after}"
        yield f"{name} unit {side.unit}"
        for word in side.words:
            yield f"{name} near {word}"
            yield f"near {word}"


def _words_and_pairs(name: str, words: tuple[str, ...]) -> Iterator[str]:
    yield from (f"{name} {word}" for word in words)
    yield from (f"{name} {first} {second}" for first, second in pairwise(words))


def _units(left: str, right: str) -> str:
    if not left or not right:
        return f"{bool(left)} {bool(right)}"
    return "same" if left == right else f"other {'$' in {left, right}}"


def number_contexts(steps: SolutionSteps) -> Iterator[NumberContext]:
    """Yield the numbers of the question, each in its context."""
    used = steps.used()
    asked = steps.asked
    for place, mention in enumerate(asked.mentions):
        before, after = _around(asked, place)
        digits = any(character.isdigit() for character in mention.text)
        value = mention.readings[0]
        again = sum(mention.readings[0] == other.readings[0] for other in asked.mentions) > 1
        context = [
            "1",
            f"form {digits} {mention.text.lower() if not digits else ''}",
            f"asking {asked.start <= mention.start < asked.end}",
            f"value {value if value in {0, 1, 2, 12, 24, 60, 100} else 'year' if 1900 <= value <= 2100 and digits else ''}",
            f"again {again}",
            f"first {place == 0}",
            f"many {min(8, len(asked.mentions))}",
            *(f"before {word}" for word in before),
            *(f"after {word}" for word in after),
            f"next {' '.join(after[:2])}",
            f"last {' '.join(before[-2:])}",
            *(f"after1 {word}" for word in after[:1]),
            *(f"before1 {word}" for word in before[-1:]),
        ]
        yield NumberContext(place, place in used, tuple(context))


@lru_cache(maxsize=2_048)
def _around(asked: QuestionText, place: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    mention = asked.mentions[place]
    before = _wording(asked.text[max(0, mention.start - 80) : mention.start])[-NEAR:]
    after = _wording(asked.text[mention.end : mention.end + 80])[:NEAR]
    return before, after


@lru_cache(maxsize=4_096)
def _wording(text: str) -> tuple[str, ...]:
    return tuple(wording_of(text)[:MOST_WORDS])
