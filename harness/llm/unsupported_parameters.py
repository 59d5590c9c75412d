"""Parameters that a server refuses: they are left out or renamed, and the request is repeated without them."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from harness.errors import HarnessError
from harness.llm.api_keys import environment
from harness.llm.connection import Connection, error_message, error_record, object_or_empty
from harness.llm.messages import RequestFault, RequestFaultKind

VARIABLE = "REFUSED_PARAMETERS"
"""The variable that names parameters to leave out or rename from the start: `temperature,max_tokens=max_completion_tokens`."""
LIMITS = ("max_tokens", "max_completion_tokens")
"""The names of the limit on output. It is never left out, because the budget counts on it."""
_NEEDED = {"model", "messages", "system"}
_WRONG_VALUE = re.compile(r"(?:decimal|integer)_(?:above_max|below_min)_value|invalid_type")
"""Codes of servers that take the parameter, but not the value that the user chose."""
_NAME = re.compile(r"[A-Za-z_]\w*+")
_RENAMING = re.compile(r"([A-Za-z_]\w*+)(?:=([A-Za-z_]\w*+))?")


@dataclass(slots=True)
class UnsupportedParameters:
    """The parameters that a server refused, by model, with the name to use instead, `None` to leave out; `start` holds for all models."""

    start: dict[str, str | None] = field(default_factory=lambda: _renamings(environment().get(VARIABLE, "")))
    by_model: dict[str, dict[str, str | None]] = field(default_factory=dict)

    def allowed(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return a body without the parameters that its model refuses, or with their other names."""
        known = self.by_model.get(str(body.get("model")), self.start)
        names = {name: known.get(name, name) for name in body}
        return {new: body[name] for name, new in names.items() if new is not None}

    async def post(self, connection: Connection, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> str:
        """Send a body without the refused parameters, once more for each that is refused now, and return the text of the answer.

        A refusal costs nothing, so that the caller counts one request. Errors as in `Connection.post`.
        """
        model = str(body.get("model"))
        known = self.by_model.setdefault(model, dict(self.start))
        changed: set[str] = set()
        while True:
            sent = self.allowed(body)
            try:
                return await connection.post(path, body=sent, headers=headers)
            except RequestFault as fault:
                name, error = unsupported_parameter(fault, sent), object_or_empty(error_record(fault.raw))
                if name is None:
                    raise
                other = _other_limit(fault, name)
                advice, needed = _advice(name, other), name in LIMITS and other is None
                if needed or name in changed or _WRONG_VALUE.fullmatch(str(error.get("code"))):
                    raise replace(fault, reason=f"{fault.reason} ({advice})") from None
                changed.add(name)
                if name not in known:
                    known[name] = other
                    done = f"renamed to {other}" if other else "left out"
                    sys.stderr.write(f"{model or 'the model'}: the server refuses {name}; it is {done} ({advice})\n")


def unsupported_parameter(fault: RequestFault, sent: Mapping[str, Any]) -> str | None:
    """Return the one parameter of a sent body that a refusal names: in its field `param`, else in its message."""
    if fault.kind is not RequestFaultKind.REQUEST:
        return None
    optional = sent.keys() - _NEEDED
    stated = _NAME.match(str(object_or_empty(error_record(fault.raw)).get("param") or ""))
    if stated is not None and stated[0] in optional:
        return stated[0]
    # A message with this word may be about what the grammar says.
    named = optional.intersection(_NAME.findall(error_message(fault.raw))) - {"grammar"}
    return named.pop() if len(named) == 1 else None


def advised(fault: RequestFault) -> RequestFault:
    """Return the fault of a question in a batch; where its reason names a parameter to leave out, with the option that does so from the start."""
    told = RequestFault(fault.kind, fault.reason, raw=json.dumps({"error": {"message": fault.reason}}))
    name = unsupported_parameter(told, dict.fromkeys((*LIMITS[:1], "temperature", "response_format", "output_config")))
    if name is None:
        return fault
    return replace(fault, reason=f"{fault.reason} ({_advice(name, _other_limit(told, name))})")


def _other_limit(fault: RequestFault, name: str) -> str | None:
    """Return the other name of the limit on output, where the message says it."""
    named = _NAME.findall(error_message(fault.raw)) if name in LIMITS else []
    return next((other for other in LIMITS if other != name and other in named), None)


def _advice(name: str, other: str | None) -> str:
    if name in LIMITS and other is None:
        return "--max-tokens N sets another limit"
    option = "--temperature none, or " if name == "temperature" else ""
    return f"from the start: {option}{VARIABLE}={name}{f'={other}' if other else ''} in the environment"


def _renamings(text: str) -> dict[str, str | None]:
    """Read the variable; an item that is neither a name nor two with `=` between them, or leaves out what a request needs, is a `HarnessError`."""
    refused: dict[str, str | None] = {}
    for item in filter(None, map(str.strip, text.split(","))):
        match = _RENAMING.fullmatch(item)
        if match is None or (match[2] is None and match[1] in {*_NEEDED, *LIMITS}):
            raise HarnessError(
                f"{VARIABLE}: expected names such as temperature or max_tokens={LIMITS[1]}, found {item!r}"
            )
        refused[match[1]] = match[2]
    return refused
