"""A plain solution of a problem without one: a line for each step of a program, in the words of the question, and its template."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from generators.formalizations.aligned_template import input_comment
from generators.formalizations.template_writer import TemplateWriter, Variable
from harness.domain import Exact, Values
from harness.program import ir
from harness.program.expression_nodes import filled
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.unparser import unparse
from harness.solution.expression_text import ExpressionWriter
from harness.solution.trace import Trace, TraceEntry
from harness.text.names import name_after, variable_words
from harness.text.nouns import agree_with_number, phrase_at
from harness.text.number_forms import format_value
from harness.text.numbers import NumberMention, mentions, whole_as_int

DOLLARS = "dollars"
_OPERATIONS = {"+": "sum", "-": "difference", "*": "product", "/": "quotient"}


@dataclass(frozen=True, slots=True)
class PlainSolution:
    """The lines of a solution, and the JSON of their template."""

    text: str
    template: str


def plain_solution(question: str, program: Trace, *, named: bool) -> PlainSolution:
    """Return the solution whose lines are the steps of a program, such as `26 - 9 = 17 cookies.`.

    `named` tells that the program's variables have names of their own, which begin the lines. Others are named after the words
    of the question: a number that stands there once is one input, however often the program has it.
    Raises `Refusal` where a step is no plain arithmetic, or a value is negative or has no end as a decimal.
    """
    steps = [entry for entry in program.entries if entry.expression is not None]
    maker = _PlainWriter(question, program, named, _nouns_of(question, program))
    for entry in steps:
        if entry.variable in program.copies and isinstance(entry.expression, ir.Name):
            maker.variables[entry.variable] = maker.variable(entry.expression.name)
        else:
            maker.write(entry)
    if program.result not in maker.variables:
        raise Refusal(RefusalReason.NO_TRACE, "the answer is not the result of a step")
    return PlainSolution("\n".join(maker.lines), maker.writer.json(maker.variables[program.result].name))


@dataclass(slots=True)
class _PlainWriter:
    """Writes the lines of a plain solution with their template."""

    question: str
    program: Trace
    named: bool
    nouns: Mapping[str, str]
    writer: TemplateWriter = field(default_factory=TemplateWriter)
    lines: list[str] = field(default_factory=list)
    variables: dict[str, Variable] = field(default_factory=dict)
    _located: dict[Exact, Variable] = field(default_factory=dict)

    def write(self, entry: TraceEntry) -> None:
        result, expression = format_value(entry.value), entry.expression
        if "/" in result or entry.value < 0 or expression is None or isinstance(expression, ir.Unary | ir.Const):
            detail = f"{entry.variable}: the step cannot be written as one line of arithmetic"
            raise Refusal(RefusalReason.NO_TRACE, detail)
        code = unparse(filled(expression, {read: ir.Name(self.variable(read).name) for read in entry.reads}))
        output = self.writer.assign(self._result_name(entry), whole_as_int(entry.value), code)
        self.variables[entry.variable] = output
        names = {name: f"{{{variable.name}}}" for name, variable in self.variables.items()}
        texts = []
        for written, shown in ((None, None), (names, f"{{{output.name}}}")):
            left = _DollarWriter(self.program.values, self.nouns, written).write(expression)
            if left is None:
                raise Refusal(RefusalReason.NO_TRACE, f"{entry.variable}: the step is no plain arithmetic")
            noun = self.nouns[entry.variable]
            of = "" if noun in {"", DOLLARS} else f" {_agreeing(noun, entry.value)}"
            counted = _dollars(entry.value, shown) if noun == DOLLARS else f"{shown or result}{of}"
            texts.append(f"{self._label(entry)}{left} = {counted}.")
        self.lines.append(texts[0])
        self.writer.end(len(self.lines), output, texts[1])

    def variable(self, name: str) -> Variable:
        """Return the variable of a quantity; an input is written when it is used first."""
        known = self.variables.get(name)
        if known is not None:
            return known
        entry = self.program.by_name[name]
        value = whole_as_int(entry.value)
        meant = _numbers_of(self.question, value)
        place = meant[0] if len(meant) == 1 else None
        if not self.named:
            name = "number" if place is None else name_after(self.question, place.end, place.start, fallback="number")
        shared = None if self.named else self._located.get(value)
        if shared is None:
            shared = self.writer.give(name, value, input_comment(self.question, value, entry.comment))
            if place is not None:
                self._located[value] = shared
        self.variables[entry.variable] = shared
        return shared

    def _result_name(self, entry: TraceEntry) -> str:
        if self.named:
            return entry.variable
        if entry.variable == self.program.result:
            return name_after(self.question, _asked_place(self.question), fallback="result")
        operator = entry.expression.operator if isinstance(entry.expression, ir.Binary) else ""
        noun = self.nouns[entry.variable].replace(" ", "_").lower()
        name = "_of_".join(filter(None, (_OPERATIONS.get(operator, "result"), noun)))
        return name if name.isidentifier() else "result"

    def _label(self, entry: TraceEntry) -> str:
        words = variable_words(entry.variable) if self.named else ""
        return f"{words[0].upper()}{words[1:]}: " if words and not any(map(str.isdigit, words)) else ""


class _DollarWriter(ExpressionWriter):
    """Writes expressions in numbers or, where they are given, names, with a dollar sign before what is money."""

    def __init__(self, values: Values, nouns: Mapping[str, str], names: Mapping[str, str] | None) -> None:
        super().__init__(values)
        self.nouns = nouns
        self.names = names

    def number(self, value: Exact, name: str | None = None) -> str:
        if name is None:
            return format_value(value)
        written = None if self.names is None else self.names[name]
        return _dollars(value, written) if self.nouns[name] == DOLLARS else written or format_value(value)


def _dollars(value: Exact, written: str | None = None) -> str:
    """Return an amount of dollars, with its name if it has one, else with cents or without."""
    whole, point, cents = format_value(value).partition(".")
    return f"${written or whole}" + (f"{point}{cents.ljust(2, '0')}" if point and not written else "")


def _agreeing(noun: str, value: Exact) -> str:
    """Return a plural noun phrase as it stands after a number: `1 peach` of red peaches."""
    # The noun must stand right after the number, where a flawed solution can make a plural of it again.
    return noun if value != 1 else agree_with_number(f" {noun.rsplit(maxsplit=1)[-1]}", 2, 1, frozenset())[1:]


def _numbers_of(question: str, value: Exact) -> list[NumberMention]:
    return [mention for mention in mentions(question) if value in mention.readings]


def _asked_place(question: str) -> int:
    """Return where the words for what is asked for begin: after the last `how many` or `how much`, else the end."""
    place = max(map(question.lower().rfind, ("how many", "how much")))
    return len(question) if place < 0 else place + len("how many")


def _noun_at(question: str, start: int) -> str:
    """Return the plural noun phrase after a place, empty where there is none or another one follows it."""
    phrase = phrase_at(question, start)
    if phrase is None or question.startswith(" and ", phrase.end):
        return ""
    return question[start : phrase.end].strip()


def _nouns_of(question: str, program: Trace) -> dict[str, str]:
    """Return the noun that each variable counts, `dollars` of money, empty where it is not known.

    Sums and differences count what both sides count, as far as the last words of these agree.
    """
    nouns: dict[str, str] = {}
    for entry in program.entries:
        noun = ""
        match entry.expression:
            case None:
                meant = _numbers_of(question, whole_as_int(entry.value))
                if len(meant) == 1:
                    dollar = question[: meant[0].start].rstrip().endswith("$")
                    noun = DOLLARS if dollar else _noun_at(question, meant[0].end)
            case ir.Binary("+" | "-", ir.Name(left), ir.Name(right)):
                noun = _common_noun(nouns[left], nouns[right])
            case ir.Binary("*", ir.Name(left), ir.Name(right)) if DOLLARS in {nouns[left], nouns[right]}:
                noun = DOLLARS if nouns[left] != nouns[right] else ""
            case ir.Binary("/", ir.Name(left), ir.Name(right)):
                noun = DOLLARS if nouns[left] == DOLLARS != nouns[right] else ""
            case ir.Name(copied):
                noun = nouns[copied]
        nouns[entry.variable] = noun
    return nouns | {program.result: _noun_at(question, _asked_place(question)) or nouns[program.result]}


def _common_noun(left: str, right: str) -> str:
    """Return the common end of two noun phrases: `cookies` of `salty cookies` and `sweet cookies`."""
    pairs = zip(reversed(left.split()), reversed(right.split()), strict=False)
    words = [first for first, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    return " ".join(reversed(words))
