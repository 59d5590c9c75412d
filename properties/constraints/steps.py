"""The steps that generate, break, filter, repair and validate constraint problems, each sealing one stage."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from generators.constraints.error_injection import break_program
from generators.constraints.problem.domain import DOMAINS, ProblemSize, domain_tables
from generators.constraints.repair.program_repair import RepairMethod, repair
from generators.constraints.repair.row_repair import repaired_row
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.records.constraint import COLUMNS, table
from harness.store.run_folder import RunFolder, Stage
from oracles.constraints import rows as constraint_rows
from oracles.constraints.validation import validate_all
from properties.constraints.pipeline_options import PipelineOptions
from sft.constraints.stages import PipelineStage, StageWatch, stage_for_inputs

PROBLEMS, VALID, BROKEN = "problems.jsonl", "valid.jsonl", "broken.jsonl"
GENERATE, BREAK, FILTER, REPAIR, VALIDATE = (
    f"smt-{name}" for name in ("generate", "break", "filter", "repair", "validate")
)
MAKING = ("harness", "generators/constraints", "oracles/constraints", "properties")
"""The code on which the sealed files of these steps depend."""
MOST_WAYS = 3
REPAIRED = ("repaired", "by", "certain", "kept", "doubts", "edits")


def generate(run: RunFolder, options: PipelineOptions, watch: StageWatch) -> Stage:
    """Seal the generated problems and those of files: `problems.jsonl`, and a table for each domain."""
    files = [Path(problem) for problem in options.problems]
    chosen = {"count": options.count, "size": options.size, "seed": options.seed}
    wanted = _step(run, GENERATE, chosen, *files)
    if wanted.done:
        return wanted.stage
    generated = (
        problem
        for domain in DOMAINS
        for problem in domain.problems(options.count, seed=options.seed, size=ProblemSize(options.size))
    )
    problems = list(watch.each(generated, options.count * len(list(DOMAINS))))
    problems += constraint_rows.read_constraint_problems(files) if files else []
    if not problems:
        message = "--count 0 and no --problems: no problem to learn from; give a count above 0 or a file of problems"
        raise HarnessError(message)
    counts = _counts_by_name(problem.domain for problem in problems)
    return wanted.seal({PROBLEMS: map(json_form, problems), **dict(domain_tables(problems))}, counts)


def break_share(run: RunFolder, options: PipelineOptions, _watch: StageWatch) -> Stage:
    """Seal the problems with a share of the programs broken in one to three ways as models break them, and `broken.jsonl`, which says how."""
    wanted = _step(run, BREAK, {"share": options.broken, "seed": options.seed}, run.stage(GENERATE).folder)
    if wanted.done:
        return wanted.stage
    problems, breaks = run.stage(GENERATE).records(PROBLEMS), []
    for problem in problems:
        seed, original = f"{options.seed}:{problem['id']}", problem["program"]
        random = Random(f"{seed}:break")
        chosen = random.random() < options.broken
        broken = break_program(original, random.randint(1, MOST_WAYS), seed) if chosen else None
        if broken is not None:
            problem["program"] = broken.program
            ways = list(broken.ways)
            breaks.append({"id": problem["id"], "ways": ways, "program": broken.program, "original": original})
    counts = {"broken": len(breaks), "ways": _counts_by_name(way for record in breaks for way in record["ways"])}
    return wanted.seal({PROBLEMS: problems, BROKEN: breaks}, counts)


def filter_programs(run: RunFolder, _options: PipelineOptions, watch: StageWatch) -> Stage:
    """Seal the problems whose programs both solvers read, and the others with the reason and the place: JSONL and CSV."""
    source = _source(run, BREAK, GENERATE)
    wanted = _step(run, FILTER, {}, source.folder)
    if wanted.done:
        return wanted.stage
    rows = list(constraint_rows.read_rows([source.folder / PROBLEMS]))
    files, reasons = constraint_rows.filter_files(list(watch.each(constraint_rows.filtered_rows(rows), len(rows))))
    broken = reasons.total()
    counts = {"valid": len(rows) - broken, "broken": broken, "reasons": dict(sorted(reasons.items()))}
    return wanted.seal(files, counts)


def repair_programs(run: RunFolder, _options: PipelineOptions, watch: StageWatch) -> Stage:
    """Seal all problems, with the broken programs that could be repaired whole; `repaired.csv` has a valid program for each broken one."""
    filtered = run.stage(FILTER)
    wanted = _step(run, REPAIR, {}, filtered.folder)
    if wanted.done:
        return wanted.stage
    broken = filtered.records(BROKEN)
    rows = [
        repaired_row(record, repair(record.get("program") or "", record.get("problem") or "", guarantee=True))
        for record in watch.each(broken, len(broken))
    ]
    # A part of a program is valid and says less than the problem: what goes on is the text as it was.
    whole = (before if row["by"] == RepairMethod.PARTIAL else row for before, row in zip(broken, rows, strict=True))
    problems = [
        constraint_rows.ConstraintRow(record["id"], record).problem for record in (*filtered.records(VALID), *whole)
    ]
    problems.sort(key=lambda problem: problem.id)
    # What a report shows of a repair: why the program was broken, its text, and how it was repaired.
    repairs = (
        {name: after[name] for name in ("id", *REPAIRED)}
        | {"reason": str(before["reason"]), "broken": before.get("program") or ""}
        for before, after in zip(broken, rows, strict=True)
    )
    files = {
        PROBLEMS: map(json_form, problems),
        "repairs.jsonl": repairs,
        "repaired.csv": table(rows, (*COLUMNS, *REPAIRED)),
    }
    counts = {"by": _counts_by_name(row["by"] for row in rows), "repaired": sum(row["repaired"] for row in rows)}
    return wanted.seal(files, counts)


def validate(run: RunFolder, _options: PipelineOptions, watch: StageWatch) -> Stage:
    """Seal the solvers' findings about each program, and as `problems.jsonl` the problems that are fit to learn from.

    These are valid, and correct by the known answer or, where none is known, satisfiable with one answer.
    """
    source = _source(run, REPAIR, FILTER)
    wanted = _step(run, VALIDATE, {}, source.folder)
    if wanted.done:
        return wanted.stage
    records = source.records(PROBLEMS if source.folder.name == REPAIR else VALID)
    rows = [constraint_rows.ConstraintRow(record["id"], record) for record in records]
    found = list(watch.each(validate_all(row.case for row in rows), len(rows)))
    fit = [
        row.problem
        for row, own in zip(rows, found, strict=True)
        if own.valid and (own.correct or (own.correct is None and own.unique))
    ]
    alignments = (constraint_rows.aligned(row.id, row.text("problem"), row.text("program")) for row in rows)
    files = {
        PROBLEMS: map(json_form, fit),
        constraint_rows.ALIGNMENT: (record for record in alignments if record is not None),
        **constraint_rows.validation_files(found),
    }
    counts = {
        "programs": len(found),
        "valid": sum(validation.valid is True for validation in found),
        "correct": sum(validation.correct is True for validation in found),
        "learnt from": len(fit),
    }
    return wanted.seal(files, counts)


def _step(run: RunFolder, name: str, options: dict[str, Any], *inputs: Path) -> PipelineStage:
    """Return a stage with the fingerprint of its options, its inputs and the code."""
    return stage_for_inputs(run, name, options, *inputs, code=MAKING)


def _source(run: RunFolder, *names: str) -> Stage:
    """Return the first of these stages that is sealed, the last where none is."""
    return next((run.stage(name) for name in names if run.stage(name).sealed), run.stage(names[-1]))


def _counts_by_name(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
