"""Benchmark of the template stage and the annotation compiler on real data, with their cost."""

import json
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from benchmarks.sessions import DATASETS, by_status, records, require, sealed_stage, session, stage_options
from generators.formalizations.annotation_compiler import MODEL, formalize
from harness.corpora.problems import load_corpus
from harness.program.refusal import Refusal

NAME = "templates"
PASSES = 5
Record = dict[str, Any]
CORPUS, _ = DATASETS[NAME]


def measure(data: Path) -> Record:
    """Run the template stage and the compiler on GSM8K, and the compiler's programs beside the LLMs' templates."""
    require(NAME, data=data)
    return {"claims": _claims(data), "compiler": _compiler(data), "ensemble": _ensemble(data)}


def _claims(data: Path) -> Record:
    """Return the counts of the stage: verdicts by claim, causes, steps, tiers."""
    with tempfile.TemporaryDirectory() as folder:
        done = session(stage_options(NAME, data, Path(folder), marker="template"))
        stage = sealed_stage(NAME, "template", Path(folder), done)
        counts: Record = json.loads((stage / "manifest.json").read_text(encoding="utf-8"))["counts"]
    wrong = sum(count for cause, count in counts["causes"].items() if cause.startswith("structure: "))
    return {**counts, "steps that give back their line": counts["steps"] - wrong, "seconds": round(done.seconds)}


def _compiler(data: Path) -> Record:
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
    return {
        "solutions": len(problems),
        "compiled": len(problems) - refused.total(),
        "refused": dict(refused),
        "solutions_a_second": round(max(rates)),
    }


def _ensemble(data: Path) -> Record:
    """Judge the compiler's programs beside the LLMs' templates."""
    with tempfile.TemporaryDirectory() as folder:
        options = stage_options(NAME, data, Path(folder), workers="2")
        done = session([*options, f"--harness-formalizations={MODEL}", "--harness-report=none"])
        stage = sealed_stage(NAME, "formalization", Path(folder), done)
        verdicts = list(records(stage / "verdicts.jsonl"))
        programs = list(records(stage / "programs.jsonl"))
    screened = {(verdict["problem_id"], verdict["left"]): verdict for verdict in verdicts if verdict["claim"] == "ut1"}
    pairs: dict[str, list[Record]] = defaultdict(list)
    for verdict in verdicts:
        if verdict["claim"] == "ut3" and MODEL in {verdict["left"], verdict["right"]}:
            pairs[verdict["problem_id"]].append(verdict)
    own = {problem: verdict for (problem, model), verdict in screened.items() if model == MODEL}
    reached = {problem for problem, verdict in own.items() if verdict["status"] == "CONFIRMED"}
    beside = sorted(reached & pairs.keys())
    confirmed = {problem for problem in beside if any(verdict["status"] == "CONFIRMED" for verdict in pairs[problem])}
    inputs = {(program["problem_id"], program["model"]): program["parameters"] for program in programs}
    return {
        "ut1": by_status(own.values()),
        "ut1_causes": dict(Counter(_cause(verdict) for verdict in own.values() if verdict["status"] != "CONFIRMED")),
        "beside_a_template": len(beside),
        "equal_to_a_template": len(confirmed),
        "the_others": dict(
            Counter(_disagreement(pairs[problem], screened, inputs) for problem in beside if problem not in confirmed)
        ),
    }


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
