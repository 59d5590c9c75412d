"""The interface of a model provider, the registry of providers, and access to their keys."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Protocol

from harness.errors import HarnessError
from harness.llm.api_keys import Secret, environment
from harness.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from harness.llm.batch_provider import BatchProvider
    from harness.llm.messages import Reply, Request


class Provider(Protocol):
    """An open connection to one provider."""

    async def ask(self, request: Request, label: str) -> Reply:
        """Return the answer; `label` is the same for every attempt, for servers that answer each label once.

        Raises:
            RequestFault: the question was not answered.
        """

    async def close(self) -> None:
        """Close connections and end processes."""


@dataclass(frozen=True, slots=True)
class ProviderAccess:
    """The variables that contain keys and addresses of providers, and the keys that were read."""

    variables: Mapping[str, str] = field(repr=False)
    secrets: list[Secret] = field(default_factory=list)

    @classmethod
    def of_environment(cls) -> ProviderAccess:
        """Return the access that the environment and a `.env` file in the working folder give; errors as in `environment`."""
        return cls(environment())

    def key(self, name: str) -> Secret:
        """Return the key in a variable.

        Raises:
            HarnessError: the variable is not set.
        """
        value = self.variables.get(name, "").strip()
        if not value:
            raise HarnessError(f"no key: set {name} in the environment or in a .env file")
        secret = Secret(value)
        self.secrets.append(secret)
        return secret


@dataclass(frozen=True, slots=True)
class ProviderLimits:
    """The limits of one provider.

    `concurrency`: concurrent requests; `requests` and `tokens`: per minute; `seconds`: until a request is abandoned;
    `tries`: attempts at one question; `pause`: seconds before the second attempt, doubled for each further one up to
    `longest_pause`; `failures`: after so many questions in a row that fail in every attempt the model counts as down.
    0 means no limit in `concurrency`, `requests`, `tokens`, `seconds` and `failures`.
    """

    concurrency: int = 8
    requests: float = 0.0
    tokens: float = 0.0
    seconds: float = 120.0
    tries: int = 6
    pause: float = 1.0
    longest_pause: float = 60.0
    failures: int = 10

    def __post_init__(self) -> None:
        """Check that limits allow a request.

        Raises:
            HarnessError: a limit is negative or no number, or `tries` is 0.
        """
        for limit in fields(self):
            value = getattr(self, limit.name)
            if not 0 <= value < math.inf:
                raise HarnessError(f"limits: {limit.name} is 0 or more, found {value!r}")
        if self.tries < 1:
            raise HarnessError("limits: tries is 1 or more, found 0")


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """A registered provider: its name, its opener, its default limits, its batches if it takes them, and its description."""

    name: str
    open: Callable[[ProviderAccess], Provider]
    limits: ProviderLimits = field(default_factory=ProviderLimits)
    batches: Callable[[ProviderAccess], BatchProvider] | None = None
    about: str = ""


PROVIDERS: Registry[ProviderEntry] = Registry("harness.llm.providers")


def provider(
    name: str, *, limits: ProviderLimits | None = None, batches: Callable[[ProviderAccess], BatchProvider] | None = None
) -> Callable[[Callable[[ProviderAccess], Provider]], Callable[[ProviderAccess], Provider]]:
    """Register the decorated function as the opener of a provider; the first line of its docstring is the description."""

    def register(opens: Callable[[ProviderAccess], Provider]) -> Callable[[ProviderAccess], Provider]:
        about = (opens.__doc__ or "").strip().partition("\n")[0]
        PROVIDERS.add(ProviderEntry(name, opens, limits or ProviderLimits(), batches, about))
        return opens

    return register


def split_model_name(spec: str) -> tuple[str, str]:
    """Return the provider and the model of a name such as `openai:gpt-4.1-mini` or `local`.

    Raises:
        HarnessError: the provider is unknown.
    """
    name, _, model = spec.partition(":")
    return PROVIDERS.require(name).name, model
