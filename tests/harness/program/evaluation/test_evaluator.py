"""Tests of the evaluator: written programs mean what Python means by them, arithmetic is exact, and the rest is refused."""

import textwrap
from collections.abc import Iterator
from fractions import Fraction

import pytest

from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.refusal import Refusal, RefusalReason
from tests.cases import cases, lines_beside, rows, texts
from tests.harness.program.differential.comparison import AGREED, ROUNDING, compared
from tests.harness.program.differential.generated_programs import GeneratedProgram
from tests.harness.program.differential.python_process import PythonProcess


@pytest.fixture(scope="module")
def python() -> Iterator[PythonProcess]:
    """Return a Python process."""
    with PythonProcess() as process:
        yield process


def value_of(code: str) -> int | Fraction | None:
    """Return the value of a program."""
    return evaluate(lift(Response("p", "m", code))).value


def means_what_python_means(code: str, python: PythonProcess) -> bool:
    """Tell whether `solve` of a text gives Python's value, or the exception that Python raises."""
    (comparison,) = compared([GeneratedProgram(code, "solve()")], python)
    return comparison.status in {AGREED, ROUNDING}


@cases("row", lines_beside(__file__, "programs.jsonl"))
def test_programs_give_what_python_gives(row: dict[str, str], python: PythonProcess) -> None:
    """Loops, branches, sequences and exceptions give the same results as in Python, on three pairs of inputs."""
    body = textwrap.indent(row["body"], "    ")
    codes = [f"def solve(a: int = {a}, b: int = {b}):\n{body}\n" for a, b in ((7, 2), (12, 7), (1, 30))]
    assert all(means_what_python_means(code, python) for code in codes), row["name"]


PRINTED = {
    **{
        statement: Fraction(value)
        for statement, value in rows("""print('The answer is', a * b, 'dollars') → 14 | print(f'It costs {a / b} dollars.') → 7/2
print(f'{a / 3:.2f}') → 233/100 | print('It is ${:,.2f}.'.format(a / 3)) → 233/100 | print(f'({a})') → 7
print('It is %d dollars' % (a / b)) → 3 | print('%.1f%%' % (a / 3)) → 23/10 | print('({0})'.format(a)) → 7
print('Total:', f'${a}.') → 7 | print(f'{a}%') → 7""")
    },
    **dict.fromkeys(
        texts("""print(f'{a} of {b}') | print(f'{a:>10}') | print('{:d}'.format(a / b)) | print('%s and %s' % (a, b))
        print('{'.format(a)) | print('%5d' % a) | print('{1}'.format(a))
print(a, b) | print('1', a, sep='') | print('Of 12 there are', a)""")
    ),
    "print(a, end='')\nprint(b)": None,
    **dict.fromkeys(
        f"print(f'{text}')" for text in ("1{a}", "-{a}", "{a}/6", "{a},000", "{a}e3", "{a}k", "{a}:30", "{a}^2")
    ),
}


@cases("statement", PRINTED)
def test_of_a_printed_sentence_the_one_number_is_the_answer(statement: str) -> None:
    """As it is shown, rounded where it is; with several numbers, or in a form that is not read, the program is refused."""
    code = f"a = 7\nb = 2\n{statement}\n"
    if PRINTED[statement] is not None:
        assert value_of(code) == PRINTED[statement]
        return
    with pytest.raises(Refusal):
        value_of(code)


FUNCTIONS = {
    "a named lambda": ("double = lambda x: 2 * x\n", "double(a) + double(b)"),
    "a default read late": ("def f(x=1):\n    return x\n", "f() + f(a)"),
    "recursion": ("def fact(n):\n    if n <= 1:\n        return 1\n    return n * fact(n - 1)\n", "fact(6) + a"),
    "a function that calls another": ("def g(x):\n    return x + 1\ndef f(x):\n    return g(g(x))\n", "f(a)"),
    "a global": ("rate = 3\ndef f(x):\n    return x * rate\n", "f(a)"),
    "a missing argument": ("def f(x, y):\n    return x\n", "f(a)"),
    "an argument too many": ("def f(x):\n    return x\n", "f(a, b)"),
    "an unknown keyword": ("def f(x):\n    return x\n", "f(a, y=1)"),
    "an argument given twice": ("def f(x):\n    return x\n", "f(a, x=1)"),
    "a function without a return": ("def f(x):\n    y = x\n", "f(a) + 1"),
}


@cases("name", FUNCTIONS)
def test_functions_behave_as_in_python(name: str, python: PythonProcess) -> None:
    """Arguments, defaults, scopes and their errors are the same as in Python."""
    before, expression = FUNCTIONS[name]
    code = f"{before}def solve(a: int = 7, b: int = 2):\n    return {expression}\n"
    assert means_what_python_means(code, python)


EXACT = {
    expression: Fraction(value)
    for expression, value in rows("""0.1 + 0.2 == 0.3 and 1 or 2 → 1 | 0.1 + 0.2 → 3/10 | 1 - 0.9 → 1/10 | 1.1 * 1.1 → 121/100 | 2.675 * 100 → 535/2
round(2.675, 2) → 67/25 | round(0.125, 2) → 3/25 | 1 / 3 * 3 → 1 | (1 / 3) ** 2 → 1/9 | 4 ** 0.5 → 2
(4 / 9) ** 0.5 → 2/3 | 4 ** -1.5 → 1/8 | math.sqrt(2.25) → 3/2
10 ** 20 + 0.5 - 10 ** 20 → 1/2 | 9007199254740993.0 - 9007199254740992.0 → 1 | 1e-5 * 1e5 → 1 | 7 // 0.5 → 14
-7 // 2 → -4 | -7 % 3 → 2 | 7.5 % 2 → 3/2 | Fraction(1, 3) + Fraction(0.5) → 5/6""")
}


@cases("expression", EXACT)
def test_arithmetic_is_exact(expression: str) -> None:
    """No float appears: decimals are what they say, roots are rational or refused."""
    assert value_of(f"t = 0\nt = {expression}\nans = t\n") == EXACT[expression]


UNSUPPORTED = (
    *(
        *texts("""2 ** 0.5 | math.sqrt(2) | 8 ** (1 / 3) | (-4) ** 0.5 | Fraction('1/3') | (1 / 3).numerator | math.pi * 2 | math.inf | math.log(8, 2) | math.sin(1)
pow(2, 10) | math.gcd(4, 6)"""),
    ),
    *(
        *texts("""min(1, 2, key=abs) | round(1, 2 ** 9) | unheard_of(1) | float('inf') | int('12') | [1].append(1)
1 in [1] | [1] + [2] | len('ab' * 3) | 1 is None | [1] == [1] | Fraction('1e999999') | '%d' % 5 | {1: 2}[1]
len({1, 2}) | any(x > 1 for x in [1, 2])"""),
    ),
)


NO_NUMBER = ("None", "'72'", "[72]", "True", "(1, 2)", "a == 7")


@cases(
    "code, reason",
    [
        *((f"t = 0\nt = {expression}\nans = t + 0\n", RefusalReason.UNSUPPORTED) for expression in UNSUPPORTED),
        *((f"def solve(a: int = 7):\n    return {result}\n", RefusalReason.NON_NUMERIC) for result in NO_NUMBER),
    ],
)
def test_what_is_not_exact_not_known_or_no_number_is_refused(code: str, reason: RefusalReason) -> None:
    """What Python could compute and we cannot is a refusal, never an exception; so are texts, sequences and truth values as answers."""
    with pytest.raises(Refusal) as caught:
        value_of(code)
    assert caught.value.reason is reason


UNCERTAIN = (
    "x = 1\nreturn x + (x := a)",
    "x = 1\nb and (x := a)\nreturn x",
    "return (x := 1) + (x := 2)",
    "x = 1\nx += (x := a)\nreturn x",
    "y = 1\n1 < (x := 0) < (y := a)\nreturn y",
    "return sum((x := i) for i in range(0)) + x",
    "pairs = zip([a], [b])\nreturn len(list(pairs)) + len(list(pairs))",
    "return zip([a], [b])[0][0]",
    "return a if enumerate([a]) else b",
)


@cases("body", UNCERTAIN)
def test_what_has_no_plainer_form_for_certain_is_refused(body: str) -> None:
    """A walrus that is not evaluated first, pairs that are not read where they stand."""
    with pytest.raises(Refusal):
        value_of(f"def solve(a: int = 7, b: int = 2):\n{textwrap.indent(body, '    ')}\n")


def test_the_last_print_is_the_answer_where_none_is_named() -> None:
    """Where no answer is named, as in ToRA, the last printed value is the answer."""
    assert value_of("a = 5\nprint(a)\nprint('sum:', a * 2)\n") == 10


@cases(
    "text",
    [
        "x = Symbol('x')\nans = solve(Eq(x * x, 4), x)[0]",
        "x = Symbol('x')\nans = solve(Eq(1 / x, 4), x)[0]",
        "x = Symbol('x')\nans = 1 if x > 3 else 2",
        "x = Symbol('x')\nans = x + 1",
        "x = Symbol('x')\nans = solve(Eq(x, 5), x, dict=True)[0][x]",
    ],
)
def test_what_is_not_linear_or_not_solved_is_refused(text: str) -> None:
    """Neither a wrong root nor a symbol passes for an answer."""
    with pytest.raises(Refusal):
        evaluate(lift(Response("p", "m", text)))
