"""The flawed solutions of one problem on the terminal, made on request and kept nowhere."""

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from generators.formalizations.annotation_compiler import formalize_all
from harness.corpora.problems import SpooledCorpus
from harness.corpora.responses import read_responses
from harness.domain import Problem, Response
from harness.errors import HarnessError
from harness.json_form import read_record
from harness.records.mutation import FlawRecord
from harness.text.characters import one_line
from properties.stages.mutation import make
from reports.terminal.certified_record import FLAW_PRINTER

SEED = 0


def print_flaws(name: str, corpus: str, formalizations: Path | None) -> int:
    """Print the flaws of a problem, one a line, or the one whose id starts with `name`, and return the exit status.

    If there is none, raise a `HarnessError`.
    """
    problems, console = SpooledCorpus(corpus), Console(highlight=False)
    problem_id = name if name in problems.places else name.partition(":")[0]
    if problem_id not in problems.places:
        message = f"{problem_id!r}: no such problem in --corpus {corpus}; ids look like {problems[0].problem_id!r}"
        raise HarnessError(message)
    problem = problems[problems.places[problem_id]]
    made = make(problem, _responses(problem, formalizations), seed=SEED)
    if not made.records:
        console.print(Text(one_line(f"no flawed solution was made: {made.unfit or 'every change was discarded'}")))
        return 1
    flaws = [read_record(FlawRecord, record) for record in made.records]
    found = [flaw for flaw in flaws if flaw.flaw_id.startswith(name)]
    if not found:
        raise HarnessError(f"{name!r}: no such flaw; list all by the id of the problem alone, {problem_id!r}")
    if len(found) == 1:
        FLAW_PRINTER.print_body(found[0], console)
        return 0
    console.print(Text(problem.question))
    for flaw in found:
        console.print(FLAW_PRINTER.line(flaw), soft_wrap=True)
    console.print(Text(f"\neach line: {FLAW_PRINTER.columns}", style="dim"), soft_wrap=True)
    return 0


def _responses(problem: Problem, formalizations: Path | None) -> Iterator[Response]:
    for _, response in read_responses([formalizations]) if formalizations is not None else ():
        if isinstance(response, Response) and response.problem_id == problem.problem_id:
            yield response
    yield from (own for own in formalize_all([problem]) if isinstance(own, Response))
