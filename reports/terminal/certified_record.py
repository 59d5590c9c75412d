"""Terminal printouts of one certified flaw or variant by its id, and lists of such records."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Generic

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from harness.command_line.runnable_commands import runnable
from harness.records.mutation import FlawRecord
from harness.records.provenance import ConfidenceThresholds
from harness.records.variant import VariantRecord
from harness.text.characters import one_line, printable, spaced
from reports.terminal.problem import find_problem, question_section, unknown_id
from reports.terminal.sections import STYLES, drawn_block, print_sections
from reports.views.artefacts import command_of, open_stage
from reports.views.certified_records import (
    CLASS_TONES,
    FLAWS,
    GOOD_PLAUSIBILITY,
    POOR_PLAUSIBILITY,
    VARIANTS,
    CertifiedRecord,
    CertifiedStage,
    class_claim,
    class_of,
    core_of,
    proof_of,
    quantities_of,
    text_pieces,
)
from reports.views.phrases import provenance_phrase
from reports.views.solution_diff import TextPiece, compare
from reports.views.tables import Cell, Column, Prose, Row, Section, Table, Tone


@dataclass(frozen=True, slots=True)
class RecordPrinter(Generic[CertifiedRecord]):
    """Prints the records of a stage: in one `line` of a list, which holds `columns`, or in full: id, `body` and `proof`."""

    kind: CertifiedStage[CertifiedRecord]
    line: Callable[[CertifiedRecord], Text]
    columns: str
    body: Callable[[CertifiedRecord], Iterable[Table | RenderableType]]
    proof: Callable[[CertifiedRecord], Sequence[str]]
    artefact: Callable[[CertifiedRecord], str]

    def print(self, run: Path, name: str, console: Console, thresholds: ConfidenceThresholds | None = None) -> None:
        """Print the record whose id is `name` or starts with it; print a list for a problem's id or if several ids start so.

        A list holds the records whose provenance reaches the thresholds.
        Raises a HarnessError if neither a record nor a problem has this id; the message has the closest ids; also if the stage is missing, not sealed, or was changed after it was sealed.
        """
        stage = open_stage(run, self.kind.stage)
        if any(problem.problem_id == name for problem in stage.problems()):
            print_sections(console, [question_section(find_problem(stage, name))])
            console.print()
            self._print_list(self.kind.records(stage, name), console, thresholds, run)
            return
        matches = self.kind.records(stage, beginning=name)
        first = list(islice(matches, 2))
        if not first:
            known = [self.kind.id_of(record) for record in self.kind.records(stage, name.partition(":")[0])]
            known += [problem.problem_id for problem in stage.problems()]
            expected = f"the id of a {self.kind.title}, its beginning, or a problem"
            raise unknown_id(stage, name, expected, known, f"--{self.kind.noun}")
        if len(first) == 1 or self.kind.id_of(first[0]) == name:
            self._print_record(first[0], run, console)
        else:
            self._print_list(chain(first, matches), console, thresholds, run)

    def _print_list(
        self, records: Iterable[CertifiedRecord], console: Console, thresholds: ConfidenceThresholds | None, run: Path
    ) -> None:
        """Print a line for each record that reaches the thresholds, as they come, and how to look at one."""
        listed = below = 0
        for record in records:
            if thresholds is None or thresholds.reached_by(record.provenance):
                listed += 1
                console.print(self.line(record), soft_wrap=True)
            else:
                below += 1
        if below:
            message = f"{below:,} more rest on less than --min-confidence, --min-clique and --min-p-right ask, or on nothing recorded"
            console.print(Text(message, style="yellow"), soft_wrap=True)
        if not listed + below:
            console.print(Text(f"no {self.kind.title} was made of it", style="yellow"))
            return
        legend = f"\neach line: {self.columns}\nlook at one:  {command_of(run)} --{self.kind.noun} ID"
        console.print(Text(legend, style="dim"), soft_wrap=True)

    def print_body(self, record: CertifiedRecord, console: Console) -> None:
        """Print the id and the body of a record."""
        console.print(Text(one_line(self.kind.id_of(record)), style="bold", overflow="fold"))
        for part in self.body(record):
            console.print()
            console.print(drawn_block(part, console) if isinstance(part, Table) else part)

    def _print_record(self, record: CertifiedRecord, run: Path, console: Console) -> None:
        self.print_body(record, console)
        claim, *sentences = self.proof(record)
        blocks = [Prose(f"Proved: {claim}", Tone.GOOD), *(Prose(f"  {sentence}") for sentence in sentences)]
        file = shlex.quote(str(run / self.kind.stage / self.artefact(record)))
        again = f"check all again:  {runnable(f'oracle-factory recheck {file}')}"
        print_sections(console, [Section("", [*blocks, Prose(again, Tone.WEAK, command=True)])])


def marked_text(pieces: Iterable[TextPiece], style: str = "") -> Text:
    """Return pieces of a text; pieces that the other text lacks are bold and underlined."""
    text = Text(overflow="fold")
    for piece in pieces:
        text.append(printable(piece.text), style=f"bold underline {style}" if piece.changed else None)
    return text


def _facts(rows: Sequence[Row]) -> Table:
    return Table([Column("", tone=Tone.WEAK), Column("")], rows, headless=True)


def _flaw_line(flaw: FlawRecord) -> Text:
    details, score = flaw.label.error_details, flaw.plausibility.score
    tone = Tone.GOOD if score >= GOOD_PLAUSIBILITY else Tone.FAIR if score >= POOR_PLAUSIBILITY else Tone.BAD
    return Text.assemble(
        (f"{details.erroneous_line_number:4}", "bold"),
        (f"{score:.2f} ", STYLES[tone]),
        ("edit  " if flaw.needs_edit else "      ", "yellow"),
        one_line(flaw.flaw_id),
        (f"  {one_line(flaw.mutation.before)} → {one_line(flaw.mutation.after)}", "dim"),
    )


def _flaw_body(flaw: FlawRecord) -> Iterator[Table | RenderableType]:
    details, mutation, plausibility = flaw.label.error_details, flaw.mutation, flaw.plausibility
    error_class, error_type = spaced(details.error_class.value), spaced(details.error_type.value)
    kind = error_type if error_type == error_class else f"{error_type} ({error_class})"
    tier = "none" if flaw.tier is None else flaw.tier
    changed = mutation.changed
    part = f" ({changed.before or 'nothing'} → {changed.after or 'nothing'})" if changed else ""
    mutated = f"{spaced(mutation.mutation_type)} at {mutation.line}, {mutation.variable}: {mutation.before} → {mutation.after}{part}"
    edit = Cell("; ".join(flaw.edits) or "yes", Tone.FAIR) if flaw.needs_edit else "no"
    yield Text(printable(flaw.question))
    yield _comparison(flaw)
    yield _facts(
        [
            ["label", f"{flaw.label.verdict}, {kind}, {details.erroneous_line_number}"],
            ["explanation", details.explanation],
            ["correction", details.correction],
            ["mutation", mutated],
            ["made by", f"{spaced(flaw.operator)} from {flaw.model}; tier {tier}, {flaw.position}"],
            ["rests on", provenance_phrase(flaw.provenance, flaw.model)],
            ["plausibility", f"{plausibility.score:.2f}  {'; '.join(plausibility.reasons)}"],
            ["needs edit", edit],
        ]
    )
    if flaw.values:
        rows = [
            [value.line or "", value.variable, value.before or "", "deleted" if value.after is None else value.after]
            for value in flaw.values
        ]
        yield Table(list(map(Column, ("line", "variable", "before", "after"))), rows)


def _comparison(flaw: FlawRecord) -> RichTable:
    """Return the lines of the solution, and below each that differs the line of the flawed one, changed words marked."""
    wrong = flaw.label.error_details.erroneous_line_number
    table = RichTable(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in compare(flaw.solution, flaw.flawed_solution):
        mark = Text("  ◀ wrong", style="bold red") if line.after_label == wrong else Text()
        if line.before is not None:
            sign, style = ("-", "green") if line.differs else (" ", "dim")
            table.add_row(line.before_label, sign, marked_text(line.before), style=style)
        if line.after is not None and line.differs:
            table.add_row(line.after_label, "+", marked_text(line.after).append(mark), style="red")
        elif mark:
            table.add_row("", "", mark)
    return table


def _variant_line(variant: VariantRecord) -> Text:
    name = class_of(variant)
    change = "; ".join(f"{one_line(edit.before) or '–'} → {one_line(edit.after) or '–'}" for edit in variant.edits)
    return Text.assemble(
        (f"{name:15}", STYLES[CLASS_TONES[name]]),
        ("twin  " if variant.twin_of is not None else "      ", "dim"),
        one_line(variant.variant_id),
        (f"  {change}", "dim"),
    )


def _variant_body(variant: VariantRecord) -> Iterator[Table | RenderableType]:
    name, texts = class_of(variant), text_pieces(variant)
    for title, pieces, style in zip(("The problem", "The variant"), texts, ("green", "red"), strict=True):
        yield Text(title, style="bold")
        yield Padding(marked_text(pieces, style), (0, 0, 0, 2))
    rows: list[Row] = [
        ["label", Cell(f"{variant.class_label}, {name}", CLASS_TONES[name])],
        ["why", variant.reasoning_trace],
        ["made by", f"{spaced(variant.operator)} from {variant.model}"],
        ["rests on", provenance_phrase(variant.provenance, variant.model)],
        ["near-twin of", variant.twin_of],
        ["solution", variant.solution],
    ]
    yield _facts([row for row in rows if row[1] is not None])
    if variant.core:
        core = [[constraint.formula, constraint.kind, constraint.words] for constraint in core_of(variant)]
        yield Table([Column("conflicting constraints"), Column("source"), Column("words", tone=Tone.WEAK)], core)
    if variant.models:
        one = len(variant.models) == 1
        titles = ["value"] if one else [f"solution {number}" for number in range(1, len(variant.models) + 1)]
        columns = [Column("quantity"), Column("words", tone=Tone.WEAK), *(Column(title) for title in titles)]
        solutions: list[Row] = []
        for own in quantities_of(variant):
            tone = Tone.FAIR if len(set(own.values)) > 1 else Tone.PLAIN
            name = f"{own.variable} (asked)" if own.asked else own.variable
            solutions.append([name, own.words, *(Cell(value, tone) for value in own.values)])
        yield Table(columns, solutions)


FLAW_PRINTER: RecordPrinter[FlawRecord] = RecordPrinter(
    kind=FLAWS,
    line=_flaw_line,
    columns="the wrong line, plausibility from 0 to 1, `edit` where words need one, ID, what was changed",
    body=_flaw_body,
    proof=proof_of,
    artefact=lambda flaw: f"{'computational' if flaw.certificate.mutant is None else 'conceptual'}.jsonl",
)
VARIANT_PRINTER: RecordPrinter[VariantRecord] = RecordPrinter(
    kind=VARIANTS,
    line=_variant_line,
    columns="class, `twin` for a near-twin, ID, what was edited",
    body=_variant_body,
    proof=lambda variant: [class_claim(variant)],
    artefact=lambda _: "variants.jsonl",
)
