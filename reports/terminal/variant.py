"""Terminal printout of one problem variant: its edits, its class and the certificate of that class."""

from collections.abc import Iterator
from pathlib import Path

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from harness.records.provenance import ConfidenceThresholds
from harness.records.variant import VariantRecord
from harness.text.characters import one_line, printable, spaced
from reports.terminal.certified_record import RecordPrinter, fact_table, marked_text
from reports.views.source_phrases import provenance_phrase
from reports.views.variants import VARIANTS, class_of, core_of, quantities_of, text_pieces

_STYLES = {"contradictory": "red", "solvable": "green", "underspecified": "yellow"}
_CLAIMS = {
    "contradictory": "no values meet what the problem says",
    "solvable": "the values above meet what the problem says, and no others give another answer",
    "underspecified": "both columns meet what the problem says, and the answers differ",
}


def print_variant(run: Path, name: str, console: Console, thresholds: ConfidenceThresholds | None = None) -> None:
    """Print a variant or a list of those that reach the thresholds, as `RecordPrinter.print` does.

    Raises:
        ReportError: no record has this id, or the variant stage of `run` cannot be read.
    """
    _PRINTER.print(run, name, console, thresholds)


def _line(variant: VariantRecord) -> Text:
    name = class_of(variant)
    change = "; ".join(f"{one_line(edit.before) or '–'} → {one_line(edit.after) or '–'}" for edit in variant.edits)
    return Text.assemble(
        (f"{name:15}", _STYLES.get(name, "")),
        ("twin  " if variant.twin_of is not None else "      ", "dim"),
        one_line(variant.variant_id),
        (f"  {change}", "dim"),
    )


def _body(variant: VariantRecord) -> Iterator[RenderableType]:
    before, after = text_pieces(variant)
    yield _titled("The problem", marked_text(before, "green"))
    yield _titled("The variant", marked_text(after, "red"))
    yield _label(variant)
    if variant.core:
        yield _core(variant)
    if variant.models:
        yield _models(variant)


def _titled(title: str, text: Text) -> RenderableType:
    return Group(Text(title, style="bold"), Padding(text, (0, 0, 0, 2)))


def _label(variant: VariantRecord) -> Table:
    name = class_of(variant)
    rows = [
        ("label", Text(printable(f"{variant.class_label}, {name}"), style=_STYLES.get(name, ""))),
        ("why", Text(printable(variant.reasoning_trace))),
        ("made by", Text(printable(f"{spaced(variant.operator)} from {variant.model}"))),
        ("rests on", Text(one_line(provenance_phrase(variant.provenance, variant.model)))),
    ]
    if variant.twin_of is not None:
        rows.append(("near-twin of", Text(printable(variant.twin_of))))
    if variant.solution is not None:
        rows.append(("solution", Text(printable(variant.solution))))
    return fact_table(rows)


def _core(variant: VariantRecord) -> Table:
    table = Table("conflicting constraints", "source", "words", box=box.SIMPLE_HEAD, pad_edge=False)
    for constraint in core_of(variant):
        table.add_row(
            *(Text(one_line(cell), overflow="fold") for cell in (constraint.formula, constraint.kind, constraint.words))
        )
    return table


def _models(variant: VariantRecord) -> Table:
    table = Table("quantity", "words", box=box.SIMPLE_HEAD, pad_edge=False)
    for number in range(len(variant.models)):
        table.add_column(f"solution {number + 1}" if len(variant.models) > 1 else "value", justify="right")
    for quantity in quantities_of(variant):
        style = "bold yellow" if quantity.differs else ""
        cells = [Text(one_line(value), overflow="fold", style=style) for value in quantity.values]
        name = Text(one_line(f"{quantity.variable} (asked)" if quantity.asked else quantity.variable), overflow="fold")
        table.add_row(name, Text(one_line(quantity.words), overflow="fold", style="dim"), *cells)
    return table


def _claim(variant: VariantRecord) -> str:
    return _CLAIMS.get(class_of(variant), variant.certificate.expect)


_PRINTER = RecordPrinter(
    kind=VARIANTS,
    line=_line,
    columns="class, `twin` for a near-twin, ID, what was edited",
    body=_body,
    claim=_claim,
    proof=lambda _: (),
    artefact=lambda _: "variants.jsonl",
)
