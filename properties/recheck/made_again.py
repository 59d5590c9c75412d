"""Records made again from the facts that they hold, by the generators that made them, and compared field by field."""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import Flaw
from generators.flaws.solution.source_solution import FlawSource, UnfitError
from generators.variants.variant_source import VariantSubject
from harness.domain import Status
from harness.json_form import MalformedRecordError, json_form, read_record
from harness.program.refusal import ProgramError, Refusal
from harness.records.content_digest import with_digest
from harness.records.provenance import RecordSource
from harness.text.characters import quoted
from oracles.proofs.flaw_certificate import FlawNotCertified
from oracles.proofs.record_content import Judgement
from properties.stages import certified_variants
from properties.stages.certified_flaws import FlawRecords
from properties.stages.record_source import open_record_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracles.proofs.solvers import Solver

Record = dict[str, Any]
MOST_SOURCES = 4
"""The sources whose records are kept: the records of a file stand source by source."""
_FACTS = ("problem_id", "model", "question", "provenance", "source")
NO_SOURCE = "not made again, since the record has no source: its words and its other fields are not checked; its certificate, numbers and equations hold"


@dataclass(slots=True)
class RecordMaker:
    """Makes the records of a source again; the last few sources are kept."""

    solver: Solver
    kept: OrderedDict[str, _FlawsAgain | _VariantsAgain | str] = field(default_factory=OrderedDict)

    def judge(self, record: Record) -> Judgement:
        """Compare a record, whose certificate holds, with what its facts make; a record without them is UNKNOWN.

        Of a record that a person edited, the texts that it was made with are compared.
        """
        if record.get("source") is None:
            return Judgement(Status.UNKNOWN, NO_SOURCE)
        made = self._made(record)
        if isinstance(made, str):
            return Judgement(Status.REFUTED, f"source: {made}")
        reviewed = "review" in record
        reason = _difference(_as_made(record) if reviewed else record, made, reviewed=reviewed)
        return Judgement(Status.CONFIRMED if reason is None else Status.REFUTED, reason)

    def _made(self, record: Record) -> _FlawsAgain | _VariantsAgain | str:
        """Return what the source of a record makes, or why it makes nothing."""
        flaws = "flaw_id" in record
        facts = (*_FACTS, "solution") if flaws else _FACTS
        key = json.dumps([flaws, *(record.get(name) for name in facts)], sort_keys=True)
        made = self.kept.pop(key, None)
        if made is None:
            try:
                source = read_record(RecordSource, record["source"])
                opened = open_record_source(record, source)
                if flaws:
                    made = _FlawsAgain.of(opened, source.seed)
                else:
                    made = _VariantsAgain.of(opened, source.seed, self.solver)
            except (MalformedRecordError, UnfitError, FlawNotCertified, Refusal, ProgramError) as error:
                made = str(error)
        self.kept[key] = made
        if len(self.kept) > MOST_SOURCES:
            self.kept.popitem(last=False)
        return made


@dataclass(frozen=True)
class _FlawsAgain:
    """The flaws of a source; each is certified when its record is asked for."""

    flaws: tuple[Flaw, ...]
    records: FlawRecords
    known: dict[int, Record] = field(default_factory=dict)

    @classmethod
    def of(cls, source: FlawSource, seed: int) -> _FlawsAgain:
        flaws = tuple(flaw for flaw in flaws_of(source) if isinstance(flaw, Flaw))
        return cls(flaws, FlawRecords.of(source, seed=seed))

    def like(self, record: Record) -> Iterator[Record]:
        """Yield the records that one can be: with its text, else all of its operator."""
        same = [place for place, flaw in enumerate(self.flaws) if flaw.text == record["flawed_solution"]]
        for place in same or [place for place, flaw in enumerate(self.flaws) if flaw.operator == record["operator"]]:
            if place not in self.known:
                flaw = self.flaws[place]
                try:
                    made = self.records.record(flaw)
                except FlawNotCertified:
                    continue
                self.known[place] = with_digest(json_form(made))
            yield self.known[place]


@dataclass(frozen=True)
class _VariantsAgain:
    """The variants of a source."""

    records: tuple[Record, ...]

    @classmethod
    def of(cls, source: FlawSource, seed: int, solver: Solver) -> _VariantsAgain:
        made = certified_variants.make_from(VariantSubject(source), seed=seed, solver=solver)
        return cls(tuple(made.records))

    def like(self, record: Record) -> Iterator[Record]:
        """Yield the records that one can be: with its text, else all of its operator."""
        text = record["modified_problem_text"]
        same = [made for made in self.records if made["modified_problem_text"] == text]
        yield from same or [made for made in self.records if made["operator"] == record["operator"]]


def _as_made(record: Record) -> Record:
    """Return a reviewer's record with the texts that it was made with, and without the fields that a review changes."""
    original = record["review"]["original"]
    details = {**record["label"]["error_details"], "explanation": original["explanation"]}
    label = {**record["label"], "error_details": details}
    return {**record, "flawed_solution": "\n".join(original["lines"]), "label": label}


def _difference(record: Record, made: _FlawsAgain | _VariantsAgain, *, reviewed: bool) -> str | None:
    """Return the first field in which a record differs from the most similar one that its source makes; `None` if there is none.

    A reviewed record may say that it needs no edit any more, and its digest is that of the review, too.
    """
    closest = max(
        made.like(record), key=lambda other: sum(record.get(name) == other[name] for name in other), default=None
    )
    if closest is None:
        return f"operator: its source makes no such record of {quoted(str(record['operator']))}"
    edited = reviewed and (record.get("needs_edit"), record.get("edits")) == (False, [])
    changed = {"review", "digest", *(("needs_edit", "edits") if edited else ())} if reviewed else set()
    found = [
        text
        for name in dict.fromkeys((*record, *closest))
        if name not in changed
        for text in _differences(record.get(name), closest.get(name), name)
    ]
    # The id and the digest follow from other fields, whose names tell more.
    following = ("flaw_id", "variant_id", "digest")
    return next((text for text in found if not text.startswith(following)), found[0] if found else None)


def _differences(given: Any, made: Any, name: str) -> Iterator[str]:
    """Yield the fields in which a JSON value differs from what is made again, by their places."""
    if isinstance(given, dict) and isinstance(made, dict):
        for key in dict.fromkeys((*given, *made)):
            yield from _differences(given.get(key), made.get(key), f"{name}.{key}")
    elif isinstance(given, list) and isinstance(made, list) and len(given) == len(made):
        for place, (own, other) in enumerate(zip(given, made, strict=True)):
            yield from _differences(own, other, f"{name}[{place}]")
    elif type(given) is not type(made) or given != made:
        yield f"{name}: expected {_shown(made)}, as its source makes it, found {_shown(given)}"


def _shown(value: Any) -> str:
    return quoted(value if isinstance(value, str) else json.dumps(value))
