"""Tests of sides that are a part of what is meant: running totals, ratios, functions, spans, quantities in two units."""

from fractions import Fraction
from pathlib import Path

from hypothesis import given, strategies as st

from harness.corpora.labelled_solutions import WorkedSolution
from oracles.labels.audit.solution_lines import read_statement, read_worked

SMALL = st.integers(2, 40)
SEPARATORS = st.sampled_from([", ", "; ", " | ", ", and ", ". ", ", then "])
SPACES = st.sampled_from([" ", ""])
WORK = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "−": lambda a, b: a - b, "×": lambda a, b: a * b, "*": lambda a, b: a * b, "÷": Fraction, "/": Fraction}  # fmt: skip


def accused(line: str) -> list[str]:
    """Return the equations of a line that the line reader calls false."""
    statement = read_statement(line)
    return [statement.written(equation) for equation in statement.false]


@given(
    SMALL, SMALL, st.lists(st.tuples(st.sampled_from(sorted(WORK)), SMALL), min_size=1, max_size=4), SEPARATORS, SPACES
)
def test_a_running_total_accuses_nobody(
    first: int, second: int, steps: list[tuple[str, int]], separator: str, space: str
) -> None:
    """Each step goes on from the last result: `19 + 2 = 21, + 14 = 35, ÷ 5 = 7`."""
    total = Fraction(first + second)
    line = f"{first} + {second} = {total}"
    for sign, operand in steps:
        total = WORK[sign](total, operand)
        line += f"{separator}{sign}{space}{operand} = {total}"
    assert not accused(line)


@given(SMALL, SMALL, st.integers(2, 9), SMALL, st.sampled_from([" : ", ": ", ":", " :"]))
def test_a_proportion_accuses_nobody(left: int, right: int, factor: int, more: int, colon: str) -> None:
    """However its colons are spaced, with three terms or with a calculation too."""
    for line in (
        f"{left}{colon}{right} = {left * factor}{colon}{right * factor}",
        f"{left}{colon}{right}{colon}{more} = {left * factor}{colon}{right * factor}{colon}{more * factor}",
        f"{left * factor} : {right * factor} = {left * factor}/{factor} : {right}",
        f"{left} / {right} = {left * factor} : {right * factor}",
    ):
        assert not accused(line), line


@given(SMALL, SMALL, SMALL)
def test_a_number_put_for_another_is_no_equation(left: int, right: int, other: int) -> None:
    """A side without an operation may be the end of what is written otherwise: `f(3) = 10`, `+14 = 35`, `5 packs at $3 each = $15`."""
    for form in ("f({}) = {}", "log({}) = {}", "+{} = {}", "- {} = {}", "× {} = {}", "1. + {}. = {}", "mean of 4, {} = {}", "a pack for {}: 30 = {}"):  # fmt: skip
        assert not accused(form.format(left, right))
    assert not accused(f"f({left} + {right}) = {other}")
    assert not accused(f"max({left} + {right}, 1) = {other}")
    assert not accused(f"The number of pupils of ages {left}-{left + right} is {other}.")


def test_a_line_that_a_later_one_corrects_is_not_false() -> None:
    """Where a later equation is the same one with the right value, whatever the words, and none after it uses the wrong value."""
    right = ("Wait, 3 + 4 = 7, so there are 7.", "That was wrong: 3+4=7.", "So 3 + 4 = 7.", "Sorry, it is 7.")
    wrong = ("So 3 + 4 = 7. Then 8 * 2 = 16.", "Wait, 3 + 5 = 8.", "Wait, 3 + 4 = 9.", "So it is 7.")
    for later in (*right, *wrong):
        worked = WorkedSolution(("3 + 4 = 8 pens", later), None, 2)
        assert (0 in read_worked(worked).false_lines) == (later in wrong), later


def test_thoughts_in_tags_are_not_judged() -> None:
    """The equations before the end of a thought are no part of the solution; those after it are."""
    lines = ("<think>", "3 + 4 = 8", "</think>", "3 + 4 = 9")
    assert read_worked(WorkedSolution(lines, None, 0)).false_lines == [3]


def test_no_true_statement_is_accused() -> None:
    """Nearly seven hundred statements in notations of people, models, schoolbooks and programs are each true as meant."""
    statements = Path(__file__).with_name("true_statements.txt").read_text("utf-8").splitlines()
    assert len(statements) > 600
    assert not [line for line in statements if accused(line)]


@given(SMALL, SMALL, SMALL, SMALL)
def test_a_number_with_what_stands_right_beside_it_is_read_whole(
    first: int, second: int, top: int, bottom: int
) -> None:
    """A mixed number of any fraction, a sign before a currency, and a factor before parentheses: `3 17/20`, `-$5`, `8/2(2+2)`."""
    mixed = first + Fraction(top, bottom)
    for line in (
        f"{mixed - second} + {second} = {first} {top}/{bottom}",
        f"{first} {top}/{bottom} + {second} = {mixed + second}",
        f"{mixed - second} + {second} = {first} {top}/{bottom} = {mixed}",
        f"-${first} + ${first + second} = ${second}",
        f"{first}/{second}({top} + {bottom}) = {Fraction(first, second * (top + bottom))}",
    ):
        assert not accused(line), line
    assert accused(f"${first} + ${second} = ${first + second + 1000}")


@given(
    SMALL,
    SMALL,
    SMALL,
    st.sampled_from(["/", " / ", "÷", " ÷ ", r" \div "]),
    st.sampled_from(["(%s)", "((%s))", "[%s]", r"\left(%s\right)", "(%s)(1)"]),
)
def test_a_quotient_before_a_product_without_a_sign_has_two_readings(
    top: int, bottom: int, factor: int, sign: str, group: str
) -> None:
    """`8/2(2+2)` is 16 or 1: neither is called false, and any other value is, unless the line is not read."""
    side = f"{top}{sign}{bottom}{group % f'{factor}+0'}"
    readings = {Fraction(top, bottom) * factor, Fraction(top, bottom * factor)}
    for value in readings:
        assert not accused(f"{side} = {value}")
    wrong = int(max(readings)) + 7
    assert accused(f"{side} = {wrong}") or "[" in group
