"""Terminal printout of one flawed solution: its label, its text beside the original and its certificate."""

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

from harness.stages import MUTATION
from reports.terminal.problem import find_problem, print_question
from reports.terminal.run_summary import command_of
from reports.views.artefacts import ReportError, SealedStage, open_stage
from reports.views.flaw_phrases import claim_of, proof_of, spaced
from reports.views.printable_text import one_line, printable
from reports.views.records import Flaw
from reports.views.solution_diff import Pieces, compare

_GOOD, _POOR = 0.6, 0.4


class UnknownFlawError(ReportError):
    """The run holds no flawed solution whose id is that or begins so."""


def print_flaw(run: Path, name: str, console: Console) -> None:
    """Print a flawed solution, by its id or the beginning of one; of a problem's id or a beginning of many, a list.

    Raises:
        UnknownFlawError: neither a flawed solution nor a problem is called so; the message has the closest names.
        ReportError: the mutation stage of `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, MUTATION)
    if any(problem["problem_id"] == name for problem in stage.problems()):
        print_question(find_problem(stage, name), console)
        console.print()
        if not _print_list(stage.flaws(name), console):
            console.print(Text("no flawed solution was made of it", style="yellow"))
        return
    found = stage.flaws(beginning=name)
    first = list(islice(found, 2))
    if not first:
        raise UnknownFlawError(_unknown(stage, name))
    if len(first) == 1 or first[0]["flaw_id"] == name:
        _print_flaw(first[0], run, console)
    else:
        _print_list(chain(first, found), console)


def _unknown(stage: SealedStage, name: str) -> str:
    problem_id, _, rest = name.partition(":")
    flaws = [flaw["flaw_id"] for flaw in stage.flaws(problem_id)] if rest else []
    closest = get_close_matches(name, flaws, n=3, cutoff=0.4)
    if not closest:
        problems = [problem["problem_id"] for problem in stage.problems()]
        closest = get_close_matches(problem_id, problems, n=3, cutoff=0.4)
    command = command_of(stage.run)
    hint = f"did you mean {' or '.join(closest)}? {command} --flaw {closest[0]}" if closest else f"see {command}"
    return (
        f"{name}: expected the id of a flawed solution of {stage.run}, its beginning, or a problem, found none; {hint}"
    )


def _print_list(flaws: Iterator[Flaw], console: Console) -> int:
    """Print a line for each flawed solution, as they come, and return how many there are."""
    count = 0
    for flaw in flaws:
        count += 1
        details, mutation = flaw["label"]["error_details"], flaw["mutation"]
        edit = "edit" if flaw["needs_edit"] else "    "
        line = Text.assemble(
            (f"{details['erroneous_line_number']:4}", "bold"),
            (f"{flaw['plausibility']['score']:.2f} ", _style(flaw["plausibility"]["score"])),
            (f"{edit}  ", "yellow"),
            one_line(flaw["flaw_id"]),
            (f"  {one_line(mutation['from'])} → {one_line(mutation['to'])}", "dim"),
        )
        console.print(line, soft_wrap=True)
    return count


def _print_flaw(flaw: Flaw, run: Path, console: Console) -> None:
    console.print(Rule(Text(one_line(flaw["flaw_id"]), style="bold"), align="left"))
    console.print(Text(printable(flaw["question"])))
    console.print()
    _print_comparison(flaw, console)
    console.print()
    _print_label(flaw, console)
    if flaw["values"]:
        console.print()
        _print_values(flaw, console)
    console.print(Text(f"\nProved: {one_line(claim_of(flaw))}", style="bold green"))
    for sentence in proof_of(flaw):
        console.print(Padding(Text(one_line(sentence)), (0, 0, 0, 2)))
    name = "computational" if flaw["certificate"]["mutant"] is None else "conceptual"
    command = f"oracle-factory recheck {run / MUTATION / name}.jsonl"
    console.print(Text(f"check all again:  {command}", style="dim"), soft_wrap=True)


def _print_comparison(flaw: Flaw, console: Console) -> None:
    """Print the solution line by line, and below each line that differs what the flawed one says, changed words marked."""
    wrong = flaw["label"]["error_details"]["erroneous_line_number"]
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for line in compare(flaw["solution"], flaw["flawed_solution"]):
        mark = Text("◀ wrong", style="bold red") if line.after_label == wrong else Text()
        if line.before is not None:
            style = "green" if line.differs else "dim"
            table.add_row(line.before_label, "-" if line.differs else " ", _marked(line.before, style), style=style)
        if line.after is not None and line.differs:
            table.add_row(line.after_label, "+", _marked(line.after, "red").append("  ").append(mark), style="red")
        elif mark:
            table.add_row("", "", mark)
    console.print(table)


def _marked(pieces: Pieces, style: str) -> Text:
    text = Text(style=style)
    for piece in pieces:
        text.append(_in_line(piece.text), style="bold underline" if piece.changed else None)
    return text


def _in_line(text: str) -> str:
    """Return a stretch of a line printable, the spaces at its ends kept."""
    return printable(text).replace("\n", " ").replace("\t", " ")


def _print_label(flaw: Flaw, console: Console) -> None:
    details, mutation, plausibility = flaw["label"]["error_details"], flaw["mutation"], flaw["plausibility"]
    error_class, error_type = details["error_class"], details["error_type"]
    kind = spaced(error_type) if error_type == error_class else f"{spaced(error_type)} ({spaced(error_class)})"
    change = f"{spaced(mutation['mutation_type'])} at {mutation['line']}, {mutation['variable']}: "
    tier = "none" if flaw["tier"] is None else flaw["tier"]
    rows = [
        ("label", f"{flaw['label']['verdict']}, {kind}, {details['erroneous_line_number']}"),
        ("explanation", details["explanation"]),
        ("correction", details["correction"]),
        ("mutation", f"{change}{mutation['from']} → {mutation['to']}"),
        ("made by", f"{spaced(flaw['operator'])} from {flaw['model']}; tier {tier}, {flaw['position']}"),
        ("plausibility", f"{plausibility['score']:.2f}  {'; '.join(plausibility['reasons'])}"),
        ("needs edit", "; ".join(flaw["edits"]) or "yes" if flaw["needs_edit"] else "no"),
    ]
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for title, text in rows:
        table.add_row(
            title, Text(one_line(text), style="yellow" if title == "needs edit" and flaw["needs_edit"] else "")
        )
    console.print(table)


def _print_values(flaw: Flaw, console: Console) -> None:
    table = Table("line", "variable", "before", "after", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in table.columns[2:]:
        column.justify = "right"
    for value in flaw["values"]:
        after = "deleted" if value["after"] is None else value["after"]
        cells = (value["line"] or "", value["variable"], value["before"], after)
        table.add_row(*(Text(one_line(cell), overflow="fold") for cell in cells))
    console.print(table)


def _style(score: float) -> str:
    return "green" if score >= _GOOD else "yellow" if score >= _POOR else "red"
