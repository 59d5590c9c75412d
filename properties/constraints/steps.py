"""The steps that generate, break, filter, repair and validate constraint problems, each sealing one stage."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from generators.constraints.breakage import break_program
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem_files import domain_tables
from generators.constraints.repair.program_repair import repair
from generators.constraints.repair.row_repair import repaired_row
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.smtlib.constraint_problem import COLUMNS
from oracles.constraints.row_files import ALIGNMENT, aligned
from oracles.constraints.rows import ConstraintRow, filtered_rows, read_constraint_problems, read_rows
from oracles.constraints.validation import ValidationCase, validate_all
from sft.constraints.stages import stage_for_inputs, table_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.store.run_folder import RunFolder, Stage
    from oracles.constraints.validation import Validation
    from properties.constraints.pipeline_options import PipelineOptions
    from sft.constraints.stages import PipelineStage, StageWatch

PROBLEMS, VALID, BROKEN = "problems.jsonl", "valid.jsonl", "broken.jsonl"
GENERATE, BREAK, FILTER, REPAIR, VALIDATE = (
    f"smt-{name}" for name in ("generate", "break", "filter", "repair", "validate")
)
MAKING = ("harness", "generators/constraints", "oracles/constraints", "properties")
"""The code on which the sealed files of these steps depend."""
MOST_WAYS = 3


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
    problems += read_constraint_problems(files) if files else []
    if not problems:
        raise HarnessError(
            "--count 0 and no --problems: no problem to learn from; give a count above 0 or a file of problems"
        )
    tables = {name: [line.removesuffix("\n") for line in lines] for name, lines in domain_tables(problems)}
    counts = _counted(problem.domain for problem in problems)
    return wanted.seal({PROBLEMS: map(json_form, problems), **tables}, counts)


def break_share(run: RunFolder, options: PipelineOptions, _watch: StageWatch) -> Stage:
    """Seal the problems with a share of the programs broken in one to three ways as models break them, and `broken.jsonl`, which says how."""
    wanted = _step(run, BREAK, {"share": options.broken, "seed": options.seed}, run.stage(GENERATE).folder)
    if wanted.done:
        return wanted.stage
    problems = run.stage(GENERATE).records(PROBLEMS)
    breaks = []
    for problem in problems:
        seed, original = f"{options.seed}:{problem['id']}", problem["program"]
        random = Random(f"{seed}:break")
        broken = None
        if random.random() < options.broken:
            broken = break_program(original, random.randint(1, MOST_WAYS), seed)
        if broken is not None:
            problem["program"] = broken.program
            ways = list(broken.ways)
            breaks.append({"id": problem["id"], "ways": ways, "program": broken.program, "original": original})
    counts = {"broken": len(breaks), "ways": _counted(way for record in breaks for way in record["ways"])}
    return wanted.seal({PROBLEMS: problems, BROKEN: breaks}, counts)


def filter_programs(run: RunFolder, _options: PipelineOptions, watch: StageWatch) -> Stage:
    """Seal the problems whose programs both solvers read, and the others with the reason and the place: JSONL and CSV."""
    source = _source(run, BREAK, GENERATE)
    wanted = _step(run, FILTER, {}, source.folder)
    if wanted.done:
        return wanted.stage
    rows = list(read_rows([source.folder / PROBLEMS]))
    verdicts = list(watch.each(filtered_rows(rows), len(rows)))
    valid = [verdict.record() for verdict in verdicts if verdict.reason is None]
    broken = [verdict.record() for verdict in verdicts if verdict.reason is not None]
    files = {
        VALID: valid,
        BROKEN: broken,
        "valid.csv": table_lines(valid),
        "broken.csv": table_lines(broken, (*COLUMNS, "reason", "line", "column")),
    }
    reasons = _counted(str(record["reason"]) for record in broken)
    return wanted.seal(files, {"valid": len(valid), "broken": len(broken), "reasons": reasons})


def repair_programs(run: RunFolder, _options: PipelineOptions, watch: StageWatch) -> Stage:
    """Seal all problems, with the broken programs repaired where possible; `repaired.csv` has one row for each that was."""
    filtered = run.stage(FILTER)
    wanted = _step(run, REPAIR, {}, filtered.folder)
    if wanted.done:
        return wanted.stage
    broken = filtered.records(BROKEN)
    rows = [
        repaired_row(record, repair(record.get("program") or "", record.get("problem") or ""))
        for record in watch.each(broken, len(broken))
    ]
    problems = [ConstraintRow(record["id"], record).problem for record in (*filtered.records(VALID), *rows)]
    problems.sort(key=lambda problem: problem.id)
    columns = ("repaired", "by", "certain", "doubts", "edits")
    # What a report shows of a repair: why the program was broken, its text, and how it was repaired.
    repairs = (
        {name: after[name] for name in ("id", *columns)}
        | {"reason": str(before["reason"]), "broken": before.get("program") or ""}
        for before, after in zip(broken, rows, strict=True)
    )
    files = {
        PROBLEMS: map(json_form, problems),
        "repairs.jsonl": repairs,
        "repaired.csv": table_lines(rows, (*COLUMNS, *columns)),
    }
    counts = {"by": _counted(row["by"] for row in rows), "repaired": sum(row["repaired"] for row in rows)}
    return wanted.seal(files, counts)


def validate(run: RunFolder, _options: PipelineOptions, watch: StageWatch) -> Stage:
    """Seal the solvers' findings about each program, and as `problems.jsonl` the problems that are fit to learn from.

    These are valid, and correct by the known answer or, where none is known, satisfiable with one answer.
    """
    source = _source(run, REPAIR, FILTER)
    wanted = _step(run, VALIDATE, {}, source.folder)
    if wanted.done:
        return wanted.stage
    name = PROBLEMS if source.folder.name == REPAIR else VALID
    problems = [ConstraintRow(record["id"], record).problem for record in source.records(name)]
    cases = (ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable) for problem in problems)
    found = list(watch.each(validate_all(cases), len(problems)))
    fit = [problem for problem, validation in zip(problems, found, strict=True) if _fit(validation)]
    alignments = (aligned(problem.id, problem.problem, problem.program) for problem in problems)
    files = {
        PROBLEMS: map(json_form, fit),
        "validation.jsonl": map(json_form, found),
        ALIGNMENT: (record for record in alignments if record is not None),
        "validation_results.csv": table_lines(map(json_form, found), ("id", "valid", "error")),
    }
    counts = {
        "programs": len(found),
        "valid": sum(validation.valid is True for validation in found),
        "correct": sum(validation.correct is True for validation in found),
        "learnt from": len(fit),
    }
    return wanted.seal(files, counts)


def _fit(found: Validation) -> bool:
    return found.valid is True and (found.correct is True or (found.correct is None and found.unique is True))


def _step(run: RunFolder, name: str, options: dict[str, Any], *inputs: Path) -> PipelineStage:
    """Return a stage with the fingerprint of its options, its inputs and the code."""
    return stage_for_inputs(run, name, options, *inputs, code=MAKING)


def _source(run: RunFolder, *names: str) -> Stage:
    """Return the first of these stages that is sealed, the last where none is."""
    return next((run.stage(name) for name in names if run.stage(name).sealed), run.stage(names[-1]))


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
