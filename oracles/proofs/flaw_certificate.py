"""Certificates of flawed solutions: the claim of each, and its check by exact evaluation."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.json_form import LONGEST_NUMBER, json_form
from harness.program.evaluation.evaluator import evaluate_expression, format_exact
from harness.program.refusal import ProgramError, Refusal
from harness.program.syntax.unparser import unparse
from harness.program.value_parser import MOST_BITS, is_variable, read_exact
from harness.records.mutation import CertifiedChange, FlawCertificateRecord
from oracles.equivalence.provers.translation_error import UntranslatableError
from oracles.proofs.program_edit import EditError, edit_between
from oracles.proofs.real_terms import RealTermWriter
from oracles.proofs.straight_program import ProgramStep, StraightLineProgram

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.domain import Exact
    from harness.solution.trace import Trace

_POWER = re.compile(r"\*\*|\b(?:sqrt|pow)\(")


class FlawClaim(enum.StrEnum):
    """The claim of a certificate about a flawed solution."""

    ONE_FALSE_EQUATION = "one-false-equation"
    INEQUIVALENT_MUTANT = "inequivalent-mutant"


class FlawNotCertified(Exception):
    """The claim does not hold; the text says which part of it, and with which values."""


@dataclass(frozen=True, slots=True)
class FlawCertificate:
    """A claim with all data that a re-check needs.

    `stated` is the value of each step that the flawed solution states: the oracle's steps for a slip (`mutant` is then
    `None`), the mutant's for a mutant.
    """

    claim: FlawClaim
    oracle: StraightLineProgram
    mutant: StraightLineProgram | None
    stated: Mapping[str, Exact]
    change: CertifiedChange

    @property
    def told(self) -> StraightLineProgram:
        """Return the program whose steps the flawed solution tells."""
        return self.oracle if self.mutant is None else self.mutant

    @property
    def answer(self) -> Exact:
        """Return the answer the flawed solution gives."""
        name = self.told.answer
        return self.stated[name] if name in self.stated else self.told.inputs[name]

    @classmethod
    def of_record(cls, record: FlawCertificateRecord) -> FlawCertificate:
        """Return the certificate that a record holds as text; errors as in `read_expression` and `read_exact`."""
        return cls(
            FlawClaim(record.claim),
            StraightLineProgram.of_record(record.oracle),
            None if record.mutant is None else StraightLineProgram.of_record(record.mutant),
            {name: read_exact(value) for name, value in record.stated.items()},
            record.change,
        )

    def record(self, known: Mapping[int, str] | None = None) -> FlawCertificateRecord:
        """Return the record; `known` as in `StraightLineProgram.record`."""
        return FlawCertificateRecord(
            self.claim.value,
            self.oracle.record(known),
            None if self.mutant is None else self.mutant.record(known),
            {name: format_exact(value) for name, value in self.stated.items()},
            self.change,
        )


@dataclass(frozen=True, slots=True)
class FlawCertifier:
    """Certifies the flawed solutions of one oracle, which is evaluated once; `values` are those of its variables.

    Its certificates can be checked by a solver; `powers` are the steps where that depends on their values.
    """

    trace: Trace
    oracle: StraightLineProgram
    values: Mapping[str, Exact]
    powers: frozenset[str]

    @property
    def codes(self) -> dict[int, str]:
        """Return the code of the oracle's expressions, as `FlawCertificate.record` takes it while the certifier lives."""
        return {id(step.expression): unparse(step.expression) for step in self.oracle.steps}

    @classmethod
    def of_trace(cls, trace: Trace) -> FlawCertifier:
        """Return the certifier of an oracle's trace.

        Raises:
            NotCertified: the trace has a construct that no certificate can express.
        """
        oracle = StraightLineProgram.of_trace(trace)
        try:
            values = program_values(oracle)
            _check_solvable(oracle, oracle.steps, values)
        except (Refusal, ProgramError, UntranslatableError) as error:
            raise FlawNotCertified(str(error)) from None
        powers = frozenset(step.variable for step in oracle.steps if _POWER.search(unparse(step.expression)))
        return cls(trace, oracle, values, powers)

    def slip(self, flawed: Trace, variable: str) -> FlawCertificate:
        """Certify that a trace, made by `propagate`, tells one false equation: that of `variable`.

        Raises:
            NotCertified: another equation is false as well, none is, or the answer stays right.
        """
        old, new = self.trace.by_name.get(variable), flawed.by_name.get(variable)
        if old is None or new is None:
            message = f"{variable!r}: the trace has no such variable"
            raise FlawNotCertified(message)
        change = CertifiedChange(old.line or "", variable, format_exact(old.value), format_exact(new.value))
        stated = _stated(self.oracle, flawed)
        return self._verified(FlawCertificate(FlawClaim.ONE_FALSE_EQUATION, self.oracle, None, stated, change))

    def mutant(self, mutant: Trace, change: CertifiedChange | None = None) -> FlawCertificate:
        """Certify that a mutant differs from the oracle in one place and gives another answer at the inputs of the question.

        The place is found; where `change` is given, it must name it.

        Raises:
            NotCertified: it differs in no place or in more than one, or the answer stays the same.
        """
        side = StraightLineProgram.of_trace(mutant)
        found = FlawCertificate(
            FlawClaim.INEQUIVALENT_MUTANT,
            self.oracle,
            side,
            _stated(side, mutant),
            change or CertifiedChange("", "", "", ""),
        )
        return self._verified(found) if change is not None else replace(found, change=self._expected(found))

    def _verified(self, certificate: FlawCertificate) -> FlawCertificate:
        _check_change(certificate, self._expected(certificate))
        return certificate

    def _expected(self, certificate: FlawCertificate) -> CertifiedChange:
        told = certificate.told
        try:
            expected = _expected_change(certificate, self.values)
            if told is not self.oracle or self.powers:
                known = {
                    step.variable: step.expression for step in self.oracle.steps if step.variable not in self.powers
                }
                steps = [step for step in told.steps if known.get(step.variable) != step.expression]
                _check_solvable(told, steps, {**told.inputs, **certificate.stated})
        except (Refusal, ProgramError, EditError, UntranslatableError) as error:
            raise FlawNotCertified(str(error)) from None
        return expected


def certify_slip(original: Trace, flawed: Trace, variable: str) -> FlawCertificate:
    """Certify one slip; errors as in `FlawCertifier.slip`."""
    return FlawCertifier.of_trace(original).slip(flawed, variable)


def certify_mutant(original: Trace, mutant: Trace, change: CertifiedChange | None = None) -> FlawCertificate:
    """Certify one mutant; errors as in `FlawCertifier.mutant`."""
    return FlawCertifier.of_trace(original).mutant(mutant, change)


def refutation(certificate: FlawCertificate) -> str | None:
    """Return the error in a certificate's claim by exact evaluation, `None` where it holds."""
    try:
        _check_change(certificate, _expected_change(certificate, program_values(certificate.oracle)))
    except (FlawNotCertified, Refusal, ProgramError, EditError) as error:
        return str(error)
    return None


def _stated(side: StraightLineProgram, trace: Trace) -> dict[str, Exact]:
    values = trace.values
    return {step.variable: values[step.variable] for step in side.steps if step.variable in values}


def _check_solvable(side: StraightLineProgram, steps: Iterable[ProgramStep], values: Mapping[str, Exact]) -> None:
    """Check that a solver can be told some of a program's steps; raises `UntranslatableError`."""
    names = {name: name for name in (*side.inputs, *(step.variable for step in side.steps))}
    writer = RealTermWriter()
    for step in steps:
        writer.term(step.expression, names, values)


def _check_change(certificate: FlawCertificate, expected: CertifiedChange) -> None:
    if certificate.change != expected:
        message = f"the change should read {json_form(expected)}, it reads {json_form(certificate.change)}"
        raise FlawNotCertified(message)


def _expected_change(certificate: FlawCertificate, right: Mapping[str, Exact]) -> CertifiedChange:
    """Check the claim of a certificate whose oracle has the values `right`; return the change that it should state."""
    slip = certificate.claim is FlawClaim.ONE_FALSE_EQUATION
    if slip is not (certificate.mutant is None):
        message = f"a certificate of {certificate.claim} {'has no' if slip else 'needs a'} mutant"
        raise FlawNotCertified(message)
    if certificate.mutant is not None:
        _check_form(certificate.mutant)
    _check_stated(certificate)
    faults = _faults(certificate, right)
    expected = _slip(certificate, faults) if slip else _mutation(certificate, faults)
    answer = right[certificate.oracle.answer]
    if certificate.answer == answer:
        message = f"the answer is still {format_exact(answer)}"
        raise FlawNotCertified(message)
    return expected


def _slip(certificate: FlawCertificate, faults: list[_Fault]) -> CertifiedChange:
    """Return the change of the one false equation."""
    variable = certificate.change.variable
    if [fault.step.variable for fault in faults] != [variable]:
        shown = ", ".join(str(fault) for fault in faults[:3])
        message = f"the one false equation should be that of {variable!r}, found {shown or 'none'}"
        raise FlawNotCertified(message)
    fault = faults[0]
    return CertifiedChange(fault.step.line, variable, format_exact(fault.value), format_exact(fault.stated))


def _mutation(certificate: FlawCertificate, faults: list[_Fault]) -> CertifiedChange:
    """Return the change of a mutant whose equations are all true."""
    if faults:
        message = f"the equation {faults[0]} is false"
        raise FlawNotCertified(message)
    edit = edit_between(certificate.oracle, certificate.told)
    before, after = ("" if part is None else unparse(part) for part in (edit.before, edit.after))
    return CertifiedChange(edit.line, edit.variable, before, after)


def _check_form(side: StraightLineProgram) -> None:
    """Check that a side is a straight-line program."""
    seen: set[str] = set()
    for name in (*side.inputs, *(step.variable for step in side.steps)):
        if not is_variable(name):
            message = f"{name[:40]!r} is no name of a variable"
            raise FlawNotCertified(message)
        if name in seen:
            message = f"{name!r} is assigned twice"
            raise FlawNotCertified(message)
        seen.add(name)
    if side.answer not in seen:
        message = f"the answer {side.answer[:40]!r} is no variable"
        raise FlawNotCertified(message)


def _check_stated(certificate: FlawCertificate) -> None:
    steps = {step.variable for step in certificate.told.steps}
    if certificate.stated.keys() != steps:
        odd = min(certificate.stated.keys() ^ steps)
        message = f"{odd[:40]!r} is {'stated but no step' if odd not in steps else 'a step without a stated value'}"
        raise FlawNotCertified(message)
    for name, value in (*certificate.oracle.inputs.items(), *certificate.stated.items()):
        if max(value.numerator.bit_length(), value.denominator.bit_length()) > MOST_BITS:
            message = f"the value of {name!r} has more than {LONGEST_NUMBER} digits"
            raise FlawNotCertified(message)


@dataclass(frozen=True, slots=True)
class _Fault:
    """A step whose expression gives another value than is stated."""

    step: ProgramStep
    value: Exact
    stated: Exact

    def __str__(self) -> str:
        return f"{self.step.variable} = {unparse(self.step.expression)[:80]} (gives {format_exact(self.value)}, stated {format_exact(self.stated)})"


def _faults(certificate: FlawCertificate, right: Mapping[str, Exact]) -> list[_Fault]:
    """Return the steps that are false at the stated values.

    As long as the steps and the stated values are the oracle's, so is what the next step gives.
    """
    told, oracle = certificate.told, certificate.oracle
    scope: dict[str, Exact] = dict(told.inputs)
    found = []
    same = told.inputs == oracle.inputs
    for place, step in enumerate(told.steps):
        same = same and step in oracle.steps[place : place + 1]
        stated = certificate.stated[step.variable]
        value = right[step.variable] if same else evaluate_expression(step.expression, scope)
        if value != stated:
            found.append(_Fault(step, value, stated))
            same = False
        scope[step.variable] = stated
    return found


def program_values(oracle: StraightLineProgram) -> dict[str, Exact]:
    """Return the value of each variable of an oracle.

    Raises:
        NotCertified: the side is no straight-line program.
        Refusal: a value is no number, or takes too much to compute.
        ProgramError: it raises in Python.
    """
    _check_form(oracle)
    scope: dict[str, Exact] = dict(oracle.inputs)
    for step in oracle.steps:
        scope[step.variable] = evaluate_expression(step.expression, scope)
    return scope
