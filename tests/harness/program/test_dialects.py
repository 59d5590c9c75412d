"""Tests of the registered dialects: each recognises its own examples and none of the others."""

from harness.domain import Response
from harness.program.dialect import DIALECTS
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from tests.cases import cases


@cases("dialect", [dialect.name for dialect in DIALECTS])
def test_an_example_is_a_program_of_its_dialect_alone(dialect: str) -> None:
    """Each dialect has examples: the same problem, 6 boxes of 12 pens; whatever dialect their record names, they are read as what they are."""
    examples = DIALECTS.require(dialect).examples
    assert examples
    for text in examples:
        program = lift(Response("p", "m", text))
        assert (program.dialect, evaluate(program).value) == (dialect, 72)
        assert [other.name for other in DIALECTS if lift(Response("p", "m", text, other.name)) != program] == []
