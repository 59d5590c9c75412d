"""The re-check of a flawed solution's record: its certificate, its label and its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.domain import Status
from harness.solution.labels import ErrorClass
from oracles.certificates.flaw_certificate import FlawCertificate, FlawClaim, program_values, refutation
from oracles.certificates.flaw_script import script
from oracles.certificates.flaw_text import FlawText, text_finding, unread_equations
from oracles.certificates.program_edit import edit_between
from oracles.recheck.judgement import Judgement

if TYPE_CHECKING:
    from pathlib import Path

    from harness.records.mutation import FlawRecord
    from harness.solution.labels import ErrorDetails
    from oracles.certificates.solvers import Solver


def judge_flaw(read: FlawRecord, solver: Solver, path: Path | None) -> Judgement:
    """Judge the record of a flawed solution; its script is written to a path, if one is given.

    Raises:
        Refusal: a value or an expression cannot be read.
        UntranslatableError: an expression holds what the theory of reals lacks.
        SolverError: the solver cannot read the script.
    """
    certificate = FlawCertificate.of_record(read.certificate)
    reason = refutation(certificate) or _label_problem(read.label.error_details, certificate)
    if reason is not None:
        return Judgement(Status.REFUTED, reason)
    found = _judged(read, certificate, solver, path)
    return Judgement(found.status, found.reason, unread_equations(read.flawed_solution))


def _label_problem(details: ErrorDetails, certificate: FlawCertificate) -> str | None:
    """Return what in a label does not fit the claim."""
    if details.error_class is not details.error_type.error_class:
        return f"{details.error_type} is of the class {details.error_type.error_class}, labelled {details.error_class}"
    slip = certificate.claim is FlawClaim.ONE_FALSE_EQUATION
    if slip is not (details.error_class is ErrorClass.COMPUTATIONAL):
        return f"a {details.error_class} is labelled, {certificate.claim} is certified"
    line = certificate.change.line if slip else edit_between(certificate.oracle, certificate.told).told_on
    if line and line != details.erroneous_line_number:
        return f"{details.erroneous_line_number} is labelled, the error is on {line}"
    return None


def _judged(read: FlawRecord, certificate: FlawCertificate, solver: Solver, path: Path | None) -> Judgement:
    """Judge text and queries of a record whose claim holds by exact evaluation."""
    written = script(certificate)
    if path is not None:
        path.write_text(written.text, encoding="ascii")
    edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
    line = read.label.error_details.erroneous_line_number
    text = FlawText(read.solution, read.flawed_solution, line, certificate, edit, program_values(certificate.oracle))
    finding = text_finding(text)
    if finding is not None:
        return Judgement(finding.status, finding.reason)
    if not certificate.change.line:
        return Judgement(Status.UNKNOWN, "the changed step names no line of the text")
    for query, answer in zip(written.queries, solver.answers(written), strict=True):
        if answer != query.expect:
            status = Status.UNKNOWN if answer == "unknown" else Status.REFUTED
            return Judgement(status, f"the solver says {answer} where {query.expect} shows that {query.claim}")
    return Judgement(Status.CONFIRMED)
