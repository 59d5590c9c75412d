"""Terminal printout of one certified flaw or variant by its id, and lists of such records."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, islice
from typing import TYPE_CHECKING, Generic

from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from harness.command_line.runnable_commands import runnable
from harness.json_form import RecordClass
from harness.text.characters import one_line, printable
from reports.terminal.problem import find_problem, print_question
from reports.views.artefacts import ReportError, SealedStage, command_of, open_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from rich.console import Console, RenderableType

    from harness.records.provenance import ConfidenceThresholds
    from reports.views.certified_stage import CertifiedStage
    from reports.views.solution_diff import TextPiece


class UnknownRecordError(ReportError):
    """The run holds no record whose id is the given name or starts with it."""


@dataclass(frozen=True, slots=True)
class RecordPrinter(Generic[RecordClass]):
    """Prints the records of a stage.

    Attributes:
        kind: the stage.
        line: a record in one line of a list.
        columns: what such a line holds, in its order.
        body: the parts of a record's printout, between its id and its proof, with an empty line between them.
        claim: what the certificate of a record proves.
        proof: further sentences on the proof.
        artefact: the file that holds a record.
    """

    kind: CertifiedStage[RecordClass]
    line: Callable[[RecordClass], Text]
    columns: str
    body: Callable[[RecordClass], Iterable[RenderableType]]
    claim: Callable[[RecordClass], str]
    proof: Callable[[RecordClass], Sequence[str]]
    artefact: Callable[[RecordClass], str]

    def print(self, run: Path, name: str, console: Console, thresholds: ConfidenceThresholds | None = None) -> None:
        """Print the record whose id is `name` or starts with it; print a list for a problem's id or if several ids start so.

        A list holds the records whose provenance reaches the thresholds.

        Raises:
            UnknownRecordError: neither a record nor a problem has this id; the message has the closest ids.
            ReportError: the stage is missing, not sealed, or was changed after it was sealed.
        """
        stage = open_stage(run, self.kind.stage)
        if any(problem.problem_id == name for problem in stage.problems()):
            print_question(find_problem(stage, name), console)
            console.print()
            if self._print_list(self.kind.records(stage, name), console, thresholds):
                self._print_legend(run, console)
            else:
                console.print(Text(f"no {self.kind.title} was made of it", style="yellow"))
            return
        matches = self.kind.records(stage, beginning=name)
        first = list(islice(matches, 2))
        if not first:
            raise UnknownRecordError(self._unknown(stage, name))
        if len(first) == 1 or self.kind.id_of(first[0]) == name:
            self._print_record(first[0], run, console)
        else:
            self._print_list(chain(first, matches), console, thresholds)
            self._print_legend(run, console)

    def _print_list(
        self, records: Iterable[RecordClass], console: Console, thresholds: ConfidenceThresholds | None
    ) -> bool:
        """Print a line for each record that reaches the thresholds, as they come, and tell whether there is any record."""
        is_any, below = False, 0
        for record in records:
            is_any = True
            if thresholds is None or thresholds.reached_by(self.kind.provenance_of(record)):
                console.print(self.line(record), soft_wrap=True)
            else:
                below += 1
        if below:
            message = f"{below:,} more rest on less than --min-confidence, --min-clique and --min-p-right ask, or on nothing recorded"
            console.print(Text(message, style="yellow"), soft_wrap=True)
        return is_any

    def _print_legend(self, run: Path, console: Console) -> None:
        """Print the columns of a list, and the command that prints one record in full."""
        command = f"{command_of(run)} --{self.kind.noun} ID"
        console.print(Text(f"\neach line: {self.columns}\nlook at one:  {command}", style="dim"), soft_wrap=True)

    def _print_record(self, record: RecordClass, run: Path, console: Console) -> None:
        console.print(Rule(Text(one_line(self.kind.id_of(record)), style="bold"), align="left"))
        for number, part in enumerate(self.body(record)):
            if number:
                console.print()
            console.print(part)
        console.print(Text(f"\nProved: {one_line(self.claim(record))}", style="bold green"))
        for sentence in self.proof(record):
            console.print(Padding(Text(one_line(sentence)), (0, 0, 0, 2)))
        file = shlex.quote(str(run / self.kind.stage / self.artefact(record)))
        command = runnable(f"oracle-factory recheck {file}")
        console.print(Text(f"check all again:  {command}", style="dim"), soft_wrap=True)

    def _unknown(self, stage: SealedStage, name: str) -> str:
        problem_id, _, rest = name.partition(":")
        ids = [self.kind.id_of(record) for record in self.kind.records(stage, problem_id)] if rest else []
        closest = get_close_matches(name, ids, n=3, cutoff=0.4)
        if not closest:
            problems = [problem.problem_id for problem in stage.problems()]
            closest = get_close_matches(problem_id, problems, n=3, cutoff=0.4)
        command = command_of(stage.run)
        option = f"--{self.kind.noun}"
        hint = f"did you mean {' or '.join(closest)}? {command} {option} {closest[0]}" if closest else f"see {command}"
        expected = f"the id of a {self.kind.title} of {stage.run}, its beginning, or a problem"
        return f"{name}: expected {expected}, found none; {hint}"


def marked_text(pieces: Iterable[TextPiece], style: str) -> Text:
    """Return pieces of a text; pieces that the other text lacks are bold and underlined."""
    text = Text()
    for piece in pieces:
        text.append(printable(piece.text), style=f"bold underline {style}" if piece.changed else None)
    return text


def fact_table(rows: Iterable[tuple[str, str | Text]]) -> Table:
    """Return a table of a title and a text in each row."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for title, text in rows:
        table.add_row(title, text)
    return table
