"""Model providers: the registry, access to their keys, their limits, and the one that sends questions over HTTP."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import SecretStr

from harness.errors import HarnessError
from harness.llm.api_keys import environment
from harness.llm.connection import Connection, error_message
from harness.llm.messages import Reply, Request, RequestFault, RequestFaultKind, StopReason, Usage
from harness.llm.unsupported_parameters import UnsupportedParameters
from harness.registry import Registry

_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")


class Provider(Protocol):
    """An open connection to one provider."""

    async def ask(self, request: Request, label: str) -> Reply:
        """Return the answer, or raise a `RequestFault`; `label` is the same for every attempt, for servers that answer each label once."""

    async def close(self) -> None:
        """Close connections and end processes."""


@dataclass
class HttpProvider:
    """A provider at a path of a server; `labelled` servers take a label, and a `server` of this process ends with `close`."""

    connection: Connection
    path: str
    body_of: Callable[[Request], dict[str, Any]]
    read_body: Callable[[str], Reply]
    labelled: bool = False
    server: Any = None
    refused: UnsupportedParameters = field(default_factory=UnsupportedParameters)

    async def ask(self, request: Request, label: str) -> Reply:
        """Return the answer; errors as in `Provider.ask`."""
        headers = {"Idempotency-Key": label} if self.labelled else {}
        return self.read_body(await self.refused.post(self.connection, self.path, self.body_of(request), headers))

    async def close(self) -> None:
        """Close the connections."""
        await self.connection.close()
        self.server = None


def checked_reply(body: str, record: Mapping[str, Any], content: str, stop: StopReason, usage: Usage) -> Reply:
    """Return the reply in the record of a body; an error under status 200, and an answer without text that ended by itself, are a `RequestFault`."""
    if not content.strip() and stop is StopReason.END:
        kind, reason = RequestFaultKind.EMPTY, "the answer has no text"
        if record.get("error"):
            kind, reason = RequestFaultKind.SERVER, f"an error under status 200: {error_message(body)}"
        raise RequestFault(kind, reason, usage=usage, raw=body)
    return Reply(content, usage, stop, body)


@dataclass(frozen=True, slots=True)
class BatchEnding:
    """The end of a batch: the paths of its results, and the fault of questions without one."""

    paths: tuple[str, ...]
    rest: RequestFault


@dataclass(frozen=True, slots=True)
class BatchInterface:
    """The batches of a provider over HTTP, which are answered within a day at a lower price: their path and most questions and bytes.

    `record_of` returns the record of a labelled question; `parts` the `body` or `content` of the request that creates a batch of lines under
    our name, after what must be uploaded before; `ending` the end in the record of a batch, `None` if it has not ended; `outcome` that of a
    line of results, from its record and text. All but the first may raise a `RequestFault`.
    """

    path: str
    most_requests: int
    most_bytes: int
    record_of: Callable[[str, Request], dict[str, Any]]
    parts: Callable[[Connection, str, Sequence[bytes]], Awaitable[dict[str, Any]]]
    ending: Callable[[Mapping[str, Any]], BatchEnding | None]
    outcome: Callable[[Mapping[str, Any], str], Reply | RequestFault]
    body: str = "body"
    """The field of a record with the body of the question."""


def id_of(record: Mapping[str, Any], name: str = "id") -> str:
    """Return an id in a record, or raise a `RequestFault` if it has characters that an address may not have."""
    identifier = record.get(name)
    if not isinstance(identifier, str) or not _ID.fullmatch(identifier) or not identifier.strip("."):
        raise RequestFault(RequestFaultKind.MALFORMED, f"expected an id in {name!r}, found {identifier!r}")
    return identifier


@dataclass(frozen=True, slots=True)
class ProviderAccess:
    """The variables that contain keys and addresses of providers, and the keys that were read."""

    variables: Mapping[str, str] = field(default_factory=environment, repr=False)
    secrets: list[SecretStr] = field(default_factory=list)

    def key(self, name: str) -> SecretStr:
        """Return the key in a variable; one that is not set, or that no header can carry, is a `HarnessError`: the error of the library would show it."""
        value = self.variables.get(name, "").strip()
        if not value:
            raise HarnessError(f"no key: set {name} in the environment or in a .env file")
        odd = next((place for place, character in enumerate(value) if not "!" <= character <= "~"), None)
        if odd is not None:
            expected = f"{name}: expected a key of printable ASCII without spaces"
            raise HarnessError(f"{expected}, found {value[odd]!a} at character {odd + 1}")
        self.secrets.append(SecretStr(value))
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


Opener = Callable[[ProviderAccess], Provider]


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """A registered provider: its name, its opener, its default limits, and its batches if it takes them."""

    name: str
    open: Opener
    limits: ProviderLimits = field(default_factory=ProviderLimits)
    batches: BatchInterface | None = None


PROVIDERS: Registry[ProviderEntry] = Registry("harness.llm.providers")


def provider(
    name: str, *, limits: ProviderLimits | None = None, batches: BatchInterface | None = None
) -> Callable[[Opener], Opener]:
    """Register the decorated function as the opener of a provider, an `HttpProvider` if it takes batches."""

    def register(opens: Opener) -> Opener:
        PROVIDERS.add(ProviderEntry(name, opens, limits or ProviderLimits(), batches))
        return opens

    return register


def batch_interface(name: str) -> BatchInterface:
    """Return the batches of a provider, or raise a `HarnessError` if it is unknown or takes none."""
    batches = PROVIDERS.require(name).batches
    if batches is None:
        known = ", ".join(sorted(entry.name for entry in PROVIDERS if entry.batches is not None))
        raise HarnessError(f"{name} takes no batches; those that do: {known}")
    return batches


def split_model_name(spec: str) -> tuple[str, str]:
    """Return the provider and the model of a name such as `openai:gpt-4.1-mini` or `local`; errors as in `Registry.require`."""
    name, _, model = spec.partition(":")
    return PROVIDERS.require(name).name, model
