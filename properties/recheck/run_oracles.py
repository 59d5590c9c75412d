"""The sealed oracles of a run, with which the provenance of its records must agree."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from harness.corpora.gold_answer import match_gold, read_gold
from harness.json_form import MalformedRecordError, read_record
from harness.records.formalization import OracleRecord
from harness.records.provenance import SourceProvenance
from harness.store.run_folder import Stage
from harness.text.characters import quoted
from oracles.proofs.flaw_text import ANSWER_MARK

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class RunOracles:
    """The sealed oracles of the run that a file of records lies in, by problem."""

    oracles: Mapping[str, OracleRecord]

    @classmethod
    def beside(cls, path: Path) -> RunOracles | None:
        """Return the oracles of the run of `RUN/STAGE/FILE`; `None` where none are sealed there.

        Raises:
            HarnessError: the oracles were changed after they were sealed.
            MalformedRecordError: an oracle does not fit its class.
        """
        stage = Stage(path.resolve().parent.parent / "oracles")
        if not stage.sealed:
            return None
        records = (read_record(OracleRecord, form) for form in stage.records("oracles.jsonl"))
        return cls({record.problem_id: record for record in records})

    def problem(self, record: Any) -> str | None:
        """Return the part of a record's provenance that differs from the run's oracle; `None` if there is none, or no provenance."""
        form = record.get("provenance") if isinstance(record, dict) else None
        if form is None:
            return None
        try:
            provenance = read_record(SourceProvenance, form)
        except MalformedRecordError:
            return None  # the check of the record itself says so
        oracle = self.oracles.get(str(record.get("problem_id")))
        if not provenance.formalized:
            return None
        if oracle is None:
            return "provenance: expected no formalization stage, the run has no oracle of the problem"
        for field, expected, given in (
            ("oracle", oracle.model, provenance.oracle),
            ("clique_size", oracle.clique_size, provenance.clique_size),
            ("confidence", oracle.confidence, provenance.confidence),
            # Records of earlier versions have no probability, nor have their oracles.
            *([] if provenance.p_right is None else [("p_right", oracle.p_right, provenance.p_right)]),
        ):
            if given != expected:
                return f"provenance.{field}: expected {quoted(str(expected))}, as the run's oracle has it, found {quoted(str(given))}"
        if record.get("model") not in oracle.provenance.clique:
            return f"model: expected a member of the clique, found {quoted(str(record.get('model')))}"
        return _answer_problem(record, oracle)


def _answer_problem(record: Mapping[str, Any], oracle: OracleRecord) -> str | None:
    """Return why the correct solution of a record does not end with the answer of its oracle; `None` where it does.

    A flaw has the correct solution of its problem, a variant without edits has it, too: other variants have answers of their own.
    """
    solution = record.get("solution")
    own = "flaw_id" in record or record.get("edits") == []
    if not own or oracle.value is None or not isinstance(solution, str):
        return None
    told = solution.rpartition(ANSWER_MARK)[2].strip()
    number = read_gold(told, solution)
    try:
        match = None if number is None else match_gold(Fraction(oracle.value), number)
    except (ValueError, ZeroDivisionError):
        return None  # an oracle whose value is no number
    if match is not None and match.reached:
        return None
    return f"solution: expected the answer {quoted(oracle.value)}, as the run's oracle has it, found {quoted(told)}"
