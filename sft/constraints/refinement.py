"""Refinement of programs: what the solvers say of a program goes back to the model, or the model draws it again, and the drafts vote.

The message does not depend on the gold answer. It is the error, the assertions that contradict each other, or a second answer
that the program allows; where the solvers have no objection, the first clause of the problem that no assertion states, by an
alignment of names that can be wrong. A model that writes clause by clause gets no message and draws its program again. Of the
drafts without objection, or else of the valid ones, the first with the commonest outcome is kept.

Source of the vote: Wang et al., Self-Consistency Improves Chain of Thought Reasoning in Language Models, ICLR 2023.
"""

from __future__ import annotations

import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from harness.smtlib.grammar import ANSWER, CHECK
from harness.smtlib.script import read_script
from oracles.constraints.clause_alignment import align_clauses
from oracles.constraints.order_directions import opposed_assertions
from oracles.constraints.validation import ValidationCase, validate
from oracles.constraints.worker_pool import SolverWorker
from sft.constraints.adapter_training import STAGE as TRAINED
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of, form_of
from sft.constraints.generation import ANSWERS, WriterModel, answers_of, load, stage_name, write_all, writer_of
from sft.constraints.prompts import CLAUSE_BY_CLAUSE, CORRECT, OutputForm, chat_turns
from sft.constraints.stages import JUDGING, StageWatch, stage_for_inputs, table_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.store.run_folder import RunFolder, Stage
    from oracles.constraints.validation import Validation
    from sft.constraints.generation import WriterSettings
    from sft.models.base_model import LoadedModel

REFINED = "refine"
ROUNDS = 3
"""How often a program is corrected."""
DRAFTS = 12
"""How often a program is drawn again where it is written clause by clause."""
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

    @property
    def outcome(self) -> tuple[bool | None, str | None]:
        """Return what a draft votes for."""
        return self.validation.satisfiable, self.validation.answer


def judged_program(program: str, problem: str, solvers: SolverWorker) -> JudgedProgram:
    """Return a program with the message about it on one line of at most `LONGEST_MESSAGE` characters."""
    validation = validate(ValidationCase("", program), solvers)
    line = " ".join(_message(program, problem, validation, solvers).split())
    return JudgedProgram(
        program, validation, line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"
    )


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
            told = ", ".join([*values[:MOST_VALUES], *(["…"] if len(values) > MOST_VALUES else [])])
            return f"{ANSWER} may be {validation.answer} or {second}: {told}"
    alignment = align_clauses(problem, program)
    if alignment.missing:
        return f"missing: {alignment.clauses[alignment.missing[0]].text}"
    opposed = opposed_assertions(problem, program)
    return f"reversed: {alignment.clauses[opposed[0].clause].text}" if opposed else ""


@dataclass(frozen=True, slots=True)
class Course:
    """The drafts of one program in their order, and whether they vote."""

    drafts: list[JudgedProgram]
    votes: bool

    @property
    def kept(self) -> JudgedProgram:
        """Return the first of the best drafts with the commonest outcome."""
        counts = self._outcomes()
        best = max(draft.merit for draft in self.drafts)
        return max((draft for draft in self.drafts if draft.merit == best), key=lambda draft: counts[draft.outcome])

    def decided(self, rounds: int) -> bool:
        """Tell whether no other draft is asked for: there is no objection, and the remaining votes cannot change the outcome."""
        left = rounds + 1 - len(self.drafts)
        (_, most), *others = [*self._outcomes().most_common(2), (None, 0)]
        return left <= 0 or (not self.kept.message and (not self.votes or most > others[0][1] + left))

    def _outcomes(self) -> Counter[tuple[bool | None, str | None]]:
        best = max(draft.merit for draft in self.drafts)
        return Counter(draft.outcome for draft in self.drafts if draft.merit == best)


def refine_programs(
    run: RunFolder,
    writing: WriterSettings,
    *,
    held: bool,
    rounds: int | None = None,
    device: str = "auto",
    loaded: Callable[[], LoadedModel] | None = None,
    watch: StageWatch | None = None,
) -> Stage:
    """Let the model with the adapter write programs again; seal `answers.jsonl`, `rounds.jsonl` and `refined_outputs.csv`.

    Without `rounds`, there are `ROUNDS` corrections or, clause by clause, `DRAFTS` further drafts. Where the time of `watch` is over, the programs stay as they are.

    Raises:
        HarnessError: the programs are not sealed, or the weights are missing.
    """
    source = stage_name(WriterModel.DISTILLED, held=held)
    by_clause = form_of(run) is OutputForm.CLAUSES
    rounds = rounds or (DRAFTS if by_clause else ROUNDS)
    options = {"held": held, "rounds": rounds, **asdict(writing), "asked": CLAUSE_BY_CLAUSE if by_clause else CORRECT}
    folders = [run.stage(name).folder for name in (FORMAT, TRAINED, source)]
    wanted = stage_for_inputs(run, stage_name(REFINED, held=held), options, *folders, code=JUDGING)
    if wanted.finished:
        return wanted.stage
    programs = {name: record["program"] for name, record in answers_of(run, source).items()}
    texts = {problem.id: problem.problem.strip() for problem in evaluation_of(run) if problem.id in programs}
    stage = wanted.begin(keep=REQUESTS)
    watch = watch or StageWatch(stage.folder.name)
    writer = None
    if not watch.over:
        model = loaded() if loaded else load(run, WriterModel.DISTILLED, writing, device)
        writer = writer_of(run, model, writing, held=held)
    began, requests = time.monotonic(), list[dict[str, Any]]()
    with closing(SolverWorker()) as solvers:
        courses = {
            name: Course([judged_program(programs[name], text, solvers)], by_clause) for name, text in texts.items()
        }
        for number in range(1, rounds + 1):
            chats = [
                (name, _chat(texts[name], course)) for name, course in courses.items() if not course.decided(rounds)
            ]
            # Greedy decoding answers the same request alike: only the first correction is not sampled.
            drawn = by_clause or number > 1
            drawing = writer.drawing(number) if writer and drawn else writer
            for record in write_all(stage, drawing, chats, watch, round=number, drawn=drawn):
                drafts = courses[record["id"]].drafts
                requests.append({**record, "said": drafts[-1].message})
                drafts.append(judged_program(record["program"], texts[record["id"]], solvers))
    rows = [
        {
            "id": name,
            "initial_valid": course.drafts[0].validation.valid,
            "final_valid": course.kept.validation.valid,
            "iterations": len(course.drafts) - 1,
        }
        for name, course in courses.items()
    ]
    # The time of an interrupted run is not in that of this run.
    seconds = max(time.monotonic() - began, sum(record["seconds"] for record in requests))
    stage.seal(
        {
            ANSWERS: [{"id": name, "program": course.kept.program} for name, course in courses.items()],
            REQUESTS: requests,
            TABLE: table_lines(rows, COLUMNS),
        },
        wanted.manifest(
            options=options,
            counts={"programs": len(courses), "corrections": len(requests)},
            left=sum(not course.decided(rounds) for course in courses.values()),
            seconds=round(seconds, 1),
        ),
    )
    return stage


def _chat(problem: str, course: Course) -> list[dict[str, str]]:
    """Return the request for another draft of a program."""
    if course.votes:
        return chat_turns(CLAUSE_BY_CLAUSE, problem)
    last = course.drafts[-1]
    return chat_turns(CORRECT, f"{problem}\n\nProgram:\n{last.program.strip()}\n\nSolver:\n{last.message}")
