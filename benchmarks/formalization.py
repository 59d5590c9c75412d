"""Benchmark of the formalization stage on real data: correct programs, proved pairs and cliques."""

import ast
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from scipy.stats import spearmanr

from benchmarks.sessions import (
    DATASETS,
    by_status,
    programs_session,
    records,
    require,
    sealed_stage,
    session,
    stage_options,
)
from harness.corpora.problems import read_records
from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import read_source

Record = dict[str, Any]
REFERENCE = "reference/consensus.jsonl"


def measure(data: Path) -> Record:
    """Run the stage on each data set."""
    require(*DATASETS, REFERENCE, data=data)
    return {name: _measured(name, data) for name in DATASETS}


def _measured(name: str, data: Path) -> Record:
    with tempfile.TemporaryDirectory() as folder:
        done = (
            programs_session(data, Path(folder))
            if name == "programs"
            else session(stage_options(name, data, Path(folder)))
        )
        stage = sealed_stage(name, "formalization", Path(folder), done)
        verdicts = list(records(stage / "verdicts.jsonl"))
        agreed = list(records(stage / "consensus.jsonl"))
    figures = {**_figures(verdicts, agreed), "seconds": round(done.seconds), "peak_megabytes": round(done.megabytes)}
    if name == "parametric":
        figures["against_published"] = _against_published(agreed, data / REFERENCE)
    if name == "programs":
        figures["python_parses"] = _evaluated(data / DATASETS[name][1])
    return figures


def _figures(verdicts: list[Record], agreed: list[Record]) -> Record:
    screened = {
        (verdict["problem_id"], verdict["left"]): verdict["status"] for verdict in verdicts if verdict["claim"] == "ut1"
    }
    decided = [verdict for verdict in verdicts if verdict["claim"] == "ut3"]
    both = [
        verdict
        for verdict in decided
        if {screened[verdict["problem_id"], verdict[side]] for side in ("left", "right")} == {"CONFIRMED"}
    ]
    sizes = Counter(record["clique_size"] for record in agreed)
    return {
        "ut1": by_status({"status": status} for status in screened.values()),
        "ut3": by_status(decided),
        "ut3_of_right_answers": by_status(both),
        "methods": dict(Counter(f"{verdict['status']} by {verdict['method']}" for verdict in decided)),
        "cliques": {str(size): sizes[size] for size in sorted(sizes, reverse=True)},
    }


def _against_published(agreed: list[Record], path: Path) -> Record:
    """Compare pair scores with what the earlier implementation published, where both validate a pair."""
    ours = {
        (record["problem_id"], pair["left"], pair["right"]): pair["score"]
        for record in agreed
        for pair in record["pairs"]
    }
    theirs = {
        (record["problem_id"], *sorted((pair["a"], pair["b"]))): pair["score"]
        for record in records(path)
        for pair in record["pairs"]
    }
    common = sorted(ours.keys() & theirs.keys())
    return {
        "both": len(common),
        "only_published": len(theirs.keys() - ours.keys()),
        "only_here": len(ours.keys() - theirs.keys()),
        "rank_correlation": float(spearmanr([ours[key] for key in common], [theirs[key] for key in common]).statistic),
    }


def _evaluated(path: Path) -> Record:
    """Count, of the programs that Python itself parses, those whose evaluation ends in a value, an exception or no number."""
    parsed, evaluated, reasons = 0, 0, Counter[str]()
    for _, record in read_records(path):
        response = Response(record["problem_id"], record["model"], record["response"])
        try:
            ast.parse(read_source(response.text).code)
        except (Refusal, SyntaxError, ValueError):
            continue
        parsed += 1
        try:
            evaluate(lift(response))
        except Refusal as refusal:
            if refusal.reason not in {RefusalReason.NON_NUMERIC, RefusalReason.NO_ANSWER}:
                reasons[refusal.reason.value] += 1
                continue
        evaluated += 1
    return {"parsed": parsed, "evaluated": evaluated, "refused": dict(reasons)}
