"""Tests of the kinds of evidence: each reports its own fault and nothing in a sound solution."""

from sft.samples.solution_forms import joined
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.solution_steps import OperandSource, steps_of
from tests.cases import cases

QUESTION = "Mia buys 8 boxes with 25 pens each for $90. She keeps 40% of the pens and gives the rest to 6 friends. How many pens does each friend get?"
SOUND = "Mia buys 8*25=200 pens.\nShe keeps 200*40/100=80 pens.\nShe gives away 200-80=120 pens.\nEach friend gets 120/6=20 pens.\nFINAL ANSWER: 20"


def features(kind: str, written: str, question: str = QUESTION) -> dict[str, float]:
    """Return the features that one kind of evidence gives."""
    return dict(EVIDENCE.require(kind).read(Case(read_item(question, written))).features)


@cases(
    ("kind", "name", "before", "after"),
    [
        ("unused", "results", "200-80=120", "200-40=160"),
        ("unused", "numbers", "8*25=200", "8*20=160"),
        ("unused", "overused", "200-80=120", "200-8-8=184"),
        ("magnitude", "answer_negative", "ANSWER: 20", "ANSWER: -20"),
        ("magnitude", "answer_partial", "ANSWER: 20", "ANSWER: 20.5"),
    ],
)
def test_a_planted_fault_raises_its_feature(kind: str, name: str, before: str, after: str) -> None:
    """One planted fault raises the feature that is about it."""
    assert before in SOUND
    assert features(kind, SOUND.replace(before, after))[name] > features(kind, SOUND)[name]


@cases(
    "asked",
    ["How many inches of wire", "How much money", "How many pounds of clay", "What temperature", "How many hours"],
)
def test_only_a_count_must_be_whole_and_not_below_zero(asked: str) -> None:
    """Of what is measured there may be a half, and less than none: such an answer is no evidence where the question asks for it."""
    question = QUESTION.replace("How many pens", asked)
    for answer in ("-20", "20.5"):
        written = SOUND.replace("ANSWER: 20", f"ANSWER: {answer}")
        assert any(features("magnitude", written).values())
        assert not any(features("magnitude", written, question).values())


@cases(
    ("kind", "hint", "before", "after"),
    [
        ("provenance", "operand from nowhere", "120/6", "120/37"),
        ("final_answer", "answer from nowhere", "ANSWER: 20", "ANSWER: 33"),
        ("final_answer", "answer of an earlier line", "ANSWER: 20", "ANSWER: 80"),
    ],
)
def test_a_planted_fault_is_shown(kind: str, hint: str, before: str, after: str) -> None:
    """One planted fault gives the hint that is about it, and the sound solution gives none."""
    read = EVIDENCE.require(kind).read
    assert hint in {shown.kind.name for shown in read(Case(read_item(QUESTION, SOUND.replace(before, after)))).shown}
    assert not read(Case(read_item(QUESTION, SOUND))).shown


def test_operands_come_from_where_they_come() -> None:
    """Numbers of the question, results of earlier steps and constants are told apart."""
    steps = steps_of(read_item(QUESTION, SOUND)).steps
    assert [[operand.source for operand in step.operands] for step in steps] == [
        [OperandSource.QUESTION, OperandSource.QUESTION],
        [OperandSource.RESULT, OperandSource.QUESTION, OperandSource.KNOWN],
        [OperandSource.RESULT, OperandSource.RESULT],
        [OperandSource.RESULT, OperandSource.QUESTION],
    ]
    assert [operand.made for operand in steps[2].operands] == [(0,), (1,)]


def test_what_the_author_rejects_is_no_step() -> None:
    """A false equation that is asked and denied is as if it were not written."""
    rejected = SOUND.replace("\n", "\nIs it 3 + 3 = 7? No.\n", 1)
    assert steps_of(read_item(QUESTION, rejected)).dangling() == steps_of(read_item(QUESTION, SOUND)).dangling()


@cases("kind", [kind.name for kind in EVIDENCE])
def test_the_form_says_nothing(kind: str) -> None:
    """Numbering, Markdown, the form of the final answer and two sentences in one line leave every feature as it is."""
    lines = SOUND.replace("FINAL ANSWER:", "####").split("\n")
    numbered = "\n".join([*(f"{place}. **{line}**" for place, line in enumerate(lines[:-1], start=1)), lines[-1]])
    assert features(kind, numbered) == features(kind, SOUND)
    for first in (0, 1):
        assert features(kind, "\n".join([*joined(lines[:-1], first), lines[-1]])) == features(kind, SOUND)
