"""The check of one flawed solution from its record alone: its certificate by a solver, its label, and the numbers and equations of its text."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.domain import Exact, Status
from harness.equations.line_reader import read_line
from harness.json_form import content_text, read_record
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.records.mutation import CertifiedProgram, FlawCertificate, FlawClaim, FlawRecord
from harness.records.review import CandidateTexts
from harness.solution.labels import ErrorClass, ErrorDetails
from oracles.proofs.flaw_certificate import program_values, refutation
from oracles.proofs.flaw_text import FlawText, line_place, lines_of, text_finding
from oracles.proofs.real_terms import FUNCTIONS, LOGIC, PLAIN, RealTermWriter, conjunction, literal, symbol
from oracles.proofs.record_content import (
    Judgement,
    character_problem,
    digest_problem,
    equation_problem,
    provenance_problem,
)
from oracles.proofs.solvers import Solver
from oracles.proofs.straight_program import ProgramEdit, edit_between


@dataclass(frozen=True, slots=True)
class FlawQuery:
    """A formula with the answer a solver should give, `unsat` or `sat`; `claim` is the meaning of that answer in words."""

    claim: str
    formula: str
    expect: str


@dataclass(frozen=True, slots=True)
class FlawScript:
    """Definitions over which each query is put by itself."""

    definitions: tuple[str, ...]
    queries: tuple[FlawQuery, ...]

    @property
    def text(self) -> str:
        """Return the script that any solver runs."""
        parts = [LOGIC, FUNCTIONS, *(f"{definition}\n" for definition in self.definitions)]
        for query in self.queries:
            claim = f"; {query.claim}: expect {query.expect}"
            parts.append(f"{claim}\n(push 1)\n(assert {query.formula})\n(check-sat)\n(pop 1)\n")
        return "".join(parts)


def script(certificate: FlawCertificate) -> FlawScript:
    """Write the claims of a certificate as queries, whether or not they hold.

    All are put at the values the question and the flawed solution give: `o:x` is the oracle's value of x, `s:x` the
    value that the solution states. Negated claims should be `unsat`, the claims together `sat`.

    Raises:
        UntranslatableError: an expression holds what the theory of reals lacks.
    """
    writer = RealTermWriter()
    oracle, _ = _defined(writer, "o", certificate.oracle, None)
    told, equations = _defined(writer, "s", certificate.told, certificate.stated)
    variable = certificate.change.variable
    changed = equations.pop(variable, None) if certificate.mutant is None else None
    claims = {f"the other steps hold, {len(equations)} of them": conjunction(list(equations.values()))}
    if certificate.mutant is None:
        shown = variable if PLAIN.fullmatch(variable) else symbol(variable)
        # Without such a step the claim is false, and so is its formula.
        claims[f"the step {shown} is false"] = "false" if changed is None else f"(not {changed})"
    claims["the answers differ"] = f"(not (= {oracle[certificate.oracle.answer]} {told[certificate.told.answer]}))"
    if writer.guards:
        claims["each operation has a value"] = conjunction(writer.guards)
    queries = [FlawQuery(claim, f"(not {formula})", "unsat") for claim, formula in claims.items()]
    queries.append(FlawQuery("all of it together", conjunction(list(claims.values())), "sat"))
    return FlawScript(tuple(writer.definitions), tuple(queries))


def _defined(
    writer: RealTermWriter, prefix: str, program: CertifiedProgram, stated: Mapping[str, Exact] | None
) -> tuple[dict[str, str], dict[str, str]]:
    """Define inputs and steps, steps by the stated values if there are any; return symbols and equations by variable."""
    names = {name: writer.define(symbol(name, prefix), "Real", literal(value)) for name, value in program.inputs}
    values = dict(program.inputs)
    writer.names, writer.values = names, values
    equations = {}
    for step in program.steps:
        text = writer.term(step.expression)
        value = text if stated is None else literal(stated[step.variable])
        with suppress(ProgramError, Refusal):  # A step after a root has a value, or the root is refused.
            values[step.variable] = (
                evaluate_expression(step.expression, values) if stated is None else stated[step.variable]
            )
        names[step.variable] = writer.define(symbol(step.variable, prefix), "Real", value)
        equations[step.variable] = f"(= {names[step.variable]} {text})"
    return names, equations


def judge_flaw(record: Mapping[str, Any], solver: Solver, path: Path | None) -> Judgement:
    """Judge the record of a flawed solution; its script is written to a path, if one is given.

    Raises:
        MalformedRecordError: a field is missing, too large, or of another type.
        Refusal: a value or an expression cannot be read.
        UntranslatableError: an expression holds what the theory of reals lacks.
        SolverError: the solver cannot read the script.
    """
    read = read_record(FlawRecord, record)
    certificate = read.certificate
    judgement = Judgement.of_problem(refutation(certificate))
    if judgement.status is Status.CONFIRMED:
        values = program_values(certificate.oracle)
        reviewed, text = "review" in record, content_text(record)
        judgement = objection(read, values, reworded=reviewed) or Judgement.of_problem(
            character_problem(record, text) or digest_problem(record, text)
        )
        if judgement.status is Status.CONFIRMED and reviewed:
            judgement = objection(_as_made(read, record["review"]), values) or judgement
        if judgement.status is Status.CONFIRMED:
            judgement = _solved(certificate, solver, path)
    return replace(judgement, unread=sum(len(read_line(line).unread) for line in lines_of(read.flawed_solution)))


def objection(read: FlawRecord, values: Mapping[str, Exact], *, reworded: bool = False) -> Judgement | None:
    """Return the objection to a record whose certificate holds; `None` if there is none.

    `values` are those of the variables of the correct solution; `reworded` tells that a person has edited the words. Its digest and its characters are not looked at.
    """
    certificate = read.certificate
    edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
    details = read.label.error_details
    label = details.erroneous_line_number
    reason = _label_problem(details, certificate, edit)
    if reason is None:
        texts = read.solution, read.flawed_solution, label
        finding = text_finding(FlawText(*texts, certificate, edit, values, reworded))
        if finding is not None:
            return finding
        if not certificate.change.line:
            return Judgement(Status.UNKNOWN, "the changed step names no line of the text")
        reason = _explanation_problem(details, read.flawed_solution) or provenance_problem(read.provenance, read.model)
    return None if reason is None else Judgement(Status.REFUTED, reason)


def _label_problem(details: ErrorDetails, certificate: FlawCertificate, edit: ProgramEdit | None) -> str | None:
    if details.error_class is not details.error_type.error_class:
        return f"{details.error_type} is of the class {details.error_type.error_class}, labelled {details.error_class}"
    slip = certificate.claim is FlawClaim.ONE_FALSE_EQUATION
    if slip is not (details.error_class is ErrorClass.COMPUTATIONAL):
        return f"a {details.error_class} is labelled, {certificate.claim} is certified"
    line = certificate.change.line if edit is None else edit.told_on
    if line and line != details.erroneous_line_number:
        return f"{details.erroneous_line_number} is labelled, the error is on {line}"
    return None


def _explanation_problem(details: ErrorDetails, flawed: str) -> str | None:
    """Return why an explanation is refused: it is empty, or states a false equation other than the labelled line's."""
    field, lines = "label.error_details.explanation", lines_of(flawed)
    if not any(character.isalnum() for character in details.explanation):
        return f"{field}: is empty"
    place = line_place(details.erroneous_line_number, lines)
    return equation_problem(field, details.explanation, "" if place is None else lines[place])


def _as_made(read: FlawRecord, review: Any) -> FlawRecord:
    """Return a reviewer's record with the texts that it was made with; errors as in `read_record`."""
    original = read_record(CandidateTexts, review.get("original") if isinstance(review, dict) else None)
    details = replace(read.label.error_details, explanation=original.explanation)
    label = replace(read.label, error_details=details)
    return replace(read, flawed_solution="\n".join(original.lines), label=label)


def _solved(certificate: FlawCertificate, solver: Solver, path: Path | None) -> Judgement:
    queries = script(certificate)
    if path is not None:
        path.write_text(queries.text, encoding="ascii")
    answers = solver.decide(queries.text, len(queries.queries))
    for query, answer in zip(queries.queries, answers, strict=True):
        if answer != query.expect:
            status = Status.UNKNOWN if answer == "unknown" else Status.REFUTED
            return Judgement(status, f"the solver says {answer} where {query.expect} shows that {query.claim}")
    return Judgement(Status.CONFIRMED)
