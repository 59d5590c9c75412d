"""The re-check of a flawed solution's record: its certificate, its label and its text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.domain import Status
from harness.json_form import read_record
from harness.records.mutation import FlawRecord
from harness.records.review import CandidateTexts
from harness.solution.labels import ErrorClass
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.characters import quoted
from oracles.certificates.flaw_certificate import FlawCertificate, FlawClaim, program_values, refutation
from oracles.certificates.flaw_script import script
from oracles.certificates.flaw_text import FlawText, text_finding, unread_equations
from oracles.certificates.program_edit import edit_between
from oracles.labels.edits.candidate import UnreadableCandidateError, lines_of, subject_of
from oracles.labels.edits.explanation import explanation_findings
from oracles.recheck.flaws.flaw_explanation import explanation_problem
from oracles.recheck.flaws.flaw_facts import FlawFacts
from oracles.recheck.flaws.flaw_fields import field_problem
from oracles.recheck.flaws.flaw_lines import line_problem
from oracles.recheck.flaws.source_facts import SourceFacts
from oracles.recheck.judgement import Judgement
from oracles.recheck.record_content import character_problem, digest_problem
from oracles.recheck.source_provenance import provenance_problem

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from harness.solution.labels import ErrorDetails
    from oracles.certificates.program_edit import ProgramEdit
    from oracles.certificates.solvers import Solver


def claim_of_flaw(record: Any) -> str:
    """Return the claim of a record about its flawed solution, `?` if it states none."""
    certificate = record.get("certificate") if isinstance(record, dict) else None
    claim = certificate.get("claim") if isinstance(certificate, dict) else None
    return claim if claim in set(FlawClaim) else "?"


def judge_flaw(record: Mapping[str, Any], solver: Solver, path: Path | None) -> Judgement:
    """Judge the record of a flawed solution; its script is written to a path, if one is given.

    Raises:
        MalformedRecordError: a field is missing, too large, or of another type.
        Refusal: a value or an expression cannot be read.
        UntranslatableError: an expression holds what the theory of reals lacks.
        SolverError: the solver cannot read the script.
    """
    read = read_record(FlawRecord, record)
    judgement = objection(record, read)
    if judgement is None:
        digest = digest_problem(record)
        judgement = None if digest is None else Judgement(Status.REFUTED, digest)
    if judgement is None:
        judgement = _answered(FlawCertificate.of_record(read.certificate), solver, path)
    return Judgement(judgement.status, judgement.reason, unread_equations(read.flawed_solution))


def objection(record: Mapping[str, Any], read: FlawRecord) -> Judgement | None:
    """Return the objection to a record that needs neither its digest nor a solver; `None` if there is none.

    Errors as in `judge_flaw`.
    """
    certificate = FlawCertificate.of_record(read.certificate)
    reason = refutation(certificate)
    if reason is not None:
        return Judgement(Status.REFUTED, reason)
    edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
    reason = label_problem(read.label.error_details, certificate, edit)
    if reason is not None:
        return Judgement(Status.REFUTED, reason)
    review = record.get("review")
    values = program_values(certificate.oracle)
    source = SourceFacts(read.question, read.solution, certificate.oracle, values)
    facts = FlawFacts(read if review is None else _as_made(read, review), certificate, edit, values, source)
    return text_objection(record, read, facts)


def text_objection(
    record: Mapping[str, Any], read: FlawRecord, facts: FlawFacts, *, plain: bool = False
) -> Judgement | None:
    """Return the objection to a record whose certificate and class of error hold; `None` if there is none.

    The characters of a record that is known to be `plain` are not looked at.
    """
    made, certificate, edit = facts.record, facts.certificate, facts.edit
    line = read.label.error_details.erroneous_line_number
    finding = text_finding(FlawText(read.solution, read.flawed_solution, line, certificate, edit, facts.values))
    if finding is not None:
        return Judgement(finding.status, finding.reason)
    if not certificate.change.line:
        return Judgement(Status.UNKNOWN, "the changed step names no line of the text")
    review = record.get("review")
    reason = (
        (None if plain else character_problem(record))
        or field_problem(facts, reviewed=review is not None)
        or line_problem(facts)
        or explanation_problem(facts)
        or provenance_problem(read.provenance, read.model)
        or (None if review is None and explanation_phrases(read.operator) else _edited_problem(record, read, made))
    )
    return None if reason is None else Judgement(Status.REFUTED, reason)


def label_problem(details: ErrorDetails, certificate: FlawCertificate, edit: ProgramEdit | None) -> str | None:
    """Return the part of a label that does not fit the claim."""
    if details.error_class is not details.error_type.error_class:
        return f"{details.error_type} is of the class {details.error_type.error_class}, labelled {details.error_class}"
    slip = certificate.claim is FlawClaim.ONE_FALSE_EQUATION
    if slip is not (details.error_class is ErrorClass.COMPUTATIONAL):
        return f"a {details.error_class} is labelled, {certificate.claim} is certified"
    line = certificate.change.line if edit is None else edit.told_on
    if line and line != details.erroneous_line_number:
        return f"{details.erroneous_line_number} is labelled, the error is on {line}"
    return None


def _as_made(read: FlawRecord, review: Any) -> FlawRecord:
    """Return a reviewer's record with the texts that it was made with."""
    original = read_record(CandidateTexts, review.get("original") if isinstance(review, dict) else None)
    details = replace(read.label.error_details, explanation=original.explanation)
    label = replace(read.label, error_details=details)
    return replace(read, flawed_solution="\n".join(original.lines), label=label)


def _edited_problem(record: Mapping[str, Any], read: FlawRecord, made: FlawRecord) -> str | None:
    """Return why an explanation that follows no known sentence, or is a person's, does not describe this error."""
    own = read.label.error_details.explanation
    details = {**record["label"]["error_details"], "explanation": ""}
    plain = {**record, "flawed_solution": made.flawed_solution, "label": {**record["label"], "error_details": details}}
    plain.pop("review", None)
    try:
        subject = subject_of(plain)
    except UnreadableCandidateError as error:
        return f"flawed_solution: {error}"
    lines = dict(zip(subject.labels, lines_of(read.flawed_solution), strict=False))
    findings = explanation_findings(subject, own, lines.get(subject.line, ""))
    refuted = next((finding for finding in findings if finding.status is Status.REFUTED), None)
    return None if refuted is None else f"label.error_details.explanation: {quoted(own)}: {refuted.message}"


def _answered(certificate: FlawCertificate, solver: Solver, path: Path | None) -> Judgement:
    """Put the queries of a certificate to a solver."""
    written = script(certificate)
    if path is not None:
        path.write_text(written.text, encoding="ascii")
    for query, answer in zip(written.queries, solver.answers(written), strict=True):
        if answer != query.expect:
            status = Status.UNKNOWN if answer == "unknown" else Status.REFUTED
            return Judgement(status, f"the solver says {answer} where {query.expect} shows that {query.claim}")
    return Judgement(Status.CONFIRMED)
