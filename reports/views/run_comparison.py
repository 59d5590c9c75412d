"""Two runs side by side: which problems changed oracle, and which programs and pairs changed verdict."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.text.characters import one_line
from reports.views.record_titles import CLAIM_TITLES
from reports.views.tables import Column, Prose, Row, Section, Table, Tone, numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Status, Verdict
    from harness.records.formalization import ConsensusRecord
    from reports.views.artefacts import SealedStage

LONGEST_REASON = 160


class OracleChangeKind(enum.StrEnum):
    """The change of a problem's oracle."""

    GAINED = "gained"
    LOST = "lost"
    ANOTHER_VALUE = "another value"
    ANOTHER_PROGRAM = "another program of the same value"


@dataclass(frozen=True, slots=True)
class OracleSide:
    """The oracle of a problem in one run; without one, `model` is empty."""

    model: str = ""
    value: str = ""
    code: str = ""
    clique: tuple[str, ...] = ()
    confidence: float = 0.0
    p_right: float | None = None


@dataclass(frozen=True, slots=True)
class OracleChange:
    """A problem whose oracle differs between the runs."""

    problem_id: str
    question: str
    kind: OracleChangeKind
    before: OracleSide
    after: OracleSide


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A claim whose status differs between the runs; `program_changed` tells that a program it is about differs, too."""

    claim: str
    problem_id: str
    models: str
    before: Status
    after: Status
    reason: str
    program_changed: bool


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The differences between two runs, by problem, over the problems and the claims that both have."""

    before: str
    after: str
    shared: int
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    programs_changed: int
    claims: int
    oracles: tuple[OracleChange, ...]
    verdicts: tuple[VerdictChange, ...]

    @property
    def transitions(self) -> Table:
        """How many claims of each kind went from which status to which, the most first."""
        counts = Counter((change.claim, change.before, change.after) for change in self.verdicts)
        rows: list[Row] = [
            [CLAIM_TITLES.get(claim, claim), before.name, after.name, count]
            for (claim, before, after), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        ]
        return Table([Column("claim"), Column("in A"), Column("in B"), *numbers("claims")], rows)

    def sections(self, most: int) -> list[Section]:
        """Return the sections of the terminal, with so many changes of a kind at most."""
        oracles = [
            [change.problem_id, str(change.kind), _side_text(change.before), _side_text(change.after)]
            for change in self.oracles[:most]
        ]
        verdicts = [
            [
                *(CLAIM_TITLES.get(change.claim, change.claim), change.problem_id, change.models),
                f"{change.before.name} → {change.after.name}",
                one_line(change.reason, limit=LONGEST_REASON)
                + (" (program differs)" if change.program_changed else ""),
            ]
            for change in self.verdicts[:most]
        ]
        heads = (("problem", "change", "A", "B"), ("claim", "problem", "models", "change", "why in B"))
        tables = [
            Table([Column(title) for title in titles], rows)
            for titles, rows in zip(heads, (oracles, verdicts), strict=True)
        ]
        return [
            Section("", [Prose(f"A: {self.before}   B: {self.after}", Tone.STRONG)]),
            *([Section("Oracles that changed", [tables[0], *_rest(len(self.oracles), most)])] if self.oracles else []),
            *(
                [Section("Verdicts that changed", [self.transitions, tables[1], *_rest(len(self.verdicts), most)])]
                if self.verdicts
                else []
            ),
            Section("", [Prose(self.sentence, Tone.STRONG, command=True)]),
        ]

    @property
    def sentence(self) -> str:
        """Return the result in a sentence."""
        if not self.shared:
            names = f"{one_line(self.before, limit=60)} has {len(self.only_before):,}, {one_line(self.after, limit=60)} {len(self.only_after):,} others"
            return f"The runs have no problem in common: {names}. Compare runs on one corpus, whose problems have the same ids."
        kinds = Counter(str(change.kind) for change in self.oracles)
        parts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items(), key=lambda entry: -entry[1]))
        text = f"{self.shared:,} problem{'' if self.shared == 1 else 's'} in both runs: "
        their = "its" if len(self.oracles) == 1 else "their"
        text += f"{len(self.oracles):,} changed {their} oracle{f' ({parts})' if parts else ''}; "
        text += f"{len(self.verdicts):,} of {self.claims:,} claims changed verdict"
        if self.programs_changed:
            text += f"; {self.programs_changed:,} program{' differs' if self.programs_changed == 1 else 's differ'}"
        for name, missing in ((self.before, self.only_before), (self.after, self.only_after)):
            if missing:
                text += (
                    f"; {len(missing):,} problem{'' if len(missing) == 1 else 's'} only in {one_line(name, limit=60)}"
                )
        return f"{text}."


def _side_text(side: OracleSide) -> str:
    if not side.model:
        return "none"
    p_right = "" if side.p_right is None else f", p_right {side.p_right:.2f}"
    return one_line(f"{side.model}: {side.value} (clique of {len(side.clique)}{p_right})", limit=LONGEST_REASON)


def _rest(count: int, most: int) -> list[Prose]:
    return [Prose(f"… and {count - most:,} more; all by --html", Tone.WEAK)] if count > most else []


def compare_runs(before: SealedStage, after: SealedStage) -> RunComparison:
    """Compare the formalization stages of two runs."""
    questions = {problem.problem_id: problem.question for problem in before.problems()}
    later = {problem.problem_id: problem.question for problem in after.problems()}
    shared = questions.keys() & later.keys()
    changed = _changed_programs(before, after)
    old, new = _verdicts(before), _verdicts(after)
    both = sorted(key for key in old.keys() & new.keys() if key[1] in shared)
    verdicts = tuple(
        _verdict_change(old[key], new[key], changed) for key in both if old[key].status is not new[key].status
    )
    first, second = _sides(before), _sides(after)
    oracles = (
        _oracle_change(name, later[name], first.get(name, OracleSide()), second.get(name, OracleSide()))
        for name in sorted(shared)
    )
    return RunComparison(
        before=before.run.name,
        after=after.run.name,
        shared=len(shared),
        only_before=tuple(sorted(questions.keys() - shared)),
        only_after=tuple(sorted(later.keys() - shared)),
        programs_changed=len(changed),
        claims=len(both),
        oracles=tuple(change for change in oracles if change is not None),
        verdicts=verdicts,
    )


_Key = tuple[str, str, str, str]


def _verdicts(stage: SealedStage) -> Mapping[_Key, Verdict]:
    return {
        (verdict.claim, verdict.problem_id, verdict.left, verdict.right or ""): verdict for verdict in stage.verdicts()
    }


def _changed_programs(before: SealedStage, after: SealedStage) -> set[tuple[str, str]]:
    """Return problem and model of the programs that both runs have and that differ."""
    old = {(program.problem_id, program.model): program.code for program in before.programs()}
    new = {(program.problem_id, program.model): program.code for program in after.programs()}
    return {key for key in old.keys() & new.keys() if old[key] != new[key]}


def _verdict_change(old: Verdict, new: Verdict, changed: set[tuple[str, str]]) -> VerdictChange:
    models = [new.left, *([] if new.right is None else [new.right])]
    return VerdictChange(
        new.claim,
        new.problem_id,
        " ~ ".join(models),
        old.status,
        new.status,
        new.reason or new.method or "",
        program_changed=any((new.problem_id, model) in changed for model in models),
    )


def _sides(stage: SealedStage) -> Mapping[str, OracleSide]:
    chosen: Mapping[tuple[str, str | None], ConsensusRecord] = {
        (record.problem_id, record.oracle): record for record in stage.consensus()
    }
    return {
        program.problem_id: OracleSide(
            program.model,
            program.value or "",
            program.code or "",
            consensus.clique,
            consensus.confidence,
            consensus.p_right,
        )
        for program in stage.programs()
        if (consensus := chosen.get((program.problem_id, program.model))) is not None
    }


def _oracle_change(problem_id: str, question: str, before: OracleSide, after: OracleSide) -> OracleChange | None:
    if (before.model, before.code) == (after.model, after.code):
        return None
    if not before.model or not after.model:
        kind = OracleChangeKind.GAINED if after.model else OracleChangeKind.LOST
    else:
        kind = OracleChangeKind.ANOTHER_PROGRAM if before.value == after.value else OracleChangeKind.ANOTHER_VALUE
    return OracleChange(problem_id, question, kind, before, after)
