"""Evidence from the structure of a solution: its operations, and its last line against the question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.equations.equation import Number
from harness.text.lexicon import english
from harness.text.units import singular_unit
from sft.samples.evidence_registry import Signal
from sft.verifier.case import evidence
from sft.verifier.solution_steps import OperandSource, steps_of

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case


_WORD = re.compile(r"[^\W\d_]+")
_COMMON = english("nouns").words("function")


@evidence("structure")
def structure(case: Case) -> Signal[Hint]:
    """The numbers of steps and operations for the numbers of the question, and the last line compared with the question."""
    steps = steps_of(case.item)
    asked, lines = steps.asked, case.item.lines
    serious = [place for place in range(len(asked.mentions)) if not asked.idle(place)]
    operations = [[operation.operator for operation in step.operations()] for step in steps.steps]
    last = operations[-1] if operations else []
    content = {singular_unit(word) for word in _WORD.findall(asked.sentence.lower())} - _COMMON
    tail = {singular_unit(word) for word in _WORD.findall(lines[-1].lower())} if lines else set()
    unit = steps.steps[-1].equation.right if steps.steps else None
    features = {
        "operations_over_numbers": sum(map(len, operations)) / max(1, len(serious)),
        "steps_over_numbers": len(steps.steps) / max(1, len(serious)),
        "covered": len(content & tail) / max(1, len(content)),
        "last_unit_asked": isinstance(unit, Number) and bool(unit.unit) and unit.unit in content,
        "last_unit_other": isinstance(unit, Number) and bool(unit.unit) and unit.unit not in content,
        "last_known": bool(steps.steps)
        and any(operand.source is OperandSource.KNOWN for operand in steps.steps[-1].operands),
        "same_operand_twice": sum(
            len(step.operands) == 2 and step.operands[0].value == step.operands[1].value for step in steps.steps
        ),
    }
    for sign, name in (("+", "plus"), ("-", "minus"), ("*", "times"), ("/", "over")):
        features[f"last_{name}"] = sign in last
        features[name] = sum(signs.count(sign) for signs in operations)
    return Signal(features)
