"""Tests of the problems that the published taxonomy names: each gives a flaw of its kind, confirmed by both solvers."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pytest

from generators.flaws.solution.source_solution import FlawSource, UnfitError, open_source
from generators.formalizations.annotation.compiler import formalize
from harness.corpora.problems import load_corpus
from harness.corpora.responses import load_responses
from harness.domain import Status
from harness.solution.labels import ErrorType
from oracles.proofs.record_check import check_record
from oracles.proofs.solvers import SolverName, open_solver
from properties.stages.certified_flaws import make_from

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES: dict[int, tuple[ErrorType, str | None]] = {
    11: (ErrorType.INPUT_MISREPRESENTATION, None),
    16: (ErrorType.SKIPPED_STEP, "1000"),
    51: (ErrorType.SKIPPED_STEP, "184"),
    62: (ErrorType.INPUT_MISREPRESENTATION, None),
    672: (ErrorType.OPERAND_SWAP, "0.028"),
    724: (ErrorType.SKIPPED_STEP, "42"),
    803: (ErrorType.CONSTRAINT_VIOLATION, "16"),
    1132: (ErrorType.FINAL_ANSWER_SELECTION, "213"),
    1265: (ErrorType.WRONG_FORMULA, "27"),
    1323: (ErrorType.EXTRANEOUS_OPERATION, "15"),
    1500: (ErrorType.WRONG_REFERENCE_GROUP, "7.6"),
    1501: (ErrorType.FAILURE_TO_UPDATE_STATE, "35000"),
    1509: (ErrorType.UNIT_CONVERSION, "864"),
    1510: (ErrorType.WRONG_REFERENCE_GROUP, None),
    1511: (ErrorType.FAILURE_TO_UPDATE_STATE, None),
    1531: (ErrorType.UNIT_CONVERSION, "56"),
    1542: (ErrorType.OPERATOR_SWAP, "4860"),
    1547: (ErrorType.OPERATOR_SWAP, "360"),
}
"""By line of GSM8K's training problems: the kind of error, and the answer of the published example where it names one."""


@pytest.fixture(scope="module")
def sources(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[int, FlawSource]:
    """Return the solution of each problem, from its first template that gives it back, or from its annotations."""
    wanted = {f"gsm8k-train-{index}": index for index in EXAMPLES}
    problems = {problem.problem_id: problem for problem in load_corpus(str(shared_data / "gsm8k/train.jsonl"))}
    templates = tmp_path_factory.mktemp("templates") / "templates.jsonl"
    with gzip.open(shared_data / "formalizations/templates.jsonl.gz", "rt", encoding="utf-8") as lines:
        templates.write_text("".join(line for line in lines if json.loads(line)["problem_id"] in wanted))
    responses = load_responses([templates], frozenset(wanted)).accepted
    sources = {}
    for problem_id, index in wanted.items():
        for response in [*responses.get(problem_id, {}).values(), formalize(problems[problem_id])]:
            try:
                sources[index] = open_source(problems[problem_id], response)
                break
            except UnfitError:
                continue
    return sources


@pytest.mark.parametrize(
    "index",
    [pytest.param(index, marks=() if place < 2 else pytest.mark.slow) for place, index in enumerate(EXAMPLES)],
)
def test_a_problem_of_the_taxonomy_gives_a_flaw_of_its_kind(index: int, sources: dict[int, FlawSource]) -> None:
    """Of the kind that it is named for, with the answer of the published example, and both solvers confirm it."""
    kind, answer = EXAMPLES[index]
    flaws: list[dict[str, Any]] = [
        record
        for record in make_from(sources[index], seed=0).records
        if record["label"]["error_details"]["error_type"] == kind
        and (answer is None or record["flawed_solution"].rpartition("#### ")[2].replace(",", "") == answer)
    ]
    assert flaws
    for name in SolverName:
        solver = open_solver(name)
        assert all(check_record(flaw, solver).status is Status.CONFIRMED for flaw in flaws[:3])


def test_a_step_left_out_takes_its_line_with_it(sources: dict[int, FlawSource]) -> None:
    """The curtains that nobody cuts have no line, and nothing is subtracted for them."""
    source = sources[51]
    records = make_from(source, seed=0).records
    shorter = [
        flaw for flaw in records if flaw["mutation"]["to"] == "nothing" and flaw["operator"] == "skipped_assignment"
    ]
    assert shorter
    for record in shorter:
        assert record["flawed_solution"].count("\n") == source.solution.count("\n") - 1
