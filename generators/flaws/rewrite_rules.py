"""Rules that rewrite an expression, such as `(a + b) / c` as `a / c + b`, and the search for their left sides in a solution's steps."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from generators.flaws.mutation_operator import Mutant, operations
from generators.flaws.plausibility import is_bare_factor, names_factor
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import conversions
from harness.program import ir
from harness.program.evaluation.evaluator import value_of
from harness.program.expression_nodes import filled, replaced
from harness.program.value_parser import read_expression
from harness.text.units import sizes

NEAR = 4
"""The lines between a step and an earlier one that a rule may take apart."""
LARGEST_MULTIPLE = 12
Binding = Mapping[str, ir.Expr]


@dataclass(frozen=True)
class RewriteRule:
    """A form of an expression, others that people confuse it with, and an explanation of the right one.

    Forms are Python with a letter for each quantity; a number stands for anything of that value. What stands in the place of
    a letter is a number, a variable or, where it is not another form's operand, the step of an earlier line. `kinds` are what
    letters have to be: a `share`, a `multiple`, a `length`, a `quantity` that is none of these, or in the unit (`like a`) or of
    the kind (`beside a`) of another letter. A number also stands for an expression of known letters that has its value: 12 for
    `n + m`. `weight` says how likely a person makes this error.
    """

    right: str
    wrong: tuple[str, ...]
    explanation: str
    kinds: Mapping[str, str] = field(default_factory=dict)
    weight: float = 0.2

    @cached_property
    def form(self) -> ir.Expr:
        """Return the right form as an expression over letters."""
        return read_expression(self.right)

    @cached_property
    def mistaken(self) -> tuple[ir.Expr, ...]:
        """Return the wrong forms as expressions over letters."""
        return tuple(map(read_expression, self.wrong))


def rewritten(source: FlawSource, rules: Iterable[RewriteRule]) -> Iterator[Mutant]:
    """Yield the mutants of the rules: each operation of a step that has the right form, in each of the wrong forms."""
    for place in operations(source, plain_steps=True):
        for rule in rules:
            if not isinstance(rule.form, ir.Binary) or rule.form.operator != place.node.operator:
                continue
            bindings = _bindings(source, place.variable, rule.form, place.node, {})
            kinds = rule.kinds.items()
            fitting = (known for known in bindings if all(_is_kind(source, known, *own) for own in kinds))
            if (binding := next(fitting, None)) is None:
                continue
            right = replaced(source.expression(place.variable), place.path, filled(rule.form, binding))
            for mistaken in rule.mistaken:
                new = filled(mistaken, binding)
                yield from place.mutants(new, (rule.right, rule.weight), cause=rule.explanation, right=right)


def _bindings(source: FlawSource, variable: str, form: ir.Expr, node: ir.Expr, binding: Binding) -> Iterator[Binding]:
    """Yield the meanings of the letters with which a form states an expression, its operands taken from earlier steps."""
    match form:
        case ir.Const(value):
            if value == (source.values.get(node.name) if isinstance(node, ir.Name) else getattr(node, "value", None)):
                yield binding
        case ir.Name(letter):
            known = binding.get(letter)
            free = known == node if known is not None else node not in binding.values()
            if isinstance(node, ir.Name | ir.Const) and free:
                yield {**binding, letter: node}
        case ir.Binary(operator, left, right):
            if not isinstance(node, ir.Binary) and binding.keys() >= set(ir.names_in_order(form)):
                given = value_of(filled(form, binding), source.values)
                if given is not None and given == value_of(node, source.values):
                    yield binding
                    return
            whole = _earlier_step(source, variable, node)
            if isinstance(whole, ir.Binary) and whole.operator == operator:
                orders = [(whole.left, whole.right), (whole.right, whole.left)]
                for first, second in orders if operator in "+*" else orders[:1]:
                    for bound in _bindings(source, variable, left, first, binding):
                        yield from _bindings(source, variable, right, second, bound)


def _earlier_step(source: FlawSource, variable: str, node: ir.Expr) -> ir.Expr:
    """Return the expression of a step on a line not far before, any other node itself; nobody works out again how an equation was simplified."""
    if not isinstance(node, ir.Name) or node.name in source.simplified:
        return node
    if source.line_number(variable) - source.line_number(node.name) > NEAR:
        return node
    expression = source.trace.by_name[node.name].expression
    return node if expression is None or conversions(source, node.name) else expression


def is_multiple(source: FlawSource, name: str) -> bool:
    """Tell whether a variable is a small number of nothing in particular, such as the 2 of `twice as many`."""
    if name not in source.units or not source.trace.by_name[name].role.is_input:
        return False
    value, unit = source.values[name], source.units[name]
    small = value.denominator == 1 and 2 <= value <= LARGEST_MULTIPLE
    return small and unit.quantity is Quantity.NUMBER and not unit.noun


def _is_kind(source: FlawSource, binding: Binding, letter: str, kind: str) -> bool:
    node = binding[letter]
    relation, _, other = kind.partition(" ")
    if other:
        units = [source.units[known.name] for known in (node, binding[other]) if isinstance(known, ir.Name)]
        if len(units) < 2 or relation == "like":
            return len(units) < 2 or units[0].fits(units[1])
        return units[0].quantity is units[1].quantity
    if not isinstance(node, ir.Name):
        return False
    name, described = node.name, source.described[node.name]
    match kind:
        case "share":
            given = source.trace.by_name[name].role.is_input
            return given and 0 < source.values[name] < 1 and is_bare_factor(source, name)
        case "multiple":
            return is_multiple(source, name) and "percent" not in described and names_factor(described)
        case "length":
            return any("length" in dimension for dimension in sizes(source.units[name].noun))
    return not is_bare_factor(source, name)
