"""The certified records of a run as reports show them: flawed solutions, from solutions, and variants, from problems; their figures, changes and proofs."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from harness.domain import Status
from harness.program.evaluation.evaluator import format_exact
from harness.program.syntax.unparser import unparse
from harness.records.mutation import DiscardedChange, FlawRecord
from harness.records.variant import DiscardedEdit, VariantRecord
from harness.stages import MUTATION, VARIANT
from harness.text.characters import one_line, replace_surrogates, spaced
from reports.views.artefacts import SealedStage, command_of, open_stage
from reports.views.phrases import POSITIONS, STANDINGS, VARIANT_CLASSES, selection_phrase
from reports.views.solution_diff import Pieces, TextPiece
from reports.views.tables import Cell, Column, Kind, Prose, Row, Section, Table, Tone, command_section, numbers, ranked

FEW_GROUPS = 3
Stratum = tuple[Any, ...]
CertifiedRecord = TypeVar("CertifiedRecord", bound=FlawRecord | VariantRecord)


@dataclass(frozen=True, slots=True)
class CertifiedStage(Generic[CertifiedRecord]):
    """Declaration of a stage for reports: its words, and access to its records, which are shown beside their originals.

    `noun` is a record in options and heads, `title` in sentences, `change` an attempt of an operator, `group` the head of the groups of
    operators. `marked` records need an edit or are near-twins.
    `origin` is the head of the formalizations that records rest on. Records are also counted by `stratum`, which `strata_sections` show.
    """

    stage: str
    noun: str
    title: str
    change: str
    group: str
    marked: str
    marked_phrase: str
    origin: str
    reasons: Mapping[str, str]
    record_class: type[CertifiedRecord]
    artefacts: tuple[str, ...]
    discard_class: type[DiscardedChange | DiscardedEdit]
    id_of: Callable[[CertifiedRecord], str]
    group_of: Callable[[CertifiedRecord], str]
    is_marked: Callable[[CertifiedRecord], bool]
    stratum: Callable[[CertifiedRecord], Stratum | None] = lambda _: None
    strata_sections: Callable[[Counter[Stratum]], Sequence[Section]] = lambda _: ()

    def records(
        self, stage: SealedStage, problem_id: str | None = None, *, beginning: str = ""
    ) -> Iterator[CertifiedRecord]:
        """Yield the records, those of a problem if `problem_id` is given; only those whose ids start with `beginning`."""
        for name in self.artefacts:
            for record in stage.records(self.record_class, name, problem_id, beginning=beginning):
                if self.id_of(record).startswith(beginning):
                    yield record

    def figures(self, run: Path) -> "CertifiedFigures[CertifiedRecord]":
        """Read a stage once and return its figures. Errors as of `open_stage`."""
        figures = CertifiedFigures(self, open_stage(run, self.stage))
        for record in self.records(figures.stage):
            figures.add(record)
        figures.complete()
        return figures


@dataclass(slots=True)
class OperatorFigures:
    """What one operator made: its records in all, by group and marked; refused certificates; and discarded changes by reason."""

    name: str
    made: int = 0
    groups: Counter[str] = field(default_factory=Counter)
    marked: int = 0
    refused: int = 0
    discarded: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class CertifiedFigures(Generic[CertifiedRecord]):
    """The figures of a stage: its problems, those with a record, its records by group, and its operators by name."""

    kind: CertifiedStage[CertifiedRecord]
    stage: SealedStage
    problems: int = 0
    fruitful: int = 0
    records: int = 0
    groups: Counter[str] = field(default_factory=Counter)
    strata: Counter[Stratum] = field(default_factory=Counter)
    operators: dict[str, OperatorFigures] = field(default_factory=dict)

    def operator(self, name: str) -> OperatorFigures:
        """Return the figures of an operator."""
        name = replace_surrogates(name)  # as in its records
        return self.operators.setdefault(name, OperatorFigures(name))

    def add(self, record: CertifiedRecord) -> None:
        """Count a record."""
        operator, group = self.operator(record.operator), self.kind.group_of(record)
        is_marked = self.kind.is_marked(record)
        self.records += 1
        self.groups[group] += 1
        operator.made += 1
        operator.marked += is_marked
        operator.groups[group] += 1
        if stratum := self.kind.stratum(record):
            self.strata[stratum] += 1

    def complete(self) -> None:
        """Count discards and refusals; call it after the last record."""
        self.problems = sum(1 for _ in self.stage.problems())
        for change in self.stage.records(self.kind.discard_class, "discarded.jsonl"):
            self.operator(change.operator).discarded[change.why] += 1
        last = None
        for verdict in self.stage.verdicts():
            self.operator(verdict.left).refused += len(verdict.findings)
            # The verdicts of a problem stand together.
            if verdict.status is Status.CONFIRMED and verdict.problem_id != last:
                last = verdict.problem_id
                self.fruitful += 1

    @property
    def sentence(self) -> str:
        """How many records there are, of how many problems, by group where these are few, and how many are marked."""
        groups = ", ".join(f"{count:,} {one_line(name)}" for name, count in sorted(self.groups.items())) or "none"
        by_group = f": {groups}" if len(self.groups) <= FEW_GROUPS else ""
        marked = sum(operator.marked for operator in self.operators.values())
        refused = sum(operator.refused for operator in self.operators.values())
        return (
            f"{self.records:,} {self.kind.title}s of {self.fruitful:,} of {self.problems:,} problems, each with a certificate{by_group}; "
            f"{marked:,} {self.kind.marked_phrase}{f'; {refused:,} were refused a certificate' if refused else ''}."
        )

    def sections(self, linked: Collection[str] = ()) -> list[Section]:
        """Return the sections of the stage; on a page, the operators that it lists are `linked` with their records."""
        kind, stage = self.kind, self.stage
        counts: dict[str, Any] = stage.manifest.get("counts") or {}
        discarded = sum((operator.discarded for operator in self.operators.values()), Counter[str]())
        reasons = [[f"{count:,}", spaced(why), kind.reasons.get(why, "")] for why, count in discarded.most_common()]
        # A problem without a source is among the unfit.
        sources = {name: count for name, count in (counts.get("sources") or {}).items() if name != "none"}
        standings = {STANDINGS.get(name, name): count for name, count in (counts.get("standings") or {}).items()}
        command, noun = command_of(stage.run), kind.noun
        head = [Prose(self.sentence, Tone.STRONG)]
        if selection := selection_phrase(stage.manifest):
            head.append(Prose(selection, Tone.WEAK))
        looks = {"look at one:": f"{command} --{noun} ID", "of a problem:": f"{command} --{noun} PROBLEM"}
        columns = [Column("count", Kind.NUMBER), Column("reason"), Column("meaning", tone=Tone.WEAK)]
        return [
            Section("", [Prose(f"{stage.run.name}  {kind.stage}, sealed", Tone.STRONG)], terminal=True),
            Section("", head),
            Section(f"Operators by {kind.group}", [self._operators(linked)]),
            *kind.strata_sections(self.strata),
            Section(f"Why {kind.change}s were discarded", [Table(columns, reasons, headless=True)]),
            Section(kind.origin, [_count_table(sources)]),
            *([Section("What these are", [_count_table(standings)])] if standings else []),
            Section("Problems left out", [_count_table(counts.get("unfit") or {})]),
            command_section({**looks, "in a browser:": f"{command} --{noun}s"}),
        ]

    def _operators(self, linked: Collection[str]) -> Table:
        kind, rows = self.kind, list[Row]()
        most = max((operator.made for operator in self.operators.values()), default=0) or 1
        # The group of an operator is that of most of its records.
        grouped = {
            operator.name: max(sorted(operator.groups), key=operator.groups.__getitem__, default="")
            for operator in self.operators.values()
        }
        for operator in sorted(
            self.operators.values(), key=lambda one: (not one.made, grouped[one.name], -one.made, one.name)
        ):
            shown, discarded = one_line(spaced(operator.name)), operator.discarded
            refused = [f"{operator.refused:,} refused a certificate"] if operator.refused else []
            reasons = [f"{count:,} {spaced(why)}" for why, count in ranked(discarded)]
            tried = operator.made + operator.refused + discarded.total()
            name = Cell(shown, address=f"#/?operator={quote(shown)}" if operator.name in linked else "")
            group = one_line(spaced(grouped[operator.name]))
            made = Cell(operator.made, Tone.GOOD)
            share = operator.made / tried if tried else None
            why = Cell(", ".join([*refused, *reasons]), Tone.BAD if refused else Tone.WEAK)
            rows.append([name, group, made, operator.marked, operator.made / most, tried, share, why])
        titles = [Column("", Kind.BAR), *numbers("tried", "yield"), Column("discarded")]
        heads = [Column("operator", Kind.NAME), Column(kind.group), *numbers(f"{kind.noun}s", kind.marked)]
        return Table([*heads, *titles], rows)


def _count_table(counts: Mapping[str, int]) -> Table:
    rows = [[f"{count:,}", name] for name, count in ranked(counts)]
    return Table([Column("count", Kind.NUMBER), Column("name")], rows, headless=True)


FLAW_DISCARDS: Mapping[str, str] = {
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
        codes = {step.variable: unparse(step.expression) for step in certificate.oracle.steps}
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
    reasons=FLAW_DISCARDS,
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


_BOUNDS = {"whole": "{variable} is whole", "not_negative": "{variable} >= 0", "at_most": "{variable} <= {limit}"}

CLASS_TONES = {"contradictory": Tone.BAD, "solvable": Tone.GOOD, "underspecified": Tone.FAIR}
CLASS_CLAIMS = {
    "contradictory": "no values meet what the problem says",
    "solvable": "there is a solution, and no other gives another answer",
    "underspecified": "two solutions meet all that the problem says, and their answers differ",
}
EDIT_DISCARDS: Mapping[str, str] = {
    "no_place": "No part of the problem allows this edit.",
    "unlocated": "The place of the value in the text is unknown.",
    "unwritable": "A value cannot be written in the place of another.",
    "absurd": "A value would be absurd for its unit.",
    "stale": "Other words of the problem would still say the old value.",
    "grammar": "The remaining text is not a sentence.",
    "recoverable": "The rest of the problem still gives the value.",
    "open": "More than the problem tells may belong to it.",
    "same_answer": "The answer does not depend on the edited value.",
    "unchanged": "The edit leaves the text as it was.",
    "duplicate": "Another edit gives the same text.",
    "disputed": "Two operators give the same text different classes.",
    "twinless": "The variant that it is a near-twin of was discarded, or another operator made it first.",
    "unpaired": "Another variant of its problem has a near-twin, or comes before it.",
    "undecided": "The solver reached its limit without an answer.",
    "untranslatable": "A step cannot be translated for a solver.",
    "doubted": "The record, read again, does not certainly match its label.",
}


@dataclass(frozen=True, slots=True)
class StatedConstraint:
    """A constraint: its source, its formula, and the words that state it."""

    kind: str
    formula: str
    words: str


def class_of(variant: VariantRecord) -> str:
    """Return the name of a variant's class."""
    return VARIANT_CLASSES[variant.class_label]


def class_claim(variant: VariantRecord) -> str:
    """Return what the certificate of a variant proves."""
    return CLASS_CLAIMS[class_of(variant)]


def text_pieces(variant: VariantRecord) -> tuple[Pieces, Pieces]:
    """Return the original and the edited text in pieces; pieces that the other text lacks are marked."""
    before, after, end = list[TextPiece](), list[TextPiece](), 0
    for edit in variant.edits:
        for pieces, text in ((before, edit.before), (after, edit.after)):
            pieces += [TextPiece(variant.question[end : edit.span[0]], changed=False), TextPiece(text, changed=True)]
        end = edit.span[1]
    rest = TextPiece(variant.question[end:], changed=False)
    return tuple(piece for piece in (*before, rest) if piece.text), tuple(
        piece for piece in (*after, rest) if piece.text
    )


def core_of(variant: VariantRecord) -> list[StatedConstraint]:
    """Return the constraints of the unsatisfiable core."""
    constraints = dict[str, StatedConstraint]()
    for fact in variant.system.facts:
        kind, formula = "the text" if fact.source == "text" else "everybody knows", format_exact(fact.value)
        constraints[fact.name] = StatedConstraint(kind, f"{fact.variable} = {formula}", fact.words)
    for step in variant.system.steps:
        formula = f"{step.variable} = {unparse(step.expression)}"
        constraints[step.name] = StatedConstraint("it follows", formula, step.words)
    for bound in variant.system.bounds:
        formula = _BOUNDS[bound.kind].format(variable=bound.variable, limit=bound.limit)
        constraints[bound.name] = StatedConstraint("its kind", formula, bound.words)
    return [constraints.get(name, StatedConstraint("", name, "")) for name in variant.core]


@dataclass(frozen=True, slots=True)
class VariantQuantity:
    """A variable: the words that state it, its value in each model, and whether the question asks for it."""

    variable: str
    words: str
    values: tuple[str, ...]
    asked: bool


def quantities_of(variant: VariantRecord) -> Iterator[VariantQuantity]:
    """Yield the variables of the models in their order."""
    system, models = variant.system, variant.models
    words = {step.variable: step.words for step in system.steps} | {fact.variable: fact.words for fact in system.facts}
    for name in dict.fromkeys(name for model in models for name in model):
        values = tuple(format_exact(model[name]) if name in model else "–" for model in models)
        yield VariantQuantity(name, words.get(name, "the text does not say"), values, name == system.answer)


VARIANTS: CertifiedStage[VariantRecord] = CertifiedStage(
    stage=VARIANT,
    noun="variant",
    title="variant",
    change="edit",
    group="class",
    marked="twins",
    marked_phrase="are near-twins",
    origin="Formalizations that problems were read by",
    reasons=EDIT_DISCARDS,
    record_class=VariantRecord,
    artefacts=("variants.jsonl",),
    discard_class=DiscardedEdit,
    id_of=lambda variant: variant.variant_id,
    group_of=class_of,
    is_marked=lambda variant: variant.twin_of is not None,
)
