"""Prices of models and the cost of an answer, in whole picodollars so that no amount is rounded twice."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.errors import HarnessError

if TYPE_CHECKING:
    from pathlib import Path

    from harness.llm.messages import Request, Usage

PUBLISHED = {"openai": "openai", "anthropic": "anthropic", "gemini": "google"}
"""The providers whose prices genai-prices has, by our name."""
FREE_PROVIDERS = frozenset({"ollama", "local", "replay"})
"""What runs on one's own machine costs nothing; replayed answers were paid for when they were recorded."""
BATCH_SHARE = Decimal("0.5")
"""The share of the price that a batch costs, as OpenAI, Anthropic and Google publish it."""
DOLLAR = 10**12
"""Picodollars in a dollar: a token at 0.025 dollars a million costs 25,000 of them."""


class _Price(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Decimal = Field(ge=0)
    output: Decimal = Field(ge=0)
    cached: Decimal | None = Field(default=None, ge=0)
    written: Decimal | None = Field(default=None, ge=0)


class _Prices(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    models: dict[str, _Price]
    batch: Decimal = Field(default=Decimal(1), ge=0, le=1)


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """The price of a token in picodollars: input, output, input read from and written to the provider's cache."""

    input: int
    output: int
    cached: int
    written: int
    batch: Decimal = Decimal(1)

    def of(self, usage: Usage, *, batched: bool = False) -> int:
        """Return the cost of a usage in picodollars."""
        plain = max(usage.input - usage.cached - usage.written, 0)
        whole = (
            plain * self.input + usage.cached * self.cached + usage.written * self.written + usage.output * self.output
        )
        return self._discounted(whole) if batched else whole

    def most(self, usage: Usage, *, batched: bool = False) -> int:
        """Return the highest cost of a number of tokens in picodollars, however the input is cached."""
        dearest = max(self.input, self.cached, self.written)
        whole = usage.input * dearest + usage.output * self.output
        return self._discounted(whole) if batched else whole

    def _discounted(self, whole: int) -> int:
        return int((whole * self.batch).to_integral_value(ROUND_CEILING))


FREE = TokenPrice(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class PriceTable:
    """Prices of models: those of the package genai-prices, or those of a file by provider and by prefix of a model's name."""

    models: dict[str, dict[str, TokenPrice]] | None = None
    date: str = ""
    """The date of the prices of a file."""

    @property
    def about(self) -> str:
        """Return where the prices are from, as the estimate of a job shows it."""
        return self.date or f"genai-prices {version('genai-prices')}"

    @classmethod
    def load(cls, path: Path | None = None) -> PriceTable:
        """Return the prices of a file, without one those of genai-prices.

        Raises:
            HarnessError: the file cannot be read, or a price is no number of dollars.
        """
        if path is None:
            return cls()
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise HarnessError(f"prices {path}: {type(error).__name__}: {error}") from None
        date = table.pop("date", None)
        if type(date).__name__ != "date":
            raise HarnessError(f"prices {path}: expected a date such as date = 2026-06-21, found {date!r}")
        return cls({provider: _prices(path, provider, entries) for provider, entries in table.items()}, str(date))

    def of(self, request: Request) -> TokenPrice | None:
        """Return the price of a request's model, by the longest matching prefix in a file; `None` if there is none."""
        if self.models is None:
            return FREE if request.provider in FREE_PROVIDERS else _published_price(request.provider, request.model)
        known = self.models.get(request.provider, {})
        prefixes = [name for name in known if request.model.startswith(name)]
        return known[max(prefixes, key=len)] if prefixes else None


@cache
def _published_price(provider: str, model: str) -> TokenPrice | None:
    """Return the price of a model as genai-prices has it, `None` if it has none; of a price in tiers, the highest."""
    from genai_prices import Usage as PricedUsage, calc_price

    if provider not in PUBLISHED:
        return None
    try:
        price = calc_price(PricedUsage(), model_ref=model, provider_id=PUBLISHED[provider]).model_price
    except LookupError:
        return None
    dear = [_highest(price.input_mtok), _highest(price.output_mtok)]
    if None in dear:
        return None
    plain, output = (_per_token(dollars or Decimal(0)) for dollars in dear)
    cached, written = (_highest(dollars) for dollars in (price.cache_read_mtok, price.cache_write_mtok))
    return TokenPrice(
        plain,
        output,
        plain if cached is None else _per_token(cached),
        plain if written is None else _per_token(written),
        BATCH_SHARE,
    )


def _highest(dollars: Any) -> Decimal | None:
    """Return a price for a million tokens, of several tiers the highest."""
    if dollars is None:
        return None
    if isinstance(dollars, Decimal):
        return dollars
    highest: Decimal = max([dollars.base, *(tier.price for tier in dollars.tiers)])
    return highest


def _prices(path: Path, provider: str, table: Any) -> dict[str, TokenPrice]:
    try:
        read = _Prices.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise HarnessError(f"prices {path}: {provider}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    return {
        name: TokenPrice(
            _per_token(price.input),
            _per_token(price.output),
            _per_token(price.input if price.cached is None else price.cached),
            _per_token(price.input if price.written is None else price.written),
            read.batch,
        )
        for name, price in read.models.items()
    }


def _per_token(dollars: Decimal) -> int:
    return int((dollars * DOLLAR / 1_000_000).to_integral_value(ROUND_CEILING))


def read_budget(dollars: str | None) -> int | None:
    """Return the picodollars of the option `--budget`, None without it.

    Raises:
        HarnessError: the text is no amount of dollars.
    """
    try:
        return None if dollars is None else picodollars(dollars)
    except ValueError as error:
        raise HarnessError(f"--budget: {error}") from None


def picodollars(dollars: str) -> int:
    """Return the picodollars of an amount of dollars such as `5` or `0.50`.

    Raises:
        ValueError: the text is no amount of dollars.
    """
    try:
        amount = Decimal(dollars)
    except ArithmeticError:
        raise ValueError(f"expected dollars such as 5.00, found {dollars!r}") from None
    if not amount.is_finite() or amount < 0:
        raise ValueError(f"expected dollars such as 5.00, found {dollars!r}")
    return int(amount * DOLLAR)


def format_dollars(amount: int | None) -> str:
    """Return picodollars as dollars, such as `$0.0123` or `$12.30`; `?` for an unknown price."""
    if amount is None:
        return "?"
    dollars = Decimal(amount) / DOLLAR
    return f"${dollars:,.2f}" if dollars >= 1 or not amount else f"${dollars:.4f}"
