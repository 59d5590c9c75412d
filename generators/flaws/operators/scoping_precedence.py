"""Mutation operator: the right operations in the wrong order, with parentheses missing or in the wrong place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.quantity_confusion import expression_in_words, units_clash, value_reasons
from generators.flaws.mutants.step_node import StepNode
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.expression_text import write_out
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.names import variable_words

ALGEBRA = 5
NEAR = 4
_PARENTHESES = frozenset({"*+", "*-", "/+", "/-", "-+", "--", "/*", "//"})
_PHRASES = explanation_phrases("scoping_precedence")


@dataclass(frozen=True, slots=True)
class _Regrouped:
    expression: ir.Expr
    phrases: tuple[str, ...]
    reason: Reason


@mutation_operator(
    "scoping_precedence",
    error_type=ErrorType.SCOPING,
    examples=(
        MutationExample(
            "# L1\nboxes = 6 # 6 boxes\nper_box = 10 # 10 pens\nlost = 4 # 4 pens\npens = boxes * per_box - lost\n"
            "# L2\nmath = 50 # 50 points\nart = 70 # 70 points\naverage = (math + art) / 2\n"
            "# L3\nboth = pens + average",
            (
                ("average", "math + art / 2"),
                ("pens", "boxes * (per_box - lost)"),
            ),
        ),
        MutationExample(
            "# L1\nmoney = 90 # $90\nshirt = 20 # $20\nhat = 15 # $15\nrest = money - (shirt + hat)\n"
            "# L2\nfriends = 2 # 2 friends\ndays = 5 # 5 days\neach = rest / (friends * days)",
            (("rest", "money - shirt + hat"), ("each", "rest / friends * days")),
        ),
        MutationExample(
            "# L1\nfee = 5 # $5\nhours = 3 # 3 hours\nrate = 8 # $8\ncost = fee + hours * rate\n"
            "# L2\nlimit = 4 # 4 days\nweeks = 2 # 2 weeks\nscaled = cost / limit * weeks",
            (("cost", "(fee + hours) * rate"), ("scaled", "cost / (limit * weeks)")),
        ),
        MutationExample(
            "# L1\nboys = 6 # 6 children\ngirls = 8 # 8 children\nchildren = boys + girls\n"
            "# L2\npens_each = 2 # 2 pens\npens = children * pens_each\n# L3\nlost = 1 # 1 pen\nleft = pens - lost",
            (("pens", "boys + girls * pens_each"), ("left", "children * (pens_each - lost)")),
        ),
        MutationExample(
            "# L1\nmornings = 4 # 4 cookies\nevenings = 2 # 2 cookies\ndaily = mornings + evenings\n"
            "# L2\nbox = 54 # 54 cookies\ndays = box / daily\n# L3\nprice = 3 # $3\npaid = days * price",
            (
                ("paid", "box / (daily * price)"),
                ("days", "box / mornings + evenings"),
            ),
        ),
        MutationExample("# L1\na = 5 # 5 pens\nb = 3 # 3 pens\nc = 2 # 2 pens\nd = a + b + c\n# L2\ne = d - a - b", ()),
    ),
)
def scoping_precedence(source: FlawSource) -> Iterator[Mutant]:
    """Yield the expressions of all steps with one pair of operations grouped otherwise.

    Where the solution is algebra, parentheses over a sum or difference are another operator's.
    """
    algebra = source.tier == ALGEBRA
    for step in source.steps:
        expression = source.expression(step.variable)
        if not algebra:
            yield from _across_steps(source, step.variable, expression)
        for path, node in nodes(expression):
            if not isinstance(node, ir.Binary):
                continue
            before, was = value_of(node, source.values), _written(node, source)
            for new in (*(() if algebra else _without_parentheses(node)), *_with_parentheses(node)):
                after = value_of(new.expression, source.values)
                if before is not None and after is not None and before != after:
                    reasons, now = (new.reason, *value_reasons(before, after)), _written(new.expression, source)
                    place = StepNode(source, step.variable, path, node)
                    yield place.mutant(new.expression, new.phrases, *reasons, was=was, now=now)


def _across_steps(source: FlawSource, variable: str, expression: ir.Expr) -> Iterator[Mutant]:
    """Yield `a + b * c` of `s * c`, `c / a + b` of `c / s` and the like, where `s` was worked out right before from `a` and `b`."""
    if not isinstance(expression, ir.Binary) or conversions(source, variable):
        return
    for name, new in _inlined(source, variable, expression):
        before, after = source.values[variable], value_of(new.expression, source.values)
        if after is not None and (after >= 0 or before < 0) and after not in {before, source.values[name]}:
            reasons, now = (new.reason, *value_reasons(before, after)), _written(new.expression, source)
            place = StepNode(source, variable, (), expression)
            yield place.mutant(new.expression, new.phrases, *reasons, was=variable_words(name), now=now)


def _inlined(source: FlawSource, variable: str, outer: ir.Binary) -> Iterator[tuple[str, _Regrouped]]:
    """Yield the names of earlier steps with what comes of the expression when they are inlined in the wrong scope."""
    for leads, operand, other in ((True, outer.left, outer.right), (False, outer.right, outer.left)):
        inner = _simple_step(source, variable, operand)
        if inner is None or not isinstance(operand, ir.Name) or not isinstance(other, ir.Name):
            continue
        first, second = inner.left, inner.right
        if inner.operator in "+-" and (outer.operator == "*" or (outer.operator == "/" and leads)):
            new = ir.Binary(inner.operator, first, ir.Binary(outer.operator, second, other))
            yield operand.name, _Regrouped(new, _PHRASES["part"], ("applied to a part only", 0.1))
        if inner.operator in "+-" and outer.operator == "/" and not leads and other not in {first, second}:
            new = ir.Binary(inner.operator, ir.Binary("/", other, first), second)
            yield operand.name, _Regrouped(new, _PHRASES["divisor"], ("parentheses forgotten", 0.2))
        if inner.operator == "/" and outer.operator == "*" and leads and other not in {first, second}:
            new = ir.Binary("/", first, ir.Binary("*", second, other))
            yield operand.name, _Regrouped(new, _PHRASES["quotient"], ("worked from right to left", 0.1))
        if inner.operator in "*/" and outer.operator in "+-" and not leads and other not in {first, second}:
            yield from ((operand.name, regrouped) for regrouped in _left_to_right(source, outer, other, inner))
        given = source.trace.by_name[other.name].role.is_input
        if inner.operator == "*" and outer.operator in "+-" and leads and given and other not in {first, second}:
            for left, right in ((first, second), (second, first)):
                if isinstance(right, ir.Name) and not units_clash(source.units[right.name], source.units[other.name]):
                    new = ir.Binary("*", left, ir.Binary(outer.operator, right, other))
                    yield operand.name, _Regrouped(new, _PHRASES["early"], ("applied too early", 0.1))
                    break


def _left_to_right(source: FlawSource, outer: ir.Binary, other: ir.Name, inner: ir.Binary) -> Iterator[_Regrouped]:
    """Yield (x - y) * z of x - y * z and (x - y) / z of x - y / z, where y is counted like x."""
    orders = [(inner.left, inner.right), (inner.right, inner.left)]
    for near, far in orders if inner.operator == "*" else orders[:1]:
        if isinstance(near, ir.Name) and source.units[near.name].fits(source.units[other.name]):
            new = ir.Binary(inner.operator, ir.Binary(outer.operator, other, near), far)
            yield _Regrouped(new, _PHRASES["paired"], ("worked from left to right", 0.2))
            return


def _simple_step(source: FlawSource, variable: str, node: ir.Expr) -> ir.Binary | None:
    """Return the expression of a step on a line not far before, if it has two variables, or a sum and one."""
    if not isinstance(node, ir.Name) or node.name not in {entry.variable for entry in source.steps}:
        return None
    expression = source.expression(node.name)
    if not isinstance(expression, ir.Binary) or conversions(source, node.name):
        return None
    near = source.line_number(variable) - source.line_number(node.name) <= NEAR
    summed = isinstance(expression.left, ir.Binary) and {expression.left.operator, expression.operator} <= {"+", "-"}
    pair = (isinstance(expression.left, ir.Name) or summed) and isinstance(expression.right, ir.Name)
    return expression if near and pair and expression.left != expression.right else None


def _written(expression: ir.Expr, source: FlawSource) -> str:
    return write_out(expression, source.values) or expression_in_words(expression)


def _without_parentheses(node: ir.Binary) -> Iterator[_Regrouped]:
    """Yield `a + b * c` of `(a + b) * c`, `c * a + b` of `c * (a + b)`, `x - y + z` of `x - (y + z)` and the like."""
    left, right, reason = node.left, node.right, ("parentheses forgotten", 0.4)
    if isinstance(left, ir.Binary) and node.operator in "*/" and left.operator in "+-":
        new = ir.Binary(left.operator, left.left, ir.Binary(node.operator, left.right, right))
        yield _Regrouped(new, _PHRASES["dropped"], reason)
    if isinstance(right, ir.Binary) and node.operator + right.operator in _PARENTHESES:
        new = ir.Binary(right.operator, ir.Binary(node.operator, left, right.left), right.right)
        yield _Regrouped(new, _PHRASES["sign"] if node.operator == "-" else _PHRASES["dropped"], reason)


def _with_parentheses(node: ir.Binary) -> Iterator[_Regrouped]:
    """Yield `(x + y) * z` of `x + y * z`, `y * (z - x)` of `y * z - x`, `a / (b * c)` of `a / b * c`."""
    left, right, reason = node.left, node.right, ("worked from right to left", 0.1)
    if isinstance(right, ir.Binary) and node.operator in "+-" and right.operator in "*/":
        new = ir.Binary(right.operator, ir.Binary(node.operator, left, right.left), right.right)
        yield _Regrouped(new, _PHRASES["paired"], ("worked from left to right", 0.3))
    if isinstance(left, ir.Binary) and node.operator in "+-" and left.operator in "*/":
        new = ir.Binary(left.operator, left.left, ir.Binary(node.operator, left.right, right))
        yield _Regrouped(new, _PHRASES["paired"], reason)
    if isinstance(left, ir.Binary) and (node.operator, left.operator) == ("*", "/"):
        new = ir.Binary("/", left.left, ir.Binary("*", left.right, right))
        yield _Regrouped(new, _PHRASES["chain"], reason)
