"""The examples that the design names for its types of errors are made from GSM8K and its published templates, by general operators."""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.formalizations.annotation_compiler import formalize
from harness.domain import Problem, Response
from harness.text.markup import without_annotations
from properties.stages.certified_flaws import make_from
from tests.cases import cases

NAMED = {
    "profit by addition": (1547, "operator_swap", "L1", "8+4=$12"),
    "totals multiplied": (1542, "operator_swap", "L3", "162 inches * 30 inches"),
    "inches times twelve": (1509, "unit_conversion", "L3", "72*12"),
    "half of the whole team": (1510, "skipped_assignment", "L2", "50 / 2 = 25"),
    "tip on the price and the service": (1500, "wrong_reference_group", "L3", "4.4"),
    "share of the first load": (1501, "failure_to_update_state", "L3", "10000"),
    "the first page again": (1511, "failure_to_update_state", "L5", "5+5 = 10"),
    "another price": (11, "wrong_reference_group", "L5", "35 / 5 = 7"),
    "the shirt is not paid": (16, "skipped_final_step", "FA", "#### 1000"),
    "one curtain is left out": (51, "dropped_term", "L4", "192 - 24 = 168"),
    "one step short": (724, "skipped_final_step", "FA", "#### 42"),
    "months added to years": (1531, "unit_conversion", "L4", "48"),
    "the new workers alone": (1132, "wrong_final_answer", "FA", "#### 213"),
    "mean of two means": (1265, "wrong_formula", "L4", "27"),
    "too few bags": (803, "dropped_term", "L1", "2*3 = $6"),
    "operands swapped": (672, "operand_swap", "L2", "5/365"),
}


@cache
def responses(folder: Path) -> dict[str, list[Response]]:
    """Return the published templates of the named problems."""
    named = {f"gsm8k-train-{index}" for index, *_ in NAMED.values()}
    found: dict[str, list[Response]] = {}
    with gzip.open(folder / "formalizations" / "templates.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["problem_id"] in named:
                response = Response(record["problem_id"], record["model"], record["response"], "template")
                found.setdefault(record["problem_id"], []).append(response)
    return found


def flaws_of(folder: Path, index: int) -> list[dict[str, Any]]:
    """Return the flaws of a problem of GSM8K train, made of each formalization there is, its annotations among them."""
    record = json.loads((folder / "gsm8k" / "train.jsonl").read_text(encoding="utf-8").split("\n")[index])
    solution, _, gold = record["answer"].rpartition("\n#### ")
    problem = Problem(f"gsm8k-train-{index}", record["question"], solution, gold)
    made = []
    for response in [*responses(folder).get(problem.problem_id, []), formalize(problem)]:
        try:
            made += make_from(open_source(problem, response), seed=0).records
        except UnfitError:
            continue
    return made


@cases("name", NAMED)
def test_the_named_example_is_made(name: str, shared_data: Path) -> None:
    """One flaw of the operator is on its line and says what the example says."""
    index, operator, label, words = NAMED[name]
    for record in flaws_of(shared_data, index):
        if (record["operator"], record["label"]["error_details"]["erroneous_line_number"]) == (operator, label):
            lines = record["flawed_solution"].split("\n")
            line = lines[-1] if label == "FA" else lines[int(label[1:]) - 1]
            if words in without_annotations(line):
                return
    pytest.fail(f"no {operator} on {label} says {words!r}")
