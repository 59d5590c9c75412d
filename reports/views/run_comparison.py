"""The differences between two runs: the problems whose oracle changed, and the claims whose verdict did."""

from collections import Counter
from dataclasses import dataclass

from harness.domain import Verdict
from harness.text.characters import one_line
from harness.text.nouns import counted
from reports.views.artefacts import SealedStage
from reports.views.phrases import CLAIM_TITLES, pair_of
from reports.views.tables import Column, Prose, Row, Section, Table, Tone, numbers

LONGEST_REASON = 160


@dataclass(frozen=True, slots=True)
class OracleSide:
    """The oracle of a problem in one run; without one, `model` is empty."""

    model: str = ""
    value: str = ""
    code: str = ""
    clique: tuple[str, ...] = ()
    p_right: float | None = None

    @property
    def program(self) -> tuple[str, str]:
        """The model and its code."""
        return self.model, self.code

    @property
    def text(self) -> str:
        """The oracle in a line."""
        p_right = "" if self.p_right is None else f", p_right {self.p_right:.2f}"
        told = f"{self.model}: {self.value} (clique of {len(self.clique)}{p_right})" if self.model else "none"
        return one_line(told, limit=LONGEST_REASON)


@dataclass(frozen=True, slots=True)
class OracleChange:
    """A problem whose oracle differs between the runs."""

    problem_id: str
    question: str
    before: OracleSide
    after: OracleSide

    @property
    def kind(self) -> str:
        """The change in words."""
        if not self.before.model or not self.after.model:
            return "gained" if self.after.model else "lost"
        return "another program of the same value" if self.before.value == self.after.value else "another value"


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A claim whose status differs between the runs; `program_changed` tells that a program it is about differs, too."""

    before: Verdict
    after: Verdict
    program_changed: bool

    @property
    def reason(self) -> str:
        """Return the reason or the method of the verdict in the later run."""
        return self.after.reason or self.after.method or ""


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
        counts = Counter((change.after.claim, change.before.status, change.after.status) for change in self.verdicts)
        rows: list[Row] = [
            [CLAIM_TITLES[claim], before.name, after.name, count]
            for (claim, before, after), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        ]
        return Table([Column("claim"), Column("in A"), Column("in B"), *numbers("claims")], rows)

    def sections(self, most: int) -> list[Section]:
        """Return the sections of the terminal, with so many changes of a kind at most."""
        oracles = [[change.problem_id, change.kind, change.before.text, change.after.text] for change in self.oracles]
        verdicts = []
        for change in self.verdicts:
            after = change.after
            turn = f"{change.before.status.name} → {after.status.name}"
            why = one_line(change.reason, limit=LONGEST_REASON) + " (program differs)" * change.program_changed
            verdicts.append([CLAIM_TITLES[after.claim], after.problem_id, pair_of(after), turn, why])
        sections = [Section("", [Prose(f"A: {self.before}   B: {self.after}", Tone.STRONG)])]
        verdict_heads = ("claim", "problem", "models", "change", "why in B")
        for title, heads, rows, more in (
            ("Oracles that changed", ("problem", "change", "A", "B"), oracles, []),
            ("Verdicts that changed", verdict_heads, verdicts, [self.transitions]),
        ):
            if rows:
                left_out = len(rows) - most
                rest = [Prose(f"… and {left_out:,} more; all by --html", Tone.WEAK)] if left_out > 0 else []
                sections.append(Section(title, [*more, Table([Column(head) for head in heads], rows[:most]), *rest]))
        return [*sections, Section("", [Prose(self.sentence, Tone.STRONG, command=True)])]

    @property
    def sentence(self) -> str:
        """Return the result in a sentence."""
        before, after = (one_line(name, limit=60) for name in (self.before, self.after))
        if not self.shared:
            names = f"{before} has {len(self.only_before):,}, {after} {len(self.only_after):,} others"
            return f"The runs have no problem in common: {names}. Compare runs on one corpus, whose problems have the same ids."
        kinds = Counter(change.kind for change in self.oracles)
        parts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items(), key=lambda entry: -entry[1]))
        their = "its" if len(self.oracles) == 1 else "their"
        changed = f"{len(self.oracles):,} changed {their} oracle{f' ({parts})' if parts else ''}"
        text = f"{counted(self.shared, 'problem')} in both runs: {changed}; {len(self.verdicts):,} of {self.claims:,} claims changed verdict"
        if self.programs_changed:
            text += f"; {self.programs_changed:,} program{' differs' if self.programs_changed == 1 else 's differ'}"
        for name, missing in ((before, self.only_before), (after, self.only_after)):
            text += f"; {counted(len(missing), 'problem')} only in {name}" if missing else ""
        return f"{text}."


def compare_runs(before: SealedStage, after: SealedStage) -> RunComparison:
    """Compare the formalization stages of two runs."""
    stages = (before, after)
    questions, later = ({problem.problem_id: problem.question for problem in stage.problems()} for stage in stages)
    shared = questions.keys() & later.keys()
    codes, newer = (
        {(program.problem_id, program.model): program.code for program in stage.programs()} for stage in stages
    )
    changed = {key for key in codes.keys() & newer.keys() if codes[key] != newer[key]}
    old, new = ({verdict.key: verdict for verdict in stage.verdicts()} for stage in stages)
    both = sorted(key for key in old.keys() & new.keys() if key[1] in shared)
    first, second = _sides(before), _sides(after)
    none = OracleSide()
    changes = (OracleChange(own, later[own], first.get(own, none), second.get(own, none)) for own in sorted(shared))
    return RunComparison(
        before=before.run.name,
        after=after.run.name,
        shared=len(shared),
        only_before=tuple(sorted(questions.keys() - shared)),
        only_after=tuple(sorted(later.keys() - shared)),
        programs_changed=len(changed),
        claims=len(both),
        oracles=tuple(own for own in changes if own.before.program != own.after.program),
        verdicts=tuple(
            VerdictChange(old[key], new[key], program_changed=any((key[1], model) in changed for model in key[2:]))
            for key in both
            if old[key].status is not new[key].status
        ),
    )


def _sides(stage: SealedStage) -> dict[str, OracleSide]:
    chosen = {(record.problem_id, record.oracle): record for record in stage.consensus()}
    sides = {}
    for own in stage.programs():
        consensus = chosen.get((own.problem_id, own.model))
        if consensus is not None:
            oracle = OracleSide(own.model, own.value or "", own.code or "", consensus.clique, consensus.p_right)
            sides[own.problem_id] = oracle
    return sides
