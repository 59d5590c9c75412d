"""What a line states: an equation that may be read with a part of a number only is no false one."""

import pytest

from oracles.labels.audit.solution_lines import read_statement
from tests.cases import cases

WRITTEN_IN_PARTS = [
    "They read 180 pages a day because 14, 400 / 80 = <<14400/80=180>>180",
    "The total is 2.46 because .8 + . 84 + .82 = <<.8+.84+.82=2.46>>2.46",
    "It costs $10/3=$3 and $1/3 a pizza.",
]
FALSE = [
    "They read a total of 400 / 80 = 180 pages.",
    "First they rest. 84 + 82 = 167 pages follow.",
    "In 14, 40 / 8 = 6 were left.",
    "It costs $10/3=$3 and he pays.",
]


@cases("line", [pytest.param(line, id=line[:20]) for line in WRITTEN_IN_PARTS])
def test_numbers_in_parts_are_not_judged(line: str) -> None:
    """An equation beside the rest of a number is unread, neither false nor true."""
    statement = read_statement(line)
    assert not statement.false
    assert statement.unread


@cases("line", [pytest.param(line, id=line[:20]) for line in FALSE])
def test_false_equations_near_commas_and_stops_are_found(line: str) -> None:
    """A comma, a full stop or `and` beside a false equation does not hide it."""
    assert read_statement(line).false
