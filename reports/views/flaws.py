"""Flawed solutions as reports show them: the declaration of their stage, discard reasons, claims and proofs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.records.mutation import DiscardedChange, FlawRecord
from harness.stages import MUTATION
from reports.views.certified_stage import CertifiedStage, DiscardReason, RecordGroup
from reports.views.record_titles import ERROR_CLASSES, POSITIONS

REASONS: Mapping[str, DiscardReason] = {
    "negative": DiscardReason("negative", "An amount, count, length or time would be less than nothing."),
    "zero": DiscardReason("zero", "Nothing would be left of something that the solution goes on with."),
    "not_whole": DiscardReason(
        "not whole", "Something counted would not be whole, such as 3.7 people, or money not in whole cents."
    ),
    "over_whole": DiscardReason("over the whole", "A share or percentage would be more than the whole."),
    "part_over_whole": DiscardReason("part over whole", "A part would be larger than its whole."),
    "too_old": DiscardReason("too old", "Somebody would be older than anybody gets."),
    "too_much_time": DiscardReason("too much time", "A day would have more than 24 hours, or the like."),
    "out_of_scale": DiscardReason("out of scale", "A value would be of quite another size."),
    "unwritable": DiscardReason(
        "unwritable", "A value cannot be written in the place of the old one, such as a fraction without end."
    ),
    "elsewhere": DiscardReason(
        "two errors", "A second line would state a false equation: not one single point of failure."
    ),
    "same_answer": DiscardReason("same answer", "The answer stays the same, though a value differs."),
    "equivalent": DiscardReason("equivalent", "Proved to give the same answer for all inputs: it is no mistake."),
    "same_answer_here": DiscardReason("same answer here", "Another computation, but the same answer to this question."),
    "perhaps_equivalent": DiscardReason(
        "perhaps equivalent", "The same answer here, and neither proof nor counterexample."
    ),
    "no_equation": DiscardReason("no equation", "The line states no equation that would become false."),
    "not_stated": DiscardReason("not stated", "The line does not state the value that changes."),
    "not_shown": DiscardReason("not shown", "The line computes something else than the program's step."),
    "unread": DiscardReason("unreadable", "A changed line cannot be read, so nothing can be proved about it."),
    "doubted": DiscardReason("doubted", "The text, read again, does not certainly match the label."),
    "stale": DiscardReason("old value left", "The words would still say the old value."),
    "earlier": DiscardReason("said before", "An earlier line mentions the value already."),
    "duplicate": DiscardReason("duplicate", "Another change gives the same text."),
    "fails": DiscardReason("cannot compute", "The changed solution cannot be computed, such as a division by zero."),
}
Tier = int | str | None
GOOD_PLAUSIBILITY, POOR_PLAUSIBILITY = 0.6, 0.4
_CLAIMS = {
    "one-false-equation": "exactly one equation is false, and all that follows is consistent with it",
    "inequivalent-mutant": "every equation is true, one step is not the solution's, and the answer differs",
}


def claim_of(flaw: FlawRecord) -> str:
    """Return the claim of a flawed solution's certificate as a clause."""
    claim = flaw.certificate.claim
    return _CLAIMS.get(claim, claim)


def proof_of(flaw: FlawRecord) -> list[str]:
    """Return the proved statements about a flawed solution: the change, the correctness of the rest, and the answers."""
    certificate, change = flaw.certificate, flaw.certificate.change
    line, variable, before, after = change.line, change.variable, change.before, change.after
    place = "In the final answer" if line == "FA" else f"On {line}"
    if certificate.mutant is None:
        codes = {name: code for _, name, code in certificate.oracle.steps}
        first = f"{place} the solution says {variable} = {after}, but {codes.get(variable, variable)} gives {before}."
        rest = len(certificate.oracle.steps) - 1
        others = f"The other {rest} steps hold exactly" if rest != 1 else "The other step holds exactly"
        return [first, f"{others} for the values that the text states.", _answers(flaw)]
    if line == "FA":
        first = f"{place} the solution reports {after}, but the question asks for {before}."
    elif not after:
        first = f"The step {variable} = {before} is missing."
    elif not before:
        first = f"{place} the solution has an extra step: {variable} = {after}."
    else:
        first = f"{place} the solution works out {variable} as {after}, not as {before}."
    return [first, "Every step holds exactly for the values that the text states.", _answers(flaw)]


def _answers(flaw: FlawRecord) -> str:
    right, wrong = answer_of(flaw.solution), answer_of(flaw.flawed_solution)
    return f"With the numbers of the question the answer is {wrong}, where {right} is right."


def answer_of(solution: str) -> str:
    """Return the text after the last `####` of a solution."""
    return solution.rpartition("####")[2].strip()


def class_order(name: str) -> tuple[int, str]:
    """Return the place of an error class; unknown classes come last, by name."""
    return (ERROR_CLASSES.index(name) if name in ERROR_CLASSES else len(ERROR_CLASSES), name)


@dataclass(frozen=True, slots=True)
class PositionRow:
    """The flawed solutions of an error class and a tier: `counts` at each of `POSITIONS`."""

    error_class: str
    tier: Tier
    counts: tuple[int, ...]


@dataclass(slots=True)
class PositionMatrix:
    """Counts of flawed solutions by error class, tier and position of the wrong line, and by type of error and tier."""

    counts: Counter[tuple[str, Tier, str]] = field(default_factory=Counter)
    types: Counter[tuple[str, Tier]] = field(default_factory=Counter)

    def add(self, flaw: FlawRecord) -> None:
        """Count a flawed solution."""
        error = flaw.label.error_details
        self.counts[error.error_class, flaw.tier, flaw.position] += 1
        self.types[error.error_type, flaw.tier] += 1

    def rows(self) -> list[PositionRow]:
        """Return a row for each class and tier that has a flawed solution."""
        keys = sorted(
            {(name, tier) for name, tier, _ in self.counts},
            key=lambda row: (class_order(row[0]), isinstance(row[1], str), row[1] or 0),
        )
        return [
            PositionRow(name, tier, tuple(self.counts[name, tier, position] for position in POSITIONS))
            for name, tier in keys
        ]


def _group_of(flaw: FlawRecord) -> RecordGroup:
    details = flaw.label.error_details
    return RecordGroup(class_order(details.error_class), details.error_type)


FLAWS: CertifiedStage[FlawRecord] = CertifiedStage(
    stage=MUTATION,
    noun="flaw",
    title="flawed solution",
    change="change",
    group="type of error",
    marked="edit",
    marked_apart=False,
    marked_phrase="need an edit",
    origin="Formalizations that solutions were made from",
    sample_spread="tiers and positions",
    reasons=REASONS,
    record_class=FlawRecord,
    artefacts=("computational.jsonl", "conceptual.jsonl"),
    discard_class=DiscardedChange,
    id_of=lambda flaw: flaw.flaw_id,
    operator_of=lambda flaw: flaw.operator,
    group_of=_group_of,
    is_marked=lambda flaw: flaw.needs_edit,
    provenance_of=lambda flaw: flaw.provenance,
)
