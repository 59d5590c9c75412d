"""The certified flawed solutions of one problem from slips and mutation operators, with refusals and discards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import DiscardedFlaw, Flaw, FlawDiscardReason
from harness.corpora.labelled_solutions import LabelledSolution, read_record
from harness.domain import Evidence, Status
from harness.json_form import json_form
from harness.records.content_digest import content_text, with_digest
from harness.solution.labels import ErrorClass
from oracles.certificates.flaw_certificate import FlawCertifier, FlawNotCertified
from oracles.certificates.program_edit import edit_between
from oracles.equivalence.equivalent_mutants import judge_mutant
from oracles.labels.audit.label_verdict import audit
from oracles.recheck.flaws.flaw_facts import FlawFacts
from oracles.recheck.flaws.flaw_record import label_problem, text_objection
from oracles.recheck.flaws.source_facts import SourceFacts
from oracles.recheck.record_content import is_plain
from properties.engine.operator_run import OperatorOutput, Record, output_of_first_fit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generators.flaws.solution.source_solution import FlawSource
    from harness.domain import Problem, Response
    from harness.records.mutation import FlawRecord
    from harness.records.provenance import SourceProvenance
    from oracles.certificates.flaw_certificate import FlawCertificate


def make(
    problem: Problem, responses: Iterable[Response], *, seed: int, provenance: SourceProvenance | None = None
) -> OperatorOutput:
    """Make and certify the flawed solutions of a problem from the first of its formalizations that is fit."""
    return output_of_first_fit(problem, responses, lambda source: make_from(source, seed=seed), provenance)


def make_from(source: FlawSource, *, seed: int) -> OperatorOutput:
    """Make and certify the flawed solutions of one solution; errors as in `flaws_of`."""
    made = OperatorOutput(model=source.model)
    try:
        certifier = FlawCertifier.of_trace(source.trace)
    except FlawNotCertified as refusal:
        return OperatorOutput(model=source.model, unfit=f"no certificate can say its steps: {refusal}")
    codes = certifier.codes
    facts = SourceFacts(source.problem.question, source.solution, certifier.oracle, certifier.values)
    for flaw in flaws_of(source, seed=seed):
        if not isinstance(flaw, Flaw):
            made.discarded.append(_discarded(source, flaw, seed))
            continue
        try:
            certificate = (
                certifier.slip(flaw.trace, flaw.change.variable)
                if flaw.label.error_type.error_class is ErrorClass.COMPUTATIONAL
                else certifier.mutant(flaw.trace)
            )
        except FlawNotCertified as refusal:
            evidence = Evidence(flaw.label.line, "no certificate", flaw.change.after, str(refusal))
            made.refused.setdefault(flaw.operator, []).append(evidence)
            continue
        made_record = flaw.record(certificate.record(codes))
        form = json_form(made_record)
        text = content_text(form)
        record = with_digest(form, text)
        doubt = _doubt(record, made_record, certificate, facts, plain=is_plain(text))
        if doubt is not None:
            doubted = DiscardedFlaw(flaw.operator, flaw.label.line, flaw.change.after, FlawDiscardReason.DOUBTED, doubt)
            made.discarded.append(_discarded(source, doubted, seed))
            continue
        made.records.append(record)
    return made


def _doubt(
    record: Record, read: FlawRecord, certificate: FlawCertificate, source: SourceFacts, *, plain: bool
) -> str | None:
    """Return the objections of `oracles.recheck.command` and of the audit to a record that was just certified."""
    edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
    facts = FlawFacts(read, certificate, edit, source.values, source, derived=True)
    reason = label_problem(read.label.error_details, certificate, edit)
    if reason is not None:
        return reason
    judgement = text_objection(record, read, facts, plain=plain)
    if judgement is not None:
        return judgement.reason
    labelled = read_record(record, record["operator"])
    if not isinstance(labelled, LabelledSolution):
        return labelled.reason
    verdict = audit(labelled, None, record["problem_id"])
    return None if verdict.status is Status.CONFIRMED else verdict.reason


def _discarded(source: FlawSource, discarded: DiscardedFlaw, seed: int) -> Record:
    """Return why a change gave no flawed solution; whether it is equivalent is proved, not guessed."""
    why, detail = discarded.discard.name.lower(), discarded.detail
    if discarded.discard is FlawDiscardReason.SAME_ANSWER and discarded.trace is not None:
        verdict = judge_mutant(source.problem.problem_id, source.trace, discarded.trace, seed=seed)
        why = _SAME_ANSWER[verdict.status]
        detail = verdict.method if verdict.reason is None else verdict.reason[:200]
    return {
        "operator": discarded.operator,
        "line": discarded.line,
        "change": discarded.change[:200],
        "why": why,
        "detail": detail[:200],
    }


_SAME_ANSWER = {
    Status.CONFIRMED: "equivalent",
    Status.REFUTED: "same_answer_here",
    Status.UNKNOWN: "perhaps_equivalent",
}
