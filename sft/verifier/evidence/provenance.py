"""Evidence from operands that come neither from the question nor an earlier line nor world knowledge."""

from harness.solution.labels import ErrorType
from harness.text.number_forms import format_value
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import Hint, HintKind
from sft.verifier.case import Case, evidence
from sft.verifier.solution_steps import OperandSource, steps_of

_SENTENCE = "{where} uses {found}, which neither the problem nor a line before it gives."
NOWHERE = HintKind("operand from nowhere", ErrorType.INPUT_MISREPRESENTATION, _SENTENCE)


@evidence("provenance")
def provenance(case: Case) -> Signal[Hint]:
    """Operands that neither the question nor an earlier line nor common knowledge gives; they have no feature: without them the verdicts are as good."""
    hints = []
    for step in steps_of(case.item).steps:
        stated = {value for line in case.solution.statements[: step.place] for value in line.numbers}
        unstated = [operand.value for operand in step.operands if operand.source is OperandSource.NOWHERE]
        hints += [NOWHERE.at(step.line, format_value(value)) for value in unstated if value not in stated]
    return Signal({}, tuple(hints))
