"""Tests that no float is made on the way from a program to its answer."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import harness.program
from tests.cases import cases
from tests.harness.program.differential.comparison import our_answer
from tests.harness.program.differential.generated_programs import generated_program

ROOT = Path(harness.program.__file__).parent
EVALUATION = sorted((ROOT / "evaluation").glob("*.py"))
# Of `math`, what gives an int for every exact number.
INTEGER_FUNCTIONS = {"ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "trunc"}
PROGRAMS = 300


def float_makers(tree: ast.Module) -> Iterator[str]:
    """Yield what makes floats: decimal literals, the class, functions of `math` that give floats, and other modules."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=float()):
                yield f"line {node.lineno}: {node.value}"
            case ast.Name(id="float") | ast.Name(id="complex"):
                yield f"line {node.lineno}: {node.id}"
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name not in INTEGER_FUNCTIONS:
                yield f"line {node.lineno}: math.{name}"
            case ast.Import(names=names) if {alias.name for alias in names} & {
                "cmath",
                "numpy",
                "statistics",
                "random",
            }:
                yield f"line {node.lineno}: import"


def test_the_evaluator_names_no_float() -> None:
    """The modules of the evaluator hold no decimal literal and name no function that gives floats."""
    found = {path.name: list(float_makers(ast.parse(path.read_text(encoding="utf-8")))) for path in EVALUATION}
    assert {name: makers for name, makers in found.items() if makers} == {}


def test_the_walk_sees_what_makes_a_float() -> None:
    """The check above finds each way to make a float."""
    text = "import math\nimport numpy\na = 0.5\nb = float('1')\nc = math.sqrt(2)\nd = math.floor(2)\n"
    assert [line[:6] for line in float_makers(ast.parse(text))] == ["line 2", "line 3", "line 4", "line 5"]


def holds_float(value: object) -> bool:
    """Tell whether a value is a float, or a sequence that holds one."""
    if isinstance(value, list | tuple | set):
        return any(isinstance(item, float) for item in value)
    return isinstance(value, float)


def floats_made(code: str) -> list[str]:
    """Return the functions of the evaluator that return a float, or hold one in a variable, while a program runs."""
    seen: list[str] = []

    def watch(frame: FrameType, event: str, result: object) -> None:
        if event != "return" or "harness/program/evaluation" not in frame.f_code.co_filename:
            return
        if holds_float(result) or any(map(holds_float, frame.f_locals.values())):
            seen.append(f"{frame.f_code.co_name}, line {frame.f_lineno}")

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        our_answer(code)
    finally:
        sys.setprofile(before)
    return seen


def test_no_function_of_the_evaluator_gives_a_float() -> None:
    """On generated programs no function of the evaluator returns a float or keeps one in a variable."""
    codes = [generated_program(7_000_000 + place).code for place in range(PROGRAMS)]
    assert {code: makers for code in codes if (makers := floats_made(code))} == {}


EXACTLY = {
    "float('1e-3')": "1/1000",
    "Fraction('1e-3')": "1/1000",
    f"float('0.{'3' * 120}')": f"{'3' * 120}/{10**120}",
    f"float('{'7' * 200}')": f"{'7' * 200}/1",
    "float(' 1_0.2_5e+1 ')": "205/2",
    "int('11', 2) + 0.0": "3/1",
    "9007199254740993e1 + 0": "90071992547409930/1",
    "round(2.675, 2)": "67/25",
    "7 / 3": "7/3",
    "2 ** -3": "1/8",
}


@cases("expression", EXACTLY)
def test_texts_and_literals_keep_their_digits(expression: str) -> None:
    """Texts and literals keep all their digits, with an exponent too."""
    answer = our_answer(f"ans = {expression}\n")
    numerator, _, denominator = EXACTLY[expression].partition("/")
    left, _, right = answer[1].partition("/")
    assert int(left) * int(denominator) == int(numerator) * int(right or 1)


@cases(
    "expression",
    [
        *("float('1e999999')", "Fraction('1e999999')", "1e999999", "float('1e-999999')"),
        *("int('9' * 5000)", "Fraction('9' * 5000)", "float('1' * 5000)", "Fraction('1/' + '9' * 5000)"),
    ],
)
def test_numbers_too_large_to_write_are_refused(expression: str) -> None:
    """An exponent or a text of digits is not expanded."""
    assert our_answer(f"ans = {expression}\n")[0] == "refused"
