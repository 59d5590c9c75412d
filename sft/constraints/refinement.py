"""Refinement of programs: what the solvers say of a program goes back to the model, or the model draws it again, and the drafts vote.

The message does not depend on the gold answer. It is the error, the assertions that contradict each other, or a second answer
that the program allows; where the solvers have no objection, the first clause of the problem that no assertion states, by an
alignment of names that can be wrong. A model that writes clause by clause gets no message and draws its program again. Of the
drafts without objection, or else of the valid ones, the first with the commonest outcome is kept.

Source of the vote: Wang et al., Self-Consistency Improves Chain of Thought Reasoning in Language Models, ICLR 2023.
"""

import time
from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import Any

from harness.records.constraint import table
from harness.smtlib.grammar import ANSWER, CHECK
from harness.smtlib.script import read_script
from harness.store.run_folder import RunFolder, Stage
from oracles.constraints.clause_alignment import align_clauses
from oracles.constraints.validation import Validation, ValidationCase, validate
from sft.constraints import generation
from sft.constraints.adapter_training import STAGE as TRAINED
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of, plan_of
from sft.constraints.output_forms import CLAUSE_BY_CLAUSE, CORRECT, OutputForm, chat_turns
from sft.constraints.stages import JUDGING, LEFT, StageWatch, stage_for_inputs

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


def judged_program(program: str, problem: str) -> JudgedProgram:
    """Return a program with the message about it on one line of at most `LONGEST_MESSAGE` characters."""
    validation = validate(ValidationCase("", program))
    line = " ".join(_message(program, problem, validation).split())
    line = line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"
    return JudgedProgram(program, validation, line)


def _message(program: str, problem: str, validation: Validation) -> str:
    if not validation.valid:
        return f"error: {validation.error}"
    if validation.satisfiable is False and any(item.name == ANSWER for item in read_script(program).declarations):
        return f"unsat: {' '.join(validation.core)}"
    if validation.unique is False and validation.answer is not None:
        head, check, rest = program.rpartition(CHECK)
        without = f"{head}(assert (not (= {ANSWER} {validation.answer})))\n{check}{rest}"
        other = dict(validate(ValidationCase("", without)).model)
        if second := other.pop(ANSWER, ""):
            values = [f"{name}={value}" for name, value in other.items()]
            listed = ", ".join([*values[:MOST_VALUES], *(["…"] if len(values) > MOST_VALUES else [])])
            return f"{ANSWER} may be {validation.answer} or {second}: {listed}"
    alignment = align_clauses(problem, program)
    return f"missing: {alignment.clauses[alignment.missing[0]].text}" if alignment.missing else ""


@dataclass(frozen=True, slots=True)
class Course:
    """The drafts of one program in their order, and whether they vote."""

    drafts: list[JudgedProgram]
    votes: bool

    @property
    def best(self) -> list[JudgedProgram]:
        """Return the drafts of most merit, those with the commonest outcome first."""
        merit = max(draft.merit for draft in self.drafts)
        best = [draft for draft in self.drafts if draft.merit == merit]
        counts = Counter(draft.outcome for draft in best)
        return sorted(best, key=lambda draft: -counts[draft.outcome])

    def decided(self, rounds: int) -> bool:
        """Tell whether no other draft is asked for: there is no objection, and the remaining votes cannot change the outcome."""
        left, best = rounds + 1 - len(self.drafts), self.best
        (_, most), *others = [*Counter(draft.outcome for draft in best).most_common(2), (None, 0)]
        return left <= 0 or (not best[0].message and (not self.votes or most > others[0][1] + left))

    def chat(self, problem: str) -> list[dict[str, str]]:
        """Return the request for another draft."""
        if self.votes:
            return chat_turns(CLAUSE_BY_CLAUSE, problem)
        last = self.drafts[-1]
        return chat_turns(CORRECT, f"{problem}\n\nProgram:\n{last.program.strip()}\n\nSolver:\n{last.message}")


def refine_programs(
    run: RunFolder,
    writing: generation.WriterSettings,
    *,
    held: bool,
    rounds: int | None = None,
    device: str = "auto",
    watch: StageWatch | None = None,
) -> Stage:
    """Let the model with the adapter write programs again; seal `answers.jsonl`, `rounds.jsonl` and `refined_outputs.csv`.

    Without `rounds`, there are `ROUNDS` corrections or, clause by clause, `DRAFTS` further drafts. Where the time of `watch` is over, the programs stay as they are.
    Raises `HarnessError` where the programs are not sealed, or the weights are missing.
    """
    distilled = generation.WriterModel.DISTILLED
    source = generation.stage_name(distilled, held=held)
    votes = plan_of(run).form is OutputForm.CLAUSES
    rounds = rounds or (DRAFTS if votes else ROUNDS)
    options = {"held": held, "rounds": rounds, **asdict(writing), "asked": CLAUSE_BY_CLAUSE if votes else CORRECT}
    folders = [run.stage(name).folder for name in (FORMAT, TRAINED, source)]
    wanted = stage_for_inputs(run, generation.stage_name(REFINED, held=held), options, *folders, code=JUDGING)
    if wanted.finished:
        return wanted.stage
    programs = {name: record["program"] for name, record in generation.answers_of(run, source).items()}
    texts = {problem.id: problem.problem.strip() for problem in evaluation_of(run) if problem.id in programs}
    stage = wanted.begin(keep=REQUESTS)
    watch = watch or StageWatch(stage.folder.name)
    writer = None if watch.over else generation.writer_of(run, distilled, writing, held=held, device=device)
    began, requests = time.monotonic(), list[dict[str, Any]]()
    courses = {name: Course([judged_program(programs[name], text)], votes) for name, text in texts.items()}
    for number in range(1, rounds + 1):
        chats = [(name, course.chat(texts[name])) for name, course in courses.items() if not course.decided(rounds)]
        # Greedy decoding answers the same request alike: only the first correction is not sampled.
        drawn = votes or number > 1
        drawing = replace(writer, seed=number if drawn else None) if writer else None
        for record in generation.write_all(stage, drawing, chats, watch, round=number, drawn=drawn):
            drafts = courses[record["id"]].drafts
            requests.append({**record, "said": drafts[-1].message})
            drafts.append(judged_program(record["program"], texts[record["id"]]))
    kept = {name: course.best[0] for name, course in courses.items()}
    rows = (
        (name, course.drafts[0].validation.valid, kept[name].validation.valid, len(course.drafts) - 1)
        for name, course in courses.items()
    )
    files: dict[str, Any] = {
        generation.ANSWERS: [{"id": name, "program": draft.program} for name, draft in kept.items()],
        REQUESTS: requests,
        TABLE: table((dict(zip(COLUMNS, row, strict=True)) for row in rows), COLUMNS),
    }
    # The time of an interrupted run is not in that of this run.
    seconds = max(time.monotonic() - began, sum(record["seconds"] for record in requests))
    left = sum(not course.decided(rounds) for course in courses.values())
    counts = {"programs": len(courses), "corrections": len(requests)}
    stage.seal(files, wanted.manifest(options=options, counts=counts, seconds=round(seconds, 1), **{LEFT: left}))
    return stage
