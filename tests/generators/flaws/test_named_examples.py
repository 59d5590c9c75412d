"""The examples that the design names for its types of errors are made from GSM8K and its published templates, by general operators."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.formalizations.annotation_compiler import formalize
from harness.domain import Problem, Response
from harness.text.markup import without_annotations
from harness.text.numbers import mentions
from properties.stages.mutation import make_from
from tests.cases import cases, lines_beside

NAMED = lines_beside(__file__, "named_examples.jsonl")
"""Problem, operator, the line that is labelled, and a line of the flawed solution, whole.

`design` is the line where the design writes it out, and `difference` how the one that is made differs.
"""


@cache
def responses(folder: Path) -> dict[str, list[Response]]:
    """Return the published templates of the named problems."""
    named = {f"gsm8k-train-{row['problem']}" for row in NAMED}
    found: dict[str, list[Response]] = {}
    with gzip.open(folder / "formalizations" / "templates.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["problem_id"] in named:
                response = Response(record["problem_id"], record["model"], record["response"], "template")
                found.setdefault(record["problem_id"], []).append(response)
    return found


@cache
def questions(folder: Path) -> list[str]:
    """Return the lines of GSM8K train."""
    return (folder / "gsm8k" / "train.jsonl").read_text(encoding="utf-8").split("\n")


def flaws_of(folder: Path, index: int) -> Iterator[dict[str, Any]]:
    """Yield the flaws of a problem of GSM8K train, made of each formalization there is, its annotations among them."""
    record = json.loads(questions(folder)[index])
    solution, _, gold = record["answer"].rpartition("\n#### ")
    problem = Problem(f"gsm8k-train-{index}", record["question"], solution, gold)
    for response in [*responses(folder).get(problem.problem_id, []), formalize(problem)]:
        try:
            yield from make_from(open_source(problem, response), seed=0).records
        except UnfitError:
            continue


@cases("row", NAMED)
def test_the_named_example_is_made(row: dict[str, Any], shared_data: Path) -> None:
    """One flaw of the operator is labelled on its line, and holds the whole line."""
    assert any(
        row["line"] in without_annotations(record["flawed_solution"]).split("\n")
        for record in flaws_of(shared_data, row["problem"])
        if record["operator"] == row["operator"]
        and record["label"]["error_details"]["erroneous_line_number"] == row["label"]
    ), row


@cases("row", [row for row in NAMED if "design" in row])
def test_the_line_is_the_one_of_the_design_or_its_difference_is_named(row: dict[str, Any]) -> None:
    """A line without a named difference is the design's; every line ends in the design's result."""
    assert (row["line"] == row["design"]) is not bool(row["difference"])
    assert mentions(row["line"])[-1].readings == mentions(row["design"])[-1].readings
