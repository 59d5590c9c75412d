"""Parameters that a server refuses: they are left out or renamed, and the request is repeated without them."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.llm.api_keys import environment
from harness.llm.connection import object_or_empty
from harness.llm.faults import RequestFault, RequestFaultKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.llm.connection import Connection

VARIABLE = "REFUSED_PARAMETERS"
"""The variable that names parameters to leave out or rename from the start: `temperature,max_tokens=max_completion_tokens`."""
LIMITS = ("max_tokens", "max_completion_tokens")
"""The names of the limit on output. It is never left out, because the budget counts on it."""
_NEEDED = {"model", "messages", "system", *LIMITS}
_NAMED_BY_FIELD = _NEEDED - set(LIMITS) | {"grammar"}
"""Parameters that the field `param` alone can name: a message with their name may be about their content."""
_WRONG_VALUES = frozenset(
    {
        *("decimal_above_max_value", "decimal_below_min_value", "integer_above_max_value", "integer_below_min_value"),
        *("invalid_type", "invalid_json_schema", "context_length_exceeded"),
    }
)
"""Codes of servers that take the parameter, but not the value that the user chose."""
_NAME = re.compile(r"[A-Za-z_]\w{0,60}")


@dataclass(slots=True)
class RefusedParameters:
    """The parameters that a server refused, by model, with the name to use instead, `None` where they are left out.

    `start` are those of all models from the start.
    """

    start: dict[str, str | None] = field(default_factory=lambda: _read(environment().get(VARIABLE, "")))
    by_model: dict[str, dict[str, str | None]] = field(default_factory=dict)

    async def post(self, connection: Connection, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> str:
        """Send a body without the refused parameters, once more for each that is refused now, and return the text of the answer.

        A refusal costs nothing, so that the caller counts one request. Errors as in `Connection.post`.
        """
        model = str(body.get("model"))
        known = self.by_model.setdefault(model, dict(self.start))
        changed: set[str] = set()
        while True:
            names = {name: known.get(name, name) for name in body}
            sent = {new: body[name] for name, new in names.items() if new is not None}
            try:
                return await connection.post(path, body=sent, headers=headers)
            except RequestFault as fault:
                name = refused_parameter(fault, sent)
                if name is None:
                    raise
                other = _other_limit(fault, name)
                if _is_kept(fault, name, other) or name in changed:
                    reason = f"{fault.reason} ({_advice(name, other)})"
                    raise RequestFault(fault.kind, reason, raw=fault.raw) from None
                changed.add(name)
                if name not in known:
                    known[name] = other
                    done = f"renamed to {other}" if other else "left out"
                    sys.stderr.write(
                        f"{model or 'the model'}: the server refuses {name}; it is {done} ({_advice(name, other)})\n"
                    )


def refused_parameter(fault: RequestFault, sent: Mapping[str, Any]) -> str | None:
    """Return the one parameter of a sent body that a refusal names: in its field `param`, else in its message."""
    if fault.kind is not RequestFaultKind.REQUEST:
        return None
    stated = _NAME.match(str(_error(fault).get("param") or ""))
    if stated is not None and stated[0] in sent:
        return stated[0]
    named = {name for name in _NAME.findall(_message(fault)) if name in sent} - _NAMED_BY_FIELD
    return named.pop() if len(named) == 1 else None


def _is_kept(fault: RequestFault, name: str, other: str | None) -> bool:
    """Tell whether the parameter must stay: a request needs it, or its value alone is refused."""
    return (name in _NEEDED and other is None) or _error(fault).get("code") in _WRONG_VALUES


def _other_limit(fault: RequestFault, name: str) -> str | None:
    """Return the other name of the limit on output, where the message says it."""
    named = _NAME.findall(_message(fault))
    return next((other for other in LIMITS if name in LIMITS and other != name and other in named), None)


def _error(fault: RequestFault) -> dict[str, Any]:
    """Return the error in the body of a refusal, as the libraries of OpenAI and Anthropic read it."""
    try:
        record = object_or_empty(json.loads(fault.raw))
    except (ValueError, RecursionError):
        return {}
    return object_or_empty(record.get("error")) or record


def _message(fault: RequestFault) -> str:
    """Return what a refusal says, the whole body where it has no message."""
    return str(_error(fault).get("message") or fault.raw)[:2_000]


def _advice(name: str, other: str | None) -> str:
    if name in _NEEDED and other is None:
        return "--max-tokens N sets another limit" if name in LIMITS else f"the request needs {name}"
    option = "--temperature none, or " if name == "temperature" else ""
    return f"from the start: {option}{VARIABLE}={name}{f'={other}' if other else ''} in the environment"


def _read(text: str) -> dict[str, str | None]:
    """Read the value of the variable.

    Raises:
        HarnessError: an item is no name or two names with `=` between them, or leaves out what a request needs.
    """
    refused: dict[str, str | None] = {}
    for item in filter(None, map(str.strip, text.split(","))):
        name, _, other = item.partition("=")
        if not all(map(_NAME.fullmatch, item.split("="))) or item.count("=") > 1 or (name in _NEEDED and not other):
            raise HarnessError(
                f"{VARIABLE}: expected names such as temperature or max_tokens=max_completion_tokens, found {item!r}"
            )
        refused[name] = other or None
    return refused
