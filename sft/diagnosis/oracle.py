"""The oracle of a problem as a diagnosis reads it: the programs that agree, as quantities of one set of inputs."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from generators.formalizations.annotation_compiler import compile_template
from harness.answers.answer_place import AnswerPlace, given_answer
from harness.answers.gold_answer import read_gold
from harness.corpora.labelled_solutions import split_solution
from harness.domain import Exact, Problem, Response
from harness.equations.quantities import FIELD, Quantity, constant, of_expression, operation
from harness.program import ir
from harness.program.expression_nodes import filled, mapped, nodes
from harness.program.lifter import lift
from harness.program.refusal import ProgramError, Refusal
from harness.solution.template import read_template
from harness.solution.trace import Trace, trace_program
from harness.text.markup import without_annotations
from harness.text.names import variable_words
from harness.text.numbers import mentions, whole_as_int
from oracles.alignment.word_overlap import words_of_text

MOST_PROGRAMS = 64
MOST_MATCHINGS = 48
"""The most ways to match the inputs of equal value of two programs that are tried."""
MOST_ENTRIES = 200
_PLACE = re.compile(r"\{[^{}]*\}")


class OracleStep(NamedTuple):
    """A quantity that a right program computes or is given: its expression over the inputs of the first program, and its words."""

    quantity: Quantity
    expression: ir.Expr
    words: str
    given: bool


@dataclass(frozen=True)
class Oracle:
    """What is known of the right solution of a problem.

    `programs` agree, the first stands for all. `answer` is their value. `p_right` is the probability that they are right. Values of
    `stated` belong to right ways too: those of a worked solution or of a program that is not read as quantities. `told` has the line of a
    worked solution that works out a variable of its program.
    """

    question: str
    programs: tuple[Trace, ...]
    answer: Exact
    p_right: float
    stated: frozenset[Exact] = frozenset()
    told: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def inputs(self) -> Mapping[str, Quantity]:
        """Return the inputs of the first program, and by a name of their own the numbers of the question that are none of them.

        An input that the question does not give, such as the 100 of a percentage, is a constant, and so is one: nobody writes `8 * 1`.
        A percentage or fraction that the program makes of its inputs, `20 / 100` for 20%, is no number of its own.
        """
        random = Random("diagnosis")
        drawn: dict[str, Quantity] = {}
        entries = self.programs[0].entries if self.programs else ()
        for entry in entries:
            if entry.expression is None:
                value = whole_as_int(entry.value)
                given = value in self.question_readings and value != 1
                drawn[entry.variable] = Quantity(value, random.randrange(2, FIELD)) if given else constant(value)
        values = {whole_as_int(entry.value) for entry in entries if entry.expression is None}
        asked = dict.fromkeys(whole_as_int(mention.readings[0]) for mention in mentions(self.question))
        for number, value in enumerate(asked):
            parts = {Fraction(value).numerator, Fraction(value).denominator}
            if value != 1 and value not in values and value * 100 not in values and not parts <= {1, *values}:
                drawn[f"number_{number}_of_the_question"] = Quantity(value, random.randrange(2, FIELD))
        return drawn

    @cached_property
    def question_readings(self) -> frozenset[Exact]:
        """Return all that the numbers of the question can mean."""
        return frozenset(whole_as_int(value) for mention in mentions(self.question) for value in mention.readings)

    @cached_property
    def _ways(self) -> Sequence[tuple[str, str, OracleStep]]:
        """Return the steps of all programs, those of the first one first: the prefix that its variables have in expressions, the name of a variable, and its step."""
        others = [(f"way_{place}_", program) for place, program in enumerate(self.programs) if place]
        named = [("", self.first_steps), *((prefix, self._matched(program, prefix)) for prefix, program in others)]
        return [(prefix, name, step) for prefix, steps in named for name, step in steps]

    @cached_property
    def definitions(self) -> Mapping[str, OracleStep]:
        """Return the step of each variable of the programs that is computed, by the name that it has in the expressions of steps."""
        return {f"{prefix}{name}": step for prefix, name, step in self._ways if name and not step.given}

    @cached_property
    def first_steps(self) -> tuple[tuple[str, OracleStep], ...]:
        """Return the steps of the first program with the names of their variables."""
        return tuple(_named_steps(self.programs[0], self.inputs, {}, told=self.told)) if self.programs else ()

    @cached_property
    def target(self) -> Quantity | None:
        """Return the quantity that is the answer, `None` where no program is read as quantities."""
        result = self.programs[0].result if self.programs else ""
        return next((step.quantity for name, step in self.first_steps if name == result), None)

    @cached_property
    def by_residue(self) -> Mapping[int, OracleStep]:
        """Return the steps of all programs by the residue of their quantity, those of the first program first; the first of each."""
        found: dict[int, OracleStep] = {}
        for _, _, step in self._ways:
            found.setdefault(step.quantity.residue, step)
        return found

    @cached_property
    def given_residues(self) -> frozenset[int]:
        """Return the residues of the inputs and of the numbers of the question, and of their hundredths: `20% = 20/100` works out nothing."""
        hundredth = constant(Fraction(1, 100))
        given = [*self.inputs.values(), *map(constant, self.question_readings)]
        parts = [operation("*", each, hundredth) for each in given]
        return frozenset(each.residue for each in (*given, *parts) if each is not None)

    @cached_property
    def calculations(self) -> frozenset[tuple[object, ...]]:
        """Return the `calculation` of each variable of the programs."""
        numbers = {name: ir.Const(quantity.value) for name, quantity in self.inputs.items()}
        numbers |= {name: ir.Const(step.quantity.value) for name, step in self.definitions.items()}
        steps = self.definitions.values()
        return frozenset(calculation(filled(step.expression, numbers), step.quantity.value) for step in steps)

    @cached_property
    def told_steps(self) -> Sequence[tuple[OracleStep, frozenset[str]]]:
        """Return the steps that have words and compute something, with their words."""
        return [(step, words_of_text(step.words)) for step in self.by_residue.values() if step.words and not step.given]

    @cached_property
    def named(self) -> Sequence[tuple[frozenset[str], OracleStep]]:
        """Return the words of the names of the quantities of all programs, without those that are part of another name."""
        named = {(words_of_text(variable_words(name)), step.quantity): step for _, name, step in self._ways}
        return [
            (words, step)
            for (words, own), step in named.items()
            if not any(words < other and own != theirs for other, theirs in named)
        ]

    @cached_property
    def constants(self) -> frozenset[Exact]:
        """Return the numbers that stand in the expressions of the programs."""
        return ir.numbers_in(tuple(step.expression for step in self.by_residue.values() if not step.given))

    @cached_property
    def by_value(self) -> Mapping[Exact, Sequence[OracleStep]]:
        """Return the steps by their value."""
        found: dict[Exact, list[OracleStep]] = {}
        for step in self.by_residue.values():
            found.setdefault(step.quantity.value, []).append(step)
        return found

    @cached_property
    def values(self) -> frozenset[Exact]:
        """Return the values of all right ways, those of programs that are not read as quantities included."""
        traced = (whole_as_int(entry.value) for program in self.programs for entry in program.entries)
        return frozenset(self.by_value) | frozenset(traced) | self.stated | {self.answer}

    def _matched(self, program: Trace, prefix: str) -> Sequence[tuple[str, OracleStep]]:
        """Return the steps of another program, its inputs matched with those of the first so that the answers are equal; none where no way does."""
        for names in itertools.islice(self._matchings(program), MOST_MATCHINGS):
            named = list(_named_steps(program, self.inputs, names, prefix))
            answer = dict(named).get(program.result)
            if answer is not None and self.target is not None and answer.quantity.residue == self.target.residue:
                return named
        return ()

    def _matchings(self, program: Trace) -> Iterator[Mapping[str, str]]:
        """Yield ways to name the inputs of a program as inputs of the first, of the same value; the plainest first."""
        theirs: dict[Exact, list[str]] = {}
        for entry in program.entries:
            if entry.expression is None:
                theirs.setdefault(whole_as_int(entry.value), []).append(entry.variable)
        choices: list[list[dict[str, str]]] = []
        for value, names in theirs.items():
            own = [name for name, quantity in self.inputs.items() if quantity.value == value]
            if own:
                few = itertools.islice(itertools.product(own, repeat=len(names)), 4 * MOST_MATCHINGS)
                ranked = sorted(few, key=lambda taken: (-len(set(taken)), taken != tuple(own[: len(taken)])))
                choices.append([dict(zip(names, taken, strict=True)) for taken in ranked[:MOST_MATCHINGS]])
        for parts in itertools.product(*choices):
            yield {name: own for part in parts for name, own in part.items()}


def _named_steps(
    program: Trace,
    inputs: Mapping[str, Quantity],
    names: Mapping[str, str],
    prefix: str = "",
    told: Mapping[str, str] | None = None,
) -> Iterator[tuple[str, OracleStep]]:
    """Yield the variables of a program, and after each what its expression computes on the way.

    `names` has the first program's names of its inputs; its other variables have the `prefix` before their name.
    """
    scope = dict(inputs)
    own: dict[str, ir.Expr] = {}
    # A number that stands in an expression can be an input of the first program, or a number of the question that it has as no input.
    given = {entry.variable for entry in program.entries if entry.expression is None}
    loose = {quantity.value: name for name, quantity in inputs.items() if prefix or name not in given}

    def meaning(node: ir.Expr) -> ir.Expr | None:
        match node:
            case ir.Name(name):
                return own.get(name)
            case ir.Const(int() | Fraction() as value) if not isinstance(value, bool) and value in loose:
                return ir.Name(loose[value])
        return None

    for entry in program.entries[:MOST_ENTRIES]:
        words = (told or {}).get(entry.variable) or f"{variable_words(entry.variable)} {entry.comment}".strip()
        if entry.expression is None:
            name = names.get(entry.variable, "") if prefix else entry.variable
            quantity = inputs[name] if name else constant(entry.value)
            own[entry.variable] = ir.Name(name) if name else ir.Const(whole_as_int(entry.value))
            yield entry.variable, OracleStep(quantity, own[entry.variable], words, given=True)
            continue
        expression = mapped(entry.expression, meaning)
        whole = of_expression(expression, scope)
        if whole is None:
            continue
        name = f"{prefix}{entry.variable}"
        own[entry.variable], scope[name] = ir.Name(name), whole
        yield entry.variable, OracleStep(whole, expression, words, given=False)
        for path, node in itertools.islice(nodes(expression), MOST_ENTRIES):
            part = of_expression(node, scope) if path and isinstance(node, ir.Binary) else None
            if part is not None:
                yield "", OracleStep(part, node, "", given=False)


def calculation(expression: ir.Expr, result: Exact) -> tuple[object, ...]:
    """Return the operators and the numbers of an expression, in an order of their own, and its result."""
    parts = [node for _, node in nodes(expression)]
    operators = sorted(part.operator for part in parts if isinstance(part, ir.Binary))
    return *operators, *sorted(str(part.value) for part in parts if isinstance(part, ir.Const)), result


def oracle_of_programs(question: str, codes: Iterable[Response], answer: Exact, p_right: float) -> Oracle:
    """Return the oracle of programs that agree, the first of which stands for all; those that have no trace count by their answer only."""
    traces = []
    for response in itertools.islice(codes, MOST_PROGRAMS):
        try:
            traces.append(trace_program(lift(response)))
        except (Refusal, ProgramError):
            continue
    return Oracle(question, tuple(traces), whole_as_int(answer), p_right)


@lru_cache(maxsize=256)
def oracle_of_solution(question: str, solution: str) -> Oracle | None:
    """Return the oracle of a worked solution that is given as right: its program, or where it cannot be compiled the numbers that it states; `None` where its answer is not read."""
    worked = split_solution(solution)
    text = worked.answer or given_answer(solution, AnswerPlace.AUTO)
    gold = None if text is None else read_gold(text)
    if gold is None:
        return None
    answer = whole_as_int(gold.value)
    lines = "\n".join(worked.lines)
    stated = frozenset(whole_as_int(mention.readings[0]) for mention in mentions(without_annotations(lines)))
    try:
        code = compile_template(Problem("worked", question, lines, str(gold.value)), annotated=False)
        template = read_template(Response("worked", "worked", code, "template"))
        trace = trace_program(template.program)
    except (Refusal, ProgramError):
        trace = None
    if trace is None or whole_as_int(trace.answer.value) != answer:
        return Oracle(question, (), answer, 1.0, stated)
    told = {
        step.output_variable: _PLACE.sub(" ", step.solution_line_template)
        for step in template.steps
        if step.output_variable
    }
    return Oracle(question, (trace,), answer, 1.0, stated, told)
