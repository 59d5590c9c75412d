"""The form of a program: its expression from numbers to answer, whatever the names, the order and the number of its statements."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program.evaluation.terms import Term, subterms
from harness.program.refusal import Refusal
from oracles.equivalence.provers.symbolic_paths import paths_of

if TYPE_CHECKING:
    from harness.domain import Exact
    from harness.program.evaluation.terms import Operand
    from harness.program.ir import Program

LEAST_NUMBERS = 4
"""The least number of numbers in the expression: independent authors write the same shorter ones."""
DIGITS = 16
_NEUTRAL = {"+": 0, "-": 0, "*": 1, "/": 1}


def program_form(program: Program) -> str | None:
    """Return a fingerprint of the operations by which a program comes to its answer; `None` where it has none or they are few.

    Inputs stand as their values and constants are computed, neutral operations are left out. So names, comments, statements without effect, the
    order of independent ones, and how the work is shared among them make no difference; the order of operands does. It is
    the expression of each path; a program whose paths are too many, or whose loops depend on an input, has no form.
    """
    try:
        paths = paths_of(program)
    except Refusal:
        return None
    writer = _Writer(program)
    written = [
        (
            tuple((writer.text(condition), holds) for condition, holds in path.conditions),
            path.error,
            writer.text(path.value or 0),
        )
        for path in paths
    ]
    if max((writer.numbers(path.value) for path in paths if path.value is not None), default=0) < LEAST_NUMBERS:
        return None
    return _digest(repr(sorted(written, key=repr)))


class _Writer:
    """Writes the terms of one program, each once: those that it shares are written by their fingerprint."""

    def __init__(self, program: Program) -> None:
        self._values = [_number(parameter.value) for parameter in program.parameters]
        self._known: dict[int, tuple[str, int]] = {}
        self._terms: list[Term] = []

    def text(self, operand: Operand) -> str:
        """Return the fingerprint of a term, or a number."""
        return self._written(operand)[0]

    def numbers(self, operand: Operand) -> int:
        """Return the number of numbers in a term, at most LEAST_NUMBERS."""
        return self._written(operand)[1]

    def _written(self, operand: Operand) -> tuple[str, int]:
        if not isinstance(operand, Term):
            return _number(operand), 1
        for term in subterms(operand, self._known):
            self._known[id(term)] = self._term(term)
            self._terms.append(term)  # its id stays its own
        return self._known[id(operand)]

    def _term(self, term: Term) -> tuple[str, int]:
        if term.operator == "input":
            return self._values[int(term.arguments[0])], 1  # type: ignore[arg-type]  # an index
        parts = [self._written(argument) for argument in term.arguments]
        neutral = _number(_NEUTRAL[term.operator]) if term.operator in _NEUTRAL else None
        if len(parts) == 2 and neutral is not None:
            if not isinstance(term.arguments[1], Term) and parts[1][0] == neutral:
                return parts[0]
            if term.operator in "+*" and not isinstance(term.arguments[0], Term) and parts[0][0] == neutral:
                return parts[1]
        count = min(sum(numbers for _, numbers in parts), LEAST_NUMBERS)
        return _digest(" ".join([term.operator, *(text for text, _ in parts)])), count


def _number(value: Exact) -> str:
    """Return a number as hexadecimal digits, which Python writes however many they are."""
    own = Fraction(value)
    return f"{own.numerator:x}/{own.denominator:x}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
