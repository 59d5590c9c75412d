"""The laws that every flawed solution keeps, as far as they can be checked from its text and numbers alone.

What the reader of equations, the renderer and the certificates of the product judge is judged here again, without them.
"""

import ast
import operator
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType

from generators.flaws.enumeration import flaws_of
from generators.flaws.flawed_solution import Flaw
from generators.flaws.solution.source_solution import FlawSource, UnfitError, source_of_trace
from harness.domain import Exact, Problem, Response
from harness.program import ir
from harness.program.lifter import lift
from harness.solution.labels import FINAL_ANSWER, ErrorClass, Label
from harness.solution.solution_text import LineText, SolutionText, fit_line
from harness.solution.trace import trace_program
from harness.text.number_forms import format_value
from properties.stages.mutation import make_from
from tests.generators.flaws.example_solutions import example_source

CODE = """
# L1
boxes = 4 # 4 boxes
pens = 6 # 6 pens
total = boxes * pens
# L2
given = 10 # 10 pens
left = total - given
answer = left
return answer
"""


_ANNOTATION = re.compile(r"<<([^<>=]*)=([^<>=]*)>>")
_NUMBER = re.compile(r"(?:(?<![\w.)])-)?(?<![\w.])\$?(?:\d[\d,]*(?:\.\d+)?|\.\d+)")
_FRACTION = re.compile(r"(?<![\d.])(\d{1,6})/(\d{1,6})(?![\d.])")
_APPLY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}

SIMPLE = example_source(
    """
# L1
red_apples = 12 # 12 apples
green_apples = 30 # 30 apples
apples = red_apples + green_apples
# L2
num_friends = 6 # 6 friends
share = apples / num_friends
# L3
eaten = 2 # 2 apples
left = share - eaten
""",
    "Given 12 red apples, 30 green apples, 6 friends who eat 2 each: how many are left of a share?",
)
"""A solution of three lines."""


def worded(
    code: str,
    *wordings: str,
    question: str = "",
    values: Mapping[str, str] = MappingProxyType({}),
    gold: str | None = None,
) -> FlawSource:
    """Return the source of a template's body whose lines are worded so; `values` are how some are written there.

    Raises:
        UnfitError: as `source_of_trace`.
    """
    body = "\n".join(f"    {line}" for line in code.strip().splitlines())
    trace = trace_program(lift(Response("p", "m", f"def solve():\n{body}", "template")))
    written = {name: format_value(value) for name, value in trace.values.items()} | dict(values)
    lines = [wording.format_map(written) for wording in wordings]
    laid = [
        fit_line(f"L{number}", wording, line, trace.values, trace.copies)
        for number, (wording, line) in enumerate(zip(wordings, lines, strict=True), start=1)
    ]
    fitted = tuple(line_text for line_text in laid if isinstance(line_text, LineText))
    text = SolutionText(
        fitted, trace.values, frozenset(), tuple(line_text for line_text in laid if not isinstance(line_text, LineText))
    )
    problem = Problem("p", question, "\n".join(lines), gold or written[trace.result])
    return source_of_trace(problem, "m", trace, text)


def worth(text: str) -> Fraction | None:
    """Return the value of plain arithmetic in digits, `None` for any other text."""
    try:
        return _worth(
            ast.parse(text.replace(",", "").replace("$", "").strip(), mode="eval").body, text.replace(",", "")
        )
    except (SyntaxError, KeyError, ZeroDivisionError, TypeError):
        return None


def _worth(node: ast.expr, text: str) -> Fraction:
    match node:
        case ast.BinOp(left, sign, right):
            return _APPLY[type(sign)](_worth(left, text), _worth(right, text))
        case ast.UnaryOp(ast.USub(), operand):
            return -_worth(operand, text)
        case ast.Constant(int(value)):
            return Fraction(value)
        case ast.Constant(float(value)):
            return Fraction(repr(value))
    raise TypeError(text)


def false_annotations(line: str) -> list[str]:
    """Return the annotations of a line that plain arithmetic contradicts, rounding to the decimals written aside."""
    found = []
    for match in _ANNOTATION.finditer(line):
        left, right = worth(match[1]), worth(match[2])
        decimals = len(match[2].partition(".")[2])
        if left is not None and right is not None and abs(left - right) * 2 * 10**decimals > (decimals > 0):
            found.append(match[0])
    return found


def numbers(line: str) -> Iterator[set[Fraction]]:
    """Yield what each number in digits of a line can mean: `25%` is 25 and a quarter."""
    for match in _NUMBER.finditer(line):
        value = Fraction(match[0].replace(",", "").replace("$", ""))
        yield {value, value / 100} if line[match.end() : match.end() + 2].strip().startswith("%") else {value}


def constants(expression: ir.Expr | None) -> set[Exact]:
    """Return the numbers that stand in an expression itself."""
    match expression:
        case ir.Const(int() | float() | Fraction() as value):
            return {Fraction(value)}
        case ir.Binary(_, left, right):
            return constants(left) | constants(right)
        case ir.Unary(_, operand):
            return constants(operand)
        case ir.Call(_, arguments, _):
            return set().union(*map(constants, arguments))
    return set()


def _without_fractions(line: str, told: set[Exact]) -> str:
    """Return a line without the fractions that stand for one of these numbers: `40/100` for two fifths."""

    def kept(match: re.Match[str]) -> str:
        return "" if int(match[2]) and Fraction(int(match[1]), int(match[2])) in told else match[0]

    return _FRACTION.sub(kept, line)


def stale_numbers(source: FlawSource, flaw: Flaw) -> list[str]:
    """Return the numbers from the labelled line on that only an old value of a changed variable explains."""
    before, after = source.values, flaw.trace.values
    old = {value for name, value in before.items() if after.get(name) != value}
    told = set(after.values()) | set().union(*(constants(entry.expression) for entry in flaw.trace.entries))
    stale = {Fraction(value) for value in old - told}
    first = len(flaw.lines) if flaw.label.line == FINAL_ANSWER else int(flaw.label.line[1:]) - 1
    return [
        f"L{place + 1}: {max(readings)}"
        for place, line in enumerate(flaw.lines)
        if place >= first
        for readings in numbers(_without_fractions(line, told))
        if readings & stale and not readings & told
    ]


def breaches(source: FlawSource, flaw: Flaw) -> set[str]:
    """Return which laws a flawed solution breaks."""
    own = source.problem.solution.split("\n")
    lines, label = list(flaw.lines), flaw.label
    final = label.line == FINAL_ANSWER
    place = len(lines) if final else int(label.line[1:]) - 1
    labelled = lines[place] if 0 <= place < len(lines) else ""
    omitted = len(own) - len(lines)
    answer = worth(flaw.answer)
    found = {
        "no such line": not final and not labelled,
        "changed before": not _verbatim(own, lines[:place], omitted),
        "a line gone": omitted != len(source.steps) - sum(entry.expression is not None for entry in flaw.trace.entries),
        "false equations": not _false_where_labelled(lines, label, place),
        "answer not computed": answer is not None and answer != flaw.trace.answer.value,
        "right answer": flaw.trace.answer.value == source.trace.answer.value or flaw.answer == source.problem.gold,
        "last line": flaw.text.split("\n") != [*lines, f"#### {flaw.answer}"],
        "correction": label.error_details.correction not in {*own, f"#### {source.problem.gold}"}
        or (not omitted and not final and own[place : place + 1] != [label.error_details.correction]),
        "nothing wrong": labelled == label.error_details.correction,
        "stale": bool(stale_numbers(source, flaw)),
    }
    return {breach for breach, present in found.items() if present}


def _false_where_labelled(lines: list[str], label: Label, place: int) -> bool:
    """Tell whether annotations are false on the labelled line, if that is what its type says, and nowhere else."""
    false = [number for number, line in enumerate(lines) if false_annotations(line)]
    if label.error_type.error_class is not ErrorClass.COMPUTATIONAL:
        return not false
    # An equation in prose may be the false one.
    prose = place < len(lines) and lines[place].count("=") > lines[place].count("<<")
    return false == [place] or (not false and prose)


def _verbatim(own: list[str], lines: list[str], omitted: int) -> bool:
    """Tell whether lines are a solution's first ones, with as many left out as are said to be."""
    return any(lines == (own[:gone] + own[gone + omitted :])[: len(lines)] for gone in range(len(lines) + 1))


def flaws_or_none(source: FlawSource) -> list[Flaw]:
    """Return the flawed solutions of a source of which records are made, none where it is unfit."""
    try:
        kept = {(record["operator"], record["flawed_solution"]) for record in make_from(source, seed=0).records}
        flaws = [flaw for flaw in flaws_of(source) if isinstance(flaw, Flaw)]
    except UnfitError:
        return []
    return [flaw for flaw in flaws if (flaw.operator, flaw.text) in kept]
