"""What did a model answer to a request that was made before, with and without a network?"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.store import Shard, dump, fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

Request = dict[str, Any]
Answer = dict[str, Any]


@dataclass(slots=True)
class Replay:
    """Answers by the hash of model, messages and parameters, in a file of JSON lines that only grows.

    With `offline` nothing is asked: a request that has no answer yet is an error.
    """

    path: Path
    offline: bool = False
    _known: dict[str, Answer] | None = field(default=None)
    _shard: Shard | None = field(default=None)

    def answers(
        self, requests: Sequence[Request], ask: Callable[[list[Request]], Sequence[Mapping[str, Any]]]
    ) -> Iterator[Answer]:
        """Yield the answer to each request; those not known yet are asked for together, each once, and kept.

        Raises:
            HarnessError: `offline`, and an answer is not known.
        """
        known = self._load()
        keys = [fingerprint([dump_sorted(request)]) for request in requests]
        wanted = {key: request for key, request in zip(keys, requests, strict=True) if key not in known}
        if wanted and self.offline:
            raise HarnessError(
                f"{self.path}: holds no answer {next(iter(wanted))}, and --offline asks nobody; run it once without"
            )
        if wanted:
            for (key, request), answer in zip(wanted.items(), ask(list(wanted.values())), strict=True):
                self._keep(key, request, dict(answer))
        yield from (known[key] for key in keys)

    def _load(self) -> dict[str, Answer]:
        if self._known is None:
            self._known = {}
            if self.path.is_file():
                for line in self.path.read_text(encoding="utf-8", errors="replace").split("\n"):
                    try:
                        record = json.loads(line)
                        self._known.setdefault(record["key"], record["answer"])
                    except (ValueError, KeyError, TypeError):
                        continue  # a line that a kill cut off
        return self._known

    def _keep(self, key: str, request: Request, answer: Answer) -> None:
        if self._shard is None:
            self._shard = Shard(self.path)
        self._load()[key] = answer
        self._shard.append({"key": key, "request": request, "answer": answer})

    def close(self) -> None:
        """Close the file."""
        if self._shard is not None:
            self._shard.close()
            self._shard = None


def dump_sorted(request: Mapping[str, Any]) -> str:
    """Return the one text of a request, whatever the order of its fields."""
    return dump(json.loads(json.dumps(request, sort_keys=True)))
