"""Test helpers that seal mutation stages for the tests of the reports."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.domain import Problem, Response, Status, Verdict
from harness.json_form import json_form
from harness.store.run_folder import RunFolder
from properties.stages.certified_flaws import make
from properties.stages.mutation import operator_names

MINI = Path(__file__).parents[2] / "corpora" / "mini"
PROBLEMS = ("mini-001", "mini-002", "mini-016", "mini-030")


def mutation_records() -> dict[str, list[dict[str, Any]]]:
    """Return the artefacts of the stage for a few problems of the bundled corpus, as the operators make them of `birch`."""
    said = {one["problem_id"]: one["response"] for one in _mini("formalizations.jsonl") if one["model"] == "birch"}
    stage: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("problems", "verdicts", "computational", "conceptual", "discarded")
    }
    for record in _mini("problems.jsonl"):
        problem_id = record["problem_id"]
        if problem_id not in PROBLEMS:
            continue
        solution, _, gold = record["answer"].rpartition("####")
        problem = Problem(problem_id, record["question"], solution.strip(), gold.strip(), record["tier"])
        made = make(problem, [Response(problem_id, "birch", said[problem_id])], seed=0)
        stage["problems"].append(json_form(problem))
        stage["discarded"] += [{"problem_id": problem_id, **one} for one in made.discarded]
        for operator in operator_names():
            flaws = [flaw for flaw in made.records if flaw["operator"] == operator]
            status = Status.CONFIRMED if flaws else Status.UNKNOWN
            stage["verdicts"].append(json_form(Verdict("mutation", problem_id, operator, None, status, "certificate")))
            for flaw in flaws:
                is_slip = flaw["label"]["error_details"]["error_class"] == "computational_error"
                stage["computational" if is_slip else "conceptual"].append(flaw)
    return stage


def seal_mutation(run: Path, artefacts: Mapping[str, Sequence[Mapping[str, Any]]], *, label: str = "") -> Path:
    """Write and seal a mutation stage; `label` follows every text of its manifest."""
    files = {f"{name}.jsonl": list(map(dict, records)) for name, records in artefacts.items()}
    counts = {"sources": {f"birch{label}": 4, "none": 1}, "unfit": {f"no template{label}": 1}}
    manifest = {"seed": 7, "versions": {f"python{label}": f"3.11{label}"}, "options": {}, "counts": counts}
    RunFolder(run).stage("mutation").seal(files, manifest)  # type: ignore[arg-type]  # lists are iterables of records
    return run


def _mini(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (MINI / name).read_text(encoding="utf-8").splitlines()]
