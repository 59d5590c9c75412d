"""Which template does an annotated solution compile to, without asking any model?

Lines such as `48/2 = <<48/2=24>>24 clips` become code and logical steps; whatever cannot be compiled is refused with a reason.
"""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from generators.annotation.arithmetic import Arithmetic, MalformedError, read_arithmetic
from generators.annotation.naming import name_after
from generators.annotation.resolve import Scope, Variable
from harness.domain import Response
from harness.gold import reaches, read_gold
from harness.program.refusal import Reason, Refusal
from harness.text.forms import PLAIN
from harness.text.mentions import NUMERAL, plain, read_numeral

if TYPE_CHECKING:
    from harness.domain import Exact, Problem

MODEL = "annotation"
LONGEST_SOLUTION = 20_000
MOST_LINES = 100
_ANNOTATION = re.compile(r"<<([^<>]*)=\s*\$?([^<>=]*?)\s*>>")
_NUMERAL = re.compile(rf"(?<![\d.])({NUMERAL})( ?%)?")


def formalize(problem: Problem) -> Response:
    """Compile a problem's annotated solution to a template, as a model would have answered.

    Raises:
        Refusal: the solution has no annotations, several on a line, a malformed or a false one, or its arithmetic
            divides by zero; the reason names the line.
    """
    return Response(problem.problem_id, MODEL, compile_template(problem), "template")


def compile_template(problem: Problem) -> str:
    """Return the JSON of the template; errors as in `formalize`."""
    if len(problem.solution) > LONGEST_SOLUTION or problem.solution.count("\n") >= MOST_LINES:
        raise Refusal(Reason.TOO_LARGE, f"a solution of {len(problem.solution):,} characters")
    scope = Scope.of(problem.question)
    code = ["def solve():"]
    steps: list[dict[str, object]] = []
    outputs: list[Variable] = []
    for number, line in enumerate(problem.solution.splitlines(), start=1):
        if "<<" in line or ">>" in line:
            outputs.append(_compile_line(line, number, scope, code, steps))
    if not outputs:
        raise Refusal(Reason.NO_ANNOTATION, "no line of the solution has an annotation such as <<48/2=24>>")
    answer = _answer(problem, outputs)
    code += ["    # FA", f"    answer = {answer.name}", "    return answer"]
    return json.dumps({"function_code": "\n".join(code), "logical_steps": steps}, ensure_ascii=False)


def _answer(problem: Problem, outputs: list[Variable]) -> Variable:
    """Return the last result that is the gold answer, else the last result."""
    gold = None if problem.gold is None else read_gold(problem.gold, problem.solution)
    if gold is None or outputs[-1].value == gold.value:
        return outputs[-1]
    return next((one for one in reversed(outputs) if reaches(one.value, gold).reached), outputs[-1])


def _compile_line(line: str, number: int, scope: Scope, code: list[str], steps: list[dict[str, object]]) -> Variable:
    match = _only_annotation(line, number)
    try:
        arithmetic = read_arithmetic(match[1])
    except MalformedError as error:
        raise Refusal(Reason.MALFORMED_ANNOTATION, str(error), number) from None
    operands: list[Variable] = []
    declared: tuple[list[Variable], list[Variable]] = [], []
    for value, percent, (start, end) in zip(arithmetic.operands, arithmetic.percent, arithmetic.spans, strict=True):
        variable, first = scope.resolve(value, match[1][start:end], line, percent=percent)
        operands.append(variable)
        if first:
            declared[variable.comment is None].append(variable)
    value, function = _computed(arithmetic, operands, match[2], number)
    output = scope.result(value, name_after(line, match.end(), match.start(), fallback=f"result_{number}"))
    expression = arithmetic.code([one.name for one in operands])
    code.append(f"    # L{number}")
    code += [
        f"    {one.name} = {_literal(one.value)} # {'WK' if one.comment is None else _comment(one.comment)}"
        for group in declared
        for one in group
    ]
    code += [f"    {output.name} = {function.format(expression)}", ""]
    steps.append(
        {
            "line_number": f"L{number}",
            "question_inputs": [one.name for one in declared[0]],
            "WK_inputs": [one.name for one in declared[1]],
            "output_variable": output.name,
            "solution_line_template": _worded(line, match, arithmetic, operands, output),
        }
    )
    return output


def _only_annotation(line: str, number: int) -> re.Match[str]:
    if line.count("<<") > 1 and line.count("<<") == line.count(">>"):
        raise Refusal(
            Reason.SEVERAL_ANNOTATIONS, f"{line.count('<<')} annotations on one line; a line has one output", number
        )
    match = _ANNOTATION.search(line)
    if match is None or line.count("<<") != 1 or line.count(">>") != 1:
        raise Refusal(Reason.MALFORMED_ANNOTATION, f"expected one <<48/2=24>> in {line[:60]!r}", number)
    if "{" in line or "}" in line:
        raise Refusal(
            Reason.MALFORMED_ANNOTATION, "braces in the line, which would read as places of variables", number
        )
    return match


def _computed(arithmetic: Arithmetic, operands: list[Variable], stated: str, line: int) -> tuple[Exact, str]:
    """Return the value of a line and what the code does with its expression: nothing, or round it as the line does."""
    try:
        said = read_arithmetic(stated)
        result = said.value(said.operands)
    except (MalformedError, ZeroDivisionError):
        raise Refusal(Reason.MALFORMED_ANNOTATION, f"the result {stated[:40]!r} is no number", line) from None
    try:
        literal = arithmetic.value(arithmetic.operands)
        value = arithmetic.value([one.value for one in operands])
    except ZeroDivisionError:
        raise Refusal(Reason.FALSE_ANNOTATION, "a division by zero", line) from None
    if literal == result:
        return value, "{}"
    places = len(stated.partition(".")[2])
    roundings: dict[str, Exact] = {"math.floor({})": math.floor(value), "math.ceil({})": math.ceil(value)}
    if places:
        roundings = {f"round({{}}, {places})": round(Fraction(value), places)}
    for function, rounded in roundings.items():
        if rounded == result:
            return plain(rounded), function
    raise Refusal(
        Reason.FALSE_ANNOTATION,
        f"{arithmetic.code([PLAIN.write(one) or str(one) for one in arithmetic.operands])} is {literal}, not {stated[:40]}",
        line,
    )


def _literal(value: Exact) -> str:
    return PLAIN.write(value) or f"{value.numerator}/{value.denominator}"


def _comment(text: str) -> str:
    return _UNPRINTABLE.sub(" ", text)


# What would end a line of code or cannot be encoded.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff]+")


def _worded(line: str, match: re.Match[str], arithmetic: Arithmetic, operands: list[Variable], output: Variable) -> str:
    """Return the line with variables in the place of their numbers."""
    inside, end = ["<<"], 0
    for (start, stop), variable in zip(arithmetic.spans, operands, strict=True):
        inside += [match[1][end:start], f"{{{variable.name}}}"]
        end = stop
    result = match[0][match.end(1) - match.start() : match.start(2) - match.start()]
    rest = match[0][match.end(2) - match.start() :]
    inside += [match[1][end:], result, f"{{{output.name}}}", rest]
    return (
        _prose(line[: match.start()], [*operands, output])
        + "".join(inside)
        + _prose(line[match.end() :], [output, *operands])
    )


def _prose(text: str, variables: list[Variable]) -> str:
    """Put variables in the place of the numbers of the prose; of several with one value, in turn."""
    turns: dict[Exact, list[str]] = {}
    for variable in variables:
        turns.setdefault(variable.value, []).append(variable.name)

    def name(value: Exact) -> str:
        names = turns[value]
        if len(names) > 1 and names[0] != output_first:
            names.append(names.pop(0))
            return names[-1]
        return names[0]

    output_first = variables[0].name if text and text[0].isdigit() else None

    def placed(found: re.Match[str]) -> str:
        value = read_numeral(found[1])
        if value is None:
            return found[0]
        value = plain(value)
        if found[2] and (hundredth := plain(Fraction(value) / 100)) in turns:
            return f"{{{name(hundredth)}}}"
        return f"{{{name(value)}}}{found[2] or ''}" if value in turns else found[0]

    return _NUMERAL.sub(placed, text)
