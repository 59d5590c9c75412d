"""Verifier stages of engines that are always right or always say that a solution is correct."""

import itertools
from pathlib import Path
from typing import Any

from harness.solution.labels import ErrorClass
from harness.store.run_folder import Stage
from sft.evaluation.dataset_items import EvaluationItem, SolutionItem
from sft.evaluation.solution_evaluation import SolutionRun
from sft.judges.remote import ZeroShotAccess
from sft.samples.items import Sample, Truth
from sft.verifier.engine_registry import EngineSettings

TRUTHS = (
    Truth(flawed=False),
    Truth(flawed=True, error_class=ErrorClass.COMPUTATIONAL, error_type="computational_error", line="L1"),
    Truth(flawed=True, error_class=ErrorClass.CONCEPTUAL, line="L2"),
)


def judged_run(folder: Path, *, label: str = "", count: int = 30, datasets: tuple[str, ...] = ("one", "two")) -> Path:
    """Seal a stage of two engines, one of which is always right; `label` follows every foreign text."""
    items = []
    for dataset, place in itertools.product(datasets, range(count)):
        truth = TRUTHS[place % 3]
        truth = Truth(
            truth.flawed, truth.error_class, truth.error_type, truth.line, f"because{label}" if truth.flawed else ""
        )
        sample = Sample(
            f"s{place}{label}",
            f"p{place}{label}",
            f"How much?{label}",
            f"1 + 1 = 3{label}\n2\n#### 3{label}",
            truth,
            "t",
            "none",
        )
        items.append(EvaluationItem(f"{dataset}{label}", sample))
    engines = {name: {item.key: _answer(item, name, label) for item in items} for name in ("majority", "hybrid")}
    run = SolutionRun(Stage(folder / "verifier"), items, EngineSettings(), ZeroShotAccess(folder / "answers.sqlite"))
    run.sealed(engines, rounds=50, seed=1, about={})
    return folder


def _answer(item: SolutionItem, engine: str, label: str) -> dict[str, Any]:
    """Return what an engine says: the truth, or that all is correct."""
    whole = {
        "dataset": item.dataset,
        "sample_id": item.sample.sample_id,
        "text": item.text,
        "signature": "",
        "valid": True,
        "seconds": 0.004,
    }
    truth = item.sample.truth
    if engine == "majority" or not truth.flawed:
        return {**whole, "verdict": "Correct", "error_details": None, "error_class": None, "confidence": 0.5}
    details = {"error_type": "computational_error", "erroneous_line_number": truth.line, "explanation": f"see{label}"}
    evidence = [{"line": "L1", "kind": f"false{label}", "found": f"3{label}", "expected": f"2{label}"}]
    return {
        **whole,
        "verdict": "Flawed",
        "error_details": details,
        "error_class": str(truth.error_class),
        "confidence": 0.9,
        "evidence": evidence,
    }
