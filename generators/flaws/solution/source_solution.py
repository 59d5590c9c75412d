"""The correct solutions that flaws can be made from, with the data that operators need."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from generators.flaws.solution.quantity_units import Quantity, Unit, units_of
from generators.flaws.solution.solution_lines import StepLine, WritingStyle, read_step_line
from generators.formalizations.aligned_template import aligned_template
from generators.formalizations.number_assignment import numbers_of_inputs
from generators.formalizations.plain_solution import plain_solution
from generators.formalizations.program_alignment import AlignmentError
from harness.corpora.responses import EQUATION
from harness.domain import Exact, Problem, Response, Values
from harness.equations.derivation import linear_equations
from harness.equations.equation import Number
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.expression_nodes import filled
from harness.program.lifter import lift
from harness.program.refusal import ProgramError, Refusal
from harness.records.provenance import SourceProvenance
from harness.solution.labels import FINAL_ANSWER
from harness.solution.solution_text import LineText, SolutionText, read_text
from harness.solution.template import WORLD_KNOWLEDGE, QuestionInput, Template, may_be_template, read_template
from harness.solution.trace import Trace, TraceEntry, VariableRole, trace_program
from harness.text.names import proper_names, unused_name
from harness.text.number_forms import NumberForm, is_part, numbers_at
from harness.text.numbers import NumberMention, mentions
from harness.text.quantity_phrases import QuantityPhrases
from harness.text.tiers import tier_of
from harness.text.words import word_context

LONGEST_DESCRIPTION = 300
FEWEST_LINES = 2
"""A worked solution of one line gives no line to find; a plain one of a problem without a solution may have one step."""


class UnfitReason(enum.StrEnum):
    """Why no flaws are made from a solution."""

    UNREADABLE = "no program, or one that cannot be traced"
    ALIGNMENT = "its solution is not read as the steps of the program"
    UNPROVED = "the steps of its solution are not proved to compute what the program computes"
    TEXT = "its steps do not give back the solution"
    ANSWER = "its answer is not the gold answer as written"
    NO_GOLD = "its answer is not known"
    ONE_LINE = "one step only"
    GIVEN = "its answer is given, not worked out"
    LINES = "a step has no line of its own in the solution"
    BLANK = "a blank line makes line numbers ambiguous"
    FALSE = "the solution itself states a false equation"
    HALF_CHARACTER = "its text holds half a character, which no record can hold"


class UnfitError(Exception):
    """No flaws can be made from the solution."""

    def __init__(self, unfit: UnfitReason, detail: str = "") -> None:
        super().__init__(f"{unfit}: {detail}" if detail else str(unfit))
        self.unfit = unfit


@dataclass(frozen=True)
class FlawSource:
    """A correct solution: its problem, exact trace and text, and how its answer is written.

    The trace has no variables that only repeat another: a template's `answer = total` is `total`. `program` is the trace of a
    formalization that is no template, in whose variables the solution was read: UT-3 must say that both compute the same.
    `template` is the formalization as it was read; `provenance` is its provenance, `None` if it is not known.
    """

    problem: Problem
    model: str
    trace: Trace
    text: SolutionText
    answer_form: NumberForm
    program: Trace | None = None
    template: Template | None = None
    provenance: SourceProvenance | None = None

    @cached_property
    def tier(self) -> int:
        """Return the tier of the solution, one to five."""
        return tier_of(self.problem.solution)

    @cached_property
    def units(self) -> Mapping[str, Unit]:
        """Return the unit of each variable."""
        return units_of(self.trace, self.text)

    @cached_property
    def phrases(self) -> QuantityPhrases:
        """Return the phrases by which explanations name the variables."""
        given = {entry.variable: entry.value for entry in self.trace.entries if entry.expression is None}
        steps = {entry.variable: (self.line_number(entry.variable), entry.value) for entry in self.steps}
        return QuantityPhrases(self.problem.question, self.problem.solution.split("\n"), given, steps, self.places)

    @cached_property
    def places(self) -> Mapping[str, NumberMention]:
        """Return the number of the question that gives each input, without those in doubt."""
        question = self.problem.question
        numbers = mentions(question)
        given = [entry for entry in self.inputs if entry.variable not in self.world_knowledge]
        located = numbers_of_inputs(question, numbers, word_context(question), given)
        places = {name: numbers[number] for name, (number, _) in located.items()}
        # `a half` that is one half for an input is not 1 for another one.
        parts = [(name, place) for name, place in places.items() if is_part(place)]
        taken = [place for name, place in parts if place.readings[0] == self.values[name]]
        doubtful = {name for name, place in parts if place in taken and place.readings[0] != self.values[name]}
        return {name: place for name, place in places.items() if name not in doubtful}

    @cached_property
    def described(self) -> Mapping[str, str]:
        """Return the name of each variable and the beginning of its comment, in lower case."""
        return {
            entry.variable: f"{entry.variable.replace('_', ' ')} {entry.comment}"[:LONGEST_DESCRIPTION].lower()
            for entry in self.trace.entries
        }

    @cached_property
    def lines(self) -> tuple[StepLine, ...]:
        """Return the lines with the variables of their numbers, or raise an `UnfitError` where one states a false equation."""
        steps: dict[int, dict[str, ir.Expr]] = {}
        for entry in self.steps:
            steps.setdefault(self.line_number(entry.variable), {})[entry.variable] = self.expression(entry.variable)
        numbered = enumerate(self.text.lines, start=1)
        lines = tuple(read_step_line(line, steps.get(number, {}), self.values) for number, line in numbered)
        for line in lines:
            if line.reading.refuted:
                raise UnfitError(UnfitReason.FALSE, line.text.label)
        return lines

    @cached_property
    def style(self) -> WritingStyle:
        """Return how the solution writes: its multiplication sign outside annotations is `*`, `x` or `×`."""
        prose = " ".join(words for line in self.lines for words in line.text.words)
        times = max(("*", "x", "×"), key=lambda sign: prose.count(f" {sign} "))
        money = frozenset(name for name, unit in self.units.items() if unit.quantity is Quantity.MONEY)
        return WritingStyle(money, times, self.text.vocabulary)

    @cached_property
    def values(self) -> Values:
        """Return the value of each variable."""
        return self.trace.values

    @cached_property
    def steps(self) -> tuple[TraceEntry, ...]:
        """Return the variables that are computed, in order."""
        return tuple(entry for entry in self.trace.entries if entry.expression is not None)

    @cached_property
    def simplified(self) -> frozenset[str]:
        """Return the steps that an equation in an unknown states without their operation: the 4 of `4w = 60` after `3w + w = 60`."""
        stated = equation_lines(self.problem.solution)
        return frozenset(step.variable for step in self.steps if self.line_number(step.variable) in stated)

    @cached_property
    def coefficients(self) -> frozenset[str]:
        """Return the simplified steps that are no quantity: numbers as an equation has them, and factors of its unknown."""
        equations = linear_equations(self.problem.solution.split("\n"))
        values = {equation.place + 1 for equation in equations if equation.assigns}
        divisions = [node for node in (step.expression for step in self.steps) if isinstance(node, ir.Binary)]
        factors = {node.right.name for node in divisions if node.operator == "/" and isinstance(node.right, ir.Name)}
        numbers = {name for name in self.simplified if isinstance(self.expression(name), ir.Unary)}
        return frozenset(numbers | {name for name in self.simplified & factors if self.line_number(name) not in values})

    @cached_property
    def inputs(self) -> tuple[TraceEntry, ...]:
        """Return the given variables in order."""
        return tuple(entry for entry in self.trace.entries if entry.role.is_input)

    @cached_property
    def final(self) -> str:
        """Return the variable whose value is the answer."""
        return self.trace.result

    @cached_property
    def question_values(self) -> tuple[Exact, ...]:
        """Return the plainest values of the numbers of the question, in order, each once."""
        return tuple(dict.fromkeys(mention.readings[0] for mention in mentions(self.problem.question)))

    @cached_property
    def world_knowledge(self) -> frozenset[str]:
        """Return the inputs that the question does not give, as the template says; of an input it does not place, as the numbers say."""
        given = {value for mention in mentions(self.problem.question) for value in mention.readings}
        world, free = VariableRole.WORLD_KNOWLEDGE_INPUT, (own for own in self.trace.entries if own.expression is None)
        others = (entry for entry in free if entry.role is not VariableRole.QUESTION_INPUT)
        return frozenset(entry.variable for entry in others if entry.role is world or entry.value not in given)

    @cached_property
    def comments(self) -> Mapping[str, str]:
        """Return the comment of each input: that of its program after `WK` for world knowledge, else its clause of the question."""
        given = (entry for entry in self.trace.entries if entry.expression is None)
        return {
            entry.variable: f"{WORLD_KNOWLEDGE} {entry.comment}"
            if entry.variable in self.world_knowledge
            else entry.comment or self.phrases.clause(entry.variable)
            for entry in given
        }

    @cached_property
    def question_inputs(self) -> tuple[QuestionInput, ...]:
        """Return the number of the question that gives each input, in the order of the question; one in doubt takes the first that is left."""
        given = [entry.variable for entry in self.inputs if entry.variable not in self.world_knowledge]
        spans = {name: (place.start, place.end) for name, place in self.places.items()}
        for mention in mentions(self.problem.question):
            span = (mention.start, mention.end)
            left = (name for name in given if name not in spans and self.values[name] in mention.readings)
            if span not in spans.values() and (name := next(left, None)) is not None:
                spans[name] = span
        return tuple(QuestionInput(name, span) for name, span in sorted(spans.items(), key=lambda item: item[1]))

    @cached_property
    def names(self) -> frozenset[str]:
        """Return the proper names of the question in lower case, as the names of variables have them."""
        return proper_names(self.problem.question)

    def expression(self, variable: str) -> ir.Expr:
        """Return the expression of a step."""
        expression = self.trace.by_name[variable].expression
        if expression is None:
            raise ValueError(f"{variable}: is an input")
        return expression

    def in_scope(self, variable: str) -> list[TraceEntry]:
        """Return the quantities that a person who computes this step could read: the inputs of the problem and the earlier steps."""
        names = [entry.variable for entry in self.steps]
        before = self.steps[: names.index(variable)] if variable in names else self.steps
        return [*self.inputs, *(step for step in before if step.variable not in self.coefficients)]

    def readers(self, variable: str) -> list[TraceEntry]:
        """Return the steps that read a variable, in order."""
        return [entry for entry in self.steps if variable in entry.reads]

    def line_number(self, variable: str) -> int:
        """Return the line of the solution that a variable's code stands under, from one; zero where it is none."""
        return _line_number(self.trace.by_name[variable])

    @property
    def solution(self) -> str:
        """Return the solution with its last line, `#### 72`."""
        return f"{self.problem.solution}\n#### {self.problem.gold}"


def open_source(problem: Problem, response: Response) -> FlawSource:
    """Read a formalization as the source of flaws: a template as it stands, the solution in the variables of any other program.

    A problem without a solution gets a plain one, a line for each step of the program. An `UnfitError` says what is missing.
    """
    if problem.gold is None:
        raise UnfitError(UnfitReason.NO_GOLD, "its record has no '#### ANSWER'")
    for written in (problem.problem_id, problem.question, problem.solution, problem.gold, response.model):
        if written.encode(errors="ignore").decode() != written:
            raise UnfitError(UnfitReason.HALF_CHARACTER, ascii(written)[:80])
    rendered = not problem.solution.strip()
    program = None
    try:
        if rendered:
            lifted = lift(response)
            plain = plain_solution(problem.question, trace_program(lifted), named=lifted.dialect != EQUATION)
            problem = replace(problem, solution=plain.text)
            response = replace(response, text=plain.template, dialect="template")
        elif not may_be_template(response):
            program = trace_program(lift(response))
            response = replace(response, text=aligned_template(problem, program), dialect="template")
        template = read_template(response)
        source = source_of_template(problem, response.model, template, fewest_lines=1 if rendered else FEWEST_LINES)
    except (Refusal, ProgramError) as refusal:
        raise UnfitError(UnfitReason.UNREADABLE, str(refusal)) from None
    except AlignmentError as failure:
        raise UnfitError(UnfitReason.ALIGNMENT, str(failure)) from None
    return replace(source, program=program)


def source_of_template(problem: Problem, model: str, template: Template, *, fewest_lines: int) -> FlawSource:
    """Return the source of a template and the solution that it words; errors as in `open_source` and `trace_program`."""
    trace = trace_program(template.program)
    text = read_text(problem, template, trace)
    return replace(source_of_trace(problem, model, trace, text, fewest_lines=fewest_lines), template=template)


def source_of_trace(
    problem: Problem, model: str, trace: Trace, text: SolutionText, *, fewest_lines: int = FEWEST_LINES
) -> FlawSource:
    """Return the source of a trace and its text with a least number of lines and steps; errors as in `open_source`."""
    if not text.faithful:
        first = text.mismatches[0]
        raise UnfitError(UnfitReason.TEXT, f"{first.line}: {first.cause}")
    trace, text = _with_stated_numbers(*_without_copies(trace, text), equation_lines(problem.solution))
    source = FlawSource(problem, model, trace, text, _answer_form(problem, trace))
    if source.trace.answer.expression is None:
        raise UnfitError(UnfitReason.GIVEN, source.final)
    if any(not line.strip() for line in problem.solution.split("\n")):
        raise UnfitError(UnfitReason.BLANK)
    if min(len(source.steps), len(text.lines)) < fewest_lines:
        raise UnfitError(UnfitReason.ONE_LINE)
    last = 1
    for entry in source.steps:
        number = source.line_number(entry.variable) if entry.line not in {None, FINAL_ANSWER} else 0
        if not last <= number <= len(text.lines):
            raise UnfitError(UnfitReason.LINES, f"{entry.variable} on {entry.line}")
        last = number
    return source


def _without_copies(trace: Trace, text: SolutionText) -> tuple[Trace, SolutionText]:
    """Return a trace without the variables that only repeat another, such as `answer = total`, and the text in its terms."""
    meant: dict[str, str] = {}
    for entry in trace.entries:
        if isinstance(entry.expression, ir.Name):
            meant[entry.variable] = meant.get(entry.expression.name, entry.expression.name)
    entries = (_renamed_entry(entry, meant) for entry in trace.entries if entry.variable not in meant)
    plain = Trace(tuple(entries), meant.get(trace.result, trace.result))
    return plain, replace(text, lines=tuple(_renamed_line(line, meant) for line in text.lines), values=plain.values)


def _renamed_entry(entry: TraceEntry, names: Mapping[str, str]) -> TraceEntry:
    expression = entry.expression and filled(entry.expression, {name: ir.Name(new) for name, new in names.items()})
    reads = tuple(dict.fromkeys(names.get(read, read) for read in entry.reads))
    return replace(entry, expression=expression, reads=reads)


def _renamed_line(line: LineText, names: Mapping[str, str]) -> LineText:
    parts = (
        part if isinstance(part, str) else replace(part, variable=names.get(part.variable, part.variable))
        for part in line.parts
    )
    return replace(line, parts=tuple(parts))


def _line_number(entry: TraceEntry) -> int:
    """Return the line that an entry's code stands under, from one; zero where it is none."""
    digits = (entry.line or "")[1:]
    return int(digits) if digits.isdecimal() else 0


def equation_lines(solution: str) -> frozenset[int]:
    """Return the lines, from one, that state an equation in an unknown and work nothing out."""
    lines = solution.split("\n")
    stated = {equation.place: read_line(lines[equation.place]).equations for equation in linear_equations(lines)}
    return frozenset(place + 1 for place in stated if all(isinstance(each.left, Number) for each in stated[place]))


def _with_stated_numbers(trace: Trace, text: SolutionText, stated: frozenset[int]) -> tuple[Trace, SolutionText]:
    """Return a trace with a step for each input that an equation in an unknown states before a step of the derivation reads it.

    The step has the value of the input, is read by the derivation instead, and stands in its equations.
    """
    derived = [entry for entry in trace.entries if entry.expression is not None and _line_number(entry) in stated]
    copies: dict[str, TraceEntry] = {}
    for place in sorted(stated):
        later = {read for entry in derived if _line_number(entry) > place for read in entry.reads}
        if place > len(text.lines) or any(_line_number(entry) == place for entry in derived):
            continue
        for name in text.lines[place - 1].variables:
            entry = trace.by_name[name]
            if entry.expression is None and name in later and name not in copies:
                own, copied = unused_name(f"{name}_in_equation", set(trace.by_name)), ir.Unary("+", ir.Name(name))
                copies[name] = TraceEntry(
                    own, entry.value, VariableRole.OUTPUT, f"L{place}", copied, entry.comment, reads=(name,)
                )
    if not copies:
        return trace, text
    renames = {name: copy.variable for name, copy in copies.items()}
    entries = [entry for entry in trace.entries if entry.variable in copies]
    waiting = list(copies.values())
    for entry in trace.entries:
        while waiting and entry.expression is not None and _line_number(entry) > _line_number(waiting[0]):
            entries.append(waiting.pop(0))
        if entry.variable not in copies:
            entries.append(_renamed_entry(entry, renames) if entry in derived else entry)
    numbered = enumerate(text.lines, start=1)
    lines = tuple(_renamed_line(line, renames) if number in stated else line for number, line in numbered)
    whole = Trace(tuple(entries), trace.result)
    return whole, replace(text, lines=lines, values=whole.values)


def _answer_form(problem: Problem, trace: Trace) -> NumberForm:
    gold = (problem.gold or "").strip()
    for written in numbers_at(gold, 0, trace.answer.value):
        if written.end == len(gold) and not written.form.rounded:
            return written.form
    raise UnfitError(UnfitReason.ANSWER, f"{trace.answer.value}, gold is {gold[:40]!r}")
