"""The evaluation of programs: the shares that are valid and correct, with intervals, by model and domain.

All rows are measured on the problems for which each of them has a program; a row without any program is left out. Valid: both solvers read the program and give the same answer. Correct: the program is satisfiable and entails the gold
answer; for a problem that asks whether something is possible, it is satisfiable if and only if it should be.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import Integer, Number, json_form
from harness.smtlib.constraint_problem import ConstraintProblem
from harness.store.run_folder import RunFolder, Stage
from oracles.constraints.alignment_files import aligned
from oracles.constraints.rows import ConstraintRow
from oracles.constraints.validation import Validation, ValidationCase, validate_all
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of
from sft.constraints.generation import WriterModel, answers_of, stage_name
from sft.constraints.refinement import REFINED
from sft.constraints.stages import JUDGING, stage_for_inputs

STAGE = "smt-evaluate"
METRICS, PROGRAMS = "final_metrics.json", "programs.jsonl"
ROWS = (WriterModel.BASELINE, WriterModel.DISTILLED, REFINED)
LABELS = {WriterModel.BASELINE: "baseline", WriterModel.DISTILLED: "distilled", REFINED: "refined"}
CHANCE = {None, "true", "false"}
"""Gold answers that an empty program may meet by chance: true, false, and satisfiability alone."""
Z = 1.959964


@dataclass(frozen=True, slots=True)
class Proportion:
    """A count of a total, with its share and Wilson's 95% interval in per cent.

    Source: Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """

    count: Integer
    of: Integer
    percent: Number
    interval: tuple[Number, Number]

    @classmethod
    def of_counts(cls, count: int, of: int) -> Self:
        """Return the share, with its interval in per cent."""
        share, squared = count / max(of, 1), Z * Z / max(of, 1)
        middle = (share + squared / 2) / (1 + squared)
        half = Z * math.sqrt(share * (1 - share) / max(of, 1) + squared / 4 / max(of, 1)) / (1 + squared)
        ends = (
            (round(100 * max(0.0, middle - half), 1), round(100 * min(1.0, middle + half), 1)) if of else (0.0, 100.0)
        )
        return cls(count, of, round(100 * share, 1), ends)


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
    last: dict[str, dict[str, Any]] = {}
    for name, last in programs.items():
        judged = list(validate_all(_cases(problems, {id_: record["program"] for id_, record in last.items()})))
        label = labels[name]
        validations += [{"row": label, **json_form(validation)} for validation in judged]
        cut = sum(bool(last[problem.id].get("cut")) for problem in problems)
        rows.append({"row": label, **_shares(problems, judged), "cut": cut})
        metrics[f"{label}_valid_pct"] = rows[-1]["valid"]["percent"]
        metrics[f"{label}_correct_pct"] = rows[-1]["correct"]["percent"]
    final = {record["id"]: record for record in validations if record["row"] == rows[-1]["row"]}
    metrics["num_examples"] = len(problems)
    metrics["total_runtime_seconds"] = round(sum(_seconds(run)), 1)
    stage.seal(
        {
            METRICS: [metrics],
            "rows.jsonl": rows,
            "validations.jsonl": validations,
            # What the last row wrote, beside the clauses that it states.
            PROGRAMS: (
                {
                    "row": rows[-1]["row"],
                    "validation": final[problem.id],
                    **(aligned(_row(problem, last), "problem") or {}),
                    "program": last[problem.id]["program"],
                }
                for problem in problems
            ),
        },
        wanted.manifest(counts={"compared": len(problems), "problems": len(reserved)}),
    )
    return stage


def _row(problem: ConstraintProblem, programs: Mapping[str, Mapping[str, Any]]) -> ConstraintRow:
    program = programs[problem.id]["program"]
    return ConstraintRow(problem.id, {"problem": problem.problem, "program": program})


def _cases(problems: Sequence[ConstraintProblem], programs: Mapping[str, str]) -> Iterator[ValidationCase]:
    for problem in problems:
        yield ValidationCase(problem.id, programs[problem.id], problem.gold, problem.satisfiable)


def _shares(problems: Sequence[ConstraintProblem], validations: Sequence[Validation]) -> dict[str, Any]:
    domains, gold = ({problem.id: getattr(problem, name) for problem in problems} for name in ("domain", "gold"))
    return {
        **_both(validations),
        "open": _both(validation for validation in validations if gold[validation.id] not in CHANCE),
        "domains": {
            name: _both(validation for validation in validations if domains[validation.id] == name)
            for name in sorted(set(domains.values()))
        },
    }


def _both(validations: Iterable[Validation]) -> dict[str, Any]:
    listed = list(validations)
    valid, correct = (
        sum(validation.valid is True for validation in listed),
        sum(validation.correct is True for validation in listed),
    )
    counts = {"valid": valid, "correct": correct}
    return {name: json_form(Proportion.of_counts(count, len(listed))) for name, count in counts.items()}


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
    rows = run.stage(STAGE).records("rows.jsonl")
    return "\n".join([*lines, *(row_of(row["row"].replace("_", ", "), row) for row in rows)])


def row_of(name: str, row: Mapping[str, Any]) -> str:
    """Return a row of the table of `table`."""
    cells = [
        f"{row[what]['percent']:.1f}% | {row[what]['interval'][0]:.0f}–{row[what]['interval'][1]:.0f}"
        for what in ("valid", "correct")
    ]
    narrow = row["open"]["correct"]
    return f"| {name} | {' | '.join(cells)} | {narrow['count']} of {narrow['of']} |"


def shares(problems: Sequence[ConstraintProblem], programs: Mapping[str, str]) -> dict[str, Any]:
    """Return the shares of valid and correct programs: of all problems, by domain, and of those without a chance answer."""
    return _shares(problems, list(validate_all(_cases(problems, programs))))
