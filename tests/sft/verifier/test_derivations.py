"""Derivations in one unknown: a false step is proved and decides, whatever engine is asked; a correct solution is never accused by one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings, strategies as st

from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import read_item
from sft.verifier.engine_registry import open_engine
from sft.verifier.guarded_engine import GuardedEngine
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.items import Item

STATED = Path(__file__).with_name("derivations.txt")
"""Correct derivations in many styles, one a line; a bar parts the lines of a solution."""
LEFT = (
    "{a}{x} = {c}",
    "{a} * {x} = {c}",
    "{a}{x} + {b} = {cb}",
    "{b} + {a}{x} = {cb}",
    "{a}({x} + {b}) = {cab}",
    "{c} = {a}{x}",
)
BEFORE = ("", "So ", "We know that ", "Combining like terms, we get ", "Therefore, ", "$", "Solve the equation: ")
JOINTS = (
    "\n",
    ", ",
    "; ",
    ", so ",
    ".\nThus, ",
    "\nDivide both sides by {a}: ",
    "\nThis means that ",
    " => ",
    ".\nSolving for {x}, we get ",
)
UNITS = ("", " apples", " books")


class Agreeable:
    """An engine that calls every solution correct."""

    name = "agreeable"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield the same judgement for each item."""
        for _ in items:
            yield Judgement(flawed=False, confidence=0.9)


@st.composite
def derivations(draw: st.DrawFn) -> tuple[str, int, str, str]:
    """Draw a derivation up to its result, the result, the text after it, and the line that it stands on."""
    a, b, value = draw(st.integers(2, 30)), draw(st.integers(1, 40)), draw(st.integers(2, 400))
    x, unit, lead = draw(st.sampled_from("xynpWC")), draw(st.sampled_from(UNITS)), draw(st.sampled_from(BEFORE))
    stated = draw(st.sampled_from(LEFT)).format(a=a, x=x, b=b, c=a * value, cb=a * value + b, cab=a * (value + b))
    unit = "" if stated[-1] in "xynpWC" or lead == "$" else unit
    close = "$" if lead == "$" else ""
    joint = draw(st.sampled_from(JOINTS)).format(a=a, x=x)
    text = f"{lead}{stated}{unit}{close}{joint}{close}{x} = "
    return text, value, f"{unit}{close}.\nFINAL ANSWER: {value}", f"L{text.count(chr(10)) + 1}"


@settings(deadline=None)
@given(derivations(), st.integers(1, 99))
def test_false_step_of_a_derivation_decides(drawn: tuple[str, int, str, str], off: int) -> None:
    """Of a derivation and its twin with another result, the engine's verdict stays on the first, and the second is Flawed on its line."""
    text, value, after, line = drawn
    off = off if 50 * off >= value else off + value
    sound, false = GuardedEngine(Agreeable()).judge(
        [read_item("", f"{text}{value}{after}"), read_item("", f"{text}{value + off}{after}")]
    )
    assert not sound.flawed
    (alone,) = open_engine("symbolic").judge([read_item("", f"{text}{value + off}{after}")])
    assert alone.flawed
    # `2x = 4`, `x = 4` may be a wrong rearrangement, whose kind the engine decides.
    assume(not any(hint.kind.name == "wrong rearrangement" for hint in alone.evidence))
    assert (false.flawed, false.line) == (True, line), f"{text}{value + off}{after}"


@cases("text", STATED.read_text("utf-8").splitlines())
def test_correct_derivation_is_not_accused(text: str) -> None:
    """No correct derivation is accused, in units, by words, of cases, of several persons, or by a guess."""
    (judged,) = open_engine("symbolic").judge([read_item("", text.replace("|", "\n"))])
    assert not judged.flawed, judged.explanation


@cases(
    "text",
    [
        "The first number is 2x = 10.|The second number is x = 6.",
        "2x = 10 in January|x = 6 in March",
        "2x = 10 for Anna, x = 6 for Ben",
        "Anna 2x = 10; Ben x = 6",
        "2x = 10|We are told that x = 6 are left.",
        "2x = 10 crates|x = 25 apples",
        "0.33x = 100|x = 300",
        "2x = 11|x = 5-6",
        "2x = 10, x² = 4|x = 2",
        "The student wrote 2x = 10, x = 6.|That is wrong.",
    ],
)
def test_another_quantity_does_not_decide(text: str) -> None:
    """Where a value may be of another quantity, range or writer, nothing is proved, and the engine is asked."""
    (judged,) = GuardedEngine(Agreeable()).judge([read_item("", text.replace("|", "\n"))])
    assert not judged.flawed, judged.explanation
