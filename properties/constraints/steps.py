"""The steps that generate, break, filter, repair and validate constraint problems, each sealing one stage."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem_files import domain_tables
from generators.constraints.repair.program_repair import repair
from generators.constraints.repair.row_repair import repaired_row
from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.smtlib.constraint_problem import COLUMNS, ConstraintProblem
from oracles.constraints.row_files import aligned
from oracles.constraints.row_filter import filtered_rows
from oracles.constraints.rows import ConstraintRow, read_rows
from oracles.constraints.validation import ValidationCase, validate_all
from properties.constraints.broken_programs import broken_problems, corrections
from properties.constraints.problem_files import problem_of, read_constraint_problems
from sft.constraints.stages import stage_for_inputs, table_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.store.run_folder import RunFolder, Stage
    from oracles.constraints.validation import Validation
    from sft.constraints.stages import PipelineStage, StageWatch

PROBLEMS = "problems.jsonl"
GENERATE, BREAK, FILTER, REPAIR, VALIDATE, CORRECT = (
    f"smt-{name}" for name in ("generate", "break", "filter", "repair", "validate", "correct")
)
MAKING = ("harness", "generators/constraints", "oracles/constraints", "properties")
"""The code on which the sealed files of these steps depend."""


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """The problems to make: how many of each domain and of what size, which share is broken, which becomes corrections, and further files."""

    count: int
    size: str
    seed: int
    broken: float
    corrected: float
    problems: tuple[str, ...] = ()

    def step(self, run: RunFolder, name: str, options: dict[str, Any], *inputs: Path) -> PipelineStage:
        """Return a stage with the fingerprint of its options, its inputs and the code."""
        return stage_for_inputs(run, name, options, *inputs, code=MAKING)


def generate(run: RunFolder, making: GenerationPlan, watch: StageWatch) -> Stage:
    """Seal the generated problems and those of files: `problems.jsonl`, and a table for each domain."""
    files = [Path(problem) for problem in making.problems]
    wanted = making.step(run, GENERATE, {"count": making.count, "size": making.size, "seed": making.seed}, *files)
    if wanted.done:
        return wanted.stage
    generated = (
        problem
        for domain in DOMAINS
        for problem in domain.problems(making.count, seed=making.seed, size=ProblemSize(making.size))
    )
    found = list(watch.each(generated, making.count * len(list(DOMAINS)))) + (
        read_constraint_problems(files) if files else []
    )
    if not found:
        raise HarnessError(
            "--count 0 and no --problems: no problem to learn from; give a count above 0 or a file of problems"
        )
    stage = wanted.begin()
    tables = {name: [line.removesuffix("\n") for line in lines] for name, lines in domain_tables(found)}
    counts = dict(sorted(Counter(problem.domain for problem in found).items()))
    stage.seal({PROBLEMS: (json_form(problem) for problem in found), **tables}, wanted.manifest(counts=counts))
    return stage


def break_share(run: RunFolder, making: GenerationPlan, _watch: StageWatch) -> Stage:
    """Seal the problems with a share of the programs broken as models break them, and `broken.jsonl`, which says how."""
    wanted = making.step(run, BREAK, {"share": making.broken, "seed": making.seed}, run.stage(GENERATE).folder)
    if wanted.done:
        return wanted.stage
    problems = problems_of(run, GENERATE)
    breaks = {problem.problem.id: problem for problem in broken_problems(problems, making.broken, seed=making.seed)}
    stage = wanted.begin()
    stage.seal(
        {
            PROBLEMS: (
                json_form(breaks[problem.id].problem if problem.id in breaks else problem) for problem in problems
            ),
            "broken.jsonl": (broken.record() for broken in breaks.values()),
        },
        wanted.manifest(
            counts={"broken": len(breaks), "ways": _counted(way for broken in breaks.values() for way in broken.ways)}
        ),
    )
    return stage


def filter_programs(run: RunFolder, making: GenerationPlan, watch: StageWatch) -> Stage:
    """Seal the problems whose programs both solvers read, and the others with the reason and the place: JSONL and CSV."""
    source = _source(run, BREAK, GENERATE)
    wanted = making.step(run, FILTER, {}, source.folder)
    if wanted.done:
        return wanted.stage
    rows = list(read_rows([source.folder / PROBLEMS]))
    verdicts = list(watch.each(filtered_rows(rows), len(rows)))
    valid = [verdict.record() for verdict in verdicts if verdict.reason is None]
    broken = [verdict.record() for verdict in verdicts if verdict.reason is not None]
    stage = wanted.begin()
    reasons = _counted(str(record["reason"]) for record in broken)
    stage.seal(
        {
            "valid.jsonl": valid,
            "broken.jsonl": broken,
            "valid.csv": table_lines(valid),
            "broken.csv": table_lines(broken, (*COLUMNS, "reason", "line", "column")),
        },
        wanted.manifest(counts={"valid": len(valid), "broken": len(broken), "reasons": reasons}),
    )
    return stage


def repair_programs(run: RunFolder, making: GenerationPlan, watch: StageWatch) -> Stage:
    """Seal all problems, with the broken programs repaired where possible; `repaired.csv` has one row for each that was."""
    wanted = making.step(run, REPAIR, {}, run.stage(FILTER).folder)
    if wanted.done:
        return wanted.stage
    filtered = run.stage(FILTER)
    broken = filtered.records("broken.jsonl")
    rows = [
        repaired_row(record, repair(record.get("program") or "", record.get("problem") or ""))
        for record in watch.each(broken, len(broken))
    ]
    problems = [problem_of(ConstraintRow(record["id"], record)) for record in (*filtered.records("valid.jsonl"), *rows)]
    problems.sort(key=lambda problem: problem.id)
    stage = wanted.begin()
    stage.seal(
        {
            PROBLEMS: (json_form(problem) for problem in problems),
            "repairs.jsonl": (_repair_record(before, after) for before, after in zip(broken, rows, strict=True)),
            "repaired.csv": table_lines(rows, (*COLUMNS, "repaired", "by", "certain", "doubts", "edits")),
        },
        wanted.manifest(
            counts={"by": _counted(row["by"] for row in rows), "repaired": sum(row["repaired"] for row in rows)}
        ),
    )
    return stage


def _repair_record(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a report shows of a repair: why the program was broken, its text, and how it was repaired."""
    kept = {name: after[name] for name in ("id", "repaired", "by", "certain", "doubts", "edits")}
    return {**kept, "reason": str(before["reason"]), "broken": before.get("program") or ""}


def validate(run: RunFolder, making: GenerationPlan, watch: StageWatch) -> Stage:
    """Seal the solvers' findings about each program, and as `problems.jsonl` the problems that are fit to learn from.

    These are valid, and correct by the known answer or, where none is known, satisfiable with one answer.
    """
    source = _source(run, REPAIR, FILTER)
    wanted = making.step(run, VALIDATE, {}, source.folder)
    if wanted.done:
        return wanted.stage
    name = PROBLEMS if source.folder.name == REPAIR else "valid.jsonl"
    problems = [problem_of(ConstraintRow(record["id"], record)) for record in source.records(name)]
    validated = validate_all(
        ValidationCase(problem.id, problem.program, problem.gold, problem.satisfiable) for problem in problems
    )
    found = list(watch.each(validated, len(problems)))
    fit = [problem for problem, validation in zip(problems, found, strict=True) if _fit(validation)]
    stage = wanted.begin()
    counts = {
        "programs": len(found),
        "valid": sum(validation.valid is True for validation in found),
        "correct": sum(validation.correct is True for validation in found),
        "learnt from": len(fit),
    }
    stage.seal(
        {
            PROBLEMS: (json_form(problem) for problem in fit),
            "validation.jsonl": (json_form(validation) for validation in found),
            "alignment.jsonl": filter(
                None,
                (aligned(problem.id, problem.problem, problem.program) for problem in problems),
            ),
            "validation_results.csv": table_lines(map(json_form, found), ("id", "valid", "error")),
        },
        wanted.manifest(counts=counts),
    )
    return stage


def _fit(found: Validation) -> bool:
    return found.valid is True and (found.correct is True or (found.correct is None and found.unique is True))


def correct(run: RunFolder, making: GenerationPlan, _watch: StageWatch) -> Stage:
    """Seal programs to be corrected, made from a share of the training problems."""
    wanted = making.step(run, CORRECT, {"share": making.corrected, "seed": making.seed}, run.stage(VALIDATE).folder)
    if wanted.done:
        return wanted.stage
    made = corrections(problems_of(run, VALIDATE), making.corrected, seed=making.seed)
    stage = wanted.begin()
    said = _counted(correction.said.partition(" ")[0].rstrip(":") for correction in made)
    stage.seal(
        {"corrections.jsonl": (json_form(correction) for correction in made)},
        wanted.manifest(counts={"corrections": len(made), "said": said}),
    )
    return stage


def problems_of(run: RunFolder, name: str) -> list[ConstraintProblem]:
    """Return the problems of a sealed stage.

    Raises:
        HarnessError: it is not sealed.
    """
    return [read_record(ConstraintProblem, record) for record in run.stage(name).records(PROBLEMS)]


def _source(run: RunFolder, *names: str) -> Stage:
    """Return the first of these stages that is sealed, the last where none is."""
    return next((run.stage(name) for name in names if run.stage(name).sealed), run.stage(names[-1]))


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
