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
from harness.text.numbers import mentions
from properties.stages.certified_flaws import make_from
from tests.cases import cases

NAMED = {
    "profit by addition": (1547, "operator_swap", "L1", "Each bag makes a profit of 8+4=$12"),
    "totals multiplied": (
        *(1542, "operator_swap", "L3"),
        "Then add the nylon needed for the cat and dog collars to find the total amount needed: 162 inches * 30 inches = 4860 inches",
    ),
    "inches times twelve": (1509, "unit_conversion", "L3", "So he is 72*12=864 feet tall"),
    "half of the whole team": (1510, "skipped_assignment", "L2", "The team has 25 junior girls because 50 / 2 = 25"),
    "share of the first load": (1501, "failure_to_update_state", "L3", "Second Store:50000*.20=10000"),
    "the first page again": (1511, "failure_to_update_state", "L5", "The fourth page had 5+5 = 10 drawings."),
    "another price": (11, "wrong_reference_group", "L5", "He shoveled 7 driveways because 35 / 5 = 7"),
    "the shirt is not paid": (16, "skipped_final_step", "FA", "#### 1000"),
    "one curtain is left out": (
        *(51, "dropped_term", "L4"),
        "Finally, subtract the square footage of both sets of curtains from the total square footage: 192 - 24 = 168 square feet",
    ),
    "one step short": (724, "skipped_final_step", "FA", "#### 42"),
    "months added to years": (1531, "unit_conversion", "L4", "So in total it all took 2+48+4+2=56 years"),
    "the new workers alone": (1132, "wrong_final_answer", "FA", "#### 213"),
    "the factor of the whole side": (
        *(1337, "scoping_precedence", "L2"),
        "Since 13 pairs is 5 less than twice as many pairs as Becky owns, then the relationship is 2(x-5)=2x-10=13.",
    ),
    "like terms": (1420, "algebraic_simplification", "L2", "Combining like terms, we get 2w - 6 = 54"),
    "mean of two means": (1265, "wrong_formula", "L4", "Hence, their average monthly bill is ($30+$24)/2 = $27/month."),
    "too few bags": (
        *(803, "dropped_term", "L1"),
        (
            "Because it is cheaper to buy the packs of 5, the teacher should satisfy the 11 students who want the vampire theme with "
            "2 packs of 5 and 1 individual bag. This will cost the teacher 2*3 = $6."
        ),
    ),
    "operands swapped": (
        *(672, "operand_swap", "L2"),
        "There are 5 carrots per bag and he will need 365 carrots, so that's 5/365 = 0.014 bags of carrots",
    ),
}
"""Problem, operator, the line that is labelled, and a line of the flawed solution, whole."""
DESIGN = {
    "like terms": ("Combining like terms, we get 2w - 6 = 54", ""),
    "profit by addition": ("Each bag makes a profit of 8+4=$12", ""),
    "half of the whole team": (
        *("The team has 10 junior girls because 50 / 2 = 25", "the value of the sentence is changed too, to 25"),
    ),
    "share of the first load": (
        *(
            "Second Store:45000(.20)=10000",
            "the load of the equation is the one that gives 10000, with a sign of its own",
        ),
    ),
    "one curtain is left out": (
        "Finally, subtract the square footage of the living room curtains from the total: 192 - 24 = 168 square feet",
        "the sentence keeps the words of the solution, so that the product is left out of the equation alone",
    ),
    "months added to years": (
        *(
            "So in total it all took 2+4+48+2=56 years",
            "of the two equal terms of the sum, the first is read as the months",
        ),
    ),
    "mean of two means": (
        "The average monthly bill is ($30 + $24) / 2 = $27",
        "the sentence keeps the words of the solution, and its unit",
    ),
}
"""The lines that the design writes out, and how the one that is made differs; of the other examples it writes none."""


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
    """One flaw of the operator is labelled on its line, and holds the whole line."""
    index, operator, label, line = NAMED[name]
    for record in flaws_of(shared_data, index):
        if (record["operator"], record["label"]["error_details"]["erroneous_line_number"]) == (operator, label):
            lines = map(without_annotations, record["flawed_solution"].split("\n"))
            if line in lines:
                return
    pytest.fail(f"no {operator} on {label} says {line!r}")


@cases("name", DESIGN)
def test_the_line_is_the_one_of_the_design_or_its_difference_is_named(name: str) -> None:
    """A line without a named difference is the design's; every line ends in the design's result."""
    line, difference = DESIGN[name]
    made = NAMED[name][-1]
    assert (made == line) is not bool(difference)
    assert mentions(made)[-1].readings == mentions(line)[-1].readings
