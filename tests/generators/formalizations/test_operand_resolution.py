"""Tests of the rules that resolve a number of a line to an operand, with one example for each rule."""

from typing import Any

from tests.cases import cases, lines_beside
from tests.generators.formalizations.compiled import compiled

RULES = lines_beside(__file__, "operand_rules.jsonl")
"""A rule with a question, a solution, what each result is computed from, and what the code says of the inputs in question."""


@cases("row", RULES)
def test_an_operand_is_resolved(row: dict[str, Any]) -> None:
    """The rule of the row decides; what is compiled gives back the solution."""
    found = compiled(row["question"], row["solution"])
    assert (found.expressions, found.text.faithful) == (row["expressions"], True), row["rule"]
    assert found.inputs == {**found.inputs, **row["inputs"]}, row["rule"]


# The solution, its gold answer, the code of the answer and its value.
ANSWERS = [
    ("<<3*4=12>>12\n<<6*2=12>>12\n<<12/5=2.4>>2.4", "12", "result_2", "12"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", "2.4", "result_2", "12/5"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", "12", "result_1", "12"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", "99", "result_2", "12/5"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", "nobody knows", "result_2", "12/5"),
    ("<<3*4=12>>12\n<<12/5=2.4>>2.4", None, "result_2", "12/5"),
    ("<<1/2=50%>>50%", "50", "result_1 * 100", "50"),
    ("<<1/2=50%>>50%", "50%", "result_1", "1/2"),
    ("<<1/2=50%>>50%", "0.5", "result_1", "1/2"),
    ("<<1/2=.5>>.5", "50", "result_1", "1/2"),
    ("<<100/3=33.333>>33.333", "33.33", "result_1", "33333/1000"),
]


@cases(("solution", "gold", "code", "value"), ANSWERS)
def test_the_answer_is_the_last_result_that_reaches_gold(
    solution: str, gold: str | None, code: str, value: str
) -> None:
    """Else the last result; a percentage is given in hundredths where gold counts them."""
    answer = compiled("3, 4 and 5", solution, gold).trace.answer
    assert (answer.code, str(answer.value)) == (code, value)
