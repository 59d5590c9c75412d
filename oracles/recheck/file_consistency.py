"""Checks of a file of records as a whole: its manifest, ids that stand twice, near-twins, and problems whose texts or oracles differ."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from harness.constraint_system import ProblemClass
from harness.errors import HarnessError
from harness.store.run_folder import Stage
from harness.text.characters import quoted
from harness.text.order_statements import ORDER
from oracles.certificates.flaw_certificate import FlawClaim
from oracles.recheck.flaws.flaw_lines import line_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from oracles.recheck.corpus_problems import CorpusProblems
    from oracles.recheck.source_provenance import RunOracles

IDS = ("flaw_id", "variant_id")
_NAME = re.compile(r"[^\W\d]\w*")
_CLAIMS = {
    "computational.jsonl": FlawClaim.ONE_FALSE_EQUATION,
    "conceptual.jsonl": FlawClaim.INEQUIVALENT_MUTANT,
    "variants.jsonl": "variant",
}
"""The claim of each record in the files of the stages."""


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

    What a formalization rests on is the same for all records that were made from it, and, in a run folder, what the run's `oracles`
    say; where a `corpus` is given, its problems have these questions and solutions. A near-twin stands below its variant. It keeps a hash of eight bytes for each id and each text that is shared.
    """

    name: str = ""
    """The name of the file, which tells its content if a stage wrote it."""
    oracles: RunOracles | None = None
    corpus: CorpusProblems | None = None
    ids: dict[int, int] = field(default_factory=dict)
    texts: dict[int, tuple[int, int]] = field(default_factory=dict)
    twinned: dict[int, tuple[str, list[tuple[int, int]]]] = field(default_factory=dict)

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
        problem = self._twin_problem(record) if name == "variant_id" else None
        return problem or next(
            (found for known in (self.oracles, self.corpus) if known is not None and (found := known.problem(record))),
            None,
        )

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
        """Return why a near-twin is not one of the last variant of its operator and formalization above it.

        A twin is edited where its variant is, or says the whole sentence another way.
        """
        own = tuple(str(record.get(name)) for name in ("problem_id", "model", "operator"))
        edits = record.get("edits")
        spans = [
            edit.get("span") if isinstance(edit, dict) else None for edit in (edits if isinstance(edits, list) else ())
        ]
        places = [
            (span[0], span[1])
            for span in spans
            if isinstance(span, list) and len(span) == 2 and all(isinstance(offset, int) for offset in span)
        ]
        twin = record.get("twin_of")
        if twin is None:
            if record.get("class_label") != ProblemClass.SOLVABLE:
                self.twinned[_hash(*own)] = (record["variant_id"], places)
            return None
        variant, edited = self.twinned.get(_hash(*own), ("", []))
        if twin != variant:
            shown = f"{quoted(variant)}, the variant above" if variant else "no such variant above"
            return f"twin_of: expected {shown}, found {quoted(str(twin))}"
        if not any(max(start, first) <= min(end, last) for start, end in places for first, last in edited):
            return f"twin_of: expected an edit at a place where {quoted(variant)} is edited, too, found none"
        return None


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
    provenance = json.dumps(record.get("provenance"), sort_keys=True)
    yield _Shared("provenance", "formalization", source, provenance)
    yield _Shared("tier", "formalization", source, json.dumps(record.get("tier")))
    if name == "variant_id":
        yield from _shared_solutions(source, record)


def _shared_solutions(source: tuple[str, ...], record: Mapping[str, Any]) -> Iterator[_Shared]:
    """Yield the common parts of the variants of a formalization: the quantity asked for, and a solution that differs in numbers only."""
    system, solution, models = (record.get(name) for name in ("system", "solution", "models"))
    if not isinstance(system, dict):
        return
    yield _Shared("system.answer", "formalization", source, str(system.get("answer")))
    yield from _shared_statements(source, system)
    if not isinstance(solution, str) or not isinstance(models, list):
        return
    lines = "\n".join(" ".join(line_words(line)) for line in solution.split("\n"))
    yield _Shared("solution", "formalization", (*source, "words"), lines)
    steps = system.get("steps")
    told = [
        f"{step.get('variable')} {step.get('expression')}"
        for step in (steps if isinstance(steps, list) else ())
        if isinstance(step, dict)
    ]
    variables = sorted({name for text in told for name in _NAME.findall(text)})
    values = [str(model.get(name)) for model in models if isinstance(model, dict) for name in variables]
    yield _Shared("solution", "formalization with the same values", (*source, *values), solution)


def _shared_statements(source: tuple[str, ...], system: Mapping[str, Any]) -> Iterator[_Shared]:
    """Yield the common parts of the systems of a formalization: the steps, the facts that stand nowhere in the text, and bounds of one name."""
    for part, name, told in _STATEMENTS:
        entries = system.get(part)
        for entry in entries if isinstance(entries, list) else ():
            if not isinstance(entry, dict) or str(entry.get("name")).startswith(_OWN):
                continue
            about = str(entry.get(name))
            same = f"formalization, about {about[:60]}"
            yield _Shared(f"system.{part}", same, (*source, about), json.dumps(told(entry)))


_STATEMENTS: tuple[tuple[str, str, Callable[[Mapping[str, Any]], Any]], ...] = (
    ("steps", "variable", lambda step: step.get("expression")),
    ("facts", "variable", lambda fact: "its text" if fact.get("span") is not None else fact.get("value")),
    ("bounds", "name", lambda bound: [bound.get("variable"), bound.get("kind"), bound.get("limit")]),
)
"""The parts of a system: the statements, by their subjects."""
_OWN = ("again:", f"{ORDER}:")
"""What the names of facts and bounds begin with that each variant states for itself, and that its own text is read for."""


def _hash(*parts: str) -> int:
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "big")
