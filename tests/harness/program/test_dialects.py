"""Tests of the registered dialects: each recognises its own examples and none of the others."""

import pytest

from harness.domain import Response
from harness.program.dialect import DIALECTS, ProgramDialect, recognized_dialect, shape_of
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.syntax.code_extraction import read_source
from harness.program.syntax.scopes import survey
from tests.cases import cases

EXAMPLES = {
    f"{dialect.name}-{number}": (dialect, text)
    for dialect in DIALECTS
    for number, text in enumerate(dialect.examples, start=1)
}


@cases("dialect", [pytest.param(dialect, id=dialect.name) for dialect in DIALECTS])
def test_each_dialect_ships_an_example(dialect: ProgramDialect) -> None:
    """A dialect without an example would be checked by nothing."""
    assert dialect.examples


@cases("example", EXAMPLES)
def test_an_example_is_recognised_by_its_dialect_alone(example: str) -> None:
    """No other dialect claims the text as clearly, whichever dialect its record names."""
    dialect, text = EXAMPLES[example]
    source = read_source(text)
    shape = shape_of(survey(source.tree))
    for hint in (None, *(other.name for other in DIALECTS)):
        recognized = recognized_dialect(source, shape, hint)
        assert recognized is not None
        assert recognized.name == dialect.name


@cases("example", EXAMPLES)
def test_an_example_lifts_to_its_dialect(example: str) -> None:
    """A lifted example has the dialect that it is an example of."""
    dialect, text = EXAMPLES[example]
    assert lift(Response("p", "m", text)).dialect == dialect.name


@cases("example", EXAMPLES)
def test_an_example_evaluates_to_the_pens(example: str) -> None:
    """Every example is the same problem: 6 boxes of 12 pens are 72 pens."""
    assert evaluate(lift(Response("p", "m", EXAMPLES[example][1]))).value == 72


@cases("example", EXAMPLES)
def test_a_hint_does_not_change_what_is_recognised(example: str) -> None:
    """A record that names its own dialect gives the same program."""
    dialect, text = EXAMPLES[example]
    assert lift(Response("p", "m", text, dialect.name)) == lift(Response("p", "m", text))


@cases("example", EXAMPLES)
def test_a_wrong_hint_gives_way(example: str) -> None:
    """A record that names another dialect is read as what it is."""
    dialect, text = EXAMPLES[example]
    for other in DIALECTS:
        assert lift(Response("p", "m", text, other.name)).dialect == dialect.name
