"""Tests of the recheck of variant texts: a record is refused if its text does not state its constraints."""

import json
import time
from dataclasses import replace
from typing import Any

import pytest

from harness.constraint_system import ProblemClass
from harness.domain import Status
from harness.json_form import json_form, with_digest
from harness.program.value_parser import read_exact
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from oracles.proofs.validity_certificate import certify
from oracles.proofs.variant_text import VariantText
from tests.cases import cases, rows
from tests.oracles.proofs.constraint_systems import PEARS, QUESTION, record, step, system, underspecified

Z3 = open_solver(SolverName.Z3)


def text_of(span: tuple[int, int], value: Any, text: str) -> VariantText:
    """Return a text that says nine in another form."""
    given = replace(PEARS.facts[2], span=span, value=value)
    changed = replace(PEARS, facts=(*PEARS.facts[:2], given), bounds=())
    modified = QUESTION[:50] + text + QUESTION[57:]
    return VariantText(QUESTION, modified, ((50, 57, QUESTION[50:57], text),), changed)


@cases(
    "text, start, end, value, outcome",
    rows("""nine pears → 50 → 54 → 9 → read | 1 dozen pears → 50 → 57 → 12 → read | 2 dozen pears → 50 → 51 → 2 → read
2 dozen pears → 50 → 57 → 24 → read | six quarters → 50 → 53 → 6 → read | half of them → 50 → 54 → 2 → read
25% of them → 50 → 53 → 1/4 → read | 12 pears → 50 → 51 → 1 → not read | 12 pears → 51 → 52 → 2 → not read
1.5 pears → 50 → 51 → 1 → not read | 1.5 pears → 52 → 53 → 5 → not read
twenty-five pears → 57 → 61 → 5 → not read | twenty-five pears → 50 → 56 → 20 → not read
nine pears → 50 → 50 → 9 → not read | nine pears → 54 → 60 → 9 → not read | nine pears → 50 → 90000 → 9 → read"""),
)
def test_a_fact_reads_as_the_words_at_its_place(text: str, start: str, end: str, value: str, outcome: str) -> None:
    """Numerals, words, groups and shares; no part of a number says what the whole does not."""
    problem = text_of((int(start), int(end)), read_exact(value), text).problem((), ())
    assert (problem is None) is (outcome == "read"), problem
    assert outcome == "read" or "the text says" in str(problem)


@pytest.mark.parametrize(("rest", "passes"), [("25%", False), ("half", True), ("9", False)])
def test_a_removed_value_may_not_be_said_elsewhere(rest: str, *, passes: bool) -> None:
    """The same number in the same form, or plainly; `half` does not say two."""
    removed, value = {"25%": ("25%", 25), "half": ("two", 2), "9": ("nine", 9)}[rest]
    question = f"Of 24 pears Ada keeps {removed}, and Bob {rest} as many. How many are left?"
    less = replace(PEARS, facts=PEARS.facts[:2], bounds=())
    less = replace(
        less, facts=(replace(less.facts[0], value=24, span=(3, 5)), replace(less.facts[1], value=1, span=None))
    )
    modified = question.replace(removed, "some", 1)
    text = VariantText(question, modified, ((22, 22 + len(removed), removed, "some"),), less)
    problem = text.problem((), [less.complete({"given": given}) for given in (value, value + 1)])
    assert (problem is None) is passes, problem


@pytest.mark.slow
def test_a_text_of_many_numbers_takes_no_long_time() -> None:
    """Thousands of numbers, edits and open variables: each is looked at a few times, not each beside each."""
    text = "9 8 " * 6_000
    names = [f"x{number}" for number in range(90)]
    wide = system({}, {"left": " + ".join(names)})
    spans = [(8 * number, 8 * number + 1) for number in range(200)]
    there = {**dict.fromkeys(names, "9"), "left": str(9 * len(names))}
    made = {
        **underspecified(Z3),
        "question": text,
        "modified_problem_text": "9 8 " * 6_000,
        "edits": [{"span": list(span), "before": "9", "after": "9"} for span in spans],
        "system": json.loads(json.dumps(json_form(wide))),
        "models": [there, {**there, "x0": "8", "left": str(9 * len(names) - 1)}],
    }
    began = time.process_time()
    assert check_record(made, Z3).reason == "'9' still says the value of 'x0'"
    assert time.process_time() - began < 5


def test_a_rounded_gold_answer_is_not_the_answer() -> None:
    """15 / 4 is 3.75, which 3.8 is not, though a solution may round."""
    line = "(24 - 9) / 4 = 3.75 are left."
    quarter = replace(PEARS, steps=(PEARS.steps[0], replace(step("left", "(pears - given) / 4"), words=line)))
    certificate = certify(ProblemClass.SOLVABLE, quarter, solver=Z3)
    made = record(certificate, gold="3.75")
    made["solution"] = f"{PEARS.steps[0].words}\n{line}\n#### 3.75"
    assert check_record(with_digest(made), Z3).status is Status.CONFIRMED
    assert (
        str(check_record(record(certificate, gold="3.8"), Z3).reason) == "the gold answer is '3.8', the answer is 15/4"
    )
