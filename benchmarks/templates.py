"""Benchmark of the template stage and the annotation compiler on real data, with their cost."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.sessions import DATASETS, available, session, stage_options
from benchmarks.speed import EMPTY
from generators.formalizations.annotation.compiler import MODEL, formalize
from harness.corpora.problems import load_corpus
from harness.program.refusal import Refusal
from oracles.templates.claims import CLAIMS

NAME = "templates"
ROUNDS = 2
PASSES = 5
Record = dict[str, Any]
CORPUS, FORMALIZATIONS = DATASETS[NAME]
TEMPLATES = f"pytest -q -n0 -m template --harness-gate=none --harness-corpus=$SHARED_DATA/{CORPUS} --harness-formalizations=$SHARED_DATA/{FORMALIZATIONS} --harness-run={NAME}"
ENSEMBLE = f"pytest -q -n2 -m formalization --harness-gate=none --harness-corpus=$SHARED_DATA/{CORPUS} --harness-formalizations=$SHARED_DATA/{FORMALIZATIONS} --harness-formalizations=annotation --harness-run={NAME}"


def measure(data: Path) -> str:
    """Run the template stage and the compiler on GSM8K and return the figures as Markdown."""
    head = "## Templates, traces and the annotation compiler\n\n    python -m benchmarks templates"
    if not available(NAME, data):
        return f"{head}\n\nNot measured: the data are not there."
    return "\n\n".join([head, _stage(data), _compiler(data), _ensemble(data)])


def _table(rows: list[tuple[str, str]]) -> str:
    return "\n".join(["| what | figure |", "|---|---|", *(f"| {label} | {value} |" for label, value in rows)])


def _stage(data: Path) -> str:
    """Run the five claims on the LLM templates, and as many empty items, in turn."""
    timed: list[tuple[float, float]] = []
    counts: Record = {}
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            done = session(stage_options(NAME, data, Path(folder), marker="template"))
            manifest = Path(folder, NAME, "template", "manifest.json")
            if not manifest.exists():
                return f"The session failed with status {done.status}:\n\n```\n{done.output[-2000:]}\n```"
            counts = json.loads(manifest.read_text(encoding="utf-8"))["counts"]
            module = Path(folder, "test_empty.py")
            module.write_text(EMPTY.format(count=done.items), encoding="utf-8")
            empty = session(["-q", "-n0", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", folder, str(module)])
        timed.append((done.seconds, empty.seconds))
    rows = [("templates", f"{counts['templates']:,} of {counts['problems']:,} problems")]
    for claim in CLAIMS:
        figures = " / ".join(
            f"{counts.get(f'{claim} {status}', 0):,}" for status in ("CONFIRMED", "REFUTED", "UNKNOWN")
        )
        causes = [(name.partition(": ")[2], n) for name, n in counts["causes"].items() if name.startswith(f"{claim}: ")]
        named = ", ".join(f"{n:,} {cause}" for cause, n in sorted(causes, key=lambda item: -item[1]))
        rows.append((f"{claim}: CONFIRMED / REFUTED / UNKNOWN", f"{figures}{f' ({named})' if named else ''}"))
    wrong = sum(n for cause, n in counts["causes"].items() if cause.startswith("structure: "))
    steps = counts["steps"]
    rounds = ", ".join(f"{stage / empty:.2f} ({stage:.1f} s / {empty:.1f} s)" for stage, empty in timed)
    rows += [
        (
            "steps of the templates that parse which give back their line",
            f"{steps - wrong:,} of {steps:,} ({1 - wrong / steps:.1%})",
        ),
        (
            "tiers as published",
            f"{counts['tiers as published']:,} of {counts['tiers']:,}; the others are listed in `tiers.jsonl`",
        ),
        ("times as long as as many empty parametrized items, report included", rounds),
        ("peak memory of the largest process", f"{done.megabytes:,.0f} MB"),
    ]
    return f"### The five claims on LLM templates\n\n    {TEMPLATES}\n\n{_table(rows)}"


def _compiler(data: Path) -> str:
    """Compile every solution, in this process."""
    problems = load_corpus(str(data / CORPUS))
    rates, refused = [], Counter[str]()
    for _ in range(PASSES):
        refused.clear()
        started = time.process_time()
        for problem in problems:
            try:
                formalize(problem)
            except Refusal as refusal:
                refused[refusal.reason.value] += 1
        rates.append(len(problems) / (time.process_time() - started))
    named = ", ".join(f"{count} {reason}" for reason, count in refused.most_common())
    rows = [
        ("solutions compiled", f"{len(problems) - refused.total():,} of {len(problems):,}; the rest: {named}"),
        (f"solutions a second on one core, best of {PASSES}", f"{max(rates):,.0f}"),
    ]
    return f"### The annotation compiler\n\n{_table(rows)}"


def _ensemble(data: Path) -> str:
    """Judge the compiler's programs beside the LLMs' templates."""
    with tempfile.TemporaryDirectory() as folder:
        options = stage_options(NAME, data, Path(folder), workers="2")
        done = session([*options, f"--harness-formalizations={MODEL}", "--harness-report=none"])
        stage = Path(folder, NAME, "formalization")
        if not (stage / "manifest.json").exists():
            return f"The session failed with status {done.status}:\n\n```\n{done.output[-2000:]}\n```"
        verdicts = [json.loads(line) for line in (stage / "verdicts.jsonl").open(encoding="utf-8")]
        programs = [json.loads(line) for line in (stage / "programs.jsonl").open(encoding="utf-8")]
    screened = {(verdict["problem_id"], verdict["left"]): verdict for verdict in verdicts if verdict["claim"] == "ut1"}
    pairs: dict[str, list[Record]] = defaultdict(list)
    for verdict in verdicts:
        if verdict["claim"] == "ut3" and MODEL in {verdict["left"], verdict["right"]}:
            pairs[verdict["problem_id"]].append(verdict)
    reached = {
        problem for (problem, model), verdict in screened.items() if model == MODEL and verdict["status"] == "CONFIRMED"
    }
    failed = Counter(
        _cause(verdict)
        for (_, model), verdict in screened.items()
        if model == MODEL and verdict["status"] != "CONFIRMED"
    )
    beside = sorted(reached & pairs.keys())
    confirmed = {problem for problem in beside if any(verdict["status"] == "CONFIRMED" for verdict in pairs[problem])}
    inputs = {(program["problem_id"], program["model"]): program["parameters"] for program in programs}
    rest = Counter(_disagreement(pairs[problem], screened, inputs) for problem in beside if problem not in confirmed)
    rows = [
        ("UT-1 confirmed", f"{len(reached):,} of {sum(model == MODEL for _, model in screened):,}"),
        ("the others, by reason", ", ".join(f"{count} {reason}" for reason, count in failed.most_common())),
        (
            "of those UT-1 confirms that have an LLM template: CONFIRMED equal to at least one",
            f"{len(confirmed):,} of {len(beside):,} ({len(confirmed) / len(beside):.1%})",
        ),
        ("the others, by cause", "; ".join(f"{count} {cause}" for cause, count in rest.most_common())),
    ]
    return f"    {ENSEMBLE}\n\n{_table(rows)}"


def _cause(verdict: Record) -> str:
    """Class a UT-1 finding: the typed reason of a refusal, or another value than the gold answer."""
    return "another value" if verdict["method"] in {"exact", "rounded"} else str(verdict["reason"]).partition(":")[0]


def _disagreement(
    pairs: list[Record], screened: dict[tuple[str, str], Record], inputs: dict[tuple[str, str], list[Record]]
) -> str:
    """Class why no LLM template of a problem is confirmed equal, by its best pair."""

    def other(pair: Record) -> str:
        return str(pair["right"] if pair["left"] == MODEL else pair["left"])

    right = [pair for pair in pairs if screened[pair["problem_id"], other(pair)]["status"] == "CONFIRMED"]
    if not right:
        return "the LLM's template is unreadable or gives another answer"
    pair = right[0]
    if pair["status"] == "UNKNOWN":
        return f"UNKNOWN: {str(pair['reason']).partition(';')[0].partition(':')[0]}"
    ours, theirs = (inputs[pair["problem_id"], model] for model in (MODEL, other(pair)))
    if len(ours) != len(theirs):
        return f"REFUTED, with {'fewer' if len(ours) < len(theirs) else 'more'} inputs than the LLM's"
    values = Counter(answer["value"] for answer in theirs)
    return "REFUTED, as many inputs, " + (
        "two of one value" if max(values.values(), default=0) > 1 else "all of different values"
    )
