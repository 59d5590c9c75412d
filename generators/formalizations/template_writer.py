"""Templates: the Python and JSON of a solution's lines, with variables, named by the words beside them, in place of the numbers."""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from generators.formalizations.solution_equations import LineEquation
from harness.domain import Exact
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import LONGEST_CODE, LONGEST_RESPONSE
from harness.text.names import unused_name
from harness.text.number_forms import format_value, numbers_at
from harness.text.numbers import NUMERAL

LONGEST_EXPRESSION = 4_000
_NUMERAL = re.compile(rf"(?<![\d.])(?:{NUMERAL})")
# Characters that would end a line of code or cannot be encoded.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(slots=True)
class Variable:
    """A variable of the template: a result, or an input with the words of the question around it, `None` for world knowledge.

    `line` is the last line that used it, 0 before any did.
    """

    name: str
    value: Exact
    comment: str | None = None
    line: int = 0


@dataclass(slots=True)
class TemplateWriter:
    """Writes the code and the steps of a template, a line after the other."""

    code: list[str] = field(default_factory=list)
    steps: list[dict[str, object]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    _given: list[Variable] = field(default_factory=list)
    _line: list[str] = field(default_factory=list)

    def give(self, name: str, value: Exact, comment: str | None) -> Variable:
        """Write an input, whose name gets a number where it is used; without a comment it is world knowledge."""
        words = _UNPRINTABLE.sub(" ", "WK" if comment is None else comment)
        variable = Variable(unused_name(name, self.names), value, comment)
        self._line.append(f"    {variable.name} = {format_value(value)} # {words}")
        self._given.append(variable)
        return variable

    def assign(self, name: str, value: Exact, code: str) -> Variable:
        """Write a result, whose name gets a number where it is used."""
        variable = Variable(unused_name(name, self.names), value)
        self._line.append(f"    {variable.name} = {code}")
        return variable

    @staticmethod
    def code_of(equation: LineEquation, operands: Sequence[Variable]) -> str:
        """Return the code of an equation, which is not false; raises `Refusal` where it is too long, with what other equations compute in the place of its operands."""
        code = equation.code([operand.name for operand in operands])
        if len(code) > LONGEST_EXPRESSION:
            raise Refusal(RefusalReason.TOO_LARGE, f"an expression of {len(code):,} characters")
        return code

    def end(self, number: int, output: Variable, wording: str) -> None:
        """End a line of the solution, its inputs and results written: its words with variables, and the variable of its result."""
        self.code += [f"    # L{number}", *self._line, ""]
        self.steps.append(
            {
                "line_number": f"L{number}",
                "question_inputs": [given.name for given in self._given if given.comment is not None],
                "WK_inputs": [given.name for given in self._given if given.comment is None],
                "output_variable": output.name,
                "solution_line_template": wording,
            }
        )
        self._given, self._line = [], []

    def json(self, answer: str) -> str:
        """Return the JSON of the template; the answer is an expression over its variables; raises `Refusal` where the template is larger than a response may be."""
        code = "\n".join(["def solve():", *self.code, "    # FA", f"    answer = {answer}", "    return answer"])
        text = json.dumps({"function_code": code, "logical_steps": self.steps}, ensure_ascii=False)
        if len(code) > LONGEST_CODE or len(text) > LONGEST_RESPONSE:
            raise Refusal(RefusalReason.TOO_LARGE, f"a template of {len(text):,} characters")
        return text


def require_plain(text: str, number: int | None = None) -> None:
    """Check that a template can hold a text as it is; raises `Refusal` where it has braces, which would read as places of variables, or half of a surrogate pair."""
    if "{" in text or "}" in text:
        raise Refusal(RefusalReason.MALFORMED_ANNOTATION, "braces, which would read as places of variables", number)
    if not text.isascii() and _SURROGATE.search(text):
        raise Refusal(RefusalReason.CONTROL_CHARACTER, "half of a surrogate pair, which no template can hold", number)


def part_template(equation: LineEquation, operands: Sequence[Variable], output: Variable) -> str:
    """Return the part of a line that an equation stands in, with variables in the place of the numbers of the equation.

    Other numbers of the part are those of the variables that have the value, in turn: the operands before the equals sign,
    the result after it. A number that no form gives back, such as `007`, stays a word.
    """
    text = equation.text
    spans = {number.start: (number.end, variable) for number, variable in zip(equation.operands, operands, strict=True)}
    spans[equation.result[0]] = equation.result[1], output
    sign = text.find("=", equation.operands[-1].end)
    turns: Counter[str] = Counter()

    def meant(start: int) -> tuple[int, str]:
        stop, variable = spans.get(start, (0, output))
        if stop and stop in _ends(text, start, variable.value):
            return stop, variable.name
        for variables in (operands, [output]) if start < sign else ([output], operands):
            ends = [max(_ends(text, start, other.value), default=0) for other in variables]
            if stop := max(ends):
                fitting = [other.name for other, place in zip(variables, ends, strict=True) if place == stop]
                turns[text[start:stop]] += 1
                return stop, fitting[(turns[text[start:stop]] - 1) % len(fitting)]
        return 0, ""

    return _replaced(text, equation.start, equation.end, meant)


def numbers_replaced(text: str, meanings: Callable[[int], Sequence[Variable]]) -> str:
    """Return a text with variables in the place of the numbers that have the value of one alone of their `meanings`, by their place."""

    def meant(start: int) -> tuple[int, str]:
        ends = [(max(_ends(text, start, each.value), default=0), each.name) for each in meanings(start)]
        stop = max((place for place, _ in ends), default=0)
        names = {name for place, name in ends if place == stop}
        return stop, names.pop() if len(names) == 1 else ""

    return _replaced(text, 0, len(text), meant)


def _replaced(text: str, start: int, last: int, meant: Callable[[int], tuple[int, str]]) -> str:
    """Return a part of a text with variables in the place of the numbers that are `meant` to be one up to a place."""
    pieces: list[str] = []
    for match in _NUMERAL.finditer(text, start, last):
        stop, name = meant(match.start()) if match.start() >= start else (0, "")
        if stop and name.isidentifier():
            pieces += [text[start : match.start()], f"{{{name}}}"]
            start = stop
    return "".join([*pieces, text[start:last]])


def _ends(text: str, start: int, value: Exact) -> list[int]:
    """Return where a value that begins at a place may end: `10%` is a tenth, and ten before its sign."""
    forms = ((written.end, written.form) for written in numbers_at(text, start, value))
    return [end for end, form in forms if not form.rounded and not (form.after and form.scale == 1)]
