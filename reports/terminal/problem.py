"""Terminal printout of one problem: question, clique, programs, verdicts, counterexamples and alignments."""

import shlex
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from harness.domain import ParameterAlignment, Problem, Verdict
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.text.characters import one_line, printable
from reports.terminal.formalization_stage import STATUS_STYLES
from reports.views.artefacts import ReportError, SealedStage, command_of, open_stage
from reports.views.certainty import gold_doubt_sentence, probability_sentence
from reports.views.record_titles import CLAIM_TITLES
from reports.views.verdict_phrases import (
    Values,
    cause_title,
    confidence_sentence,
    counterexample_sentence,
    dissent_reason,
    method_phrase,
    pair_of,
    parameter_values,
    rounding_sentence,
    telling_counterexample,
)


class UnknownProblemError(ReportError):
    """The run holds no problem of that id."""


def print_problem(run: Path, problem_id: str, console: Console) -> None:
    """Print a problem of `run`: question, clique, programs, verdicts, counterexamples, alignments.

    Raises:
        UnknownProblemError: The run holds no such problem; the message has the closest ids.
        ReportError: `run` is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run)
    problem = find_problem(stage, problem_id)
    programs = list(stage.programs(problem_id))
    verdicts = sorted(stage.verdicts(problem_id), key=_most_telling_first)
    consensus = next(stage.consensus(problem_id), None)
    values = {program.model: parameter_values(program.parameters) for program in programs}
    print_question(problem, console)
    _print_clique(consensus, problem.gold, console)
    for program in sorted(programs, key=lambda program: _place(program, consensus)):
        _print_program(program, consensus, console)
    console.print(Rule("verdicts", align="left"))
    if not verdicts:
        console.print(Text("none", style="dim"))
    for verdict in verdicts:
        _print_verdict(verdict, values, console)


def find_problem(stage: SealedStage, problem_id: str, *, option: str = "--problem") -> Problem:
    """Return a problem of a stage.

    Raises:
        UnknownProblemError: There is none of that id; the message has the closest ids and a command with `option`.
    """
    ids = []
    for problem in stage.problems():
        if problem.problem_id == problem_id:
            return problem
        ids.append(problem.problem_id)
    closest = get_close_matches(problem_id, ids, n=3, cutoff=0.4)
    if closest:
        hint = f"did you mean {' or '.join(closest)}? {command_of(stage.run)} {option} {shlex.quote(closest[0])}"
    else:
        hint = f"it holds {len(ids):,} problems: {command_of(stage.run)}"
    message = f"{problem_id}: expected the id of a problem of {stage.run}, found none; {hint}"
    raise UnknownProblemError(message)


def _most_telling_first(verdict: Verdict) -> tuple[str, int, str, str]:
    return verdict.claim, verdict.status, verdict.left, verdict.right or ""


def _place(program: ProgramRecord, consensus: ConsensusRecord | None) -> tuple[int, str]:
    if consensus is not None and program.model == consensus.oracle:
        return 0, program.model
    if consensus is not None and program.model in consensus.clique:
        return 1, program.model
    return (2 if program.reason is None else 3), program.model


def print_question(problem: Problem, console: Console) -> None:
    """Print a problem's id, question, gold answer, tier and solution."""
    console.print(Rule(Text(one_line(problem.problem_id), style="bold"), align="left"))
    console.print(Text(printable(problem.question)))
    gold = "none" if problem.gold is None else one_line(problem.gold)
    console.print(Text.assemble("\ngold ", (gold, "bold")), end="")
    console.print(Text(f"   tier {problem.tier}" if problem.tier is not None else ""))
    if problem.solution:
        console.print(Padding(Text(printable(problem.solution), style="dim"), (0, 0, 0, 2)))


def _print_clique(consensus: ConsensusRecord | None, gold: str | None, console: Console) -> None:
    if consensus is None:
        console.print(Text("no consensus was written", style="yellow"))
        return
    oracle = consensus.oracle
    console.print(Text.assemble("oracle ", (one_line(oracle) if oracle else "none", "bold")))
    console.print(Text(f"clique {one_line(', '.join(consensus.clique)) or 'none'}"))
    console.print(Text(f"p_right {probability_sentence(consensus)}"))
    console.print(Text(f"confidence {confidence_sentence(consensus)}"))
    for pair in consensus.pairs:
        if pair.uncounted is not None:
            line = f"not counted: {pair.left} ~ {pair.right} differ, cause: {cause_title(pair.uncounted)}"
            console.print(Text(one_line(line), style="yellow"))
    if consensus.gold_doubt is not None:
        console.print(Text(gold_doubt_sentence(consensus.gold_doubt, gold), style="yellow"))
    for finding in consensus.findings:
        console.print(Text(one_line(rounding_sentence(finding), limit=2000), style="yellow"))


def _print_program(program: ProgramRecord, consensus: ConsensusRecord | None, console: Console) -> None:
    standing = ("oracle", "clique", "outside the clique", "unreadable")[_place(program, consensus)[0]]
    title = Text.assemble((one_line(program.model), "bold"), f"  {standing}")
    console.print()
    console.print(Rule(title, align="left", style="dim"))
    value, dialect = program.value or "none", program.dialect or "unknown"
    console.print(Text(f"value {one_line(value)}, dialect {one_line(dialect)}"))
    dissenters = () if consensus is None else consensus.dissenters
    dissent = next((dissenter for dissenter in dissenters if dissenter.model == program.model), None)
    if dissent is not None:
        console.print(Text(one_line(f"dissents: {dissent_reason(dissent)}"), style="yellow"))
    if program.reason is not None:
        console.print(Text(f"could not be read: {one_line(program.reason)}", style="red"))
    for repair in program.repairs:
        console.print(Text(one_line(f"repaired: {repair}"), style="dim"))
    if program.code:
        console.print(_numbered(printable(program.code)))
    if program.parameters:
        table = Table("parameter", "value", "type", "provenance", "comment", box=box.SIMPLE_HEAD, pad_edge=False)
        for parameter in program.parameters:
            cells = (parameter.name, parameter.value, parameter.type, parameter.provenance, parameter.comment)
            table.add_row(*(Text(one_line(cell), overflow="fold") for cell in cells))
        console.print(table)


def _numbered(code: str) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(justify="right", style="dim")
    table.add_column(overflow="fold")
    for number, line in enumerate(code.rstrip("\n").split("\n"), start=1):
        table.add_row(str(number), Text(line.expandtabs(4)))
    return table


def _print_verdict(verdict: Verdict, values: Mapping[str, Values], console: Console) -> None:
    console.print(
        Text.assemble(
            f"{CLAIM_TITLES[verdict.claim]} ",
            (verdict.status.name, STATUS_STYLES[verdict.status.name]),
            f" {one_line(pair_of(verdict))}  ",
            (method_phrase(verdict), "dim"),
        )
    )
    notes = []
    if verdict.reason:
        notes.append(verdict.reason)
    counterexample = telling_counterexample(verdict)
    if counterexample is not None:
        left, right = values.get(verdict.left, {}), values.get(verdict.right or "", {})
        notes.append(counterexample_sentence(counterexample, left_values=left, right_values=right))
    if verdict.domain:
        notes.append("domain: " + "; ".join(f"{name} {where}" for name, where in verdict.domain.items()))
    for note in notes:
        console.print(Padding(Text(one_line(note)), (0, 0, 0, 4)))
    if verdict.alignment is not None:
        _print_alignment(verdict.alignment, console)


def _print_alignment(alignment: ParameterAlignment, console: Console) -> None:
    for pair in alignment.aligned:
        line = f"{pair.left} = {pair.right} ({pair.value}), similarity {pair.similarity:.2f}"
        console.print(Padding(Text(one_line(line)), (0, 0, 0, 4)))
    for side, names in (("left", alignment.unaligned_left), ("right", alignment.unaligned_right)):
        if names:
            unaligned = one_line(f"unaligned {side}: {', '.join(names)}")
            console.print(Padding(Text(unaligned, style="yellow"), (0, 0, 0, 4)))
