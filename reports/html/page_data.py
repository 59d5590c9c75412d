"""Compact JSON form of the data of HTML pages: interned texts, index fields that all pages share, and chunks of items."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from reports.views.artefacts import SealedStage
from reports.views.glossary import tooltips

# Items a chunk: the page unpacks a chunk in 10 ms when an item is opened; zlib looks back 32 kB only, so
# larger chunks are no smaller.
CHUNK = 32
Row = list[Any]

dump_compact = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(slots=True)
class InternedTexts:
    """Texts that a page stores once, numbered in the order of their first use."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str | None) -> int:
        """Return the number of a text, -1 for none."""
        return -1 if text is None else self.numbers.setdefault(text, len(self.numbers))


def run_facts(stage: SealedStage) -> dict[str, Any]:
    """Return the fields of the index that all pages share: the run, its seed, versions and options, `CHUNK` and the glossary."""
    return {
        "run": stage.run.name,
        "seed": stage.manifest.get("seed"),
        "versions": stage.manifest.get("versions") or {},
        "options": stage.manifest.get("options") or {},
        "chunk": CHUNK,
        "glossary": tooltips(),
    }


def chunks_of(items: Iterable[str]) -> Iterator[str]:
    """Join JSON texts to JSON lists of `CHUNK` each."""
    whole = iter(items)
    while chunk := list(islice(whole, CHUNK)):
        yield f"[{','.join(chunk)}]"
