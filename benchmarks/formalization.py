"""Benchmark of the formalization stage on real data: correct programs, proved pairs and cliques."""

from __future__ import annotations

import ast
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from scipy.stats import spearmanr

from benchmarks.sessions import DATASETS, available, programs_session, session, shown_command, stage_options
from harness.corpora.problems import read_records
from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import read_source

Record = dict[str, Any]
PUBLISHED_CLIQUES = "46 / 12 / 7 / 4, one without"


def measure(data: Path) -> str:
    """Run the stage on each data set and return the figures as Markdown."""
    absent = "Not measured: the data are not there."
    parts = [_measured(name, data) if available(name, data) else f"### {name}\n\n{absent}" for name in DATASETS]
    return "\n\n".join(["## Formalization on real answers", *parts])


def _measured(name: str, data: Path) -> str:
    with tempfile.TemporaryDirectory() as folder:
        done = (
            programs_session(data, Path(folder))
            if name == "programs"
            else session(stage_options(name, data, Path(folder)))
        )
        stage = Path(folder) / name / "formalization"
        if not (stage / "manifest.json").exists():
            return f"### {name}\n\nThe session failed with status {done.status}:\n\n```\n{done.output[-2000:]}\n```"
        verdicts = _records(stage / "verdicts.jsonl")
        agreed = _records(stage / "consensus.jsonl")
    rows = [*_figures(verdicts, agreed), ("peak memory of the largest process", f"{done.megabytes:,.0f} MB")]
    if name == "parametric":
        rows += _against_published(agreed, data / "reference" / "consensus.jsonl")
    if name == "programs":
        rows += _evaluated(data / DATASETS[name][1])
    table = "\n".join(f"| {label} | {value} |" for label, value in rows)
    return f"### {name}\n\n    {shown_command(name)}\n\n| what | figure |\n|---|---|\n{table}"


def _records(path: Path) -> list[Record]:
    return [record for _, record in read_records(path)]


def _figures(verdicts: list[Record], agreed: list[Record]) -> list[tuple[str, str]]:
    screened = {
        (verdict["problem_id"], verdict["left"]): verdict["status"] for verdict in verdicts if verdict["claim"] == "ut1"
    }
    decided = [verdict for verdict in verdicts if verdict["claim"] == "ut3"]
    both = [
        verdict
        for verdict in decided
        if {screened[verdict["problem_id"], verdict[side]] for side in ("left", "right")} == {"CONFIRMED"}
    ]
    methods = Counter(f"{verdict['status']} by {verdict['method']}" for verdict in decided)
    sizes = Counter(record["clique_size"] for record in agreed)
    confirmed = Counter(screened.values())["CONFIRMED"]
    return [
        ("UT-1 confirmed", f"{confirmed:,} of {len(screened):,}"),
        ("pairs", f"{len(decided):,}, {len(both):,} of them between formalizations that UT-1 confirms"),
        (
            "of those, UT-3 CONFIRMED / REFUTED / UNKNOWN",
            " / ".join(f"{Counter(v['status'] for v in both)[s]:,}" for s in ("CONFIRMED", "REFUTED", "UNKNOWN")),
        ),
        ("all pairs, by status and method", ", ".join(f"{count:,} {label}" for label, count in methods.most_common())),
        (
            "problems by clique size",
            ", ".join(f"{size}: {count:,}" for size, count in sorted(sizes.items(), reverse=True)),
        ),
    ]


def _against_published(agreed: list[Record], path: Path) -> list[tuple[str, str]]:
    """Compare pair scores with what the earlier implementation published, where both validate a pair."""
    if not path.is_file():
        return [("against the published scores", "not measured: the reference is not there")]
    ours = {
        (record["problem_id"], pair["left"], pair["right"]): pair["score"]
        for record in agreed
        for pair in record["pairs"]
    }
    theirs = {
        (record["problem_id"], *sorted((pair["a"], pair["b"]))): pair["score"]
        for record in _records(path)
        for pair in record["pairs"]
    }
    common = sorted(ours.keys() & theirs.keys())
    correlation = spearmanr([ours[key] for key in common], [theirs[key] for key in common]).statistic
    return [
        ("published cliques of 5 / 4 / 3 / 2", PUBLISHED_CLIQUES),
        (
            "pairs both validate / only published / only here",
            f"{len(common)} / {len(theirs.keys() - ours.keys())} / {len(ours.keys() - theirs.keys())}",
        ),
        ("rank correlation of the scores of pairs both validate", f"{correlation:.3f}"),
    ]


def _evaluated(path: Path) -> list[tuple[str, str]]:
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
    named = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    return [
        (
            "programs Python parses / evaluated to their end",
            f"{parsed:,} / {evaluated:,} ({evaluated / parsed:.1%}); the rest: {named}",
        )
    ]
