"""Refinement of programs: the model corrects its program after feedback, at most three times.

A model that writes clause by clause is not told what the solvers say: it draws its program again. The feedback does not depend on the gold answer. A later program replaces an earlier one unless it is worse by what the
solvers can check: valid, satisfiable, one answer only. The model decodes greedily; it samples where the same request was
made before.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harness.store.csv_tables import csv_lines
from sft.constraints.adapter_training import STAGE as TRAINED
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of, form_of
from sft.constraints.feedback import ProgramJudge
from sft.constraints.generation import ANSWERS, WriterModel, answers_of, load, stage_name, write_all, writer_of
from sft.constraints.prompts import CLAUSE_BY_CLAUSE, CORRECT, OutputForm, chat_turns, correction_input
from sft.constraints.stages import JUDGING, StageWatch, stage_for_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.store.run_folder import RunFolder, Stage
    from sft.constraints.clause_writer import ClauseWriter
    from sft.constraints.feedback import JudgedProgram
    from sft.constraints.generation import WriterSettings
    from sft.constraints.program_writer import ProgramWriter
    from sft.models.base_model import LoadedModel

REFINED = "refine"
ROUNDS = 3
TABLE = "refined_outputs.csv"
REQUESTS = "rounds.jsonl"
COLUMNS = ("id", "initial_valid", "final_valid", "iterations")


@dataclass(slots=True)
class _Course:
    """The first and the last version of a program, the number of rounds, and whether the last round failed to improve it."""

    first: JudgedProgram
    last: JudgedProgram
    rounds: int = 0
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class _Asking:
    """The writer and the judge of programs, whether it writes clause by clause, and the time they have."""

    writer: ProgramWriter | ClauseWriter
    judging: ProgramJudge
    watch: StageWatch
    by_clause: bool

    def chat(self, problem: str, course: _Course) -> list[dict[str, str]]:
        """Return the request for another version of a program."""
        if self.by_clause:
            return chat_turns(CLAUSE_BY_CLAUSE, problem.strip())
        return chat_turns(CORRECT, correction_input(problem, course.last.program, course.last.said))


def refine_programs(
    run: RunFolder,
    writing: WriterSettings,
    *,
    held: bool,
    rounds: int = ROUNDS,
    device: str = "auto",
    loaded: Callable[[], LoadedModel] | None = None,
    watch: StageWatch | None = None,
) -> Stage:
    """Correct the programs of the model with the adapter; seal `answers.jsonl`, `rounds.jsonl` and `refined_outputs.csv`.

    Where the time of `watch` is over, the programs stay as they are.

    Raises:
        HarnessError: the programs are not sealed, or the weights are missing.
    """
    source = stage_name(WriterModel.DISTILLED, held=held)
    by_clause = form_of(run) is OutputForm.CLAUSES
    options = {"held": held, "rounds": rounds, **asdict(writing), "asked": CLAUSE_BY_CLAUSE if by_clause else CORRECT}
    folders = [run.stage(name).folder for name in (FORMAT, TRAINED, source)]
    wanted = stage_for_inputs(run, stage_name(REFINED, held=held), options, *folders, code=JUDGING)
    if wanted.finished:
        return wanted.stage
    programs = {name: record["program"] for name, record in answers_of(run, source).items()}
    texts = {problem.id: problem.problem for problem in evaluation_of(run) if problem.id in programs}
    stage = wanted.begin(keep=REQUESTS)
    model = loaded() if loaded else load(run, WriterModel.DISTILLED, writing, device)
    began = time.monotonic()
    writer = writer_of(run, model, writing, held=held)
    judging = ProgramJudge()
    try:
        first = {name: judging.judge(program, texts[name]) for name, program in programs.items()}
        courses = {name: _Course(program, program) for name, program in first.items()}
        requests = [
            record
            for number in range(1, rounds + 1)
            for record in _round(
                stage,
                _Asking(writer, judging, watch or StageWatch(stage.folder.name), by_clause),
                texts,
                courses,
                number,
            )
        ]
    finally:
        judging.close()
    # The time of an interrupted run is not in that of this run.
    seconds = max(time.monotonic() - began, sum(record["seconds"] for record in requests))
    final = [{"id": name, "program": course.last.program} for name, course in courses.items()]
    rows = [_row(name, course) for name, course in courses.items()]
    stage.seal(
        {
            ANSWERS: final,
            REQUESTS: requests,
            TABLE: (line.removesuffix("\n") for line in csv_lines(COLUMNS, rows)),
        },
        wanted.manifest(
            options=options,
            counts={"programs": len(final), "corrections": len(requests)},
            left=sum(bool(course.last.said) and course.rounds < rounds for course in courses.values()),
            seconds=round(seconds, 1),
        ),
    )
    return stage


def _round(
    stage: Stage, asking: _Asking, texts: Mapping[str, str], courses: dict[str, _Course], number: int
) -> list[dict[str, Any]]:
    """Let the model correct each program that has feedback, the texts of the problems by id; return the records of the round."""
    written: list[dict[str, Any]] = []
    open_ = [name for name in texts if courses[name].last.said]
    # Greedy decoding answers the same prompt alike, so a program without progress is sampled.
    for stuck, writer in ((False, asking.writer), (True, asking.writer.drawing(number))):
        asked = [
            (name, asking.chat(texts[name], courses[name]))
            for name in open_
            if (courses[name].stuck or asking.by_clause) is stuck
        ]
        if asked and not asking.watch.over:
            written += write_all(stage, writer, asked, asking.watch, round=number, drawn=stuck)[0]
    for record in written:
        course, judged = courses[record["id"]], asking.judging.judge(record["program"], texts[record["id"]])
        record["said"] = course.last.said
        course.rounds = number
        # What the model is sure of, and writes greedily, is replaced by what is better, not by what is as good.
        ahead = judged.rank > course.last.rank if asking.by_clause else judged.rank >= course.last.rank
        better = ahead and judged.program.strip() != course.last.program.strip()
        course.stuck = not better
        if better:
            course.last = judged
    return written


def _row(name: str, course: _Course) -> tuple[object, ...]:
    """Return the cells of a program in the order of `COLUMNS`."""
    return name, course.first.validation.valid, course.last.validation.valid, course.rounds
