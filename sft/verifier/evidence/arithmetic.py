"""Evidence from equations that are false in every plausible reading."""

from harness.equations.false_equations import due_equation
from harness.solution.labels import ErrorType
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import Hint, HintKind
from sft.verifier.case import Case, evidence

FALSE_EQUATION = HintKind("false equation", ErrorType.COMPUTATIONAL, certainty=0.99, equation=True)
LONGEST_SHOWN = 160


@evidence("arithmetic")
def arithmetic(case: Case) -> Signal[Hint]:
    """False equations; they have no feature, since those that are certified decide without one, and the others tell nothing."""
    hints = []
    for place, line in enumerate(case.solution.statements):
        for equation in line.false:
            if equation.left.value is not None:
                found, due = line.written(equation)[:LONGEST_SHOWN], due_equation(equation, line.text)
                hints.append(FALSE_EQUATION.at(case.solution.label(place), found, due))
    return Signal({}, tuple(hints))
