"""Records made again from the facts that they hold, by the generators that made them, and compared field by field."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from generators.flaws.solution.source_solution import UnfitError
from generators.variants.variant_source import VariantSubject
from harness.domain import Status
from harness.json_form import MalformedRecordError, read_record
from harness.program.refusal import ProgramError, Refusal
from harness.records.provenance import RecordSource
from harness.text.characters import quoted
from oracles.proofs.record_content import Judgement
from properties.engine.operator_run import open_record_source
from properties.stages import mutation, variant

Record = dict[str, Any]
_FACTS = ("problem_id", "model", "question", "provenance", "source", "solution")
"""The fields that a record is made from; the solution of a variant is made."""
NO_SOURCE = "not made again, since the record has no source: its words and its other fields are not checked; its certificate, numbers and equations hold"


def judge_reproduction(record: Record) -> Judgement:
    """Compare a record, whose certificate holds, with what its facts make; a record without them is UNKNOWN.

    Of a record that a person edited, the texts that it was made with are compared.
    """
    if record.get("source") is None:
        return Judgement(Status.UNKNOWN, NO_SOURCE)
    facts = {name: record.get(name) for name in _FACTS if name != "solution" or "flaw_id" in record}
    made = _records_or_reason(json.dumps(facts, sort_keys=True))
    if isinstance(made, str):
        return Judgement(Status.REFUTED, f"source: {made}")
    reviewed = "review" in record
    return Judgement.of_problem(
        _difference(_record_before_review(record) if reviewed else record, made, reviewed=reviewed)
    )


@lru_cache(maxsize=4)  # the records of a file stand source by source
def _records_or_reason(facts: str) -> list[Record] | str:
    """Return the records that are made from the facts of a record, as JSON, or why none is."""
    record: Record = json.loads(facts)
    try:
        source = read_record(RecordSource, record["source"])
        opened = open_record_source(record, source)
        if "solution" in record:
            output = mutation.make_from(opened, seed=source.seed)
        else:
            output = variant.make_from(VariantSubject(opened), seed=source.seed)
    except (MalformedRecordError, UnfitError, Refusal, ProgramError) as error:
        return str(error)
    return output.unfit or output.records


def _record_before_review(record: Record) -> Record:
    """Return a reviewer's record with the texts that it was made with."""
    original = record["review"]["original"]
    details = {**record["label"]["error_details"], "explanation": original["explanation"]}
    label = {**record["label"], "error_details": details}
    return {**record, "flawed_solution": "\n".join(original["lines"]), "label": label}


def _difference(record: Record, made: list[Record], *, reviewed: bool) -> str | None:
    """Return the first field in which a record differs from the most similar one that its source makes; `None` if there is none.

    A reviewed record may say that it needs no edit any more, and its digest is that of the review, too.
    """
    text = "flawed_solution" if "flaw_id" in record else "modified_problem_text"
    like = [other for other in made if other[text] == record[text]]
    like = like or [other for other in made if other["operator"] == record["operator"]]
    if not like:
        return f"operator: its source makes no such record of {quoted(str(record['operator']))}"
    closest = max(like, key=lambda other: sum(record.get(name) == other[name] for name in other))
    free = {"review", "digest"} if reviewed else set()
    if reviewed and (record.get("needs_edit"), record.get("edits")) == (False, []):
        free |= {"needs_edit", "edits"}
    given, expected = ({name: own[name] for name in own if name not in free} for own in (record, closest))
    found = list(_differences(given, expected))
    # The id and the digest follow from other fields, whose names tell more.
    following = ("flaw_id", "variant_id", "digest")
    return next((text for text in found if not text.startswith(following)), found[0] if found else None)


def _differences(given: Any, made: Any, name: str = "") -> Iterator[str]:
    """Yield the fields in which a JSON value differs from what is made again, by their places."""
    if isinstance(given, dict) and isinstance(made, dict):
        for key in dict.fromkeys((*given, *made)):
            yield from _differences(given.get(key), made.get(key), f"{name}.{key}" if name else key)
    elif isinstance(given, list) and isinstance(made, list) and len(given) == len(made):
        for place, (own, other) in enumerate(zip(given, made, strict=True)):
            yield from _differences(own, other, f"{name}[{place}]")
    elif type(given) is not type(made) or given != made:
        expected, found = (quoted(value if isinstance(value, str) else json.dumps(value)) for value in (made, given))
        yield f"{name}: expected {expected}, as its source makes it, found {found}"
