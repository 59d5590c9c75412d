"""Benchmark of `oracle-factory verify --keep`: how many solutions of models it keeps as safe to train on, and how many of these are wrong.

`python -m benchmarks kept_solutions` judges seven, four and one public programs of each of 300 problems without gold answers, and keeps by them answers of models, of which it
is known whether they are right, and solutions of strong models of which people marked the first wrong step: with a wrong step a solution is wrong, also where its answer is right.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.sessions import records, require
from benchmarks.verify_by_oracle import ANSWERS, ERRORS, PRECISION, SETS, judged_run
from properties.verification import verify_by_programs
from sft.verifier.command import VerifyOptions

if TYPE_CHECKING:
    Solutions = Iterable[Mapping[str, Any]]


def measure(data: Path) -> dict[str, Any]:
    """Return what is kept by each set of programs of each file, as it is and without its right solutions."""
    require("programs", ANSWERS, ERRORS[0], data=data)
    answers = [
        {"question": record["question"], "solution": record["solution"], "right": record["is_correct"]}
        for record in records(data / ANSWERS)
    ]
    marked = [
        {
            "question": record["question"],
            "solution": "\n".join(" ".join(step.split()) for step in record["steps"]),
            "right": record["first_error_step"] is None,
        }
        for record in records(data / ERRORS[0])
    ]
    figures: dict[str, Any] = {}
    for name, solutions in {"answers": answers, "model_steps": marked}.items():
        wrong = [record for record in solutions if not record["right"]]
        by_set = {
            programs: {
                **kept(solutions, judged_run(data, models)),
                "of_wrong_alone": kept(wrong, judged_run(data, models)),
            }
            for programs, models in SETS.items()
        }
        figures[name] = {"solutions": len(solutions), "right": len(solutions) - len(wrong), **by_set}
    return figures


def kept(solutions: Solutions, run: Path) -> dict[str, Any]:
    """Return how many solutions `verify --keep` keeps by the oracles of a run, how many of these are not `right`, and the share of these that it expects."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        given, safe = folder / "solutions.jsonl", folder / "kept.jsonl"
        given.write_text("".join(f"{json.dumps(record)}\n" for record in solutions), encoding="utf-8")
        verify_by_programs(
            VerifyOptions(
                file=str(given),
                output=str(folder / "judged.jsonl"),
                oracles=run,
                keep=safe,
                precision=PRECISION,
                quiet=True,
            )
        )
        told = json.loads((folder / "kept.about.json").read_text(encoding="utf-8"))
        return {
            "kept": told["kept"],
            "wrong": sum(not record["right"] for record in records(safe)),
            "expected_share_of_wrong": told["expected_share_of_wrong"],
        }
