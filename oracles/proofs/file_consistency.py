"""Checks of a file of records as a whole: its manifest, ids that stand twice, near-twins, and problems whose texts or sources differ."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from harness.store.run_folder import Stage
from harness.text.characters import quoted
from oracles.proofs.flaw_certificate import FlawClaim

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

IDS = ("flaw_id", "variant_id")
_CLAIMS = {
    "computational.jsonl": FlawClaim.ONE_FALSE_EQUATION,
    "conceptual.jsonl": FlawClaim.INEQUIVALENT_MUTANT,
    "variants.jsonl": "variant",
}
"""The claim of each record in the files of the stages."""
_OF_FORMALIZATION = ("provenance", "tier", "source")
"""The fields that all records of a formalization share."""


def manifest_problem(path: Path) -> str | None:
    """Return why a file differs from the one that the manifest beside it sealed; `None` if it does not, or without a manifest.

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
        misplaced = self._misplaced(record)
        if misplaced is not None:
            return misplaced
        for shared in _shared(name, record):
            key = _hash(name, shared.field, *shared.of)
            line, own = self.texts.setdefault(key, (place, _hash(shared.text)))
            if own != _hash(shared.text):
                return f"{shared.field}: expected that of line {line}, which is of the same {shared.same}, found {quoted(shared.text)}"
        return self._twin_problem(record) if name == "variant_id" else None

    def _misplaced(self, record: Mapping[str, Any]) -> str | None:
        """Return why a stage would not write the record into a file of this name; a file of another name may hold any record."""
        expected = _CLAIMS.get(self.name.removesuffix(".gz"))
        certificate = record.get("certificate")
        claim = certificate.get("claim") if isinstance(certificate, dict) and "flaw_id" in record else "variant"
        return (
            None
            if expected in {None, claim}
            else f"certificate.claim: expected {expected} in {self.name}, found {claim}"
        )

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


@dataclass(frozen=True, slots=True)
class _Shared:
    """A text that records have in common: its field, the group that shares it (as a word and by name), and the text."""

    field: str
    same: str
    of: tuple[str, ...]
    text: str


def _shared(name: str, record: Mapping[str, Any]) -> Iterator[_Shared]:
    problem, source = str(record.get("problem_id")), (str(record.get("problem_id")), str(record.get("model")))
    yield _Shared("question", "problem", (problem,), str(record.get("question")))
    if name == "flaw_id":
        yield _Shared("solution", "problem", (problem,), str(record.get("solution")))
        certificate = record.get("certificate")
        oracle = certificate.get("oracle") if isinstance(certificate, dict) else None
        yield _Shared("certificate.oracle", "formalization", source, json.dumps(oracle, sort_keys=True))
    for shared in _OF_FORMALIZATION:
        yield _Shared(shared, "formalization", source, json.dumps(record.get(shared), sort_keys=True))


def _hash(*parts: str) -> int:
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
