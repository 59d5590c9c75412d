"""Benchmark of the equation reader on real solution lines: equations read, missed and misread."""

import gzip
import hashlib
import json
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.sessions import records, require
from harness.domain import Exact
from harness.equations.equation import Expression, Negative, Number, ParenthesizedExpression, StatedEquation
from harness.equations.line_reader import read_line

SAMPLE = Path(__file__).with_name("equations_sample.jsonl")
TRAIN = "gsm8k/train.jsonl"
PASSES = 3
MOST_DECIMALS = 20
_DIGIT = re.compile(r"\d")
_LINK = re.compile(r"[=≈]|\b(?:is|are|equals?)\b")


class ReaderAgreement(NamedTuple):
    """How many equations a person saw, how many the reader read, and in how many they agree, truth included."""

    seen: int
    read: int
    agreed: int
    missing: int
    """Sampled lines that the draw does not give, or that read otherwise."""


def measure(data: Path) -> dict[str, Any]:
    """Read a sample that a person wrote down, and GSM8K train.

    The sample: 200 lines, 50 from each of the four sets of errors, drawn at random among lines with a digit and an equals sign, `is` or `are`; every
    equation was written down by hand with its truth before the reader was run on them. Annotation and prose count each for itself; an equation agrees
    if both sides are the same to the last parenthesis, and so is its truth.
    """
    require(TRAIN, "errors", data=data)
    return {"sample": agreement(data)._asdict(), "gsm8k_train": _train(data)}


def _train(data: Path) -> dict[str, Any]:
    """Read every line of GSM8K train, none from memory."""
    lines = [line for record in records(data / TRAIN) for line in record["answer"].split("\n")]
    rates, truths, reasons = [], Counter[str](), Counter[str]()
    for _ in range(PASSES):
        truths.clear()
        reasons.clear()
        started = time.process_time()
        for line in lines:
            reading = read_line.__wrapped__(line)
            truths.update(str(equation.truth) for equation in reading.equations)
            reasons.update(gap.reason for gap in reading.unread)
        rates.append(len(lines) / (time.process_time() - started))
    return {"truths": dict(truths), "unread": dict(reasons), "lines_a_second": round(max(rates))}


def agreement(data: Path) -> ReaderAgreement:
    """Compare what the reader reads in the sample with what a person wrote down."""
    drawn = {(name, record, number): text for name, record, number, text in draw(data)}
    seen = read = agreed = missing = 0
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        text = drawn.get((entry["file"], entry["record"], entry["line"]))
        if text is None or digest(text) != entry["sha256"]:
            missing += 1
            continue
        expected = Counter((equation, truth) for equation, truth in entry["expected"])
        found = Counter((digest(canonical(each)), str(each.truth)) for each in read_line(text).equations)
        seen, read, agreed = seen + expected.total(), read + found.total(), agreed + (expected & found).total()
    return ReaderAgreement(seen, read, agreed, missing)


def lines_of(record: Any) -> list[str]:
    """Return the lines of a flawed solution."""
    return list(record["steps"]) if "steps" in record else str(record["flawed_solution"]).split("\n")


def draw(data: Path, count: int = 50) -> Iterator[tuple[str, int, int, str]]:
    """Yield file, record, line number and text of the lines of the sample."""
    for path in sorted((data / "errors").iterdir()):
        pool = [
            (path.name, place, number, line)
            for place, record in enumerate(_records(path))
            for number, line in enumerate(lines_of(record))
            if place % 2 and _DIGIT.search(line) and _LINK.search(line)
        ]
        yield from random.Random(f"equations:{path.name}").sample(pool, count)


def _records(path: Path) -> list[Any]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def digest(text: str) -> str:
    """Return the SHA-256 of a text, by which the sample names what it may not hold."""
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(equation: StatedEquation) -> str:
    """Write an equation as a person noted it: `1/4*400=100`, without units, separators and white space."""
    return f"{_written(equation.left)}={_written(equation.right)}"


def _written(expression: Expression) -> str:
    if isinstance(expression, Number):
        value = expression.value if not expression.percent else Fraction(expression.value or 0) * 100
        return f"{_decimal(value)}{'%' * expression.percent}"
    if isinstance(expression, ParenthesizedExpression):
        return f"({_written(expression.inner)})"
    if isinstance(expression, Negative):
        return f"-{_written(expression.inner)}"
    return f"{_written(expression.left)}{expression.operator}{_written(expression.right)}"


def _decimal(value: Exact | None) -> str:
    """Write a number without needless zeros, as a fraction where decimals have no end."""
    for places in range(MOST_DECIMALS):
        scaled = Fraction(value or 0) * 10**places
        if scaled.denominator == 1:
            digits = f"{scaled.numerator:0{places + 1}d}"
            return f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else digits
    return str(value)
