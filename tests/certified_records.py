"""Records of flawed solutions and problem variants, made from bundled problems as a run makes them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from harness.domain import Problem, Response
from harness.records.provenance import SourceProvenance

MINI = Path(__file__).parents[1] / "corpora" / "mini"
PROBLEMS = ("mini-001", "mini-018", "mini-032", "mini-045")
Record = dict[str, Any]


@cache
def bundled() -> dict[str, tuple[Problem, Response]]:
    """Return the problems of the bundled corpus, each with the response of `birch`, by id."""
    files = ((MINI / name).read_text(encoding="utf-8") for name in ("problems.jsonl", "formalizations.jsonl"))
    problems, answers = (list(map(json.loads, text.splitlines())) for text in files)
    responses = {own["problem_id"]: own["response"] for own in answers if own["model"] == "birch"}
    sources = {}
    for record in problems:
        name, (solution, _, gold) = record["problem_id"], record["answer"].rpartition("####")
        problem = Problem(name, record["question"], solution.strip(), gold.strip(), record["tier"])
        if name in responses:
            sources[name] = problem, Response(name, "birch", responses[name])
    return sources


PROVENANCE = SourceProvenance(formalized=True, oracle="alder", clique_size=4, confidence=1.125, p_right=0.9375)
"""What the formalization of the records rests on."""


@cache
def certified_flaw_records(names: tuple[str, ...] = PROBLEMS) -> tuple[Record, ...]:
    """Return the flawed solutions of some problems of the bundled corpus; of all, without names."""
    from properties.stages import mutation  # loads every operator, which most tests do not need

    made = [
        mutation.make(problem, [response], seed=0, provenance=PROVENANCE).records
        for problem, response in map(bundled().__getitem__, names or bundled())
    ]
    return tuple(record for records in made for record in json.loads(json.dumps(list(records))))


@cache
def certified_variant_records() -> tuple[Record, ...]:
    """Return the variants of some problems."""
    from properties.stages import variant  # as above

    made = [
        variant.make(problem, [response], seed=0, provenance=PROVENANCE).records
        for problem, response in map(bundled().__getitem__, PROBLEMS)
    ]
    return tuple(record for records in made for record in json.loads(json.dumps(list(records))))
