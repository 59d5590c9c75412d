"""Flawed solutions as reports show them: the declaration of their stage, discard reasons, claims and proofs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from harness.stages import MUTATION
from reports.views.artefacts import SealedStage
from reports.views.derived_stage import DerivedStage, DiscardReason, RecordGroup
from reports.views.records import ERROR_CLASSES, POSITIONS, Flaw

REASONS: Mapping[str, DiscardReason] = {
    "absurd": DiscardReason("absurd value", "A value would be absurd for its unit: half a person, less than nothing."),
    "unwritable": DiscardReason(
        "unwritable", "A value cannot be written where the old one stood: a fraction without end, say."
    ),
    "elsewhere": DiscardReason(
        "two errors", "A second line would state a false equation: not one single point of failure."
    ),
    "same_answer": DiscardReason("same answer", "The answer stays the same, though a value differs."),
    "equivalent": DiscardReason("equivalent", "Proved to give the same answer whatever the inputs: no mistake."),
    "same_answer_here": DiscardReason("same answer here", "Another computation, but the same answer to this question."),
    "perhaps_equivalent": DiscardReason(
        "perhaps equivalent", "The same answer here, and neither proof nor counterexample."
    ),
    "no_equation": DiscardReason("no equation", "The line states no equation that would become false."),
    "not_stated": DiscardReason("not stated", "The line does not state the value that changes."),
    "not_shown": DiscardReason("not shown", "The line works out something else than the program's step does."),
    "unread": DiscardReason(
        "unreadable", "A changed line says something that cannot be read, so nothing is certain of it."
    ),
    "doubted": DiscardReason("doubted", "The text, read again, does not say for certain what the label says."),
    "stale": DiscardReason("old value left", "The words would still say the old value."),
    "earlier": DiscardReason("said before", "An earlier line mentions the value already."),
    "duplicate": DiscardReason("duplicate", "Another change gives the very same text."),
    "fails": DiscardReason("cannot compute", "The changed solution cannot be computed: a division by zero, say."),
}
GOOD_PLAUSIBILITY, POOR_PLAUSIBILITY = 0.6, 0.4
_CLAIMS = {
    "one-false-equation": "exactly one equation is false, and all that follows is consistent with it",
    "inequivalent-mutant": "every equation is true, one step is not the solution's, and the answer differs",
}


def claim_of(flaw: Flaw) -> str:
    """Return what the certificate of a flawed solution claims, in half a sentence."""
    claim = flaw["certificate"]["claim"]
    return _CLAIMS.get(claim, claim)


def proof_of(flaw: Flaw) -> list[str]:
    """Return what is proved of a flawed solution, a sentence each: the one change, and that nothing else is wrong."""
    certificate, change = flaw["certificate"], flaw["certificate"]["change"]
    line, variable, before, after = (change.get(key, "") for key in ("line", "variable", "from", "to"))
    place = "In the final answer" if line == "FA" else f"On {line}"
    if certificate["mutant"] is None:
        codes = {name: code for _, name, code in certificate["oracle"]["steps"]}
        said = f"{place} the solution says {variable} = {after}, but {codes.get(variable, variable)} gives {before}."
        rest = len(certificate["oracle"]["steps"]) - 1
        others = f"The other {rest} steps hold exactly" if rest != 1 else "The other step holds exactly"
        return [said, f"{others} for the values that the text states.", _answers(flaw)]
    if line == "FA":
        said = f"{place} the solution reports {after}, but the question asks for {before}."
    elif not after:
        said = f"The step {variable} = {before} is missing."
    elif not before:
        said = f"{place} stands a step that the solution has not: {variable} = {after}."
    else:
        said = f"{place} the solution works out {variable} as {after}, not as {before}."
    return [said, "Every step holds exactly for the values that the text states.", _answers(flaw)]


def _answers(flaw: Flaw) -> str:
    right, wrong = (answer_of(flaw[key]) for key in ("solution", "flawed_solution"))
    return f"With the numbers of the question the answer is {wrong}, where {right} is right."


def answer_of(solution: str) -> str:
    """Return what stands after the last `####` of a solution."""
    return solution.rpartition("####")[2].strip()


def class_order(name: str) -> tuple[int, str]:
    """Return the place of an error class; unknown classes come last, by name."""
    return (ERROR_CLASSES.index(name) if name in ERROR_CLASSES else len(ERROR_CLASSES), name)


@dataclass(frozen=True, slots=True)
class PositionRow:
    """The flawed solutions of an error class and a tier: `counts` at each of `POSITIONS`."""

    error_class: str
    tier: int | None
    counts: tuple[int, ...]


@dataclass(slots=True)
class PositionMatrix:
    """Counts of flawed solutions by error class, tier and position of the wrong line."""

    counts: Counter[tuple[str, int | None, str]] = field(default_factory=Counter)

    def add(self, flaw: Flaw) -> None:
        """Count a flawed solution."""
        self.counts[flaw["label"]["error_details"]["error_class"], flaw["tier"], flaw["position"]] += 1

    def rows(self) -> list[PositionRow]:
        """Return a row for each class and tier that has a flawed solution."""
        keys = sorted(
            {(name, tier) for name, tier, _ in self.counts}, key=lambda row: (class_order(row[0]), row[1] or 0)
        )
        return [
            PositionRow(name, tier, tuple(self.counts[name, tier, position] for position in POSITIONS))
            for name, tier in keys
        ]


def _group_of(flaw: Flaw) -> RecordGroup:
    details = flaw["label"]["error_details"]
    return RecordGroup(class_order(details["error_class"]), details["error_type"])


def _records(stage: SealedStage, problem_id: str | None, beginning: str | None) -> Iterator[Flaw]:
    return stage.flaws(problem_id, beginning=beginning)


FLAWS: DerivedStage[Flaw] = DerivedStage(
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
    records=_records,
    discarded=SealedStage.discarded,
    id_of=lambda flaw: flaw["flaw_id"],
    operator_of=lambda flaw: flaw["operator"],
    group_of=_group_of,
    is_marked=lambda flaw: flaw["needs_edit"],
)
