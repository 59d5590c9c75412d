"""Declaration, figures and sections of the stages of certified records: flawed solutions from solutions, variants from problems."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from harness.domain import Status
from harness.records.mutation import DiscardedChange, FlawRecord
from harness.records.variant import DiscardedEdit, VariantRecord
from harness.text.characters import one_line, replace_surrogates, spaced
from reports.views.artefacts import SealedStage, command_of, open_stage
from reports.views.phrases import STANDINGS, selection_phrase
from reports.views.tables import (
    Cell,
    Column,
    Kind,
    Prose,
    Row,
    Section,
    Table,
    Tone,
    Value,
    command_section,
    numbers,
    ranked,
)

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
            row: list[Value] = [
                Cell(shown, address=f"#/?operator={quote(shown)}" if operator.name in linked else ""),
                one_line(spaced(grouped[operator.name])),
                Cell(operator.made, Tone.GOOD),
                operator.marked,
                operator.made / most,
                tried,
                operator.made / tried if tried else None,
                Cell(", ".join([*refused, *reasons]), Tone.BAD if refused else Tone.WEAK),
            ]
            rows.append(row)
        titles = [Column("", Kind.BAR), *numbers("tried", "yield"), Column("discarded")]
        heads = [Column("operator", Kind.NAME), Column(kind.group), *numbers(f"{kind.noun}s", kind.marked)]
        return Table([*heads, *titles], rows)


def _count_table(counts: Mapping[str, int]) -> Table:
    rows = [[f"{count:,}", name] for name, count in ranked(counts)]
    return Table([Column("count", Kind.NUMBER), Column("name")], rows, headless=True)
