"""Records of flawed solutions and problem variants, made from bundled problems as a run makes them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from harness.domain import Problem, Response
from harness.records.provenance import SourceProvenance
from oracles.proofs.solvers import SolverName, open_solver
from properties.stages import certified_flaws, certified_variants

MINI = Path(__file__).parents[1] / "corpora" / "mini"
PROBLEMS = ("mini-001", "mini-018", "mini-032", "mini-045")
Record = dict[str, Any]


def _lines(name: str) -> list[Record]:
    return [json.loads(line) for line in (MINI / name).read_text(encoding="utf-8").splitlines()]


PROVENANCE = SourceProvenance(formalized=True, oracle="alder", clique_size=4, confidence=1.125, p_right=0.9375)
"""What the formalization of the records rests on."""


def _sources(names: tuple[str, ...]) -> list[tuple[Problem, Response]]:
    problems = {problem["problem_id"]: problem for problem in _lines("problems.jsonl")}
    sources = []
    for response in _lines("formalizations.jsonl"):
        name = response["problem_id"]
        if response["model"] == "birch" and (name in names or not names):
            solution, _, gold = problems[name]["answer"].rpartition("####")
            problem = Problem(name, problems[name]["question"], solution.strip(), gold.strip(), problems[name]["tier"])
            sources.append((problem, Response(name, "birch", response["response"])))
    return sources


@cache
def certified_flaw_records(names: tuple[str, ...] = PROBLEMS) -> tuple[Record, ...]:
    """Return the flawed solutions of some problems of the bundled corpus; of all, without names."""
    made = [
        certified_flaws.make(problem, [response], seed=0, provenance=PROVENANCE).records
        for problem, response in _sources(names)
    ]
    return tuple(record for records in made for record in json.loads(json.dumps(list(records))))


@cache
def certified_variant_records() -> tuple[Record, ...]:
    """Return the variants of some problems."""
    solver = open_solver(SolverName.Z3)
    made = [
        certified_variants.make(problem, [response], seed=0, solver=solver, provenance=PROVENANCE).records
        for problem, response in _sources(PROBLEMS)
    ]
    return tuple(record for records in made for record in json.loads(json.dumps(list(records))))
