"""Tests of change descriptions: one sentence names the change of every type of error, and the values show its effects."""

from typing import Any

import pytest

from harness.solution.labels import ErrorType
from reports.review.candidates.logical_change import SENTENCES, change_of
from tests.cases import cases
from tests.reports.review.changed_records import candidate, program

FAIR = {"red_mugs": "12", "blue_mugs": "30", "price": "4", "num_ann_mugs": "6", "rate": "1/3"}
STEPS = ("mugs = red_mugs + blue_mugs", "income = mugs * price", "kept = income - num_ann_mugs * price")
ORACLE = program(FAIR, STEPS)
SKIPPED = ("mugs = red_mugs + blue_mugs", "kept = mugs - num_ann_mugs * price")
CHANGES: dict[str, tuple[ErrorType, tuple[str, str], tuple[str, ...], str, str]] = {
    "operator": (
        ErrorType.OPERATOR_SWAP,
        ("*", "/"),
        (STEPS[0], "income = mugs / price", STEPS[2]),
        "",
        "On L2 the operator was changed from * to /: 42 / 4 instead of 42 * 4.",
    ),
    "group": (
        ErrorType.WRONG_REFERENCE_GROUP,
        ("blue mugs", "number of ann mugs"),
        ("mugs = red_mugs + num_ann_mugs", *STEPS[1:]),
        "",
        "On L1 the solution uses the number of Ann mugs (6) instead of the blue mugs (30).",
    ),
    "state": (
        ErrorType.FAILURE_TO_UPDATE_STATE,
        ("mugs", "red mugs"),
        (STEPS[0], "income = red_mugs * price", STEPS[2]),
        "",
        "On L2 the solution uses the earlier value, the red mugs (12), instead of the new one, the mugs (42).",
    ),
    "input": (
        ErrorType.INPUT_MISREPRESENTATION,
        ("12", "21"),
        ("mugs = 21 + blue_mugs", *STEPS[1:]),
        "",
        "On L1 the number 12 of the problem was read as 21: 21 + 30 instead of 12 + 30.",
    ),
    "fact": (
        ErrorType.WORLD_KNOWLEDGE,
        ("12", "21"),
        ("mugs = 21 + blue_mugs", *STEPS[1:]),
        "",
        "On L1 a fact was remembered wrongly: 21 instead of 12, so 21 + 30 instead of 12 + 30.",
    ),
    "term": (
        ErrorType.SKIPPED_STEP,
        ("the red mugs", "nothing"),
        ("mugs = blue_mugs", *STEPS[1:]),
        "",
        "On L1 the solution leaves out the red mugs: 30 instead of 12 + 30.",
    ),
    "step": (
        ErrorType.SKIPPED_STEP,
        ("the income", "the mugs"),
        SKIPPED,
        "",
        "The step 42 * 4 = 168 (income) was left out; L2 goes on without it.",
    ),
    "conversion": (
        ErrorType.UNIT_CONVERSION,
        ("the income", "the mugs"),
        SKIPPED,
        "",
        "The step 42 * 4 = 168 (income) was left out; L2 goes on without it.",
    ),
    "last step": (
        ErrorType.SKIPPED_STEP,
        ("the kept", "the income"),
        STEPS[:2],
        "income",
        "The last step, 168 - 6 * 4 = 144 (kept), was left out; the answer is 168.",
    ),
    "answer": (
        ErrorType.FINAL_ANSWER_SELECTION,
        ("the kept", "the income"),
        STEPS,
        "income",
        "The final answer is the income (168) instead of the kept (144).",
    ),
}
SLIPS = {
    "off_by_n": ("169", "On L2 the result is off by 1: 42 * 4 = 169 instead of 168."),
    "off_by_factor_of_ten": ("1680", "On L2 the result is off by 1512: 42 * 4 = 1680 instead of 168."),
    "unknown_slip": ("861", "On L2 the result is off by 693: 42 * 4 = 861 instead of 168."),
}


def changed(name: str) -> Any:
    """Return the change of a case."""
    kind, named, steps, answer, _ = CHANGES[name]
    return change_of(candidate("any", named, ORACLE, program(FAIR, steps, answer), kind=kind).record)


@cases("name", CHANGES)
def test_a_mistake_is_told_in_a_sentence(name: str) -> None:
    """The sentence says what was done and what is right, in words and numbers, and writes names as names."""
    assert changed(name).sentence == CHANGES[name][-1]


@cases("operator", SLIPS)
def test_a_slip_is_told_in_a_sentence(operator: str) -> None:
    """A slip is described with the false equation and the right result."""
    wrong, sentence = SLIPS[operator]
    assert change_of(candidate(operator, ("168", wrong), ORACLE, {"income": wrong}).record).sentence == sentence


def test_every_error_type_has_its_sentence() -> None:
    """Whatever type a mutation has, its change is described."""
    assert set(SENTENCES) == set(ErrorType)


def test_values_are_those_of_the_line_and_what_follows() -> None:
    """Values are written as numbers, by the lines of the correct solution; of a step that is left out there is none."""
    shown = {
        name: [(value.name, value.line, value.before, value.after) for value in (*change.values, *change.follows)]
        for name in CHANGES
        for change in [changed(name)]
    }
    assert shown["operator"] == [("income", "L2", "168", "10.5"), ("kept", "L3", "144", "-13.5")]
    assert shown["step"] == [("income", "L2", "168", None), ("kept", "L3", "144", "18")]
    assert shown["answer"] == [("final answer", "FA", "144", "168")]
    assert len(changed("operator").values) == 1


@pytest.mark.parametrize("change", [{"certificate": None}, {"label": {}}, {"mutation": 7}, {"operator": "x" * 10**5}])
def test_records_that_cannot_be_read_say_so(change: dict[str, Any]) -> None:
    """Nothing is raised, and the sentence is bounded, whatever the record holds."""
    kind, named, steps, _, _ = CHANGES["operator"]
    sentence = change_of({**candidate("any", named, ORACLE, program(FAIR, steps), kind=kind).record, **change}).sentence
    assert 0 < len(sentence) < 500
    terms = [" + ".join(["red_mugs"] * number) for number in (100, 99)]
    long = (program(FAIR, (f"mugs = {sum_}",)) for sum_ in terms)
    assert len(change_of(candidate("dropped_term", ("the red mugs", "nothing"), *long).record).sentence) < 300


def test_every_change_of_the_bundled_corpus_is_told(flawed: dict[str, list[dict[str, Any]]]) -> None:
    """Each sentence names both sides, which differ, and the values are those of the record."""
    records = flawed["conceptual"] + flawed["computational"]
    assert len(records) > 100
    for record in records:
        change = change_of(record)
        assert change.line == record["label"]["error_details"]["erroneous_line_number"]
        assert 20 < len(change.sentence) < 260
        assert "instead" in change.sentence or "left out" in change.sentence
        left, _, right = change.sentence.rpartition(" instead of ")
        assert not left.endswith(right.rstrip("."))
        assert change.values, record["flaw_id"]
        told = {value.variable: value.after for value in (*change.values, *change.follows)}
        assert {name for name, after in told.items() if after} >= {
            value["variable"] for value in record["values"] if value["after"]
        }
