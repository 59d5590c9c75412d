"""Benchmark of the problem validator: variants of problems that nothing was fitted on, and problems of other authors."""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.sessions import records, require, sealed_stage, session, stage_options
from generators.formalizations.annotation_compiler import MODEL
from harness.constraint_system import ProblemClass

NAME, PART, EXCLUDED = "templates", "1/4", "gsm8k/reserved_indices.json"
UMWP, SVAMP, TEST = "problem_validity/umwp.jsonl", "svamp/problems.jsonl", "gsm8k/test.jsonl"
UNSOLVABLE = frozenset({"contradictory", "underspecified"})
Record = dict[str, Any]


def measure(data: Path) -> Record:
    """Judge variants of a quarter of GSM8K train and the problems of GSM8K test, SVAMP and UMWP by the symbolic engine."""
    require(NAME, EXCLUDED, UMWP, SVAMP, TEST, data=data)
    return {
        "variants": _on_variants(data),
        "false_alarms": {
            path: _alarms([record["question"] for record in records(data / path)]) for path in (TEST, SVAMP)
        },
        "umwp": _on_umwp(list(records(data / UMWP))),
    }


def verdicts(questions: list[str]) -> list[str | None]:
    """Return what `oracle-factory validate --engine symbolic` says of each question, `None` where it gives no verdict.

    Raises:
        RuntimeError: the command failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        asked, out = Path(folder, "asked.jsonl"), Path(folder, "out.jsonl")
        asked.write_text("".join(json.dumps({"question": text}) + "\n" for text in questions), encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "oracle_factory",
            "validate",
            str(asked),
            "--engine",
            "symbolic",
            "-o",
            str(out),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode not in {0, 1}:
            raise RuntimeError(done.stderr[-1000:])
        return [record["verdict"] for record in records(out)]


def _on_variants(data: Path) -> Record:
    """Return how many variants of each class and operator are told as what they are."""
    with tempfile.TemporaryDirectory() as runs:
        options = stage_options(NAME, data, Path(runs), workers="2", marker="variant")
        more = [f"--harness-formalizations={MODEL}", f"--harness-exclude={data / EXCLUDED}", f"--harness-slice={PART}"]
        done = session([*options, *more, "properties"])
        made = list(records(sealed_stage(NAME, "variant", Path(runs), done) / "variants.jsonl"))
    said = verdicts([record["modified_problem_text"] for record in made])
    truth = [ProblemClass(record["class_label"]).name.lower() for record in made]
    operators: dict[str, list[bool]] = {}
    for record, own, is_so in zip(made, said, truth, strict=True):
        operators.setdefault(record["operator"], []).append(own == is_so)
    return {
        "variants": len(made),
        "right": sum(own == is_so for own, is_so in zip(said, truth, strict=True)),
        "confusion": dict(Counter(f"{is_so}, told {own}" for own, is_so in zip(said, truth, strict=True))),
        "operators": {name: [sum(right), len(right)] for name, right in sorted(operators.items())},
    }


def _alarms(questions: list[str]) -> Record:
    return {"problems": len(questions), "alarms": sum(own in UNSOLVABLE for own in verdicts(questions))}


def _on_umwp(problems: list[Record]) -> Record:
    """Return what is found among the unanswerable problems, and what is told of answerable ones."""
    said = verdicts([problem["question"] for problem in problems])
    answerable = [problem.get("answerable", True) is not False for problem in problems]
    return {
        "unanswerable": answerable.count(False),
        "found": sum(own in UNSOLVABLE and not solvable for own, solvable in zip(said, answerable, strict=True)),
        "answerable": answerable.count(True),
        "alarms": sum(own in UNSOLVABLE and solvable for own, solvable in zip(said, answerable, strict=True)),
    }
