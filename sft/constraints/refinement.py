"""Refinement of programs: the model corrects its program after feedback, or draws it several times and the drafts vote.

The feedback does not depend on the gold answer. A later program replaces an earlier one unless it is worse by what the
solvers can check: valid, satisfiable, one answer only. The model decodes greedily; it samples where the same request was
made before.

A model that writes clause by clause gets no feedback of the solvers. It draws its program again; of the drafts that
neither the solvers nor the alignment of clauses object to, the commonest outcome is kept.

Source of the vote: Wang et al., Self-Consistency Improves Chain of Thought Reasoning in Language Models, ICLR 2023.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sft.constraints.adapter_training import STAGE as TRAINED
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of, form_of
from sft.constraints.feedback import ProgramJudge
from sft.constraints.generation import ANSWERS, WriterModel, answers_of, load, stage_name, write_all, writer_of
from sft.constraints.prompts import CLAUSE_BY_CLAUSE, CORRECT, OutputForm, chat_turns, correction_input
from sft.constraints.stages import JUDGING, StageWatch, stage_for_inputs, table_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.store.run_folder import RunFolder, Stage
    from sft.constraints.feedback import JudgedProgram
    from sft.constraints.generation import WriterSettings
    from sft.constraints.program_writer import ProgramWriter
    from sft.models.base_model import LoadedModel

REFINED = "refine"
ROUNDS = 3
"""How often a program is corrected."""
DRAFTS = 12
"""How often a program is drawn again where it is written clause by clause."""
TABLE = "refined_outputs.csv"
REQUESTS = "rounds.jsonl"
COLUMNS = ("id", "initial_valid", "final_valid", "iterations")


@dataclass(slots=True)
class Course:
    """The first and the kept version of a program, the number of rounds, and whether the last round failed to improve it.

    `drafts` are all programs that were drawn of it, in their order.
    """

    first: JudgedProgram
    last: JudgedProgram
    rounds: int = 0
    stuck: bool = False
    drafts: list[JudgedProgram] = field(default_factory=list)

    def correct(self, judged: JudgedProgram) -> None:
        """Keep a corrected program unless it is worse or the same."""
        better = judged.rank >= self.last.rank and judged.program.strip() != self.last.program.strip()
        self.stuck = not better
        if better:
            self.last = judged

    def vote(self, judged: JudgedProgram) -> None:
        """Add a draft, and keep the first one with the commonest outcome of those without objection, or else of the valid ones."""
        self.drafts.append(judged)
        among = self._best_drafts()
        votes = Counter(map(_outcome, among))
        self.last = max(among, key=lambda draft: votes[_outcome(draft)])

    def decided(self, rounds: int) -> bool:
        """Tell whether the remaining drafts cannot change the kept outcome."""
        left = rounds + 1 - len(self.drafts)
        (_, most), *others = Counter(map(_outcome, self._best_drafts())).most_common(2)
        second = others[0][1] if others else 0
        return not self.last.said and most > second + left

    def _best_drafts(self) -> list[JudgedProgram]:
        best = max(map(_merit, self.drafts))
        return [draft for draft in self.drafts if _merit(draft) == best]


def _merit(judged: JudgedProgram) -> tuple[bool, bool]:
    # Neither an answer nor satisfiability is a merit here: of a problem that asks whether something is possible, `unsat` is an answer.
    return not judged.said, judged.validation.valid is True


def _outcome(judged: JudgedProgram) -> tuple[bool | None, str | None]:
    return judged.validation.satisfiable, judged.validation.answer


@dataclass(frozen=True, slots=True)
class _Refinement:
    """The texts and courses of programs by id, and the stage, the judge, the writer, if there is time for one, and how often it writes."""

    stage: Stage
    judging: ProgramJudge
    watch: StageWatch
    texts: Mapping[str, str]
    courses: Mapping[str, Course]
    writer: ProgramWriter | None
    by_clause: bool
    rounds: int

    def is_open(self, course: Course) -> bool:
        """Tell whether another version of a program is asked for."""
        return not course.decided(self.rounds) if self.by_clause else bool(course.last.said)

    def round(self, number: int) -> list[dict[str, Any]]:
        """Let the model write each open program again; return the records of the round."""
        written: list[dict[str, Any]] = []
        open_ = {name: course for name, course in self.courses.items() if self.is_open(course)}
        # Greedy decoding answers the same prompt alike, so a program without progress is sampled.
        for drawn in (False, True):
            writer = self.writer.drawing(number) if self.writer and drawn else self.writer
            asked = [
                (name, self._chat(name)) for name, course in open_.items() if (course.stuck or self.by_clause) is drawn
            ]
            if asked:
                written += write_all(self.stage, writer, asked, self.watch, round=number, drawn=drawn)
        for record in written:
            course = self.courses[record["id"]]
            judged = self.judging.judge(record["program"], self.texts[record["id"]])
            record["said"], course.rounds = course.last.said, number
            (course.vote if self.by_clause else course.correct)(judged)
        return written

    def _chat(self, name: str) -> list[dict[str, str]]:
        """Return the request for another version of a program."""
        if self.by_clause:
            return chat_turns(CLAUSE_BY_CLAUSE, self.texts[name].strip())
        last = self.courses[name].last
        return chat_turns(CORRECT, correction_input(self.texts[name], last.program, last.said))


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
    """Correct the programs of the model with the adapter; seal `answers.jsonl`, `rounds.jsonl` and `refined_outputs.csv`.

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
    texts = {problem.id: problem.problem for problem in evaluation_of(run) if problem.id in programs}
    stage = wanted.begin(keep=REQUESTS)
    watch = watch or StageWatch(stage.folder.name)
    writer = None
    if not watch.over:
        model = loaded() if loaded else load(run, WriterModel.DISTILLED, writing, device)
        writer = writer_of(run, model, writing, held=held)
    began = time.monotonic()
    judging = ProgramJudge()
    try:
        first = {name: judging.judge(programs[name], text) for name, text in texts.items()}
        courses = {name: Course(judged, judged, drafts=[judged]) for name, judged in first.items()}
        refining = _Refinement(stage, judging, watch, texts, courses, writer, by_clause, rounds)
        requests = [record for number in range(1, rounds + 1) for record in refining.round(number)]
    finally:
        judging.close()
    # The time of an interrupted run is not in that of this run.
    seconds = max(time.monotonic() - began, sum(record["seconds"] for record in requests))
    rows = [
        {
            "id": name,
            "initial_valid": course.first.validation.valid,
            "final_valid": course.last.validation.valid,
            "iterations": course.rounds,
        }
        for name, course in courses.items()
    ]
    stage.seal(
        {
            ANSWERS: [{"id": name, "program": course.last.program} for name, course in courses.items()],
            REQUESTS: requests,
            TABLE: table_lines(rows, COLUMNS),
        },
        wanted.manifest(
            options=options,
            counts={"programs": len(courses), "corrections": len(requests)},
            left=sum(refining.is_open(course) and course.rounds < rounds for course in courses.values()),
            seconds=round(seconds, 1),
        ),
    )
    return stage
