"""Checks of a file of records as a whole: its manifest, ids that stand twice, near-twins, and problems whose texts or sources differ."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from harness.records.mutation import FlawClaim
from harness.store.run_folder import Stage
from harness.text.characters import quoted

IDS = ("flaw_id", "variant_id")
_CLAIMS = {
    "computational.jsonl": FlawClaim.ONE_FALSE_EQUATION,
    "conceptual.jsonl": FlawClaim.INEQUIVALENT_MUTANT,
    "variants.jsonl": "variant",
}
"""The claim of each record in the files of the stages; a file of another name may hold any record."""


def manifest_problem(path: Path) -> str | None:
    """Return why a file differs from the one that the manifest beside it sealed, `None` if it does not; a file that cannot be read is an `OSError`."""
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
        stream.seek(0)
        count = sum(1 for line in stream if line.strip()) if digest != sealed["sha256"] else 0
    if digest == sealed["sha256"]:
        return None
    return (
        f"manifest.json: expected SHA-256 {str(sealed['sha256'])[:12]}… and {sealed.get('records')} records,"
        f" found {digest[:12]}… and {count}: the file was changed after the stage was sealed"
    )


@dataclass(slots=True)
class FileConsistency:
    """The state of the records of one file read so far: the line of each id, and the parts that all records of a problem or formalization share.

    A near-twin stands below its variant. It keeps a hash of eight bytes for each id and each text that is shared.
    """

    name: str = ""
    """The name of the file, which tells its content if a stage wrote it."""
    ids: dict[int, int] = field(default_factory=dict)
    texts: dict[int, tuple[int, int]] = field(default_factory=dict)
    twinned: dict[int, str] = field(default_factory=dict)

    def problem(self, place: int, record: Any) -> str | None:
        """Return the part of a record that contradicts those before it; `None` if there is none."""
        name = next((name for name in IDS if isinstance(record, dict) and isinstance(record.get(name), str)), None)
        if name is None:
            return None
        first = self.ids.setdefault(_hash(name, record[name]), place)
        if first != place:
            return f"{name}: expected an id of its own, found {quoted(record[name])}, which stands on line {first}"
        certificate = record.get("certificate")
        certified = certificate if isinstance(certificate, dict) else {}
        claim = certified.get("claim") if name == "flaw_id" else "variant"
        expected = _CLAIMS.get(self.name.removesuffix(".gz"))
        if expected not in {None, claim}:
            return f"certificate.claim: expected {expected} in {self.name}, found {claim}"
        for part, group, text in _shared_texts(name, record, certified):
            key = _hash(name, part, *(str(record.get(field)) for field in _GROUPS[group]))
            line, own = self.texts.setdefault(key, (place, _hash(text)))
            if own != _hash(text):
                return f"{part}: expected that of line {line}, which is of the same {group}, found {quoted(text)}"
        return self._twin_problem(record) if name == "variant_id" else None

    def _twin_problem(self, record: Mapping[str, Any]) -> str | None:
        """Return why a near-twin is not one of the last variant of its operator and formalization above it."""
        own = _hash(*(str(record.get(name)) for name in ("problem_id", "model", "operator")))
        twin = record.get("twin_of")
        if twin is None:
            if record.get("class_label") != ProblemClass.SOLVABLE:
                self.twinned[own] = record["variant_id"]
            return None
        variant = self.twinned.get(own)
        if twin == variant:
            return None
        expected = "no such variant above" if variant is None else f"{quoted(variant)}, the variant above"
        return f"twin_of: expected {expected}, found {quoted(str(twin))}"


_GROUPS = {"problem": ("problem_id",), "formalization": ("problem_id", "model")}


def _shared_texts(name: str, record: Mapping[str, Any], certified: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the texts that records have in common: their field, the group that shares them, and the text."""
    yield "question", "problem", str(record.get("question"))
    if name == "flaw_id":
        yield "solution", "problem", str(record.get("solution"))
        yield "certificate.oracle", "formalization", json.dumps(certified.get("oracle"), sort_keys=True)
    for part in ("provenance", "tier", "source"):
        yield part, "formalization", json.dumps(record.get(part), sort_keys=True)


def _hash(*parts: str) -> int:
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
