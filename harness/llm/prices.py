"""Prices of models, what answers and open questions cost in whole picodollars, so that no amount is rounded twice, and the table that `--dry-run` prints."""

import datetime as dt
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.errors import HarnessError
from harness.llm.messages import Request, Usage
from harness.text.characters import one_line

PUBLISHED = {"openai": "openai", "anthropic": "anthropic", "gemini": "google"}
"""The providers whose prices genai-prices has, by our name."""
FREE_PROVIDERS = frozenset({"ollama", "local"})
"""What runs on one's own machine costs nothing."""
BATCH_SHARE = Decimal("0.5")
"""The share of the price that a batch costs, as OpenAI, Anthropic and Google publish it."""
DOLLAR = 10**12
"""Picodollars in a dollar: a token at 0.025 dollars a million costs 25,000 of them."""


class TokenPrice(BaseModel):
    """Dollars for a million tokens: input, output, and input read from and written to the provider's cache, where it differs; `batch` is the share that a batch costs."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)
    cached: Decimal | None = Field(default=None, ge=0)
    written: Decimal | None = Field(default=None, ge=0)
    batch: Decimal = Field(default=Decimal(1), ge=0, le=1)

    def of(self, usage: Usage, *, batched: bool = False) -> int:
        """Return the cost of a usage in picodollars."""
        cached, written = (self.input if price is None else price for price in (self.cached, self.written))
        plain = max(usage.input - usage.cached - usage.written, 0)
        dollars = plain * self.input + usage.cached * cached + usage.written * written + usage.output * self.output
        amount = dollars * (DOLLAR // 1_000_000) * (self.batch if batched else 1)
        return int(amount.to_integral_value(ROUND_CEILING))

    def most(self, usage: Usage, *, batched: bool = False) -> int:
        """Return the highest cost of a number of tokens in picodollars, however the input is cached."""
        dearest = max(self.input, self.cached or 0, self.written or 0)
        return self.model_copy(update={"input": dearest}).of(Usage(usage.input, usage.output), batched=batched)


FREE = TokenPrice(input=Decimal(0), output=Decimal(0))


class _Prices(BaseModel):
    """The prices of a provider, by prefix of a model's name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    models: dict[str, TokenPrice]
    batch: Decimal = Field(default=Decimal(1), ge=0, le=1)

    def of(self, model: str) -> TokenPrice | None:
        """Return the price of a model, by the longest matching prefix, `None` if there is none."""
        prefixes = [name for name in self.models if model.startswith(name)]
        price = self.models[max(prefixes, key=len)] if prefixes else None
        return price and price.model_copy(update={"batch": self.batch} if "batch" not in price.model_fields_set else {})


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices of models: those of a file by provider, else those of the package genai-prices."""

    providers: dict[str, _Prices] | None = None
    date: str = ""
    """The date of the prices of a file."""

    @property
    def about(self) -> str:
        """Return where the prices are from, as the estimate of a job shows it."""
        return self.date or f"genai-prices {version('genai-prices')}"

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Return the prices of a file, without one those of genai-prices.

        A file that cannot be read, or a price that is no number of dollars, is a `HarnessError`.
        """
        if path is None:
            return cls()
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
            date = table.pop("date", None)
            if type(date) is not dt.date:
                raise HarnessError(f"prices {path}: expected a date such as date = 2026-06-21, found {date!r}")
            return cls(TypeAdapter(dict[str, _Prices]).validate_python(table), str(date))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            raise HarnessError(f"prices {path}: {': '.join(map(str, first['loc']))}: {first['msg']}") from None
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise HarnessError(f"prices {path}: {type(error).__name__}: {error}") from None

    def of(self, request: Request) -> TokenPrice | None:
        """Return the price of a request's model; `None` if there is none."""
        if self.providers is None:
            return FREE if request.provider in FREE_PROVIDERS else _published_price(request.provider, request.model)
        known = self.providers.get(request.provider)
        return known.of(request.model) if known else None


@cache
def _published_price(provider: str, model: str) -> TokenPrice | None:
    """Return the price of a model as genai-prices has it, `None` if it has none; of a price in tiers, the highest."""
    from genai_prices import Usage as PricedUsage, calc_price

    if provider not in PUBLISHED:
        return None
    try:
        price: Any = calc_price(PricedUsage(), model_ref=model, provider_id=PUBLISHED[provider]).model_price
    except LookupError:
        return None

    def highest(dollars: Any) -> Any:
        return max([dollars.base, *(tier.price for tier in dollars.tiers)]) if hasattr(dollars, "tiers") else dollars

    plain, output = highest(price.input_mtok), highest(price.output_mtok)
    if plain is None or output is None:
        return None
    cached, written = highest(price.cache_read_mtok), highest(price.cache_write_mtok)
    return TokenPrice(input=plain, output=output, cached=cached, written=written, batch=BATCH_SHARE)


def read_budget(dollars: str | None) -> int | None:
    """Return the picodollars of an amount of dollars such as `5` or `0.50`, as `--budget` takes it; another text is a `HarnessError`."""
    if dollars is None:
        return None
    try:
        amount = Decimal(dollars)
    except ArithmeticError:
        amount = Decimal("nan")
    if not amount.is_finite() or amount < 0:
        raise HarnessError(f"--budget: expected dollars such as 5.00, found {dollars!r}")
    return int(amount * DOLLAR)


def format_dollars(amount: int | None) -> str:
    """Return picodollars as dollars, such as `$0.0123` or `$12.30`; `?` for an unknown price."""
    if amount is None:
        return "?"
    dollars = Decimal(amount) / DOLLAR
    return f"${dollars:,.2f}" if dollars >= 1 or not amount else f"${dollars:.4f}"


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
