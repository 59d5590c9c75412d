"""Compact JSON form of the data of HTML pages: interned texts, index fields that all pages share, and chunks of items."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from harness.command_line.programs import runnable
from harness.stages import FORMALIZATION, STAGE_BY_NAME
from reports.views.artefacts import ReportError, SealedStage

# Items a chunk: the page unpacks a chunk in 10 ms when an item is opened; zlib looks back 32 kB only, so
# larger chunks are no smaller.
CHUNK = 32
Row = list[Any]
Part = TypeVar("Part")

dump_compact = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(slots=True)
class InternedTexts:
    """Texts that a page stores once, numbered in the order of their first use."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str | None) -> int:
        """Return the number of a text, -1 for none."""
        return -1 if text is None else self.numbers.setdefault(text, len(self.numbers))


def run_facts(stage: SealedStage) -> dict[str, Any]:
    """Return the fields of the index that all pages share: the run, its seed, versions and options, and `CHUNK`."""
    return {
        "run": stage.run.name,
        "seed": stage.manifest.get("seed"),
        "versions": stage.manifest.get("versions") or {},
        "options": stage.manifest.get("options") or {},
        "chunk": CHUNK,
    }


def chunks_of(items: Iterable[str]) -> Iterator[str]:
    """Join JSON texts to JSON lists of `CHUNK` each."""
    whole = iter(items)
    while chunk := list(islice(whole, CHUNK)):
        yield f"[{','.join(chunk)}]"


def require_problem(parts: Mapping[str, Part], problem_id: str, artefact: str, *, stage: str = FORMALIZATION) -> Part:
    """Return the entry of a problem.

    Raises:
        ReportError: The artefact names a problem that `problems.jsonl` lacks.
    """
    try:
        return parts[problem_id]
    except KeyError:
        message = (
            f"{artefact}: names the problem {problem_id}, which problems.jsonl lacks; "
            f"run the stage again in a new folder: {runnable(STAGE_BY_NAME[stage].command)}"
        )
        raise ReportError(message) from None
