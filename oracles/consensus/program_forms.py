"""The form of a program: its expression from numbers to answer, whatever the names, the order and the number of its statements."""

import hashlib
from fractions import Fraction

from harness.domain import Exact
from harness.program.evaluation.values import Operand, Term, subterms
from harness.program.ir import Program
from harness.program.refusal import Refusal
from oracles.equivalence.provers.symbolic_paths import paths_of

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
    values = [_hexadecimal(parameter.value) for parameter in program.parameters]
    known: dict[int, tuple[str, int]] = {}

    def written(operand: Operand) -> tuple[str, int]:
        """Return the fingerprint of a term, or a number, and how many numbers it has."""
        for term in subterms(operand, known):
            known[id(term)] = _written_term(term, [written(part) for part in term.arguments], values)
        return known[id(operand)] if isinstance(operand, Term) else (_hexadecimal(operand), 1)

    forms = [
        (
            tuple((written(condition)[0], holds) for condition, holds in path.conditions),
            path.error,
            written(path.value or 0)[0],
        )
        for path in paths
    ]
    if max((written(path.value)[1] for path in paths if path.value is not None), default=0) < LEAST_NUMBERS:
        return None
    return _digest(repr(sorted(forms, key=repr)))


def _written_term(term: Term, parts: list[tuple[str, int]], values: list[str]) -> tuple[str, int]:
    if term.operator == "input":
        return values[int(term.arguments[0])], 1  # type: ignore[arg-type]  # an index
    neutral = _hexadecimal(_NEUTRAL[term.operator]) if term.operator in _NEUTRAL else None
    if len(parts) == 2 and neutral is not None:
        if not isinstance(term.arguments[1], Term) and parts[1][0] == neutral:
            return parts[0]
        if term.operator in "+*" and not isinstance(term.arguments[0], Term) and parts[0][0] == neutral:
            return parts[1]
    count = min(sum(numbers for _, numbers in parts), LEAST_NUMBERS)
    return _digest(" ".join([term.operator, *(text for text, _ in parts)])), count


def _hexadecimal(value: Exact) -> str:
    """Return a number as hexadecimal digits, which Python writes however many they are."""
    own = Fraction(value)
    return f"{own.numerator:x}/{own.denominator:x}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
