"""Tests of the inputs of the variant benchmarks: expressions, alignments, random pairs and samples of problems."""

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from benchmarks import variant_sample, variants
from benchmarks.expressions import readings, search
from benchmarks.number_alignment import align
from benchmarks.umwp import SolverOutcome, UmwpJudge
from benchmarks.variant_shortcuts import blind, kinds
from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator
from oracles.certificates.solvers import SolverName, open_solver
from tests.cases import cases

EMPTY = ir.Program("test", "", (), {}, (), None)
PENS = "Ann has 4 boxes with 6 pens each. She gives 10 pens away. How many pens are left?"


def value_of(expression: ir.Expr, numbers: dict[str, int]) -> object:
    """Return the value of an expression."""
    return Evaluator(EMPTY, ()).value(expression, dict(numbers))


@settings(max_examples=60)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=5, unique=True), st.integers(0, 2**32))
def test_found_expressions_give_the_answer_exactly(values: list[int], seed: int) -> None:
    """For an answer that was computed from all numbers, an expression is found, and it gives that answer."""
    numbers = {f"n{place}": value for place, value in enumerate(values)}
    answer = Fraction(values[0])
    for value in values[1:]:
        answer = Random(seed).choice([answer + value, answer * value, abs(answer - value) or answer + value])
    choices = {name: readings(name, (value,)) for name, value in numbers.items()}
    found = list(search(choices, answer, missing=0, extra=False))
    assert [expression.variables for expression in found] == [frozenset(numbers)]
    assert value_of(found[0].expression, numbers) == answer


def test_a_share_may_be_what_it_leaves() -> None:
    """A share may stand for what it leaves: a quarter off 80 is 60."""
    choices = {"share": readings("share", (Fraction(1, 4),)), "price": readings("price", (80,))}
    (found,) = search(choices, 60, missing=0, extra=False)
    assert value_of(found.expression, {"share": Fraction(1, 4), "price": 80}) == 60  # type: ignore[dict-item]  # exact


def test_nothing_is_found_for_an_answer_out_of_reach() -> None:
    """No expression is found for an answer that the numbers do not give: two and three do not give 17."""
    choices = {"a": readings("a", (2,)), "b": readings("b", (3,))}
    assert not list(search(choices, 17, missing=0, extra=False))


@cases(
    ("after", "missing", "new", "other"),
    [
        (PENS, [], [], False),
        (PENS.replace("4 boxes", "boxes"), ["4"], [], False),
        (PENS.replace("10 pens", "some pens"), ["10"], [], False),
        (PENS.replace("4 boxes", "four boxes"), [], [], False),
        (PENS.replace("4 boxes", "5 boxes"), ["4"], ["5"], False),
        (PENS.replace("10 pens", "about 10 pens"), ["10"], [], False),
        (PENS.replace("pens are left", "boxes are left"), [], [], True),
        (PENS.replace("She gives 10 pens away. ", ""), ["10"], [], False),
        (PENS.replace("4 boxes", "dozens of boxes"), ["4"], [], False),
    ],
)
def test_alignment_tells_what_an_edit_did(after: str, missing: list[str], new: list[str], *, other: bool) -> None:
    """Missing numbers, vague numbers, new numbers and another question are told apart."""
    found = align(PENS, after)
    assert found is not None
    assert [mention.text for mention in found.missing] == missing
    assert [mention.text for mention in found.new] == new
    assert found.asks_other is other


def test_unlike_texts_are_not_aligned() -> None:
    """Two texts with hardly a word in common have no alignment."""
    assert align(PENS, "Rain fell all week.") is None


@cases(
    ("question", "outcome"),
    [
        (PENS.replace("4 boxes", "boxes"), SolverOutcome.REPRESENTED),
        (PENS.replace("pens each", "pens"), SolverOutcome.NOTHING_MISSING),
        (PENS.replace("4 boxes", "5 boxes"), SolverOutcome.OTHER_NUMBER),
        (PENS.replace("10 pens", "pens").replace("pens are left", "boxes are left"), SolverOutcome.OTHER_QUESTION),
        ("Rain fell all week.", SolverOutcome.REWRITTEN),
    ],
)
def test_unanswerable_problems_are_judged(question: str, outcome: SolverOutcome) -> None:
    """A missing number is found as two solutions; every other problem has its cause."""
    records: dict[int, dict[str, Any]] = {
        1: {"id": 1, "question": PENS, "answer": [14.0], "answerable": True, "relevant_ids": None},
        2: {"id": 2, "question": question, "answer": None, "answerable": False, "relevant_ids": [1]},
    }
    judge = UmwpJudge(records, {}, {}, open_solver(SolverName.Z3))
    assert [pair.outcome for pair in judge.all()] == [outcome]


def test_an_unpaired_problem_is_told() -> None:
    """An unanswerable problem without its answerable pair is reported as such."""
    record = {"id": 2, "question": PENS, "answer": None, "answerable": False, "relevant_ids": [9]}
    assert UmwpJudge({2: record}, {}, {}, open_solver(SolverName.Z3)).judge(record).outcome is SolverOutcome.NO_PAIR


@given(st.integers(0, 10**6), st.integers(0, 99))
def test_no_number_is_seen(large: int, small: int) -> None:
    """Texts that differ only in their numbers, in digits or words, count as one text."""
    said = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"][
        small % 13
    ]
    assert blind(f"He has {large} pens and ${small}.50, {said} of them red.") == "He has 0 pens and $0, 0 of them red."


def variant(number: int, operator: str, label: int, twin_of: str | None = None, problem: int = 0) -> dict[str, Any]:
    """Return a record as a stage seals it, as far as the benchmarks read it."""
    return {
        "variant_id": f"p-{problem}:{operator}:{number:012x}",
        "problem_id": f"p-{problem}",
        "operator": operator,
        "class_label": label,
        "twin_of": twin_of,
        "edited": operator != "original",
        "question": f"question {problem}",
        "text": f"text {number}",
        "modified_problem_text": f"text {number}",
    }


def test_pairs_hold_one_problem_each_and_never_mix_problems() -> None:
    """A contradictory text is paired with its own near-twin, one pair for each problem."""
    records = []
    for problem in range(5):
        base = 10 * problem
        records += [
            variant(base, "stated_quantity", 0, problem=problem),
            variant(base + 1, "stated_quantity", 1, f"p-{problem}:stated_quantity:{base:012x}", problem),
            variant(base + 2, "original", 1, problem=problem),
        ]
    found = kinds(records)
    pairs = found["contradictory, its near-twin: stated_quantity"]
    assert sorted(pairs) == [(f"p-{place}", f"text {10 * place + 1}", f"text {10 * place}") for place in range(5)]
    assert found == kinds(reversed(records))


def sealed(folder: Path) -> Path:
    """Write a stage of many records, most of one operator."""
    path = folder / "variants.jsonl"
    many = [variant(number, "vague_quantity", 2, problem=number) for number in range(300)]
    few = [variant(1000 + number, "broken_bound", 0, problem=number) for number in range(5)]
    path.write_text("".join(json.dumps(record) + "\n" for record in [*many, *few]), encoding="utf-8")
    return path


def test_the_sample_holds_rare_operators_and_hides_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All operators are in the sample, and neither the order nor the ids reveal the label."""
    path = sealed(tmp_path)
    drawn = variant_sample.draw(path)
    assert len(drawn) == variant_sample.SIZE
    assert sum(record["operator"] == "broken_bound" for record in drawn) == 5
    assert drawn == variant_sample.draw(path)
    assert variant_sample.main([str(path)]) == 0
    shown = capsys.readouterr().out
    assert "vague_quantity" not in shown
    assert "class_label" not in shown
    labels = [record["class_label"] for record in drawn]
    assert any(left < right for left, right in pairwise(labels))
    assert any(left > right for left, right in pairwise(labels))


def test_the_sample_is_of_one_kind_of_operator_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--of 0` draws variants of contradiction operators, near-twins included; an unknown class is refused."""
    path = sealed(tmp_path)
    assert {record["operator"] for record in variant_sample.draw(path, of=0)} == {"broken_bound"}
    assert variant_sample.main(["--of", "0", str(path)]) == 0
    assert capsys.readouterr().out.count("\n=== ") == 5
    assert variant_sample.main(["--of", "7", str(path)]) == 2
    assert "usage" in capsys.readouterr().err


def test_inputs_said_again_are_counted_among_contradictions(tmp_path: Path) -> None:
    """Near-twins and other classes are none; of three contradictions here, one says an input again."""
    path = tmp_path / "variants.jsonl"
    records = [
        variant(1, "restated_input", 0),
        variant(2, "restated_input", 1, f"p-0:restated_input:{1:012x}"),
        variant(3, "broken_bound", 0),
        variant(4, "stated_limit", 0),
        variant(5, "vague_quantity", 2),
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    rows = dict(variants.made_rows({"sources": {}, "problems": 1, "discarded": {}}, path))
    assert rows["contradictions in which an input is said again as another number (asked ≤ half)"] == "1 of 3"


def test_judgements_are_scored_against_labels(tmp_path: Path) -> None:
    """Right and wrong labels are counted, and a variant that no longer exists is reported."""
    path = sealed(tmp_path)
    table = tmp_path / "table.jsonl"
    rows = [
        {"variant_id": "p-1:000000000001", "judged_class": 2, "natural": True, "note": ""},
        {"variant_id": "p-1:0000000003e9", "judged_class": 1, "natural": False, "note": ""},
        {"variant_id": "p-1:ffffffffffff", "judged_class": 1, "natural": True, "note": ""},
    ]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    said = variant_sample.score(path, table)
    assert "of the 2 of this stage, 1 labels are correct and 1 texts are natural English; 1 of the table" in said
    assert "| 0 broken_bound | 1 | 0 | 0 |" in said


def test_one_digit_of_a_script_is_changed() -> None:
    """Exactly one digit of the script changes, and none within a comment."""
    script = "; 123\n(assert (= |v.x| 45.0))\n"
    changed = variants.with_a_digit_changed({"certificate": {"smtlib": script}}, Random(3))["certificate"]["smtlib"]
    differing = [place for place, letter in enumerate(script) if changed[place] != letter]
    assert len(changed) == len(script)
    assert len(differing) == 1
    assert differing[0] > script.index("\n")
