"""The check of one record of a flawed solution or a problem variant, of any form, from the record alone."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.domain import Status
from harness.json_form import LONGEST_NAME, MalformedRecordError, read_record
from harness.program.refusal import Refusal, RefusalReason, UntranslatableError
from harness.records.mutation import FlawClaim
from harness.records.variant import VariantRecord
from harness.text.characters import one_line
from oracles.proofs.flaw_check import judge_flaw
from oracles.proofs.record_content import Judgement
from oracles.proofs.solvers import Solver, SolverError
from oracles.proofs.variant_check import claim_of_variant, judge_variant


@dataclass(frozen=True, slots=True)
class RecordResult:
    """The judgement of one record; `unread` counts equals signs of its text that are not a readable equation."""

    place: int
    problem_id: str
    claim: str
    status: Status
    reason: str | None = None
    unread: int = 0


def check_record(record: Any, solver: Solver, place: int = 0, folder: Path | None = None) -> RecordResult:
    """Judge one record of any form; its script is written to a folder, if one is given."""
    named = record if isinstance(record, dict) else {}
    problem_id, claim = str(named.get("problem_id", "?"))[:LONGEST_NAME], "?"
    path = None if folder is None else folder / f"{place:07d}.smt2"
    if isinstance(record, Exception):
        refusal = Refusal(RefusalReason.MALFORMED_RECORD, f"no JSON ({str(record)[:100]})")
        return RecordResult(place, problem_id, claim, Status.REFUTED, str(refusal))
    try:
        if "class_label" in named:
            variant = read_record(VariantRecord, record)
            claim = claim_of_variant(variant)
            found = judge_variant(variant, named, solver, path)
        else:
            certificate = named.get("certificate")
            stated = certificate.get("claim") if isinstance(certificate, dict) else None
            claim = next((str(known) for known in FlawClaim if known == stated), "?")
            found = judge_flaw(record, solver, path)
    except MalformedRecordError as error:
        field, expected = one_line(error.field, limit=80) or "the record", one_line(error.expected, limit=150)
        found = Judgement(Status.REFUTED, f"malformed record: {field}: {expected}; found {error.found}")
    except Refusal as refusal:
        found = Judgement(Status.REFUTED, str(refusal))
    except (UntranslatableError, SolverError) as error:
        found = Judgement(Status.UNKNOWN, str(error))
    return RecordResult(place, problem_id, claim, found.status, found.reason, found.unread)
