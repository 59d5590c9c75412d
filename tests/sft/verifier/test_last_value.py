"""A value that the last line states and nothing before it gives: such a solution is not confidently Correct."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given, strategies as st

from sft.samples.solution_text import read_item
from sft.verifier.engine_registry import open_engine
from sft.verifier.guarded_engine import UNREAD_CONFIDENCE
from sft.verifier.solution.last_value import CONVERSIONS
from tests.cases import cases

QUESTION = "Mira buys {a} pens at ${b} each and a pad for ${c}. What does she pay?"
WORK = (
    "| item | price |\n|---|---|\n| pens | ${ab} |\n| pad | ${c} |\n| sum | ${t} |",
    "First, multiply {a} by {b} to get {ab}.\nThen {ab} plus {c} makes {t}.",
    "{a} × ${b} = ${ab}\n${ab} + ${c} = ${t}",
    "pens: {ab}\nsum → {t}",
)
ENDS = ("Total = ${t}", "→ {t} $", "The answer is {t}.", "≈ ${t}", "**{t}**", "So Mira pays {t} dollars.")


@given(
    st.integers(13, 60),
    st.integers(13, 60),
    st.integers(101, 199),
    st.integers(1, 9),
    st.sampled_from(WORK),
    st.sampled_from(ENDS),
)
def test_value_from_nowhere_is_not_confidently_correct(a: int, b: int, c: int, off: int, work: str, end: str) -> None:
    """With its own sum the last line is read; with another value it is listed, and `Correct` is as likely as not."""
    numbers = {"a": a, "b": b, "c": c, "ab": a * b, "t": a * b + c}
    question, lines = QUESTION.format(**numbers), work.format(**numbers)
    other = {**numbers, "t": numbers["t"] + off}
    # 1020 is 17 * 60.
    assume(
        not any(
            other["t"] in {base * factor, Fraction(base, factor)} for base in numbers.values() for factor in CONVERSIONS
        )
    )
    sound, false = open_engine("symbolic").judge(
        [read_item(question, f"{lines}\n{end.format(**said)}") for said in (numbers, other)]
    )
    assert not sound.flawed
    assert not any("nothing before" in line.reason for line in sound.unread)
    assert false.flawed or (false.unread and false.confidence <= UNREAD_CONFIDENCE)


@cases(
    "text",
    [
        "45 * 2 = 90 minutes\nIt takes 1.5 hours.",
        "10 / 3 = 3.3333\nAbout 3.33.",
        "3 * 12 = 36 eggs\nThat is three dozen eggs.",
        "2w + 2 * 5 = 40\nWe get w = 15",
        "1 / 4 = 0.25\nSo 25%.",
        "7 * 8 = 56 days\nHe needs eight weeks.",
        "She has many.\nNobody knows how many.",
    ],
)
def test_value_in_another_form_is_read(text: str) -> None:
    """A value in another unit, rounded, in words, or solved for is given by what stands before."""
    (judged,) = open_engine("symbolic").judge([read_item("", text)])
    assert not any("nothing before" in line.reason for line in judged.unread), judged.unread
