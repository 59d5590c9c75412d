"""A plain solution of a problem without one: a line for each step of a program, in the words of the question."""

from __future__ import annotations

from collections.abc import Mapping

from generators.formalizations.program_alignment.question_words import DOLLARS, QuestionWords, nouns_of
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import Refusal, RefusalReason
from harness.solution.expression_text import ExpressionWriter
from harness.solution.trace import Trace, TraceEntry
from harness.text.names import variable_words
from harness.text.nouns import agree_with_number
from harness.text.number_forms import format_value


def plain_solution(question: str, program: Trace, *, named: bool) -> str:
    """Return the solution whose lines are the steps of a program, such as `26 - 9 = 17 cookies.`.

    `named` tells that the program's variables have names of their own, which begin the lines.

    Raises:
        Refusal: a step is no plain arithmetic, or a value has no end as a decimal.
    """
    words = QuestionWords(question)
    nouns = nouns_of(words, program)
    if words.asked:
        nouns[program.result] = words.asked
    steps = [
        entry for entry in program.entries if entry.expression is not None and entry.variable not in program.copies
    ]
    lines = [_line(entry, program.values, nouns, named=named) for entry in steps]
    return "\n".join(lines)


def _line(entry: TraceEntry, values: Mapping[str, Exact], nouns: Mapping[str, str], *, named: bool) -> str:
    left = _DollarWriter(values, nouns).write(entry.expression) if entry.expression is not None else None
    result = format_value(entry.value)
    if left is None or isinstance(entry.expression, ir.Unary | ir.Const) or "/" in result:
        raise Refusal(RefusalReason.NO_TRACE, f"{entry.variable}: the step cannot be written as one line of arithmetic")
    noun = nouns[entry.variable]
    counted = _dollars(entry.value) if noun == DOLLARS else f"{result} {_agreeing(noun, entry.value)}".rstrip()
    words = variable_words(entry.variable)
    label = f"{words[0].upper()}{words[1:]}: " if named and words and not any(map(str.isdigit, words)) else ""
    return f"{label}{left} = {counted}."


def _agreeing(noun: str, value: Exact) -> str:
    """Return a plural noun phrase as it stands after a number: `1 peach` of red peaches, `1 piece of candy`."""
    if value != 1 or " and " in noun or not noun:
        return noun
    counted, of, whole = noun.partition(" of ")
    # The noun must stand right after the number, where a flawed solution can make a plural of it again.
    return f"{agree_with_number(f' {counted.split()[-1]}', 2, 1, frozenset())[1:]}{of}{whole}"


class _DollarWriter(ExpressionWriter):
    """Writes expressions with a dollar sign before what is money."""

    def __init__(self, values: Mapping[str, Exact], nouns: Mapping[str, str]) -> None:
        super().__init__(values)
        self.nouns = nouns

    def number(self, value: Exact, name: str | None = None) -> str:
        """Return the text of a value, of a variable or a constant."""
        return _dollars(value) if name is not None and self.nouns[name] == DOLLARS else format_value(value)


def _dollars(value: Exact) -> str:
    text = format_value(-value if value < 0 else value)
    whole, point, cents = text.partition(".")
    return f"{'-' if value < 0 else ''}${whole}{point}{cents.ljust(2, '0') if point else ''}"
