"""The evaluation of programs: the shares that are valid and correct, with intervals, by model and domain.

All rows are measured on the problems for which each of them has a program; a row without any program is left out. Valid: both solvers read the program and give the same answer. Correct: the program is satisfiable and entails the gold
answer; for a problem that asks whether something is possible, it is satisfiable if and only if it should be.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import json_form
from oracles.constraints.row_files import aligned
from oracles.constraints.validation import ValidationCase, validate_all
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of
from sft.constraints.generation import WriterModel, answers_of, stage_name
from sft.constraints.refinement import REFINED
from sft.constraints.stages import JUDGING, stage_for_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.smtlib.constraint_problem import ConstraintProblem
    from harness.store.run_folder import RunFolder, Stage
    from oracles.constraints.validation import Validation

STAGE = "smt-evaluate"
METRICS, PROGRAMS = "final_metrics.json", "programs.jsonl"
ROWS = (WriterModel.BASELINE, WriterModel.DISTILLED, REFINED)
LABELS = {WriterModel.BASELINE: "baseline", WriterModel.DISTILLED: "distilled", REFINED: "refined"}
CHANCE = {None, "true", "false"}
"""Gold answers that an empty program may meet by chance: true, false, and satisfiability alone."""
Z = 1.959964


def proportion(count: int, of: int) -> dict[str, Any]:
    """Return a count of a total with its share and Wilson's 95% interval in per cent.

    Source: Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    share, squared = count / max(of, 1), Z * Z / max(of, 1)
    middle = (share + squared / 2) / (1 + squared)
    half = Z * math.sqrt(share * (1 - share) / max(of, 1) + squared / 4 / max(of, 1)) / (1 + squared)
    ends = [max(0.0, middle - half), min(1.0, middle + half)] if of else [0.0, 1.0]
    return {
        "count": count,
        "of": of,
        "percent": round(100 * share, 1),
        "interval": [round(100 * end, 1) for end in ends],
    }


def evaluate_programs(run: RunFolder) -> Stage:
    """Seal `final_metrics.json`, with intervals and domains in `rows.jsonl` and each program's validation in `validations.jsonl`.

    Raises:
        HarnessError: the generated programs are not sealed.
    """
    labels = {
        stage_name(who, held=held): f"{LABELS[who]}{'_grammar' if held else ''}"
        for who in ROWS
        for held in (False, True)
    }
    written = [name for name in labels if run.stage(name).sealed]
    if not written:
        raise HarnessError(
            f"{run.folder}: no programs are generated yet; run: {runnable('oracle-factory smt generate-programs')}"
        )
    folders = [run.stage(name).folder for name in (FORMAT, *written)]
    wanted = stage_for_inputs(run, STAGE, {"rows": written}, *folders, code=JUDGING)
    if wanted.done:
        return wanted.stage
    programs = {name: answers for name in written if (answers := answers_of(run, name))}
    reserved = evaluation_of(run)
    common = set.intersection(*map(set, programs.values())) if programs else set()
    problems = [problem for problem in reserved if problem.id in common]
    stage = wanted.begin()
    rows: list[dict[str, Any]] = []
    metrics: dict[str, Any] = {}
    validations: list[dict[str, Any]] = []
    for name, records in programs.items():
        label = labels[name]
        judged = list(
            validate_all(
                ValidationCase(problem.id, records[problem.id]["program"], problem.gold, problem.satisfiable)
                for problem in problems
            )
        )
        validations += [{"row": label, **json_form(validation)} for validation in judged]
        cut = sum(bool(records[problem.id].get("cut")) for problem in problems)
        rows.append({"row": label, **shares(problems, judged), "cut": cut})
        metrics |= {f"{label}_{what}_pct": rows[-1][what]["percent"] for what in ("valid", "correct")}
    metrics["num_examples"] = len(problems)
    metrics["total_runtime_seconds"] = round(sum(_seconds(run)), 1)
    # What the last row wrote, beside the clauses that it states.
    last = zip(problems, validations[len(validations) - len(problems) :], strict=False)
    beside = [
        {
            "row": validation["row"],
            "validation": validation,
            **(aligned(problem.id, problem.problem, records[problem.id]["program"]) or {}),
            "program": records[problem.id]["program"],
        }
        for problem, validation in last
    ]
    stage.seal(
        {METRICS: [metrics], "rows.jsonl": rows, "validations.jsonl": validations, PROGRAMS: beside},
        wanted.manifest(counts={"compared": len(problems), "problems": len(reserved)}),
    )
    return stage


def shares(problems: Sequence[ConstraintProblem], validations: Sequence[Validation]) -> dict[str, Any]:
    """Return the shares of valid and correct programs: of all problems, by domain, and of those without a chance answer."""
    pairs = list(zip(problems, validations, strict=True))
    domains = sorted({problem.domain for problem in problems})
    return {
        **_both(validations),
        "open": _both([validation for problem, validation in pairs if problem.gold not in CHANCE]),
        "domains": {
            name: _both([validation for problem, validation in pairs if problem.domain == name]) for name in domains
        },
    }


def _both(validations: Sequence[Validation]) -> dict[str, Any]:
    return {
        "valid": proportion(sum(validation.valid is True for validation in validations), len(validations)),
        "correct": proportion(sum(validation.correct is True for validation in validations), len(validations)),
    }


def _seconds(run: RunFolder) -> Iterator[float]:
    """Yield the seconds of each sealed stage of the pipeline, from its manifest."""
    for path in sorted(run.folder.glob("smt-*/manifest.json")):
        yield float(run.stage(path.parent.name).manifest().get("seconds", 0.0))


def table(run: RunFolder) -> str:
    """Return the sealed evaluation as a Markdown table; the last column counts problems whose answer is a number or a name."""
    lines = [
        "| | valid | 95% | correct | 95% | correct, answer a number or name |",
        "|---|---|---|---|---|---|",
    ]
    for row in run.stage(STAGE).records("rows.jsonl"):
        cells = [
            f"{row[what]['percent']:.1f}% | {row[what]['interval'][0]:.0f}–{row[what]['interval'][1]:.0f}"
            for what in ("valid", "correct")
        ]
        narrow = row["open"]["correct"]
        name = row["row"].replace("_", ", ")
        lines.append(f"| {name} | {' | '.join(cells)} | {narrow['count']} of {narrow['of']} |")
    return "\n".join(lines)
