"""Mutants, each one change of a solution's program: the nodes that they change, their exact evaluation, and the operators' registry."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import wraps
from typing import Any, Generic, TypeVar

from generators.flaws.flawed_solution import FlawDiscardError, FlawDiscardReason
from generators.flaws.plausibility import Reason, value_reasons, weight_of
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import conversions
from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression, value_of
from harness.program.expression_nodes import Path, filled, nodes, replaced
from harness.program.refusal import ProgramError, Refusal
from harness.registry import Registry
from harness.solution.labels import ErrorType
from harness.solution.trace import Trace, TraceEntry

MOST_MUTANTS = 40
_PLACES = ((Fraction(1, 10), 2), (Fraction(1, 100), 3), (Fraction(1, 1000), 4))
"""The decimals that a value of at least some size is rounded to."""
NodeT_co = TypeVar("NodeT_co", bound=ir.Expr, covariant=True)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a solution's program, in exactly one of four ways.

    * `expression`: the step `variable` has another expression (over inputs and earlier steps), whose value is rounded to
      `places` decimals where these are given.
    * `rewired`: the step `variable` and its line are deleted; its readers read the variable `rewired` instead.
    * `result`: `variable` is the answer, another variable is reported as the answer; the lines stay.
    * `result` with `omitted`: the same, and the line of `variable`, the last one, is left out.

    `was` and `now` are the changed node before and after, or words for them. `cause` is the explanation in the place of the
    operator's. `reasons` weigh how likely a person makes this error. `words` are pairs of words in the line that go with the change:
    (`add`, `subtract`). `error_type` is the type of a mutant that has another
    type than its operator's others. `right` is the step as the explanation states it where its own expression does not show the
    error: with the steps written out that it reads. `rewritten` is a part of the line with the one that shows the change in its place;
    elsewhere the line keeps its value. `fractions` tells whether the error may give a fraction of a thing that comes whole.
    """

    variable: str
    was: ir.Expr | str
    now: ir.Expr | str
    expression: ir.Expr | None = None
    rewired: str | None = None
    result: str | None = None
    omitted: bool = False
    cause: str = ""
    reasons: tuple[Reason, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    error_type: ErrorType | None = None
    places: int | None = None
    rewritten: tuple[str, str] | None = None
    fractions: bool = False
    right: ir.Expr | None = None

    @property
    def gone(self) -> bool:
        """Tell whether the step and its line are left out."""
        return self.rewired is not None or self.omitted


@dataclass(frozen=True, slots=True)
class MutationExample:
    """Code with `# L1` comments, inputs first on each line, its question, and all that an operator makes of it.

    `mutants` are `step = expression` for a new expression, `step -> other` for a deletion whose readers read another variable,
    and `answer = other` or `answer = other, without step`.
    """

    code: str
    mutants: tuple[str, ...]
    question: str = ""


@dataclass(frozen=True, slots=True)
class MutationOperator:
    """A registered operator; `mutants` returns its most plausible mutants of a solution, in a fixed order.

    `explanation` says what is wrong, with any of the facts `{was}`, `{now}`, `{right}`, `{wrong}` (the calculations as they
    should be and as they are), `{right_value}`, `{wrong_value}` and `{asked}` (what the question asks).
    """

    name: str
    error_type: ErrorType
    explanation: str
    mutants: Callable[[FlawSource], list[Mutant]]
    examples: tuple[MutationExample, ...]


OPERATORS: Registry[MutationOperator] = Registry("generators.flaws.operators")


def mutation_operator(
    name: str, *examples: MutationExample, error_type: ErrorType, explanation: str
) -> Callable[[Callable[[FlawSource], Iterable[Mutant]]], MutationOperator]:
    """Register a function that yields all mutants of a solution as an operator, which keeps the most plausible ones."""

    def register(enumerate_mutants: Callable[[FlawSource], Iterable[Mutant]]) -> MutationOperator:
        @wraps(enumerate_mutants)
        def mutants(source: FlawSource) -> list[Mutant]:
            return most_plausible(enumerate_mutants(source))

        return OPERATORS.add(MutationOperator(name, error_type, explanation, mutants, examples))

    return register


def most_plausible(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Return at most `MOST_MUTANTS` mutants, the most plausible first, equally plausible ones in their order, each change once."""
    distinct: dict[object, Mutant] = {}
    for mutant in mutants:
        change = (mutant.variable, mutant.expression, mutant.rewired, mutant.result, mutant.omitted)
        distinct.setdefault(change, mutant)
    return sorted(distinct.values(), key=lambda mutant: -weight_of(mutant.reasons))[:MOST_MUTANTS]


@dataclass(frozen=True, slots=True)
class StepNode(Generic[NodeT_co]):
    """A node of the expression of the step `variable`, at a path from its root."""

    source: FlawSource
    variable: str
    path: Path
    node: NodeT_co

    def mutant(self, new: ir.Expr, *reasons: Reason, **facts: Any) -> Mutant:
        """Return the mutant with another node in this place; `facts` are other fields of `Mutant`."""
        expression = replaced(self.source.expression(self.variable), self.path, new)
        facts = {"was": self.node, "now": new, **facts}
        return Mutant(self.variable, expression=expression, reasons=reasons, **facts)

    def mutants(self, new: ir.Expr, *reasons: Reason, **facts: Any) -> Iterator[Mutant]:
        """Yield the mutant with another node, unless that has no value or the same; how its value differs is a reason, too."""
        before, after = (value_of(node, self.source.values) for node in (self.node, new))
        if before is not None and after is not None and before != after:
            yield self.mutant(new, *reasons, *value_reasons(before, after), **facts)


def operations(
    source: FlawSource, *, plain_steps: bool = False, simplified: bool = False
) -> Iterator[StepNode[ir.Binary]]:
    """Yield the operations of all steps that convert no units themselves, or whose whole step converts none.

    What an equation in an unknown is `simplified` by is left out, or nothing else is yielded.
    """
    for step in source.steps:
        if simplified is (step.variable in source.simplified):
            converting = {part.path for part in conversions(source, step.variable)}
            for path, node in nodes(source.expression(step.variable)):
                if isinstance(node, ir.Binary) and not (converting if plain_steps else path in converting):
                    yield StepNode(source, step.variable, path, node)


def single_reads(source: FlawSource, *, factors: bool = False) -> Iterator[StepNode[ir.Name]]:
    """Yield the variables that a step reads once, with the factors of conversions or without them."""
    for step in source.steps:
        expression = source.expression(step.variable)
        names = list(ir.names_in_order(expression))
        if step.variable in source.simplified and isinstance(expression, ir.Binary):
            continue
        left_out = {operation.factor_path for operation in (() if factors else conversions(source, step.variable))}
        for path, node in nodes(expression):
            if isinstance(node, ir.Name) and path not in left_out and names.count(node.name) == 1:
                yield StepNode(source, step.variable, path, node)


def reads_a_result(source: FlawSource, variable: str, name: str) -> bool:
    """Tell whether a given quantity that a step reads may also be a result of the same value and kind, computed on an earlier line."""
    line, quantity = source.line_number(variable), source.units[name].quantity
    equal = (step for step in source.steps if step.value == source.values[name])
    earlier = (step.variable for step in equal if source.line_number(step.variable) < line)
    alike = any(source.units[step].quantity is quantity for step in earlier)
    return alike and source.trace.by_name[name].role.is_input


def leaves(expression: ir.Expr) -> list[ir.Name | ir.Const]:
    """Return the variables and constants of an expression, left to right, each as often as it stands there."""
    return [node for _, node in nodes(expression) if isinstance(node, ir.Name | ir.Const)]


def summands(expression: ir.Expr) -> list[ir.Expr]:
    """Return the terms that a sum adds up, left to right; an expression that is no sum is one term."""
    match expression:
        case ir.Binary("+", left, right):
            return [*summands(left), *summands(right)]
    return [expression]


def alone_on_line(source: FlawSource, variable: str) -> bool:
    """Tell whether a line of the solution works out this step and nothing else."""
    number = source.line_number(variable)
    return number > 0 and sum(source.line_number(step.variable) == number for step in source.steps) == 1


def evaluate_mutant(source: FlawSource, mutant: Mutant) -> Trace:
    """Evaluate a mutant exactly, its entries on their lines of the flawed solution, or raise a `FlawDiscardError` if it gives no number."""
    trace, own = source.trace, mutant.variable
    if mutant.result is not None:
        left = tuple(entry for entry in trace.entries if entry.variable != own)
        return Trace(left if mutant.omitted else trace.entries, mutant.result)
    # What stands after a line that is left out moves a line up.
    last = source.line_number(own) if mutant.gone else len(source.text.lines)
    values: dict[str, Exact] = dict(trace.values)
    changed, entries = {own}, list[TraceEntry]()
    for entry in trace.entries:
        number = source.line_number(entry.variable)
        if number > last:
            entry = replace(entry, line=f"L{number - 1}")
        expression = calculation_of(mutant) if entry.variable == own else entry.expression
        if expression is not None and not changed.isdisjoint((entry.variable, *entry.reads)):
            changed.add(entry.variable)
            if mutant.rewired is not None:
                expression = filled(expression, {own: ir.Name(mutant.rewired)})
            try:
                values[entry.variable] = evaluate_expression(expression, values)
            except (ProgramError, Refusal) as error:
                raise FlawDiscardError(FlawDiscardReason.FAILS, str(error)) from None
            reads = tuple(dict.fromkeys(name for name in ir.names_in_order(expression) if name in values))
            entry = replace(entry, expression=expression, value=values[entry.variable], reads=reads)
        if entry.variable != own or not mutant.gone:
            entries.append(entry)
    return Trace(tuple(entries), trace.result)


def calculation_of(mutant: Mutant) -> ir.Expr | None:
    """Return the expression with its rounding: what the certificate states of the step."""
    if mutant.expression is None or mutant.places is None:
        return mutant.expression
    return ir.Call("round", (mutant.expression, ir.Const(mutant.places)))


def rounded_mutant(source: FlawSource, mutant: Mutant) -> Mutant | None:
    """Return a mutant whose endless decimal is rounded as a student would, to hundredths or to two digits; `None` where none is."""
    if mutant.expression is None or mutant.places is not None:
        return None
    value = value_of(mutant.expression, source.values)
    if value is None or (100 * value).denominator == 1:
        return None
    places = next((places for least, places in _PLACES if max(value, -value) >= least), None)
    return None if places is None else replace(mutant, places=places)
