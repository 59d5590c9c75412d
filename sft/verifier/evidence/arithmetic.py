"""Evidence from equations that are false in every plausible reading."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from harness.equations.correction import due_equation
from harness.equations.equation import Truth
from harness.solution.labels import ErrorType
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case

FALSE_EQUATION = HintKind("false equation", ErrorType.COMPUTATIONAL, certainty=0.99, proof=True, equation=True)
LONGEST_SHOWN = 160
LARGEST_RATIO = 1_000


@evidence("arithmetic")
def arithmetic(case: Case) -> Signal[Hint]:
    """False equations: how many, how far off, and how early."""
    lines = case.solution.statements
    false = [
        (place, line, equation)
        for place, line in enumerate(lines)
        for equation in line.false
        if equation.left.value is not None
    ]
    off = [
        abs(Fraction(equation.right.value or 0) - due) / max(abs(due), Fraction(1))
        for _, _, equation in false
        for due in [Fraction(equation.left.value or 0)]
    ]
    features = {
        "false": len(false),
        "any_false": bool(false),
        "first_false": 0.0 if not false else (false[0][0] + 1) / max(1, len(lines)),
        "off": float(min(max(off, default=Fraction(0)), Fraction(LARGEST_RATIO))),
        "rounded": sum(equation.truth is Truth.ROUNDED for line in lines for equation in line.equations),
    }
    hints = [
        FALSE_EQUATION.at(
            case.solution.label(place), line.written(equation)[:LONGEST_SHOWN], due_equation(equation, line.text)
        )
        for place, line, equation in false
    ]
    return Signal(features, tuple(hints))
