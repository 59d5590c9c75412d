"""Terminal printout of one flawed solution: its label, its text beside the original and its certificate."""

from collections.abc import Iterator
from pathlib import Path

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from harness.records.mutation import FlawRecord
from harness.records.provenance import ConfidenceThresholds
from harness.text.characters import one_line, printable, spaced
from reports.terminal.certified_record import RecordPrinter, fact_table
from reports.views.flaws import FLAWS, GOOD_PLAUSIBILITY, POOR_PLAUSIBILITY, claim_of, proof_of
from reports.views.solution_diff import Pieces, compare
from reports.views.source_phrases import provenance_phrase


def print_flaw(run: Path, name: str, console: Console, thresholds: ConfidenceThresholds | None = None) -> None:
    """Print a flawed solution or a list of those that reach the thresholds, as `RecordPrinter.print` does.

    Raises:
        ReportError: no record has this id, or the mutation stage of `run` cannot be read.
    """
    _PRINTER.print(run, name, console, thresholds)


def _line(flaw: FlawRecord) -> Text:
    details, mutation = flaw.label.error_details, flaw.mutation
    return Text.assemble(
        (f"{details.erroneous_line_number:4}", "bold"),
        (f"{flaw.plausibility.score:.2f} ", _style(flaw.plausibility.score)),
        ("edit  " if flaw.needs_edit else "      ", "yellow"),
        one_line(flaw.flaw_id),
        (f"  {one_line(mutation.before)} → {one_line(mutation.after)}", "dim"),
    )


def _body(flaw: FlawRecord) -> Iterator[RenderableType]:
    yield Text(printable(flaw.question))
    yield _comparison(flaw)
    yield _label(flaw)
    if flaw.values:
        yield _values(flaw)


def _comparison(flaw: FlawRecord) -> Table:
    """Return the lines of the solution, and below each that differs the line of the flawed one, changed words marked."""
    wrong = flaw.label.error_details.erroneous_line_number
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in compare(flaw.solution, flaw.flawed_solution):
        mark = Text("◀ wrong", style="bold red") if line.after_label == wrong else Text()
        if line.before is not None:
            style = "green" if line.differs else "dim"
            table.add_row(line.before_label, "-" if line.differs else " ", _marked(line.before, style), style=style)
        if line.after is not None and line.differs:
            table.add_row(line.after_label, "+", _marked(line.after, "red").append("  ").append(mark), style="red")
        elif mark:
            table.add_row("", "", mark)
    return table


def _marked(pieces: Pieces, style: str) -> Text:
    text = Text(style=style)
    for piece in pieces:
        text.append(_in_line(piece.text), style="bold underline" if piece.changed else None)
    return text


def _in_line(text: str) -> str:
    """Return a stretch of a line printable, the spaces at its ends kept."""
    return printable(text).replace("\n", " ").replace("\t", " ")


def _label(flaw: FlawRecord) -> Table:
    details, mutation, plausibility = flaw.label.error_details, flaw.mutation, flaw.plausibility
    error_class, error_type = details.error_class.value, details.error_type.value
    kind = spaced(error_type) if error_type == error_class else f"{spaced(error_type)} ({spaced(error_class)})"
    change = f"{spaced(mutation.mutation_type)} at {mutation.line}, {mutation.variable}: "
    tier = "none" if flaw.tier is None else flaw.tier
    edit = "; ".join(flaw.edits) or "yes"
    rows = [
        ("label", f"{flaw.label.verdict}, {kind}, {details.erroneous_line_number}"),
        ("explanation", details.explanation),
        ("correction", details.correction),
        ("mutation", f"{change}{mutation.before} → {mutation.after}"),
        ("made by", f"{spaced(flaw.operator)} from {flaw.model}; tier {tier}, {flaw.position}"),
        ("rests on", provenance_phrase(flaw.provenance, flaw.model)),
        ("plausibility", f"{plausibility.score:.2f}  {'; '.join(plausibility.reasons)}"),
    ]
    return fact_table(
        [
            *((title, Text(one_line(text))) for title, text in rows),
            ("needs edit", Text(one_line(edit), style="yellow") if flaw.needs_edit else Text("no")),
        ]
    )


def _values(flaw: FlawRecord) -> Table:
    table = Table("line", "variable", "before", "after", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in table.columns[2:]:
        column.justify = "right"
    for value in flaw.values:
        after = "deleted" if value.after is None else value.after
        cells = (value.line or "", value.variable, value.before or "", after)
        table.add_row(*(Text(one_line(cell), overflow="fold") for cell in cells))
    return table


def _style(score: float) -> str:
    return "green" if score >= GOOD_PLAUSIBILITY else "yellow" if score >= POOR_PLAUSIBILITY else "red"


_PRINTER = RecordPrinter(
    kind=FLAWS,
    line=_line,
    columns="the wrong line, plausibility from 0 to 1, `edit` where words need one, ID, what was changed",
    body=_body,
    claim=claim_of,
    proof=proof_of,
    artefact=lambda flaw: f"{'computational' if flaw.certificate.mutant is None else 'conceptual'}.jsonl",
)
