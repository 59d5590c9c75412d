"""Tests of the lifter: which literals become parameters, with which value, type, words and provenance, in each dialect and in real formalizations."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from harness.corpora.problems import read_records
from harness.domain import Exact, Parameter, Provenance, Response
from harness.program.dialect import DIALECTS
from harness.program.evaluation.evaluator import evaluate
from harness.program.evaluation.values import Ratio
from harness.program.lifter import lift, read_candidate
from harness.program.refusal import Refusal, RefusalReason
from tests.cases import cases, lines_beside, texts


def parameters(text: str) -> tuple[Parameter, ...]:
    """Return the parameters of a response."""
    return lift(Response("p", "m", text)).parameters


def values(text: str) -> dict[str, int | Fraction]:
    """Return the values of the parameters by name."""
    return {parameter.name: parameter.value for parameter in parameters(text)}


LITERALS: dict[str, tuple[Exact, str]] = {
    **{literal: (int(literal), "int") for literal in ("5", "-5", "1_000")},
    **{literal: (Fraction(literal), "float") for literal in ("5.0", "0.1", "-2.50", "1e3", "1/3", "-1/3", "6/3")},
    **{f"Fraction({part}, 3)": (Ratio(part, 3), "float") for part in (1, -1)},
    "0.12345678901234567890123": (Fraction(12345678901234567890123, 10**23), "float"),
    "9007199254740993.0": (Fraction(9007199254740993), "float"),
}
COMPUTED = texts("60 * 24 | 1 + 1 | 2 ** 3 | 1/0 | True | 'text' | None | x | [1] | Fraction(x, 2) | abs(-1) | 1/3.0")


@cases("literal", LITERALS)
def test_a_literal_is_a_parameter_of_its_exact_value(literal: str) -> None:
    """What was written is what is kept, digit for digit, as a default and in an assignment."""
    value, kind = LITERALS[literal]
    found = [
        *parameters(f"def solve(amount={literal}):\n    return amount"),
        *parameters(f"amount = {literal}\nans = amount"),
    ]
    assert [(parameter.name, parameter.value, parameter.type, type(parameter.value)) for parameter in found] == [
        ("amount", value, kind, type(value))
    ] * 2


@cases("expression", COMPUTED)
def test_a_computation_is_no_parameter(expression: str) -> None:
    """Only literals are inputs: `60 * 24` is a step."""
    assert values(f"x = 3\namount = {expression}\nans = amount") == {"x": 3}


@cases(
    ("annotation", "literal", "expected"),
    [
        ("int", "5", (5, "int")),
        ("float", "5", (5, "float")),
        ("int", "5.0", (Fraction(5), "int")),
        ("int", "2.5", (Fraction(5, 2), "float")),
        ("float", "1/2", (Fraction(1, 2), "float")),
        ("str", "5", (5, "int")),
    ],
)
def test_an_annotation_decides_the_type(annotation: str, literal: str, expected: tuple[int | Fraction, str]) -> None:
    """It says what other values an input may have; Python leaves the default as it is written."""
    (found,) = parameters(f"def solve(amount: {annotation} = {literal}):\n    return amount")
    assert (found.value, found.type, type(found.value)) == (*expected, type(expected[0]))


@cases("row", lines_beside(__file__, "one_value.jsonl"))
def test_what_has_one_value_is_a_parameter(row: dict[str, Any]) -> None:
    """A literal is an input where its name has one value in every run."""
    assert values(row["program"]) == row["parameters"], row["law"]


COMMENTED = {
    "a: int = 5,  # 5 apples in a box": (Provenance.QUESTION, "5 apples in a box"),
    "a: int = 5,  # WK: days in a work week": (Provenance.WORLD_KNOWLEDGE, "days in a work week"),
    "a: int = 5,  # (WK) days": (Provenance.WORLD_KNOWLEDGE, "days"),
    "a: int = 5,  # World knowledge: days": (Provenance.WORLD_KNOWLEDGE, "days"),
    "a: int = 5,": (Provenance.UNKNOWN, ""),
}


@cases("line", COMMENTED)
def test_a_trailing_comment_tells_provenance_and_meaning(line: str) -> None:
    """`WK` and `world knowledge` mark world knowledge, another comment the question, none nothing."""
    (found,) = parameters(f"def solve(\n    {line}\n):\n    return a")
    assert (found.provenance, found.comment) == COMMENTED[line]


def test_a_numbered_step_above_tells_the_meaning() -> None:
    """Faithful-CoT quotes its support on the line above; the quote is the meaning."""
    text = '# 1. How many boxes? (independent, support: ["6 boxes of pens"])\nboxes = 6\n# 2. How many days has a week? (independent, support: ["External knowledge: a week has 7 days"])\ndays = 7\nanswer = boxes * days\n'
    found = [(parameter.name, parameter.provenance, parameter.comment) for parameter in parameters(text)]
    assert found == [
        ("boxes", Provenance.QUESTION, "6 boxes of pens"),
        ("days", Provenance.WORLD_KNOWLEDGE, "a week has 7 days"),
    ]


def test_logical_steps_mark_world_knowledge() -> None:
    """What a template lists under `WK_inputs` is world knowledge, unless the question gives it too."""
    code = '"def solve():\\n    days = 7\\n    boxes = 6\\n    both = 2\\n    return days * boxes * both"'
    text = f'{{"function_code": {code}, "logical_steps": [{{"WK_inputs": ["days", "both"], "question_inputs": ["boxes", "both"]}}]}}'
    assert [parameter.provenance for parameter in parameters(text)] == [
        Provenance.WORLD_KNOWLEDGE,
        Provenance.QUESTION,
        Provenance.QUESTION,
    ]


REFUSED = {
    "def solve(a, b=2):\n    return a + b": "missing-argument: a has no default (line 1)",
    "def f(a=1):\n    return a\ndef g(a=1):\n    return a": "several-functions: which of f, g gives the answer?",
    '{"function_code": "x = 5"}': "no-function: function_code defines no function",
    "def solve(*a):\n    return 1": "unsupported: the signature of solve (line 1)",
    "import os\nans = 1": "forbidden: import of os (line 1)",
    "def solve(a=3):\n    return a\nprint(solve())\nprint(solve(4))": "several-functions: solve is called with inputs and without",
    "def solve(a: int = 1, a: int = 2):\n    return a": "syntax-error: duplicate argument 'a' in function definition (line 1)",
    "def solve(a: int = 1, **a):\n    return a": "syntax-error: duplicate argument 'a' in function definition (line 1)",
    "x = 1\ny = eval('x')\nans = y": "forbidden: eval() is never called (line 2)",
}


@cases("text", REFUSED)
def test_a_refusal_names_the_reason_the_value_and_the_line(text: str) -> None:
    """A refusal names the reason, the value and the line."""
    with pytest.raises(Refusal) as caught:
        lift(Response("p", "m", text))
    assert str(caught.value) == REFUSED[text]


CALLED = {
    "def solve(a=3, b=4):\n    return a * b\nprint(solve())": 12,
    "def solve(a=3, b=4):\n    return a * b\nprint(solve(5))": 20,
    "def solve(a=3, b=4):\n    return a * b\nassert solve(5, b=1) == 5": 12,
    "def solution(a, b):\n    return a * b\nprint(solution(3, 4))": 12,
    "def helper(a):\n    return a + 1\ndef solution(a):\n    return helper(a)\nans = solution(3)": 4,
}


@cases("code", CALLED)
def test_what_a_program_makes_of_its_function_is_the_answer(code: str) -> None:
    """A call with other inputs than the defaults counts where its value is kept or printed."""
    outcome = read_candidate(Response("p", "m", code)).outcome
    assert outcome is not None
    assert outcome.value == CALLED[code]


SHARES = {"parametric.jsonl": 1.0, "programs.jsonl.gz": 0.95, "templates.jsonl.gz": 0.97}


@pytest.mark.parametrize("part", [60, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", SHARES)
def test_real_formalizations_are_evaluated(shared_data: Path, name: str, part: int) -> None:
    """The share that has a number is no less than it was; every other has a typed reason or an exception's name.

    Of the larger files every sixtieth answer is read, and all in `make test-slow`.
    """
    records = [record for _, record in read_records(shared_data / "formalizations" / name)]
    records = records[:: 1 if len(records) < 200 else part]
    found = [read_candidate(Response(record["problem_id"], record["model"], record["response"])) for record in records]
    numbers = sum(result.outcome is not None and result.outcome.value is not None for result in found)
    told = all(
        result.outcome is not None or str(result.reason).partition(":")[0] in set(RefusalReason) for result in found
    )
    assert (told, numbers / len(found) >= SHARES[name]) == (True, True)


@cases("dialect", [dialect.name for dialect in DIALECTS])
def test_an_example_is_a_program_of_its_dialect_alone(dialect: str) -> None:
    """Each dialect has examples: the same problem, 6 boxes of 12 pens; whatever dialect their record names, they are read as what they are."""
    examples = DIALECTS.require(dialect).examples
    assert examples
    for text in examples:
        program = lift(Response("p", "m", text))
        assert (program.dialect, evaluate(program).value) == (dialect, 72)
        assert [other.name for other in DIALECTS if lift(Response("p", "m", text, other.name)) != program] == []
