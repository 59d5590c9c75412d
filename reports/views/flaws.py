"""Flawed solutions as reports show them: the declaration of their stage, discard reasons, claims and proofs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.records.mutation import DiscardedChange, FlawRecord
from harness.stages import MUTATION
from harness.text.characters import one_line, spaced
from reports.views.certified_stage import CertifiedStage, Tally
from reports.views.phrases import POSITIONS
from reports.views.tables import Cell, Column, Kind, Section, Table, Tone, Value, numbers, ranked

REASONS: Mapping[str, str] = {
    "negative": "An amount, count, length or time would be less than nothing.",
    "zero": "Nothing would be left of something that the solution goes on with.",
    "not_whole": "Something counted would not be whole, such as 3.7 people, or money not in whole cents.",
    "part_over_whole": "A part would be larger than its whole.",
    "out_of_range": "A share would be more than the whole, or a value of quite another size.",
    "unwritable": "A value cannot be written in the place of the old one, such as a fraction without end.",
    "elsewhere": "A second line would state a false equation: not one single point of failure.",
    "same_answer": "The answer stays the same, though a value differs.",
    "equivalent": "Proved to give the same answer for all inputs: it is no mistake.",
    "same_answer_here": "Another computation, but the same answer to this question.",
    "perhaps_equivalent": "The same answer here, and neither proof nor counterexample.",
    "no_equation": "The line states no equation that would become false.",
    "not_stated": "The line does not state the value that changes.",
    "not_shown": "The line computes something else than the program's step.",
    "unread": "A changed line cannot be read, so nothing can be proved about it.",
    "doubted": "The text, read again, does not certainly match the label.",
    "stale": "The words would still say the old value.",
    "earlier": "An earlier line mentions the value already.",
    "duplicate": "Another change gives the same text.",
    "fails": "The changed solution cannot be computed, such as a division by zero.",
}
Tier = int | str | None
GOOD_PLAUSIBILITY, POOR_PLAUSIBILITY = 0.6, 0.4
_CLAIMS = {
    "one-false-equation": "exactly one equation is false, and all that follows is consistent with it",
    "inequivalent-mutant": "every equation is true, one step is not the solution's, and the answer differs",
}


def claim_of(flaw: FlawRecord) -> str:
    """Return the claim of a flawed solution's certificate as a clause."""
    return _CLAIMS[flaw.certificate.claim]


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
    texts = (flaw.solution, flaw.flawed_solution)
    right, wrong = (text.rpartition("####")[2].strip() for text in texts)
    return f"With the numbers of the question the answer is {wrong}, where {right} is right."


@dataclass(slots=True)
class PositionMatrix(Tally[FlawRecord]):
    """Counts of flawed solutions by error class, tier and position of the wrong line, and by type of error and tier."""

    positions: Counter[tuple[str, Tier, str]] = field(default_factory=Counter)
    types: Counter[tuple[str, Tier]] = field(default_factory=Counter)

    def add(self, flaw: FlawRecord) -> None:
        """Count a flawed solution."""
        error = flaw.label.error_details
        self.positions[error.error_class, flaw.tier, flaw.position] += 1
        self.types[error.error_type, flaw.tier] += 1

    def sections(self) -> list[Section]:
        """Return both tables; the shade of a cell is its share of the largest."""
        tiers = sorted({tier for _, tier in self.types}, key=_tier_order)
        by_type = Counter[str]()
        for (name, _), count in self.types.items():
            by_type[name] += count
        types = [
            [one_line(spaced(name)), *shaded([self.types[name, tier] for tier in tiers], self.types)]
            for name, _ in ranked(by_type)
        ]
        tier_sums = [sum(self.types[name, tier] for name in by_type) for tier in tiers]
        if types:
            types.append([Cell("all", Tone.STRONG), *tier_sums, Cell(by_type.total(), Tone.STRONG)])
        keys = sorted({(name, tier) for name, tier, _ in self.positions}, key=lambda key: (key[0], _tier_order(key[1])))
        positions = [
            [
                f"{one_line(spaced(name))}, {_tier_title(tier)}",
                *shaded([self.positions[name, tier, position] for position in POSITIONS], self.positions),
            ]
            for name, tier in keys
        ]
        columns = [Column("type of error", Kind.NAME), *numbers(*map(_tier_title, tiers), "all")]
        return [
            Section("Flawed solutions by type of error and tier", [Table(columns, types, "no flawed solution")]),
            Section(
                "Tier and position of the wrong line",
                [Table([Column("class", Kind.NAME), *numbers(*POSITIONS, "all")], positions)],
            ),
        ]


def shaded(counts: Sequence[int], largest: Counter[Any]) -> list[Value]:
    """Return the counts of a row as cells shaded by their share of the largest, and their sum."""
    most = max(largest.values(), default=0) or 1
    return [*(Cell(count, share=count / most if count else None) for count in counts), Cell(sum(counts), Tone.STRONG)]


def _tier_order(tier: Tier) -> tuple[bool, bool, str]:
    return tier is None, isinstance(tier, str), str(tier)


def _tier_title(tier: Tier) -> str:
    return "no tier" if tier is None else one_line(f"tier {tier}", limit=40)


FLAWS: CertifiedStage[FlawRecord] = CertifiedStage(
    stage=MUTATION,
    noun="flaw",
    title="flawed solution",
    change="change",
    group="type of error",
    marked="edit",
    marked_phrase="need an edit",
    origin="Formalizations that solutions were made from",
    sample_spread="tiers and positions",
    reasons=REASONS,
    record_class=FlawRecord,
    artefacts=("computational.jsonl", "conceptual.jsonl"),
    discard_class=DiscardedChange,
    id_of=lambda flaw: flaw.flaw_id,
    group_of=lambda flaw: flaw.label.error_details.error_type,
    is_marked=lambda flaw: flaw.needs_edit,
    tally=PositionMatrix,
)
