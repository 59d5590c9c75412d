"""Certificates of flawed solutions: the claim of each, and its check by exact evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from harness.domain import Exact
from harness.json_form import LONGEST_NUMBER, json_form
from harness.program.evaluation.evaluator import evaluate_expression, format_exact
from harness.program.refusal import ProgramError, Refusal, UntranslatableError
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import MOST_BITS, is_variable, read_exact
from harness.records.mutation import CertifiedChange, CertifiedProgram, FlawCertificate, FlawClaim, ProgramStep
from harness.solution.trace import Trace
from oracles.proofs.real_terms import RealTermWriter
from oracles.proofs.straight_program import EditError, edit_between, program_of


class FlawNotCertified(Exception):
    """The claim does not hold; the text says which part of it, and with which values."""


@dataclass(frozen=True, slots=True)
class FlawCertifier:
    """Certifies the flawed solutions of one oracle, which is evaluated once; `values` are those of its variables.

    Its certificates can be checked by a solver.
    """

    oracle: CertifiedProgram
    values: Mapping[str, Exact]

    @classmethod
    def of_trace(cls, trace: Trace) -> FlawCertifier:
        """Return the certifier of an oracle's trace; a construct that no certificate can express is a `FlawNotCertified`."""
        try:
            oracle = program_of(trace)
            values = program_values(oracle)
            _check_translatable(oracle, oracle.steps, values)
        except (Refusal, ProgramError, UntranslatableError) as error:
            raise FlawNotCertified(str(error)) from None
        return cls(oracle, values)

    def certified(self, told: Trace, variable: str = "") -> FlawCertificate:
        """Certify that a trace, made by `propagate`, tells one false equation, that of `variable`; without one, that the program of the trace is a mutant.

        A mutant differs from the oracle in one place and gives another answer at the inputs of the question.

        Raises:
            FlawNotCertified: another equation is false as well, or none is; the mutant differs in no place or in several; the answer stays right.
        """
        claim = FlawClaim.ONE_FALSE_EQUATION if variable else FlawClaim.INEQUIVALENT_MUTANT
        blank = CertifiedChange("", variable, "", "")
        try:
            mutant = None if variable else program_of(told)
            names = [step.variable for step in (mutant or self.oracle).steps]
            stated = {name: read_exact(format_exact(told.values[name])) for name in names if name in told.values}
            certificate = FlawCertificate(claim, self.oracle, mutant, stated, blank)
            change = _expected_change(certificate, self.values)
            known = {step.expression for step in self.oracle.steps}
            new = [step for step in certificate.told.steps if step.expression not in known]
            _check_translatable(certificate.told, new, certificate.values)
        except (Refusal, ProgramError, EditError, UntranslatableError) as error:
            raise FlawNotCertified(str(error)) from None
        return replace(certificate, change=change)


def refutation(certificate: FlawCertificate) -> str | None:
    """Return the error in a certificate's claim by exact evaluation, `None` where it holds."""
    try:
        expected = _expected_change(certificate, program_values(certificate.oracle))
    except (FlawNotCertified, Refusal, ProgramError, EditError) as error:
        return str(error)
    if certificate.change == expected:
        return None
    return f"the change should read {json_form(expected)}, it reads {json_form(certificate.change)}"


def program_values(program: CertifiedProgram) -> dict[str, Exact]:
    """Return the value of each variable of a program.

    Raises:
        FlawNotCertified: it is not a straight-line program.
        Refusal: a value is no number, or takes too much to compute.
        ProgramError: it raises in Python.
    """
    _check_form(program)
    scope: dict[str, Exact] = dict(program.inputs)
    for step in program.steps:
        scope[step.variable] = evaluate_expression(step.expression, scope)
    return scope


def _check_translatable(program: CertifiedProgram, steps: Iterable[ProgramStep], values: Mapping[str, Exact]) -> None:
    """Check that a solver can be told some of a program's steps, at these values; raises `UntranslatableError`."""
    writer = RealTermWriter(names={name: name for name in program.variables}, values=values)
    for step in steps:
        writer.term(step.expression)


def _expected_change(certificate: FlawCertificate, right: Mapping[str, Exact]) -> CertifiedChange:
    """Check the claim of a certificate whose oracle has the values `right`; return the change that it should state."""
    slip = certificate.claim is FlawClaim.ONE_FALSE_EQUATION
    if slip is not (certificate.mutant is None):
        raise FlawNotCertified(f"a certificate of {certificate.claim} {'has no' if slip else 'needs a'} mutant")
    if certificate.mutant is not None:
        _check_form(certificate.mutant)
    _check_stated(certificate)
    faults = _faults(certificate)
    if slip:
        variable = certificate.change.variable
        if [fault.step.variable for fault in faults] != [variable]:
            shown = ", ".join(str(fault) for fault in faults[:3])
            raise FlawNotCertified(f"the one false equation should be that of {variable!r}, found {shown or 'none'}")
        (fault,) = faults
        change = CertifiedChange(fault.step.line, variable, format_exact(fault.value), format_exact(fault.stated))
    else:
        if faults:
            raise FlawNotCertified(f"the equation {faults[0]} is false")
        edit = edit_between(certificate.oracle, certificate.told)
        before, after = ("" if part is None else unparse(part) for part in (edit.before, edit.after))
        change = CertifiedChange(edit.line, edit.variable, before, after)
    answer = right[certificate.oracle.answer]
    if certificate.answer == answer:
        raise FlawNotCertified(f"the answer is still {format_exact(answer)}")
    return change


def _check_form(program: CertifiedProgram) -> None:
    seen: set[str] = set()
    for name in program.variables:
        if not is_variable(name):
            raise FlawNotCertified(f"{name[:40]!r} is no name of a variable")
        if name in seen:
            raise FlawNotCertified(f"{name!r} is assigned twice")
        seen.add(name)
    if program.answer not in seen:
        raise FlawNotCertified(f"the answer {program.answer[:40]!r} is no variable")


def _check_stated(certificate: FlawCertificate) -> None:
    steps = {step.variable for step in certificate.told.steps}
    if certificate.stated.keys() != steps:
        odd = min(certificate.stated.keys() ^ steps)
        raise FlawNotCertified(
            f"{odd[:40]!r} is {'stated but no step' if odd not in steps else 'a step without a stated value'}"
        )
    for name, value in (*certificate.oracle.inputs, *certificate.stated.items()):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
            raise FlawNotCertified(f"the value of {name!r} has more than {LONGEST_NUMBER} digits")


@dataclass(frozen=True, slots=True)
class _Fault:
    """A step whose expression gives another value than is stated."""

    step: ProgramStep
    value: Exact
    stated: Exact

    def __str__(self) -> str:
        return f"{self.step.variable} = {unparse(self.step.expression)[:80]} (gives {format_exact(self.value)}, stated {format_exact(self.stated)})"


def _faults(certificate: FlawCertificate) -> list[_Fault]:
    """Return the steps that are false at the stated values."""
    scope: dict[str, Exact] = dict(certificate.told.inputs)
    found = []
    for step in certificate.told.steps:
        value, stated = evaluate_expression(step.expression, scope), certificate.stated[step.variable]
        if value != stated:
            found.append(_Fault(step, value, stated))
        scope[step.variable] = stated
    return found
