"""What the open questions to a model will cost, and the table that `--dry-run` prints of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.llm.messages import Request, Usage
from harness.llm.prices import PriceTable, format_dollars
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


@dataclass(slots=True)
class CostEstimate:
    """The requests to a model: talks, those that are complete, and for the others tokens and picodollars.

    `expected`: each is answered at the first attempt, as long as is likely. `most`: every answer has the longest allowed length and
    is refused as often as allowed, and no request is sent twice. Both are `None` where no price is known.
    """

    model: str
    talks: int = 0
    kept: int = 0
    tokens: Usage = field(default_factory=Usage)
    expected: int | None = 0
    most: int | None = 0

    @property
    def requests(self) -> int:
        """Return the number of talks that are not complete."""
        return self.talks - self.kept


def estimate(model: str, talks: Iterable[OpenQuestion | None], prices: PriceTable) -> CostEstimate:
    """Price the next question of each talk to a model; `None` stands for a talk that is complete."""
    total = CostEstimate(model)
    for talk in talks:
        total.talks += 1
        if talk is None:
            total.kept += 1
            continue
        request, bound = talk.request, talk.request.bound()
        usage = Usage(request.estimate().input, min(talk.likely, request.max_tokens))
        total.tokens = Usage(total.tokens.input + usage.input, total.tokens.output + usage.output)
        price = prices.of(request)
        if price is None or total.expected is None or total.most is None:
            total.expected = total.most = None
            continue
        total.expected += price.of(usage)
        for further in range(talk.repairs + 1):
            longer = bound.input + further * (request.max_tokens + REPAIR_TOKENS)
            total.most += price.most(Usage(longer, bound.output))
    return total


def print_estimates(estimates: Sequence[CostEstimate], noun: str, remark: str) -> None:
    """Print the estimated cost of a job, a line for each model; `noun` is the plural of a talk."""
    table = plain_table("model", noun, "kept", "requests", "tokens in", "out", "expected", "at most")
    for own in estimates:
        counts = (own.talks, own.kept, own.requests, own.tokens.input, own.tokens.output)
        costs = map(format_dollars, (own.expected, own.most))
        table.add_row(plain_text(own.model), *(f"{count:,}" for count in counts), *costs)
    if len(estimates) > 1:
        columns = [[own.expected for own in estimates], [own.most for own in estimates]]
        totals = [None if None in column else sum(map(int, filter(None, column))) for column in columns]
        table.add_section()
        requests = f"{sum(own.requests for own in estimates):,}"
        table.add_row("all", "", "", requests, "", "", *map(format_dollars, totals))
    terminal = console(stderr=False)
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
