"""The evaluation of programs: the shares that are valid and correct, with intervals, by model and domain.

All rows are measured on the problems for which each of them has a program; a row without any program is left out. Valid: both solvers read the program and give the same answer. Correct: the program is satisfiable and entails the gold
answer; for a problem that asks whether something is possible, it is satisfiable if and only if it should be.
"""

from collections.abc import Sequence
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.records.constraint import ConstraintProblem
from harness.store.run_folder import RunFolder, Stage
from oracles.constraints.rows import aligned
from oracles.constraints.validation import Validation, ValidationCase, validate_all
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of
from sft.constraints.generation import WriterModel, answers_of, stage_name
from sft.constraints.refinement import REFINED
from sft.constraints.stages import JUDGING, stage_for_inputs

STAGE = "smt-evaluate"
METRICS, PROGRAMS = "final_metrics.json", "programs.jsonl"
LABELS = {WriterModel.BASELINE: "baseline", WriterModel.DISTILLED: "distilled", REFINED: "refined"}
CHANCE = {None, "true", "false"}
"""Gold answers that an empty program may meet by chance: true, false, and satisfiability alone."""
MEASURES = ("valid", "correct")


def proportion(count: int, of: int) -> dict[str, Any]:
    """Return a count of a total with its share, null of none, and Wilson's 95% interval in per cent."""
    from scipy.stats import binomtest  # it takes a while to import

    interval = binomtest(count, of).proportion_ci(0.95, "wilson") if of else (0.0, 1.0)
    percents = [round(100 * float(end), 1) for end in interval]
    return {"count": count, "of": of, "percent": round(100 * count / of, 1) if of else None, "interval": percents}


def evaluate_programs(run: RunFolder) -> Stage:
    """Seal `final_metrics.json`, with intervals and domains in `rows.jsonl` and each program's validation in `validations.jsonl`.

    Without generated programs there is a `HarnessError`.
    """
    forms = {False: "", True: "_grammar"}
    labels = {stage_name(who, held=held): label + form for who, label in LABELS.items() for held, form in forms.items()}
    written = [name for name in labels if run.stage(name).sealed]
    if not written:
        command = runnable("oracle-factory smt generate-programs")
        raise HarnessError(f"{run.folder}: no programs are generated yet; run: {command}")
    folders = [run.stage(name).folder for name in (FORMAT, *written)]
    wanted = stage_for_inputs(run, STAGE, {"rows": written}, *folders, code=JUDGING)
    if wanted.done:
        return wanted.stage
    programs = {name: answers for name in written if (answers := answers_of(run, name))}
    reserved = evaluation_of(run)
    problems = [problem for problem in reserved if programs and all(problem.id in own for own in programs.values())]
    metrics: dict[str, Any] = {f"{label}_valid_pct": None for label in LABELS.values()}
    rows, validations, beside = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for name, records in programs.items():
        texts = {problem.id: records[problem.id]["program"] for problem in problems}
        cases = (ValidationCase(item.id, texts[item.id], item.gold, item.satisfiable) for item in problems)
        judged = list(validate_all(cases))
        cut = sum(bool(records[problem.id].get("cut")) for problem in problems)
        rows.append({"row": labels[name], **shares(problems, judged), "cut": cut})
        metrics |= {f"{labels[name]}_{measure}_pct": rows[-1][measure]["percent"] for measure in MEASURES}
        own = [{"row": labels[name], **json_form(validation)} for validation in judged]
        validations += own
        # What the last row wrote, beside the clauses that it states.
        beside = [
            {"row": labels[name], "validation": validation, **(aligned(item.id, item.problem, texts[item.id]) or {})}
            | {"program": texts[item.id]}
            for item, validation in zip(problems, own, strict=True)
        ]
    manifests = [run.stage(path.parent.name).manifest() for path in sorted(run.folder.glob("smt-*/manifest.json"))]
    metrics["num_examples"] = len(problems)
    metrics["total_runtime_seconds"] = round(sum(float(manifest.get("seconds", 0)) for manifest in manifests), 1)
    files = {METRICS: [metrics], "rows.jsonl": rows, "validations.jsonl": validations, PROGRAMS: beside}
    return wanted.seal(files, {"compared": len(problems), "problems": len(reserved)})


def shares(problems: Sequence[ConstraintProblem], validations: Sequence[Validation]) -> dict[str, Any]:
    """Return the shares of valid and correct programs: of all problems, by domain, and of those without a chance answer.

    Of the correct ones it is the share of the problems whose answer, or whose satisfiability, is known.
    """
    pairs = list(zip(problems, validations, strict=True))

    def both(chosen: Sequence[tuple[ConstraintProblem, Validation]]) -> dict[str, Any]:
        known = [found for problem, found in chosen if (problem.gold, problem.satisfiable) != (None, None)]
        return {
            "valid": proportion(sum(found.valid is True for _, found in chosen), len(chosen)),
            "correct": proportion(sum(found.correct is True for found in known), len(known)),
        }

    domains = sorted({problem.domain for problem in problems})
    return {
        **both(pairs),
        "open": both([pair for pair in pairs if pair[0].gold not in CHANCE]),
        "domains": {name: both([pair for pair in pairs if pair[0].domain == name]) for name in domains},
    }


def table(run: RunFolder) -> str:
    """Return the sealed evaluation as a Markdown table; the last column counts problems whose answer is a number or a name."""
    lines = ["| | valid | 95% | correct | 95% | correct, answer a number or name |", "|---|---|---|---|---|---|"]
    for row in run.stage(STAGE).records("rows.jsonl"):
        cells = " | ".join(
            f"{row[measure]['percent']:.1f}% | {row[measure]['interval'][0]:.0f}–{row[measure]['interval'][1]:.0f}"
            if row[measure]["of"]
            else "– | –"
            for measure in MEASURES
        )
        narrow = row["open"]["correct"]
        lines.append(f"| {row['row'].replace('_', ', ')} | {cells} | {narrow['count']} of {narrow['of']} |")
    return "\n".join(lines)
