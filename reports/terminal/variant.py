"""Terminal printout of one problem variant: its edits, its class and the certificate of that class."""

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import chain, islice
from pathlib import Path

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from harness.stages import VARIANT
from reports.terminal.problem import find_problem, print_question
from reports.terminal.run_summary import command_of
from reports.views.artefacts import ReportError, SealedStage, open_stage
from reports.views.flaw_phrases import spaced
from reports.views.printable_text import one_line, printable
from reports.views.records import Variant
from reports.views.solution_diff import Pieces
from reports.views.variant_content import class_of, core_of, quantities_of, text_pieces

_STYLES = {"contradictory": "red", "solvable": "green", "underspecified": "yellow"}


class UnknownVariantError(ReportError):
    """The run holds no variant whose id is that or begins so."""


def print_variant(run: Path, name: str, console: Console) -> None:
    """Print a variant, by its id or the beginning of one; of a problem's id or a beginning of many, a list.

    Raises:
        UnknownVariantError: neither a variant nor a problem is called so; the message has the closest names.
        ReportError: the variant stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, VARIANT)
    if any(problem["problem_id"] == name for problem in stage.problems()):
        print_question(find_problem(stage, name), console)
        console.print()
        if not _print_list(stage.variants(name), console):
            console.print(Text("no variant was made of it", style="yellow"))
        return
    found = stage.variants(beginning=name)
    first = list(islice(found, 2))
    if not first:
        raise UnknownVariantError(_unknown(stage, name))
    if len(first) == 1 or first[0]["variant_id"] == name:
        _print_variant(first[0], run, console)
    else:
        _print_list(chain(first, found), console)


def _unknown(stage: SealedStage, name: str) -> str:
    problem_id, _, rest = name.partition(":")
    variants = [variant["variant_id"] for variant in stage.variants(problem_id)] if rest else []
    closest = get_close_matches(name, variants, n=3, cutoff=0.4)
    if not closest:
        problems = [problem["problem_id"] for problem in stage.problems()]
        closest = get_close_matches(problem_id, problems, n=3, cutoff=0.4)
    command = command_of(stage.run)
    hint = f"did you mean {' or '.join(closest)}? {command} --variant {closest[0]}" if closest else f"see {command}"
    return f"{name}: expected the id of a variant of {stage.run}, its beginning, or a problem, found none; {hint}"


def _print_list(variants: Iterator[Variant], console: Console) -> int:
    """Print a line for each variant, as they come, and return how many there are."""
    count = 0
    for variant in variants:
        count += 1
        name = class_of(variant)
        change = "; ".join(
            f"{one_line(edit['before']) or '–'} → {one_line(edit['after']) or '–'}" for edit in variant["edits"]
        )
        line = Text.assemble(
            (f"{name:15}", _STYLES.get(name, "")),
            ("twin  " if variant["twin_of"] is not None else "      ", "dim"),
            one_line(variant["variant_id"]),
            (f"  {change}", "dim"),
        )
        console.print(line, soft_wrap=True)
    return count


def _print_variant(variant: Variant, run: Path, console: Console) -> None:
    console.print(Rule(Text(one_line(variant["variant_id"]), style="bold"), align="left"))
    before, after = text_pieces(variant)
    console.print(Text("The problem", style="bold"))
    console.print(Padding(_marked(before, "green"), (0, 0, 0, 2)))
    console.print(Text("\nThe variant", style="bold"))
    console.print(Padding(_marked(after, "red"), (0, 0, 0, 2)))
    console.print()
    _print_label(variant, console)
    if variant["core"]:
        console.print()
        _print_core(variant, console)
    if variant["models"]:
        console.print()
        _print_models(variant, console)
    expect = variant["certificate"]["expect"]
    console.print(Text(f"\nProved: {_CLAIMS.get(class_of(variant), expect)}", style="bold green"))
    command = f"oracle-factory recheck {run / VARIANT / 'variants.jsonl'}"
    console.print(Text(f"check all again:  {command}", style="dim"), soft_wrap=True)


_CLAIMS = {
    "contradictory": "no values meet what the problem says",
    "solvable": "the values above meet what the problem says, and no others give another answer",
    "underspecified": "both columns meet what the problem says, and the answers differ",
}


def _marked(pieces: Pieces, style: str) -> Text:
    text = Text()
    for piece in pieces:
        text.append(printable(piece.text), style=f"bold underline {style}" if piece.changed else None)
    return text


def _print_label(variant: Variant, console: Console) -> None:
    name = class_of(variant)
    rows = [
        ("label", f"{variant['class_label']}, {name}"),
        ("why", variant["reasoning_trace"]),
        ("made by", f"{spaced(variant['operator'])} from {variant['model']}"),
    ]
    if variant["twin_of"] is not None:
        rows.append(("near-twin of", variant["twin_of"]))
    if variant["solution"] is not None:
        rows.append(("solution", variant["solution"]))
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for title, text in rows:
        table.add_row(title, Text(printable(text), style=_STYLES.get(name, "") if title == "label" else ""))
    console.print(table)


def _print_core(variant: Variant, console: Console) -> None:
    table = Table("these clash", "who says so", "words", box=box.SIMPLE_HEAD, pad_edge=False)
    for said in core_of(variant):
        table.add_row(*(Text(one_line(cell), overflow="fold") for cell in (said.formula, said.kind, said.words)))
    console.print(table)


def _print_models(variant: Variant, console: Console) -> None:
    table = Table("quantity", "words", box=box.SIMPLE_HEAD, pad_edge=False)
    for number in range(len(variant["models"])):
        table.add_column(f"solution {number + 1}" if len(variant["models"]) > 1 else "value", justify="right")
    for one in quantities_of(variant):
        style = "bold yellow" if one.differs else ""
        cells = [Text(one_line(value), overflow="fold", style=style) for value in one.values]
        name = Text(one_line(f"{one.variable} (asked)" if one.asked else one.variable), overflow="fold")
        table.add_row(name, Text(one_line(one.words), overflow="fold", style="dim"), *cells)
    console.print(table)
