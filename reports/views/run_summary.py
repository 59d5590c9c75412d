"""A run in a few lines: what was judged, how many oracles, which programs are wrong and why, and the next commands."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from harness.domain import Status
from harness.records.formalization import ProbabilityBasis
from harness.text.characters import one_line, spaced
from harness.text.nouns import counted
from reports.views import phrases
from reports.views.artefacts import SealedStage, command_of
from reports.views.formalization_counts import ProblemCounts, ProblemRecords, RunCounts
from reports.views.tables import Cell, Column, Kind, Prose, Row, Section, Table, Tone

MOST_ROWS, LONGEST_REASON, LONGEST_PARAGRAPH, LONGEST_NAME = 8, 160, 600, 40
SURE = 0.99


@dataclass(frozen=True, slots=True)
class Room:
    """The rows of a table that a brief shows at most, and the characters of a reason, of a paragraph above it and of a name."""

    rows: int
    reason: int
    paragraph: int
    name: int

    @classmethod
    def of(cls, width: int) -> Iterator[Self]:
        """Yield the rooms of a terminal of so many columns, from the largest; one row is left in the last alone."""
        name = min(LONGEST_NAME, max(8, width // 4))
        for paragraph in (LONGEST_PARAGRAPH, 2 * width):
            for reason in (LONGEST_REASON, LONGEST_REASON // 2, LONGEST_REASON // 4):
                yield from (cls(rows, reason, paragraph, name) for rows in range(MOST_ROWS, 1, -1))
        yield cls(1, LONGEST_REASON // 4, width, name)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A program that is wrong, with the reason; or, without a model, a problem that a person should look at."""

    problem_id: str
    model: str | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What came of a run: counts, and what is in doubt: problems to look at, then one program for each problem, then the others."""

    run: str
    outcome: str
    answers: int
    models: int
    with_gold: int
    right_on_gold: int
    certainty: str
    one_witness: str
    doubts: tuple[Doubt, ...]
    dissenters: int
    next: Mapping[str, str]

    @classmethod
    def of(cls, stage: SealedStage) -> Self:
        """Return the brief of a formalization stage. Errors as of `RunCounts.read`."""
        doubts: list[Doubt] = []
        gold = [0, 0]
        reasons: dict[str, str] = {}

        def add(records: ProblemRecords, _: ProblemCounts) -> None:
            doubts.extend(problem_doubts(records))
            reasons[records.problem.problem_id] = _look(records)
            right = right_on_gold(records)
            gold[0] += right is not None
            gold[1] += right is True

        counts = RunCounts.read(stage, add)
        looks = [Doubt(look.problem_id, None, reasons[look.problem_id] or look.why) for look in sorted(counts.looks)]
        by_problem = {doubt.problem_id: doubt for doubt in reversed(doubts)}
        firsts = [doubt for doubt in doubts if by_problem[doubt.problem_id] is doubt]
        others = [doubt for doubt in doubts if by_problem[doubt.problem_id] is not doubt]
        command = command_of(stage.run)
        shown = looks or firsts or [Doubt("ID", None, "")]
        return cls(
            run=stage.run.name,
            outcome=counts.sentence,
            answers=counts.responses.total(),
            models=len(counts.models()),
            with_gold=gold[0],
            right_on_gold=gold[1],
            certainty=phrases.kept_sentence(counts.p_right, counts.problems, SURE),
            one_witness=_one_witness(counts),
            doubts=(*looks, *firsts, *others),
            dissenters=len(doubts),
            next={
                "one problem:": f"{command} --problem {one_line(shown[0].problem_id, limit=60)}",
                "all tables:": f"{command} --verbose",
            },
        )

    def sections(self, room: Room) -> list[Section]:
        """Return what a terminal with such room shows."""
        gold = f"; {self.right_on_gold:,} of {self.with_gold:,} oracles right on gold" if self.with_gold else ""
        counts = (
            f"{counted(self.answers, 'answer')} of {counted(self.models, 'model')}{gold}; by p_right {self.certainty}."
        )
        tones = {self.outcome: Tone.STRONG, counts: Tone.PLAIN, self.one_witness: Tone.FAIR}
        head = [Prose(one_line(text, limit=room.paragraph), tone) for text, tone in tones.items() if text]
        return [Section("", head), *_doubts_and_commands(self, room, self.dissenters)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSummary:
    """A problem: its question, its oracle and its probability, and the programs that are wrong with the reasons."""

    problem_id: str
    question: str
    gold: str | None
    oracle: str | None
    value: str | None
    p_right: float | None
    right_on_gold: bool | None
    clique: tuple[str, ...]
    programs: int
    doubts: tuple[Doubt, ...]
    next: Mapping[str, str]

    @classmethod
    def of(cls, stage: SealedStage, records: ProblemRecords) -> Self:
        """Return the brief of a problem of a formalization stage."""
        problem, consensus = records.problem, records.consensus
        look = _look(records)
        oracle = None if consensus is None else consensus.oracle
        doubts = problem_doubts(records)
        return cls(
            problem_id=problem.problem_id,
            question=one_line(problem.question, limit=300),
            gold=problem.gold,
            oracle=oracle,
            value=next((own.value for own in records.programs if own.model == oracle), None),
            p_right=None if consensus is None else consensus.p_right,
            right_on_gold=right_on_gold(records),
            clique=() if consensus is None else consensus.clique,
            programs=len(records.programs),
            doubts=tuple([Doubt(problem.problem_id, None, look), *doubts] if look else doubts),
            next={"programs:": f"{command_of(stage.run)} --problem {one_line(problem.problem_id, limit=60)} --verbose"},
        )

    def sections(self, room: Room) -> list[Section]:
        """Return what a terminal with such room shows."""
        head = f"gold {'none' if self.gold is None else self.gold}; oracle "
        if self.oracle is None:
            head += "none"
        else:
            right = "" if self.right_on_gold is None else f", {'right' if self.right_on_gold else 'wrong'} on gold"
            chance = "" if self.p_right is None else f", p_right {self.p_right:.3f}"
            head += f"{self.oracle} gives {phrases.decimal(self.value or 'none')}{right}{chance}"
        head += f"; {len(self.clique):,} of {self.programs:,} programs agree."
        question = Prose(one_line(self.question, limit=room.paragraph))
        answer = Prose(one_line(head, limit=room.paragraph), Tone.STRONG)
        wrong = sum(doubt.model is not None for doubt in self.doubts)
        title = one_line(self.problem_id, limit=LONGEST_NAME)
        return [Section(title, [question, answer]), *_doubts_and_commands(self, room, wrong, named=False)]


def problem_doubts(records: ProblemRecords) -> list[Doubt]:
    """Return the programs outside the clique of a problem, each with one reason."""
    consensus, problem = records.consensus, records.problem
    if consensus is None:
        return []
    programs = {program.model: program for program in records.programs}
    values = {model: phrases.parameter_values(program.parameters) for model, program in programs.items()}
    pairs = (verdict for verdict in records.verdicts if verdict.right is not None)
    differing = {(pair.left, pair.right or ""): pair for pair in pairs if pair.counterexample is not None}
    doubts = []
    gold = problem.gold
    for dissenter in consensus.dissenters:
        pair = (min(dissenter.model, dissenter.against or ""), max(dissenter.model, dissenter.against or ""))
        verdict, program = differing.get(pair), programs.get(dissenter.model)
        value = "" if program is None else program.value
        reason = dissenter.reason or f"not proved to compute the same as {dissenter.against or 'another'}"
        if program is not None and program.reason is not None:
            reason = f"cannot be read: {program.reason}"
        elif verdict is None and gold and value and not phrases.is_equal(value, gold):
            reason = f"gives {phrases.decimal(value)}, the known answer is {phrases.decimal(gold)}"
        elif verdict is not None:
            reason = phrases.counterexample_sentence(verdict, values, dissenter.model)
            if dissenter.cause is not None:
                reason += f" ({spaced(dissenter.cause)})"
        doubts.append(Doubt(problem.problem_id, dissenter.model, one_line(reason, limit=LONGEST_REASON)))
    return doubts


def right_on_gold(records: ProblemRecords) -> bool | None:
    """Tell whether UT-1 confirmed the oracle by the known answer; `None` where there is no oracle or nothing to compare with."""
    oracle = None if records.consensus is None else records.consensus.oracle
    judged = (verdict for verdict in records.verdicts if verdict.claim == "ut1" and verdict.left == oracle)
    statuses = [verdict.status for verdict in judged if verdict.status is not Status.UNKNOWN]
    known = records.problem.gold is not None and oracle is not None and bool(statuses)
    return statuses[0] is Status.CONFIRMED if known else None


def _look(records: ProblemRecords) -> str:
    """Return why a person should look at a problem; empty where nothing asks for it."""
    if records.consensus is None:
        return "no consensus was written"
    return phrases.reason_to_look(records.consensus, records.problem.gold) or ""


def _one_witness(counts: RunCounts) -> str:
    """Return why probabilities are lower than the number of programs that agree suggests; empty where they are not."""
    low = sum(probability < SURE for probability in counts.p_right)
    witnesses = {own.family or own.one_witness_with or model for model, own in counts.judged_models.items()}
    alone = counts.bases[ProbabilityBasis.PRIOR]
    if not low or not (alone or len(witnesses) == 1 < len(counts.models())):
        return ""
    return "Samples of one model, or models that never differ, are one witness, which lowers p_right: add answers of another model."


def _doubts_and_commands(
    brief: RunSummary | ProblemSummary, room: Room, dissenters: int, *, named: bool = True
) -> Iterator[Section]:
    """Yield the rows that have room, and the next commands.

    Problems to look at take at most half of the rows where wrong programs need the rest.
    """
    if doubts := brief.doubts:
        wrong = [doubt for doubt in doubts if doubt.model is not None]
        looks = doubts[: min(len(doubts) - len(wrong), max(room.rows // 2, room.rows - len(wrong)))]
        shown = [*looks, *wrong[: room.rows - len(looks)]]
        rows: list[Row] = []
        for doubt in shown:
            program = one_line(doubt.model, limit=room.name) if doubt.model else Cell("look at it", Tone.FAIR)
            row = [one_line(doubt.problem_id, limit=room.name), program, one_line(doubt.reason, limit=room.reason)]
            rows.append(row[not named :])
        columns = [Column("problem", Kind.NAME), Column("program", Kind.NAME), Column("why it is wrong or in doubt")]
        listed = len(shown) - len(looks)
        are = "is" if listed == 1 else "are"
        more = Prose(f"{dissenters:,} programs differ from their oracle; {listed:,} {are} shown.", Tone.WEAK)
        yield Section("", [Table(columns[not named :], rows), *([more] if dissenters > listed else [])])
    commands = [Prose(f"{name:<12} {command}", command=True) for name, command in brief.next.items()]
    yield Section("", commands, terminal=True)
