"""Checks that the explanation and the correction of a label name the values on its line."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.corpora.labelled_solutions import LabelVerdict
from harness.domain import Evidence
from harness.solution.labels import ErrorClass
from harness.text.number_forms import format_value
from harness.text.numbers import NUMERAL, read_numeral
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.explained_label import LONGEST_EXPLANATION, ExplainedLabel
from oracles.labels.audit.solution_lines import read_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.corpora.labelled_solutions import StatedLabel
    from harness.domain import Exact
    from oracles.labels.audit.solution_lines import AuditedSolution

_SHOULD_BE = re.compile(
    rf"\bshould be \$?(?P<right>-?(?:{NUMERAL})(?:/\d{{1,9}})?),? (?:and )?not \$?(?P<wrong>-?(?:{NUMERAL})(?:/\d{{1,9}})?)(?![\d,/]*\d)",
    re.ASCII,
)
# Where thousands are counted, 15 and 15,000 are one amount.
_SCALE = re.compile(r"\b(?:thousand|million|billion)s?\b", re.IGNORECASE)


def explanation_findings(subject: ExplainedLabel) -> Iterator[Evidence]:
    """Yield the contradictions of an explanation and a correction to a label: values, a line, an operation or an error that the label does not have."""
    stated = subject.stated
    for equation in read_statement(stated.correction).false:
        written = stated.correction[equation.start : equation.end]
        expected = "" if equation.left.value is None else format_value(equation.left.value)
        yield Evidence(stated.line, AuditCause.FALSE_CORRECTION, written, expected)
    if stated.explanation and stated.said is LabelVerdict.FLAWED:
        yield from subject.findings()
    yield from _should_be(subject.solution, stated, subject.labelled)


def _should_be(solution: AuditedSolution, stated: StatedLabel, labelled: int | None) -> Iterator[Evidence]:
    """Yield the contradictions of the values of `should be 375, not 357` to a label."""
    if (
        stated.error_class is not ErrorClass.COMPUTATIONAL
        or labelled is None
        or labelled >= len(solution.statements)
        or "should be" not in stated.explanation
    ):
        return
    match = _SHOULD_BE.search(stated.explanation[:LONGEST_EXPLANATION])
    if match is None:
        return
    line = solution.statements[labelled]
    right, wrong = _value(match["right"]), _value(match["wrong"])
    if not line.false or right is None or wrong is None or _SCALE.search(line.text):
        return
    values = [equation.left.value for equation in line.equations], [equation.right.value for equation in line.equations]
    if not all(
        any(_names(number, side_value) for side_value in side)
        for number, side in zip((right, wrong), values, strict=True)
    ):
        equation = line.false[0]
        found = f"{_shown(equation.left.value)} and not {_shown(equation.right.value)}"
        yield Evidence(solution.label(labelled), AuditCause.EXPLANATION_DISAGREES, match[0], found)


def _shown(value: Exact | None) -> str:
    return "?" if value is None else format_value(value)


def _value(text: str) -> tuple[Exact, int] | None:
    """Return a number's value and the decimals it is written with; `None` where it divides by zero."""
    top, _, bottom = text.removeprefix("-").partition("/")
    over, under = read_numeral(top), read_numeral(bottom) if bottom else 1
    if over is None or not under:
        return None
    value = Fraction(over) / under
    return (-value if text.startswith("-") else value), 0 if bottom else len(top.partition(".")[2])


def _names(number: tuple[Exact, int], exact: Exact | None) -> bool:
    """Tell whether a number is a value to its decimals, percent and the noise of floats apart.

    Lines show two decimals of what an explanation has more of. A value that could not be computed is accepted.
    """
    if exact is None:
        return True
    value, places = number
    senses = [Fraction(exact), Fraction(exact) * 100, Fraction(exact) / 100]
    if any(abs(value - sense) * 10**places < 1 for sense in senses[:2]):
        return True
    noise = abs(Fraction(value)) / 10**9
    shown = any(abs(value - sense) <= Fraction(1, 200) for sense in senses[:2])
    return (places > 2 and shown) or any(abs(value - sense) <= noise for sense in senses)
