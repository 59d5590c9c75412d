"""Flawed solutions as reports show them: the declaration of their stage, discard reasons, claims and proofs."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from harness.records.mutation import DiscardedChange, FlawRecord
from harness.stages import MUTATION
from harness.text.characters import one_line, spaced
from reports.views.certified_stage import CertifiedStage
from reports.views.phrases import POSITIONS
from reports.views.tables import Cell, Column, Kind, Row, Section, Table, Tone, numbers, ranked

REASONS: Mapping[str, str] = {
    "negative": "An amount, count, length or time would be less than nothing.",
    "zero": "Nothing would be left of something that the solution goes on with.",
    "not_whole": "Something counted would not be whole, such as 3.7 people, or money not in whole cents.",
    "out_of_range": "A share would be more than the whole, or a value of quite another size.",
    "unwritable": "A value cannot be written in the place of the old one, such as a fraction without end.",
    "same_answer": "The answer stays the same, though a value differs.",
    "equivalent": "Proved to give the same answer for all inputs: it is no mistake.",
    "same_answer_here": "Another computation, but the same answer to this question.",
    "perhaps_equivalent": "The same answer here, and neither proof nor counterexample.",
    "not_stated": "The line does not state the value that changes.",
    "not_shown": "The line computes something else than the program's step.",
    "doubted": "The text, read again, does not certainly match the label: a second equation would be false, none would be, or a line cannot be read.",
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


def proof_of(flaw: FlawRecord) -> list[str]:
    """Return what is proved of a flawed solution: the claim as a clause, the change, the correctness of the rest, and the answers."""
    claim = _CLAIMS[flaw.certificate.claim]
    certificate, change = flaw.certificate, flaw.certificate.change
    line, variable, before, after = change.line, change.variable, change.before, change.after
    place = "In the final answer" if line == "FA" else f"On {line}"
    if certificate.mutant is None:
        codes = {name: code for _, name, code in certificate.oracle.steps}
        first = f"{place} the solution says {variable} = {after}, but {codes.get(variable, variable)} gives {before}."
        rest = len(certificate.oracle.steps) - 1
        others = f"The other {rest} steps hold exactly" if rest != 1 else "The other step holds exactly"
        return [claim, first, f"{others} for the values that the text states.", _answers(flaw)]
    if line == "FA":
        first = f"{place} the solution reports {after}, but the question asks for {before}."
    elif not after:
        first = f"The step {variable} = {before} is missing."
    elif not before:
        first = f"{place} the solution has an extra step: {variable} = {after}."
    else:
        first = f"{place} the solution works out {variable} as {after}, not as {before}."
    return [claim, first, "Every step holds exactly for the values that the text states.", _answers(flaw)]


def _answers(flaw: FlawRecord) -> str:
    texts = (flaw.solution, flaw.flawed_solution)
    right, wrong = (text.rpartition("####")[2].strip() for text in texts)
    return f"With the numbers of the question the answer is {wrong}, where {right} is right."


def strata_sections(strata: Counter[Any]) -> list[Section]:
    """Return counts by type of error and tier, and by class, tier and position of the wrong line."""
    types, places, totals = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    tiers = list(map(_tier_title, sorted({tier for _, _, tier, _ in strata}, key=_tier_order)))
    by_class = sorted(strata.items(), key=lambda item: (item[0][0], _tier_order(item[0][2])))
    for (error_class, error_type, tier, position), count in by_class:
        types[error_type, _tier_title(tier)] += count
        places[f"{error_class}, {_tier_title(tier)}", position] += count
        totals[error_type] += count
    by_type = _matrix("type of error", types, [name for name, _ in ranked(totals)], tiers)
    if totals:
        sums = (sum(types[name, tier] for name in totals) for tier in tiers)
        last: Row = [Cell("all", Tone.STRONG), *sums, Cell(totals.total(), Tone.STRONG)]
        by_type = replace(by_type, rows=[*by_type.rows, last])
    by_place = _matrix("class", places, dict.fromkeys(name for name, _ in places), POSITIONS)
    return [
        Section("Flawed solutions by type of error and tier", [by_type]),
        Section("Tier and position of the wrong line", [by_place]),
    ]


def _matrix(title: str, counts: Counter[tuple[str, str]], names: Iterable[str], columns: Sequence[str]) -> Table:
    """Return counts by name and column, with the sum of each row; the shade of a cell is its share of the largest."""
    most, rows = max(counts.values(), default=0), list[Row]()
    for name in names:
        own = [counts[name, column] for column in columns]
        cells = (Cell(count, share=count / most if count else None) for count in own)
        rows.append([one_line(spaced(name)), *cells, Cell(sum(own), Tone.STRONG)])
    return Table([Column(title, Kind.NAME), *numbers(*columns, "all")], rows, "no flawed solution")


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
    reasons=REASONS,
    record_class=FlawRecord,
    artefacts=("computational.jsonl", "conceptual.jsonl"),
    discard_class=DiscardedChange,
    id_of=lambda flaw: flaw.flaw_id,
    group_of=lambda flaw: flaw.label.error_details.error_type,
    is_marked=lambda flaw: flaw.needs_edit,
    stratum=lambda flaw: (
        *(flaw.label.error_details.error_class, flaw.label.error_details.error_type),
        *(flaw.tier, flaw.position),
    ),
    strata_sections=strata_sections,
)
