"""The guard around every engine: what is proved decides, and what was not read is never called Correct."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hypothesis import given, strategies as st

from harness.corpora.labelled_solutions import LONGEST_TEXT, MOST_LINES
from harness.solution.labels import ErrorClass, ErrorType
from harness.text.numbers import LONGEST_NUMERAL
from sft.samples.items import Item
from sft.samples.solution_judgement import Judgement
from sft.samples.solution_text import read_item
from sft.verifier.engine_registry import judge
from sft.verifier.guarded_engine import GuardedEngine
from tests.cases import cases
from tests.sft.hostile import satisfies
from tests.sft.schemas import RECORD_SCHEMA

SOUND = Judgement(flawed=False, confidence=0.9)
ACCUSED = Judgement(
    flawed=True,
    confidence=0.9,
    error_class=ErrorClass.CONCEPTUAL,
    error_type=ErrorType.OPERATOR_SWAP,
    line="L1",
    explanation="L1 adds.",
)
QUESTION = "Tom has 7 apples and 5 pears. How many fruits has he?"
HOLDS = st.builds(lambda a, b: f"{a} + {b} = {a + b}", st.integers(0, 10**6), st.integers(0, 10**6))
FALSE = st.builds(
    lambda a, b, off: f"So it is {a} + {b} = {a + b + off}.",
    st.integers(0, 10**6),
    st.integers(0, 10**6),
    st.integers(1, 99),
)
BEYOND = st.sampled_from(
    [
        "a" * (LONGEST_TEXT + 1),
        "They are " + "1" * (LONGEST_NUMERAL + 1) + " apples.",
        "1" * (LONGEST_NUMERAL + 1) + " + 1 = 3",
        "a is b; " * 600 + "1+1=3",
        "+".join(["1"] * 80) + " = 3",
        "(" * 40 + "1+1" + ")" * 40 + " = 3",
        "1+1=2, " * 80 + "1+1=3",
        "9**9**9 = 5",
        "FINAL ANSWER: " + "1" * (LONGEST_NUMERAL + 1),
        *("1" + f"{mark}111" * 14 + " + 1 = 3" for mark in ", _'\u2009"),
        "\u0663" * (LONGEST_NUMERAL + 1) + " + 1 = 3",
        "Она собрала 14 * 3 = 42 груши.",
        "所以六乘以七等于四十二。",
    ]
)
"""Lines that exceed a limit of the reader, each of another kind."""


@dataclass
class Fixed:
    """An engine that says the same of every item, and keeps the items."""

    said: Judgement
    asked: list[Item] = field(default_factory=list)
    name: str = "fixed"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield the judgement."""
        for item in items:
            self.asked.append(item)
            yield self.said


def _judged(engine: Fixed, text: str, question: str = QUESTION) -> Judgement:
    (judged,) = judge(GuardedEngine(engine), [read_item(question, text)])
    assert satisfies(judged.record(), RECORD_SCHEMA)
    return judged


@given(st.lists(HOLDS, max_size=6), FALSE, st.lists(HOLDS, max_size=6), st.sampled_from([SOUND, ACCUSED]))
def test_a_false_equation_decides_class_and_line(
    before: list[str], false: str, after: list[str], said: Judgement
) -> None:
    """Whatever an engine says, the first false equation is the error, and the engine is not asked."""
    engine = Fixed(said)
    judged = _judged(engine, "\n".join([*before, false, *after]))
    assert (judged.flawed, judged.error_class, judged.line) == (True, ErrorClass.COMPUTATIONAL, f"L{len(before) + 1}")
    assert not engine.asked


@given(st.lists(HOLDS, max_size=6), BEYOND, st.lists(HOLDS, max_size=6))
def test_a_solution_with_an_unread_line_is_not_judged(before: list[str], beyond: str, after: list[str]) -> None:
    """A line beyond a limit is listed, the verdict is null, and the reason names the line."""
    judged = _judged(Fixed(SOUND), "\n".join([*before, beyond, *after]))
    record = judged.record()
    assert record["verdict"] is None
    assert record["confidence"] == 0
    line = record["unread"][0]["line"]
    assert line == ("FA" if beyond.startswith("FINAL") else f"L{len(before) + 1}")
    assert line in record["error"]


@given(
    st.lists(HOLDS, max_size=3),
    FALSE,
    st.sampled_from("\u0660\u0966\uff10\U0001d7ce"),
    st.sampled_from(["", "\u200b", "\u2060", "\ufe0f"]),
)
def test_a_false_equation_in_any_digits_is_found(before: list[str], false: str, zero: str, hidden: str) -> None:
    """Digits of other scripts and characters without width hide no false equation."""
    digits = {ord("0") + place: hidden + chr(ord(zero) + place) for place in range(10)}
    engine = Fixed(SOUND)
    judged = _judged(engine, "\n".join([*before, false.translate(digits)]))
    assert (judged.flawed, judged.error_class, judged.line) == (True, ErrorClass.COMPUTATIONAL, f"L{len(before) + 1}")
    assert not engine.asked


def test_a_language_model_is_asked_about_other_scripts() -> None:
    """An engine that reads every script judges what the readers of words cannot."""
    engine = Fixed(SOUND)
    (judged,) = judge(GuardedEngine(engine, any_script=True), [read_item("李明有六个梨。", "六乘以七等于四十二。")])
    assert not judged.error
    assert not judged.unread
    assert len(engine.asked) == 1


@cases("lines", [MOST_LINES, MOST_LINES + 1, MOST_LINES + 40, MOST_LINES + 400])
def test_a_false_equation_behind_the_last_line_read_is_not_correct(lines: int) -> None:
    """`1+1=3` behind 200 short lines: the verdict is null, and every line from L201 on is listed or counted."""
    record = _judged(Fixed(SOUND), "\n".join([*["a b"] * (lines - 1), "1+1=3"])).record()
    if lines <= MOST_LINES:
        assert record["error_details"]["erroneous_line_number"] == f"L{lines}"
        return
    listed = [entry["line"] for entry in record["unread"]]
    assert record["verdict"] is None
    assert listed == [f"L{number}" for number in range(MOST_LINES + 1, MOST_LINES + 1 + len(listed))]
    more = lines - MOST_LINES - len(listed)
    assert not more or f"{more} more lines" in record["unread"][-1]["reason"]


@given(st.integers(0, 30), st.sampled_from(["5 * 3 = 15", "FINAL ANSWER: 1500", "#### 1500"]))
def test_a_line_is_read_whole_or_not_at_all(cut: int, last: str) -> None:
    """Where the limit of characters falls within a line, no part of the line is read: `5 * 3 = 1` is nobody's error."""
    first = "1 + 1 = 2\n"
    filling = LONGEST_TEXT - len(first) - len(last) - 1 + min(cut, len(last))
    text = first + ("a b " * LONGEST_TEXT)[:filling] + "\n" + last
    judged = _judged(Fixed(SOUND), text)
    assert not judged.flawed
    assert (judged.error == "") == (len(text) <= LONGEST_TEXT)


def test_what_is_not_understood_is_listed_and_the_verdict_stands() -> None:
    """An equation in no readable form is within the limits: the engine's verdict stands, with the line."""
    for said in (SOUND, ACCUSED):
        judged = _judged(Fixed(said), "He has 7 + 5 = 12 fruits.\nHe has ten plus = 12 of them.\n7 + 5\n= 13")
        assert judged.flawed is said.flawed
        assert [line.line for line in judged.unread] == ["L2", "L4"]
        assert not judged.error


def test_an_engine_accuses_no_solution_whose_steps_stand_in_thoughts() -> None:
    """Their results come from nowhere in what the engine reads; what is proved of the rest counts."""
    thought = "<think>\n7 + 5 = 12\n</think>\n"
    accused = _judged(Fixed(ACCUSED), f"{thought}He has 12 fruits, and half of them is 12 / 2 = 6.")
    assert (accused.flawed, bool(accused.error)) == (False, True)
    assert _judged(Fixed(SOUND), f"{thought}He has 12 fruits, and half of them is 12 / 2 = 5.").flawed


def test_a_question_that_is_too_long_is_not_judged() -> None:
    """What a solution answers was not read whole either."""
    judged = _judged(Fixed(SOUND), "He has 7 + 5 = 12 fruits.", "a b " * LONGEST_TEXT)
    assert "question" in judged.error
