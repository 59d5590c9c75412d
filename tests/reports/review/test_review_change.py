"""Tests of change descriptions: one sentence names the change of every operator, and the values show its effects."""

from typing import Any

import pytest

from generators.flaws.slip import SLIPS as SLIPS_REGISTERED
from harness.solution.labels import ErrorType
from harness.solution.phrases.slip_causes import SLIP_CAUSES
from properties.stages.mutation import operator_names
from reports.review.candidates.logical_change import SENTENCES, change_of
from tests.reports.review.changed_records import candidate, program

FAIR = {"red_mugs": "12", "blue_mugs": "30", "price": "4", "num_ann_mugs": "6", "rate": "1/3"}
STEPS = ("mugs = red_mugs + blue_mugs", "income = mugs * price", "kept = income - num_ann_mugs * price")
ORACLE = program(FAIR, STEPS)


def mutant(*steps: str, answer: str = "") -> Any:
    """Return a program of the same inputs."""
    return program(FAIR, steps, answer)


CASES = [
    (
        "operator_swap",
        ("*", "/"),
        mutant(STEPS[0], "income = mugs / price", STEPS[2]),
        "On L2 the operator was changed from * to /: 42 / 4 instead of 42 * 4.",
    ),
    (
        "operand_swap",
        ("income - 24", "24 - income"),
        mutant(*STEPS[:2], "kept = num_ann_mugs * price - income"),
        "On L3 the two sides of the subtraction were swapped: 6 * 4 - 168 instead of 168 - 6 * 4.",
    ),
    (
        "wrong_reference_group",
        ("blue mugs", "number of ann mugs"),
        mutant("mugs = red_mugs + num_ann_mugs", *STEPS[1:]),
        "On L1 the solution uses the number of Ann mugs (6) instead of the blue mugs (30).",
    ),
    (
        "failure_to_update_state",
        ("mugs", "red mugs"),
        mutant(STEPS[0], "income = red_mugs * price", STEPS[2]),
        "On L2 the solution uses the earlier value, the red mugs (12), instead of the new one, the mugs (42).",
    ),
    (
        "input_misrepresentation",
        ("12", "21"),
        mutant("mugs = 21 + blue_mugs", *STEPS[1:]),
        "On L1 the number 12 of the problem was read as 21: 21 + 30 instead of 12 + 30.",
    ),
    (
        "dropped_term",
        ("the red mugs", "nothing"),
        mutant("mugs = blue_mugs", *STEPS[1:]),
        "On L1 the solution leaves out the red mugs: 30 instead of 12 + 30.",
    ),
    (
        "extraneous_operation",
        ("nothing more", "2"),
        mutant("mugs = (red_mugs + blue_mugs) / 2", *STEPS[1:]),
        "On L1 one operation too many was done: (12 + 30) / 2 instead of 12 + 30.",
    ),
    (
        "unit_conversion",
        ("*", "/"),
        mutant(STEPS[0], "income = mugs / price", STEPS[2]),
        "On L2 units were converted the wrong way round: 42 / 4 instead of 42 * 4.",
    ),
    (
        "scoping_precedence",
        ("mugs", "12 + 30 * 4"),
        mutant(STEPS[0], "income = red_mugs + blue_mugs * price", STEPS[2]),
        "On L2 the operations were done in another order: 12 + 30 * 4 instead of 42 * 4.",
    ),
    (
        "wrong_formula",
        ("42 * 4", "42 + 42 * 4"),
        mutant(STEPS[0], "income = mugs + mugs * price", STEPS[2]),
        "On L2 another formula was used: 42 + 42 * 4 instead of 42 * 4.",
    ),
    (
        "algebraic_simplification",
        ("42 * 4", "42 - 4"),
        mutant(STEPS[0], "income = mugs - price", STEPS[2]),
        "On L2 the equation was solved wrongly: 42 - 4 instead of 42 * 4.",
    ),
    (
        "constraint_violation",
        ("the red mugs", "the blue mugs"),
        mutant("mugs = blue_mugs", *STEPS[1:]),
        "On L1 a limit of the problem was ignored: 30 instead of 12 + 30.",
    ),
    (
        "skipped_assignment",
        ("the income", "the mugs"),
        program(FAIR, ("mugs = red_mugs + blue_mugs", "kept = mugs - num_ann_mugs * price")),
        "The step 42 * 4 = 168 (income) was left out; L2 uses the mugs (42) instead.",
    ),
    (
        "skipped_final_step",
        ("the kept", "the income"),
        mutant(*STEPS[:2], answer="income"),
        "The last step, 168 - 6 * 4 = 144 (kept), was left out; the answer is the income (168).",
    ),
    (
        "wrong_final_answer",
        ("the kept", "the income"),
        mutant(*STEPS, answer="income"),
        "The final answer is the income (168) instead of the kept (144).",
    ),
]
SLIPS = [
    ("off_by_n", "169", "On L2 the result is off by 1: 42 * 4 = 169 instead of 168."),
    ("stem_off_by_n", "178", "On L2 the result is off by 10: 42 * 4 = 178 instead of 168."),
    ("float_off_by_n", "1681/10", "On L2 the result is off by 0.1: 42 * 4 = 168.1 instead of 168."),
    ("off_by_factor_of_ten", "1680", "On L2 the result is ten times too large: 42 * 4 = 1680 instead of 168."),
    ("digit_transposition", "186", "On L2 two digits changed places: 42 * 4 = 186 instead of 168."),
    ("carry_or_borrow_forgotten", "158", "On L2 a carry or a borrow was forgotten: 42 * 4 = 158 instead of 168."),
    ("decimal_shift", "84/5", "On L2 the decimal point is in the wrong place: 42 * 4 = 16.8 instead of 168."),
    ("fraction_part_off_by_one", "503/3", "On L2 a part of the fraction is off by one: 42 * 4 = 503/3 instead of 168."),
    ("reciprocal", "1/168", "On L2 the result is upside down: 42 * 4 = 1/168 instead of 168."),
    (
        "reciprocal_multiplication",
        "21/2",
        "On L2 multiplying and dividing were mixed up: 42 * 4 = 10.5 instead of 168.",
    ),
    ("sign_slip", "-168", "On L2 plus and minus were mixed up: 42 * 4 = -168 instead of 168."),
]


@pytest.mark.parametrize(("operator", "said", "told", "sentence"), CASES, ids=[case[0] for case in CASES])
def test_a_mistake_is_told_in_a_sentence(operator: str, said: tuple[str, str], told: Any, sentence: str) -> None:
    """With what stands there and what should, in words and in numbers, and names as names."""
    assert change_of(candidate(operator, said, ORACLE, told).record).sentence == sentence


@pytest.mark.parametrize(("operator", "wrong", "sentence"), SLIPS, ids=[case[0] for case in SLIPS])
def test_a_slip_is_told_in_a_sentence(operator: str, wrong: str, sentence: str) -> None:
    """A slip is described with the false equation and the right result."""
    assert change_of(candidate(operator, ("168", wrong), ORACLE, {"income": wrong}).record).sentence == sentence


def test_every_error_type_has_its_sentence() -> None:
    """And the change of every operator and slip is told above; words on slips are about slips that there are."""
    assert set(SENTENCES) == set(ErrorType)
    assert {case[0] for case in CASES} | {case[0] for case in SLIPS} == set(operator_names())
    assert set(SLIP_CAUSES) <= {slip.name for slip in SLIPS_REGISTERED}


def test_sentences_depend_on_what_was_done() -> None:
    """Facts of the world are no numbers of the problem, rounding is no limit, a conversion may be left out."""
    told = mutant("mugs = 21 + blue_mugs", *STEPS[1:])
    fact = candidate("input_misrepresentation", ("12", "21"), ORACLE, told, kind=ErrorType.WORLD_KNOWLEDGE)
    assert (
        change_of(fact.record).sentence
        == "On L1 a fact was remembered wrongly: 21 instead of 12, so 21 + 30 instead of 12 + 30."
    )
    rounding = program(FAIR, ("boxes = ceil(blue_mugs / price)",)), program(FAIR, ("boxes = floor(blue_mugs / price)",))
    cut = candidate("constraint_violation", ("rounding up", "rounding down"), *rounding)
    assert (
        change_of(cut.record).sentence
        == "On L1 there is rounding down where rounding up is needed: floor(30 / 4) instead of ceil(30 / 4)."
    )
    skipped = program(FAIR, ("mugs = red_mugs + blue_mugs", "kept = mugs - num_ann_mugs * price"))
    left_out = candidate("unit_conversion", ("income", "mugs"), ORACLE, skipped)
    assert change_of(left_out.record).sentence.startswith("The step 42 * 4 = 168 (income) was left out")
    small = candidate("off_by_factor_of_ten", ("168", "16.8"), ORACLE, {"income": "84/5"})
    assert "ten times too small" in change_of(small.record).sentence


def test_values_are_those_of_the_line_and_what_follows() -> None:
    """As numbers are written, by the lines of the correct solution."""
    change = change_of(candidate(*CASES[0][:2], ORACLE, CASES[0][2]).record)
    assert [(value.name, value.line, value.before, value.after) for value in change.values] == [
        ("income", "L2", "168", "10.5")
    ]
    assert [(value.name, value.line, value.before, value.after) for value in change.follows] == [
        ("kept", "L3", "144", "-13.5")
    ]
    assert change.line == "L2"


def test_a_value_that_is_gone_is_told_without_one() -> None:
    """Of a step that is left out, with what its reader gives instead."""
    case = next(case for case in CASES if case[0] == "skipped_assignment")
    change = change_of(candidate(*case[:2], ORACLE, case[2]).record)
    assert [(value.name, value.after) for value in change.values] == [("income", None), ("kept", "18")]
    assert change.follows == ()


def test_another_answer_is_a_value_of_its_own() -> None:
    """No variable differs where only the final answer does."""
    case = next(case for case in CASES if case[0] == "wrong_final_answer")
    change = change_of(candidate(*case[:2], ORACLE, case[2]).record)
    assert [(value.name, value.line, value.before, value.after) for value in change.values] == [
        ("final answer", "FA", "144", "168")
    ]


def test_an_unknown_operator_has_the_sentence_of_its_error_type() -> None:
    """An unknown slip is described by the size of its error."""
    told = mutant("mugs = 21 + blue_mugs", *STEPS[1:])
    misread = candidate("mirrored_digits", ("12", "21"), ORACLE, told, kind=ErrorType.INPUT_MISREPRESENTATION)
    assert (
        change_of(misread.record).sentence
        == "On L1 the number 12 of the problem was read as 21: 21 + 30 instead of 12 + 30."
    )
    slip = candidate("mirrored_digits", ("168", "861"), ORACLE, {"income": "861"})
    assert change_of(slip.record).sentence == "On L2 the result is off by 693: 42 * 4 = 861 instead of 168."


def test_expressions_are_bounded() -> None:
    """Of a sum of a hundred terms the beginning is told."""
    long = (
        program(FAIR, (f"mugs = {' + '.join(['red_mugs'] * 100)}",)),
        program(FAIR, (f"mugs = {' + '.join(['red_mugs'] * 99)}",)),
    )
    assert len(change_of(candidate("dropped_term", ("the red mugs", "nothing"), *long).record).sentence) < 300


@pytest.mark.parametrize("change", [{"certificate": None}, {"label": {}}, {"mutation": 7}, {"operator": "x" * 10**5}])
def test_records_that_cannot_be_read_say_so(change: dict[str, Any]) -> None:
    """Nothing is raised, whatever stands in a record."""
    record = {**candidate(*CASES[0][:2], ORACLE, CASES[0][2]).record, **change}
    sentence = change_of(record).sentence
    assert sentence
    assert len(sentence) < 500


def test_every_change_of_the_bundled_corpus_is_told(flawed: dict[str, list[dict[str, Any]]]) -> None:
    """In one sentence with both sides, neither empty nor the same."""
    records = flawed["conceptual"] + flawed["computational"]
    assert len(records) > 150
    for record in records:
        change = change_of(record)
        line = record["label"]["error_details"]["erroneous_line_number"]
        assert change.line == line
        assert change.sentence.endswith(".")
        assert 20 < len(change.sentence) < 260
        assert "  " not in change.sentence
        assert "instead" in change.sentence or "left out" in change.sentence
        left, _, right = change.sentence.rpartition(" instead of ")
        assert not left.endswith(right.rstrip("."))
        assert change.values, record["flaw_id"]
        told = {value.variable: (value.before, value.after) for value in (*change.values, *change.follows)}
        assert len(told) == len(change.values) + len(change.follows)
        assert {name for name, (_, after) in told.items() if after} >= {
            value["variable"] for value in record["values"] if value["after"]
        }
        assert all(told[value["variable"]][1] is None for value in record["values"] if value["after"] is None)
