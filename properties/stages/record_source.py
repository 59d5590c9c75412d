"""The facts that a record keeps of its source, and the source that is opened again from them."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason, source_of_template
from harness.domain import Problem, Response
from harness.json_form import json_form, read_record
from harness.records.provenance import RecordSource, SourceProvenance
from harness.solution.template import read_template
from oracles.proofs.flaw_text import ANSWER_MARK


def record_source(source: FlawSource, *, seed: int, solution: str = "") -> RecordSource | None:
    """Return the facts of a source; `solution` is its correct solution, where the record has no field for it."""
    template = source.template
    if template is None:
        return None
    return RecordSource(seed=seed, function_code=template.program.code, logical_steps=template.steps, solution=solution)


def open_record_source(record: Mapping[str, Any], facts: RecordSource) -> FlawSource:
    """Return the source that a record was made from.

    Raises:
        UnfitError: no record is made from it.
        Refusal: its formalization cannot be read.
        ProgramError: the formalization fails.
        MalformedRecordError: the provenance of the record cannot be read.
    """
    lines, _, gold = (facts.solution or str(record["solution"])).rpartition(f"\n{ANSWER_MARK} ")
    if gold != gold.strip():
        raise UnfitError(UnfitReason.ANSWER, repr(gold[:40]))
    problem = Problem(str(record["problem_id"]), str(record["question"]), lines, gold)
    text = json.dumps(
        {"function_code": facts.function_code, "logical_steps": [json_form(step) for step in facts.logical_steps]}
    )
    template = read_template(Response(problem.problem_id, str(record["model"]), text, "template"))
    source = source_of_template(problem, str(record["model"]), template, fewest_lines=1)
    given = record.get("provenance")
    return replace(source, provenance=None if given is None else read_record(SourceProvenance, given))
