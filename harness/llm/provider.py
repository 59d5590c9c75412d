"""The interfaces of a model provider and of its batches, the registry of providers, and access to their keys."""

from __future__ import annotations

import json
import math
import re
from abc import ABC, abstractmethod
from contextlib import aclosing
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from harness.errors import HarnessError
from harness.llm.api_keys import Secret, environment
from harness.llm.connection import Connection, json_object
from harness.llm.faults import RequestFault, RequestFaultKind
from harness.registry import Registry

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

    from harness.llm.messages import Reply, Request

_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")


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
class BatchSize:
    """The number of questions of a batch, and of bytes of their lines."""

    requests: int
    bytes: int


@dataclass(frozen=True, slots=True)
class BatchEnding:
    """The end of a batch: the paths of its results, and the fault of questions without one."""

    paths: tuple[str, ...]
    rest: RequestFault


class BatchProvider(ABC):
    """Batches of one provider, which are answered within a day at a lower price."""

    most: ClassVar[BatchSize]
    path: ClassVar[str]
    """The path of the list of batches."""

    def __init__(self, connection: Connection) -> None:
        """Use an open connection."""
        self.connection = connection

    @abstractmethod
    def record_of(self, label: str, request: Request) -> dict[str, Any]:
        """Return the record of one question in a batch."""

    @abstractmethod
    async def parts(self, name: str, lines: Sequence[bytes]) -> dict[str, Any]:
        """Return the `body` or `content` of the request that creates a batch, after what must be uploaded before."""

    @abstractmethod
    def ending(self, record: Mapping[str, Any]) -> BatchEnding | None:
        """Return the end in the record of a batch, `None` if it has not ended."""

    @abstractmethod
    def outcome(self, record: Mapping[str, Any], line: str) -> Reply | RequestFault:
        """Return the outcome in a line of results; a fault of its own may be raised."""

    def line(self, label: str, request: Request) -> bytes:
        """Return the line of one question.

        Raises:
            UnicodeEncodeError: the question has half of a surrogate pair, for which a provider would refuse the whole batch.
        """
        return json.dumps(self.record_of(label, request), ensure_ascii=False).encode() + b"\n"

    async def submit(self, name: str, lines: Sequence[bytes]) -> str:
        """Submit a batch under our name and return the provider's id.

        Raises:
            RequestFault: the batch was not submitted, or, for a kind that may be billed, it may have been.
        """
        parts = await self.parts(name, lines)
        headers = {"Idempotency-Key": name, "Content-Type": "application/json"}
        return id_of(json_object(await self.connection.post(self.path, headers=headers, **parts)))

    async def ended(self, remote: str) -> BatchEnding | None:
        """Return the end of a batch, `None` if it has not ended; errors as in `Connection`."""
        return self.ending(await self.connection.get(f"{self.path}/{remote}"))

    async def results(self, paths: Sequence[str]) -> AsyncGenerator[tuple[object, Reply | RequestFault]]:
        """Yield the label and the outcome of each result of a batch that ended, in any order; the label is `None` in an unreadable line."""
        for path in paths:
            async with aclosing(self.connection.lines(path)) as lines:
                async for line in lines:
                    label = None
                    try:
                        record = json_object(line)
                        label = record.get("custom_id")
                        outcome = self.outcome(record, line)
                    except RequestFault as fault:
                        outcome = fault
                    yield label if isinstance(label, str) else None, outcome


def id_of(record: Mapping[str, Any], name: str = "id") -> str:
    """Return an id in a record.

    Raises:
        RequestFault: there is no id, or it has characters that an address may not have.
    """
    identifier = record.get(name)
    if not isinstance(identifier, str) or not _ID.fullmatch(identifier) or not identifier.strip("."):
        raise RequestFault(RequestFaultKind.MALFORMED, f"expected an id in {name!r}, found {identifier!r}")
    return identifier


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
        self.secrets.append(Secret(value))
        return self.secrets[-1]


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
            if not (1 if limit.name == "tries" else 0) <= value < math.inf:
                raise HarnessError(f"limits: expected a number for {limit.name}, 0 or more (tries: 1), found {value!r}")


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


def batch_providers() -> str:
    """Return the names of the providers that take batches."""
    return ", ".join(sorted(entry.name for entry in PROVIDERS if entry.batches is not None))


def split_model_name(spec: str) -> tuple[str, str]:
    """Return the provider and the model of a name such as `openai:gpt-4.1-mini` or `local`.

    Raises:
        HarnessError: the provider is unknown.
    """
    name, _, model = spec.partition(":")
    return PROVIDERS.require(name).name, model
