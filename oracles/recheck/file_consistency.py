"""Checks of a file of records as a whole: its manifest, ids that stand twice, and problems whose texts or oracles differ."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.store.run_folder import Stage
from harness.text.printable_text import quoted

if TYPE_CHECKING:
    from pathlib import Path

    from oracles.recheck.source_provenance import RunOracles

IDS = ("flaw_id", "variant_id")
_TEXTS = {"flaw_id": ("question", "solution"), "variant_id": ("question",)}


def manifest_problem(path: Path) -> str | None:
    """Return why a file is not what the manifest beside it sealed; `None` where it is, or where no manifest lies beside it.

    Raises:
        OSError: the file cannot be read.
    """
    stage = Stage(path.parent)
    if not stage.manifest_path.exists():
        return None
    try:
        sealed = stage.manifest()["files"].get(path.name)
    except HarnessError as error:
        return str(error)
    if not isinstance(sealed, dict) or "sha256" not in sealed:
        return f"manifest.json: expected an entry for {quoted(path.name)}, found none"
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest == sealed["sha256"]:
        return None
    with path.open("rb") as stream:
        count = sum(1 for line in stream if line.strip())
    return (
        f"manifest.json: expected SHA-256 {str(sealed['sha256'])[:12]}… and {sealed.get('records')} records,"
        f" found {digest[:12]}… and {count}: the file was changed after the stage was sealed"
    )


@dataclass(slots=True)
class FileConsistency:
    """What the records of one file, read so far, say: the line of each id, and the texts of each problem.

    What a formalization rests on is the same for all records that were made from it, and, in a run folder, what the run's `oracles`
    say. It keeps a hash of eight bytes for each id and each text.
    """

    oracles: RunOracles | None = None
    ids: dict[int, int] = field(default_factory=dict)
    texts: dict[int, tuple[int, int]] = field(default_factory=dict)

    def problem(self, place: int, record: Any) -> str | None:
        """Return what in a record does not agree with those before it; `None` where all does."""
        name = next((name for name in IDS if isinstance(record, dict) and isinstance(record.get(name), str)), None)
        if name is None:
            return None
        first = self.ids.setdefault(_hash(name, record[name]), place)
        if first != place:
            return f"{name}: expected an id of its own, found {quoted(record[name])}, which stands on line {first}"
        for text in _TEXTS[name]:
            key = _hash(name, text, str(record.get("problem_id")))
            line, own = self.texts.setdefault(key, (place, _hash(str(record.get(text)))))
            if own != _hash(str(record.get(text))):
                return f"{text}: expected that of line {line}, which is of the same problem, found {quoted(str(record.get(text)))}"
        key = _hash(name, "provenance", str(record.get("problem_id")), str(record.get("model")))
        provenance = json.dumps(record.get("provenance"), sort_keys=True)
        line, own = self.texts.setdefault(key, (place, _hash(provenance)))
        if own != _hash(provenance):
            return f"provenance: expected that of line {line}, which is of the same formalization, found {quoted(provenance)}"
        return None if self.oracles is None else self.oracles.problem(record)


def _hash(*parts: str) -> int:
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
