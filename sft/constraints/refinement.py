"""Refinement of programs: what the solvers say of a program goes back to the model.

The message does not depend on the gold answer. It is the error, the assertions that contradict each other, or a second answer
that the program allows; where the solvers have no objection, the first clause of the problem that no assertion states, by an
alignment of names that can be wrong. The first program without objection, or else the first valid one, is kept.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from harness.smtlib.constraint_problem import table
from harness.smtlib.grammar import ANSWER, CHECK
from harness.smtlib.script import read_script
from oracles.constraints.clause_alignment import align_clauses
from oracles.constraints.validation import ValidationCase, validate
from oracles.constraints.worker_pool import SolverWorker
from sft.constraints.adapter_training import STAGE as TRAINED
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of
from sft.constraints.generation import ANSWERS, WriterModel, answers_of, stage_name, write_all, writer_of
from sft.constraints.prompts import CORRECT, chat_turns
from sft.constraints.stages import JUDGING, LEFT, StageWatch, stage_for_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.store.run_folder import RunFolder, Stage
    from oracles.constraints.validation import Validation
    from sft.constraints.generation import WriterSettings

REFINED = "refine"
ROUNDS = 3
"""How often a program is corrected."""
TABLE = "refined_outputs.csv"
REQUESTS = "rounds.jsonl"
COLUMNS = ("id", "initial_valid", "final_valid", "iterations")
LONGEST_MESSAGE, MOST_VALUES = 240, 6


@dataclass(frozen=True, slots=True)
class JudgedProgram:
    """A program with its validation, and the message about it, which is empty without an objection."""

    program: str
    validation: Validation
    message: str

    @property
    def merit(self) -> tuple[bool, bool]:
        """Return what makes a draft better: no objection, and that it is valid.

        Satisfiability and an answer do not: of a problem that asks whether something is possible, `unsat` is an answer.
        """
        return not self.message, self.validation.valid is True


def judged_program(program: str, problem: str, solvers: SolverWorker) -> JudgedProgram:
    """Return a program with the message about it on one line of at most `LONGEST_MESSAGE` characters."""
    validation = validate(ValidationCase("", program), solvers)
    line = " ".join(_message(program, problem, validation, solvers).split())
    line = line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"
    return JudgedProgram(program, validation, line)


def _message(program: str, problem: str, validation: Validation, solvers: SolverWorker) -> str:
    if not validation.valid:
        return f"error: {validation.error}"
    if validation.satisfiable is False and any(item.name == ANSWER for item in read_script(program).declarations):
        return f"unsat: {' '.join(validation.core)}"
    if validation.unique is False and validation.answer is not None:
        head, check, rest = program.rpartition(CHECK)
        without = f"{head}(assert (not (= {ANSWER} {validation.answer})))\n{check}{rest}"
        other = dict(validate(ValidationCase("", without), solvers).model)
        if second := other.pop(ANSWER, ""):
            values = [f"{name}={value}" for name, value in other.items()]
            listed = ", ".join([*values[:MOST_VALUES], *(["…"] if len(values) > MOST_VALUES else [])])
            return f"{ANSWER} may be {validation.answer} or {second}: {listed}"
    alignment = align_clauses(problem, program)
    return f"missing: {alignment.clauses[alignment.missing[0]].text}" if alignment.missing else ""


def best_program(drafts: Sequence[JudgedProgram]) -> JudgedProgram:
    """Return the first program of most merit."""
    return max(drafts, key=lambda draft: draft.merit)


def refine_programs(
    run: RunFolder,
    writing: WriterSettings,
    *,
    held: bool,
    rounds: int = ROUNDS,
    device: str = "auto",
    watch: StageWatch | None = None,
) -> Stage:
    """Let the model with the adapter write programs again; seal `answers.jsonl`, `rounds.jsonl` and `refined_outputs.csv`.

    There are at most `rounds` corrections of a program. Where the time of `watch` is over, the programs stay as they are.

    Raises:
        HarnessError: the programs are not sealed, or the weights are missing.
    """
    source = stage_name(WriterModel.DISTILLED, held=held)
    options = {"held": held, "rounds": rounds, **asdict(writing), "asked": CORRECT}
    folders = [run.stage(name).folder for name in (FORMAT, TRAINED, source)]
    wanted = stage_for_inputs(run, stage_name(REFINED, held=held), options, *folders, code=JUDGING)
    if wanted.finished:
        return wanted.stage
    programs = {name: record["program"] for name, record in answers_of(run, source).items()}
    texts = {problem.id: problem.problem.strip() for problem in evaluation_of(run) if problem.id in programs}
    stage = wanted.begin(keep=REQUESTS)
    watch = watch or StageWatch(stage.folder.name)
    writer = None if watch.over else writer_of(run, WriterModel.DISTILLED, writing, held=held, device=device)
    began, requests = time.monotonic(), list[dict[str, Any]]()
    with closing(SolverWorker()) as solvers:
        drafts = {name: [judged_program(programs[name], text, solvers)] for name, text in texts.items()}
        for number in range(1, rounds + 1):
            chats = [
                (name, _request(texts[name], own[-1])) for name, own in drafts.items() if best_program(own).message
            ]
            # Greedy decoding answers the same request alike: only the first correction is not sampled.
            drawn = number > 1
            drawing = replace(writer, seed=number if drawn else None) if writer else None
            for record in write_all(stage, drawing, chats, watch, round=number, drawn=drawn):
                own = drafts[record["id"]]
                requests.append({**record, "said": own[-1].message})
                own.append(judged_program(record["program"], texts[record["id"]], solvers))
    kept = {name: best_program(own) for name, own in drafts.items()}
    rows = ((name, own[0].validation.valid, kept[name].validation.valid, len(own) - 1) for name, own in drafts.items())
    files: dict[str, Any] = {
        ANSWERS: [{"id": name, "program": draft.program} for name, draft in kept.items()],
        REQUESTS: requests,
        TABLE: table((dict(zip(COLUMNS, row, strict=True)) for row in rows), COLUMNS),
    }
    # The time of an interrupted run is not in that of this run.
    seconds = max(time.monotonic() - began, sum(record["seconds"] for record in requests))
    left = sum(bool(best_program(own).message) and len(own) <= rounds for own in drafts.values())
    counts = {"programs": len(drafts), "corrections": len(requests)}
    stage.seal(files, wanted.manifest(options=options, counts=counts, seconds=round(seconds, 1), **{LEFT: left}))
    return stage


def _request(problem: str, last: JudgedProgram) -> list[dict[str, str]]:
    return chat_turns(CORRECT, f"{problem}\n\nProgram:\n{last.program.strip()}\n\nSolver:\n{last.message}")
