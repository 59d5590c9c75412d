"""What the open questions to a model will cost, and the table that `--dry-run` prints of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.llm.messages import Request, Usage
from harness.llm.prices import FREE, PriceTable, format_dollars
from harness.text.characters import one_line

REPAIR_TOKENS = 512
"""More than the words of a refusal have."""
WIDE = 160
"""Columns where no terminal says how many it has."""


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """The next question of a talk, the likely tokens of its answer, and how often it may be repaired."""

    request: Request
    likely: int
    repairs: int = 0

    def usage(self) -> Usage:
        """Return the likely usage."""
        return Usage(self.request.estimate().input, min(self.likely, self.request.max_tokens))

    def bounds(self) -> list[Usage]:
        """Return the highest usage of the question and of each of its repairs."""
        bound = self.request.bound()
        longer = self.request.max_tokens + REPAIR_TOKENS
        return [Usage(bound.input + further * longer, bound.output) for further in range(self.repairs + 1)]


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """The requests to a model: talks, those that are open, and for these tokens and picodollars.

    `expected`: each is answered at the first attempt, as long as is likely. `most`: every answer has the longest allowed length and
    is refused as often as allowed, and no request is sent twice. Both are `None` where no price is known.
    """

    model: str
    talks: int
    open: int
    tokens: Usage
    expected: int | None
    most: int | None


def estimate(model: str, talks: Iterable[OpenQuestion | None], prices: PriceTable) -> CostEstimate:
    """Price the next question of each talk to a model; `None` stands for a talk that is complete."""
    all_talks = list(talks)
    questions = [talk for talk in all_talks if talk is not None]
    usages = [question.usage() for question in questions]
    price = prices.of(questions[0].request) if questions else FREE
    return CostEstimate(
        model,
        len(all_talks),
        len(questions),
        Usage(sum(usage.input for usage in usages), sum(usage.output for usage in usages)),
        None if price is None else sum(map(price.of, usages)),
        None if price is None else sum(price.most(bound) for question in questions for bound in question.bounds()),
    )


def print_estimates(estimates: Sequence[CostEstimate], noun: str, remark: str, *, stderr: bool = False) -> None:
    """Print the estimated cost of a job, a line for each model; `noun` is the plural of a talk."""
    table = plain_table("model", noun, "kept", "requests", "tokens in", "out", "expected", "at most")
    for own in estimates:
        counts = (own.talks, own.talks - own.open, own.open, own.tokens.input, own.tokens.output)
        costs = map(format_dollars, (own.expected, own.most))
        table.add_row(plain_text(own.model), *(f"{count:,}" for count in counts), *costs)
    if len(estimates) > 1:
        columns = [[own.expected for own in estimates], [own.most for own in estimates]]
        totals = [None if None in column else sum(map(int, filter(None, column))) for column in columns]
        table.add_section()
        requests = f"{sum(own.open for own in estimates):,}"
        table.add_row("all", "", "", requests, "", "", *map(format_dollars, totals))
    terminal = console(stderr=stderr)
    terminal.print(table)
    terminal.print(Text(remark))


def console(*, stderr: bool) -> Console:
    """Return a console that is as wide as the terminal, and wide enough where there is none."""
    terminal = Console(stderr=stderr)
    return terminal if terminal.is_terminal else Console(stderr=stderr, width=WIDE)


def plain_table(name: str, *columns: str) -> Table:
    """Return a table without lines: a column of names, and columns of numbers."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def plain_text(text: str, longest: int = 120) -> Text:
    """Return foreign text as one line without markup."""
    return Text(one_line(text, limit=longest))
