"""Declaration and figures of the stages of certified records: flawed solutions from solutions, variants from problems."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic

from harness.domain import Status
from harness.json_form import RecordClass
from harness.text.characters import one_line, replace_surrogates, spaced
from reports.views.artefacts import open_stage, shared_command_of
from reports.views.source_phrases import STANDINGS, selection_phrase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from harness.records.mutation import DiscardedChange
    from harness.records.provenance import SourceProvenance
    from harness.records.variant import DiscardedEdit
    from reports.views.artefacts import SealedStage


@dataclass(frozen=True, slots=True)
class DiscardReason:
    """Why a change gave no record: in few words, and in a sentence."""

    brief: str
    sentence: str


@dataclass(frozen=True, slots=True)
class RecordGroup:
    """A group of records in tables of operators; groups are sorted by `order`, then by name."""

    order: tuple[int, str]
    name: str


_NO_GROUP = RecordGroup((1_000, ""), "")


@dataclass(frozen=True, slots=True)
class CertifiedStage(Generic[RecordClass]):
    """Declaration of a stage for reports: its words, and access to its records, which are shown beside their originals.

    Attributes:
        stage: the name of the stage.
        noun: the noun of a record in options, addresses and heads of columns.
        title: the noun of a record in sentences.
        change: the noun of an attempt of an operator, which gives a record or is discarded.
        group: the head of the groups of operators.
        marked: the head of the column that counts marked records.
        marked_apart: whether marked records are left out of the other counts of an operator.
        marked_phrase: the words after the count of marked records.
        origin: the head of the table of formalizations that the records rest on.
        sample_spread: the properties over which the listed records are spread.
        reasons: the reasons why changes are discarded, by their names.
        record_class: the class of its records.
        artefacts: the files that hold its records.
        discard_class: the class of the changes that gave nothing, which `discarded.jsonl` holds.
        id_of: the id of a record.
        operator_of: the operator that made a record.
        group_of: the group of a record.
        is_marked: whether a record needs an edit, or is a near-twin.
        provenance_of: what a record's formalization rests on, `None` where it is not recorded.
    """

    stage: str
    noun: str
    title: str
    change: str
    group: str
    marked: str
    marked_apart: bool
    marked_phrase: str
    origin: str
    sample_spread: str
    reasons: Mapping[str, DiscardReason]
    record_class: type[RecordClass]
    artefacts: tuple[str, ...]
    discard_class: type[DiscardedChange | DiscardedEdit]
    id_of: Callable[[RecordClass], str]
    operator_of: Callable[[RecordClass], str]
    group_of: Callable[[RecordClass], RecordGroup]
    is_marked: Callable[[RecordClass], bool]
    provenance_of: Callable[[RecordClass], SourceProvenance | None]

    def records(
        self, stage: SealedStage, problem_id: str | None = None, *, beginning: str = ""
    ) -> Iterator[RecordClass]:
        """Yield the records, those of a problem if `problem_id` is given; only those whose ids start with `beginning`."""
        for name in self.artefacts:
            for record in stage.records(self.record_class, name, problem_id, beginning=beginning):
                if self.id_of(record).startswith(beginning):
                    yield record

    def records_of(self, stage: SealedStage, artefact: str) -> Iterator[RecordClass]:
        """Yield the records of one of the artefacts."""
        yield from stage.records(self.record_class, artefact)

    def reason(self, name: str) -> DiscardReason:
        """Return the words of a reason; a reason without words is described by its name."""
        return self.reasons.get(name) or DiscardReason(spaced(name), spaced(name))

    def figures(self, run: Path, see: Callable[[RecordClass], None] | None = None) -> CertifiedFigures[RecordClass]:
        """Read a stage once, hand each record to `see`, and return the figures.

        Raises:
            ReportError: the stage of `run` is missing, not sealed, or was changed after it was sealed.
        """
        stage = open_stage(run, self.stage)
        figures = CertifiedFigures(self, stage)
        for record in self.records(stage):
            figures.add(record)
            if see is not None:
                see(record)
        figures.complete()
        return figures


@dataclass(slots=True)
class OperatorFigures:
    """What one operator made.

    `made` counts its records, `groups` those that are not counted apart, `marked` those that are marked, `discarded` the changes that gave nothing, by reason.
    `refused` records were given no certificate, and are not among the records.
    """

    name: str
    made: int = 0
    groups: Counter[RecordGroup] = field(default_factory=Counter)
    marked: int = 0
    refused: int = 0
    discarded: Counter[str] = field(default_factory=Counter)

    @property
    def records(self) -> int:
        """The number of its records; marked ones are left out where the stage counts them apart."""
        return self.groups.total()

    @property
    def tried(self) -> int:
        """The number of its attempts: records, refused certificates, and discards."""
        return self.made + self.refused + self.discarded.total()

    @property
    def group(self) -> RecordGroup:
        """The group of most of its records, without a name if it made none."""
        return max(sorted(self.groups, key=lambda group: group.name), key=self.groups.__getitem__, default=_NO_GROUP)


@dataclass(slots=True)
class CertifiedFigures(Generic[RecordClass]):
    """The figures of a stage: its problems, those with a record, its records by group, and its operators by name."""

    kind: CertifiedStage[RecordClass]
    stage: SealedStage
    problems: int = 0
    fruitful: int = 0
    records: int = 0
    groups: Counter[str] = field(default_factory=Counter)
    operators: dict[str, OperatorFigures] = field(default_factory=dict)
    sources: dict[str, int] = field(default_factory=dict)
    standings: dict[str, int] = field(default_factory=dict)
    unfit: dict[str, int] = field(default_factory=dict)

    def operator(self, name: str) -> OperatorFigures:
        """Return the figures of an operator."""
        name = replace_surrogates(name)  # as in its records
        return self.operators.setdefault(name, OperatorFigures(name))

    def add(self, record: RecordClass) -> None:
        """Count a record."""
        operator, group = self.operator(self.kind.operator_of(record)), self.kind.group_of(record)
        is_marked = self.kind.is_marked(record)
        self.records += 1
        self.groups[group.name] += 1
        operator.made += 1
        operator.marked += is_marked
        if not (is_marked and self.kind.marked_apart):
            operator.groups[group] += 1

    def complete(self) -> None:
        """Count discards and refusals, and read the sources from the manifest; call it after the last record."""
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
        counts: dict[str, Any] = self.stage.manifest.get("counts") or {}
        # A problem without a source is among the unfit.
        self.sources = {name: count for name, count in (counts.get("sources") or {}).items() if name != "none"}
        standings = (counts.get("standings") or {}).items()
        self.standings = {STANDINGS.get(name, name): count for name, count in standings}
        self.unfit = counts.get("unfit") or {}

    @property
    def selection_phrase(self) -> str:
        """How the sources were chosen, empty where the manifest does not say."""
        return selection_phrase(self.stage.manifest)

    @property
    def marked(self) -> int:
        """The number of marked records."""
        return sum(operator.marked for operator in self.operators.values())

    @property
    def refused(self) -> int:
        """The number of records that were refused a certificate."""
        return sum(operator.refused for operator in self.operators.values())

    def discarded(self) -> Counter[str]:
        """Return how many changes were discarded, by reason."""
        return sum((operator.discarded for operator in self.operators.values()), Counter())

    def by_group(self) -> Iterator[tuple[str, list[OperatorFigures]]]:
        """Yield the groups with their operators, most productive first; operators without a record come last, under ""."""
        groups: dict[RecordGroup, list[OperatorFigures]] = {}
        for operator in self.operators.values():
            groups.setdefault(operator.group, []).append(operator)
        for group in sorted(groups, key=lambda group: (group.order, group.name)):
            yield group.name, sorted(groups[group], key=lambda operator: (-operator.records, operator.name))

    @property
    def total_phrase(self) -> str:
        """How many records there are, such as `2,461 flawed solutions`."""
        return f"{self.records:,} {self.kind.title}s"

    @property
    def share_phrase(self) -> str:
        """Of how many problems the records are, by group where marked records are counted apart."""
        groups = ", ".join(f"{count:,} {one_line(name)}" for name, count in sorted(self.groups.items())) or "none"
        by_group = f": {groups}" if self.kind.marked_apart else ""
        return f" of {self.fruitful:,} of {self.problems:,} problems, each with a certificate{by_group}; "

    @property
    def marked_phrase(self) -> str:
        """How many records are marked, such as `367 need an edit`."""
        return f"{self.marked:,} {self.kind.marked_phrase}"

    def discard_phrase(self, operator: OperatorFigures) -> str:
        """Return an operator's discarded changes by reason, the most frequent first."""
        return ", ".join(f"{count:,} {self.kind.reason(name).brief}" for name, count in ranked(operator.discarded))

    def listing_sentence(self, listed: int, most: int, files: Sequence[str] = ()) -> str:
        """Return a sentence on the sample of a page that lists at most `most` records of each operator; `files` list all."""
        if listed == self.records:
            return "All of them are listed below."
        return (
            f"The list below holds a sample: {listed:,} of {self.records:,}, at most {most} of each operator, spread over "
            f"{self.kind.sample_spread}. {_files_phrase(files)}Any other is printed by: {shared_command_of(self.stage.run)} --{self.kind.noun} ID"
        )

    def part_sentence(self, first: str, last: str) -> str:
        """Return a sentence on a file that lists all records of the problems from one id to another."""
        return f"This file lists all {self.kind.title}s of the problems {one_line(first)} to {one_line(last)}; the figures are of the whole run."


def _files_phrase(files: Sequence[str]) -> str:
    if not files:
        return ""
    return f"All of them are in {files[0]}{f' to {files[-1]}' if len(files) > 1 else ''}. "


def ranked(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return names and their counts, the highest count first."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
