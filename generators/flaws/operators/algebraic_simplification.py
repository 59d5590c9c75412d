"""Mutation operator: a wrong algebraic step, such as moving, dividing or distributing terms of an equation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.linear_equations import (
    counts_the_unknown,
    leaf_value,
    solves_for_unknown,
    step_expression,
)
from generators.flaws.knowledge.quantity_roles import is_bare_factor, summands, variable_description
from generators.flaws.mutants.step_node import StepNode, operations
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_PHRASES = explanation_phrases("algebraic_simplification")

_COMPARED = re.compile(rf"\b(?:{_LISTS.either('compared')})\b")
_TIMES = re.compile(r"\b(?:times|twice|thrice|double|triple|multiplier|coefficient)\b")
_COEFFICIENT = re.compile(r"\b(?:coefficients?|coeff|multiplier|combined|terms?|[b-z])\b", re.IGNORECASE)
_SIDE = re.compile(r"\b(?:rhs|lhs|sides?|constants?|numerator|after)\b", re.IGNORECASE)
_PART = re.compile(r"\b(?:half|halves|third|quarter|fourth|fifth|denominator|divisor|divide\w*)\b")
LARGEST_COEFFICIENT_RATIO = 50
_EQUATION = "# L1\ntotal = 150  # 150 ducks\nmore = 10  # 10 more than\n"
EXAMPLES = (
    MutationExample(
        f"{_EQUATION}rest = total - more\n# L2\ntimes = 4  # 4 times as many\nhens = rest / times",
        (("hens", "total / times - more"),),
    ),
    MutationExample(
        f"{_EQUATION}times = 4  # 4 times as many\nhens = (total - more) / times\n# L2\nbirds = hens + total",
        (("hens", "total / times - more"),),
    ),
    MutationExample(
        "# L1\ntimes = 3  # 3 times as many\nparts = 1 + times\n# L2\nbeads = 24  # 24 beads\nsmall = beads / parts",
        (("parts", "times"), ("parts", "times - 1")),
    ),
    MutationExample(
        "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # $6\nfirst = boxes * per_box\n"
        "# L2\nbags = 3  # 3 bags\nper_bag = 5  # $5\nsecond = bags * per_bag\n# L3\nspent = first + second\n"
        "# L4\nmoney = 50  # $50\nleft = money - spent",
        (("left", "money - first + second"), ("spent", "(boxes + bags) * (per_box + per_bag)")),
    ),
    MutationExample(
        "# L1\nmoney = 50  # $50\nkept = 10  # $10\nrest = money - kept\n# L2\nboys = 3  # 3 children\ngirls = 5  # 5 children\n"
        "children = boys + girls\n# L3\neach = rest / children",
        (("each", "money / children - kept"), ("each", "rest / boys + rest / girls")),
    ),
    MutationExample("# L1\nred = 3  # 3 red pens\npens = 1 + red\n# L2\npaid = 24  # $24\nprice = paid / pens", ()),
)


@mutation_operator("algebraic_simplification", error_type=ErrorType.ALGEBRAIC_SIMPLIFICATION, examples=EXAMPLES)
def algebraic_simplification(source: FlawSource) -> Iterator[Mutant]:
    """Yield the terms of equations combined, moved, divided and distributed wrongly."""
    for place in operations(source):
        symbolic = solves_for_unknown(source, place.variable)
        times = counts_the_unknown(source, place.variable, place.node)
        if times is not None:
            phrases = _PHRASES["like_terms"] if symbolic else _PHRASES["parts"]
            yield _mutant(place, times, phrases, 0.4)
            yield _mutant(place, ir.Binary("-", times, ir.Const(1)), _PHRASES["combined"], 0.2)
        if symbolic or not conversions(source, place.variable):
            yield from _divided(place, symbolic=symbolic)
            yield from _expanded(place)
            yield from _factored(place)
            yield from _termwise(place)
        if symbolic:
            yield from _moved(place)
            yield from _combined(place)


def _divided(place: StepNode[ir.Binary], *, symbolic: bool) -> Iterator[Mutant]:
    """Yield (c - b) / a as c / a - b, T / (a + b) as T / a + T / b; c - b / a is the error of another operator."""
    source, node = place.source, place.node
    if node.operator != "/":
        return
    upper = step_expression(source, node.left)
    match upper:
        case ir.Binary("+" | "-" as sign, first, second):
            solved = symbolic or _undone(source, upper, node.right)
            phrases, weight = (_PHRASES["one_term"], 0.4) if solved else (_PHRASES["one_divided"], 0.1)
            yield _mutant(place, ir.Binary(sign, ir.Binary("/", first, node.right), second), phrases, weight)
    match step_expression(source, node.right):
        case ir.Binary("+", first, second) if not _is_one(source, first) and not _is_one(source, second):
            split = ir.Binary("+", ir.Binary("/", node.left, first), ir.Binary("/", node.left, second))
            yield _mutant(place, split, _PHRASES["split"], 0.2 if symbolic else 0.1)


def _termwise(place: StepNode[ir.Binary]) -> Iterator[Mutant]:
    """Yield (a + b) / (c + d) as a / c + b / d."""
    source, node = place.source, place.node
    match node.operator, step_expression(source, node.left), step_expression(source, node.right):
        case "/", ir.Binary("+", a, b), ir.Binary("+", c, d):
            new = ir.Binary("+", ir.Binary("/", a, c), ir.Binary("/", b, d))
            yield _mutant(place, new, _PHRASES["split"], 0.2)


def _undone(source: FlawSource, upper: ir.Binary, divisor: ir.Expr) -> bool:
    """Tell whether the division undoes `b more than a times as many`; `a quarter of` would be a calculation forward."""
    match upper.right, divisor:
        case ir.Name(term), ir.Name(times):
            description = variable_description(source.trace.by_name[times])
            return (
                _COMPARED.search(variable_description(source.trace.by_name[term])) is not None
                and source.values[term] >= 0
                and _TIMES.search(description) is not None
                and not _PART.search(description)
            )
    return False


def _is_one(source: FlawSource, node: ir.Expr) -> bool:
    return node == ir.Const(1) or (isinstance(node, ir.Name) and source.values[node.name] == 1)


def _moved(place: StepNode[ir.Binary]) -> Iterator[Mutant]:
    """Yield a term moved without changing its sign, a coefficient subtracted, a minus lost."""
    match place.node:
        case ir.Binary("-", left, right):
            yield _mutant(place, ir.Binary("+", left, right), _PHRASES["sign"], 0.4)
        case ir.Binary("+", ir.Name() as left, ir.Name() as right) if not place.path and _collects(place.variable):
            yield _mutant(place, ir.Binary("-", left, right), _PHRASES["sign"], 0.2)
        case ir.Binary("/", ir.Name() as left, ir.Name() as right) if _near(place.source, left, right):
            yield _mutant(place, ir.Binary("-", left, right), _PHRASES["coefficient"], 0.1)
        case ir.Binary("*", ir.Unary("-", ir.Const(1)) | ir.Const(-1), right):
            yield _mutant(place, right, _PHRASES["lost_minus"], 0.4)


def _combined(place: StepNode[ir.Binary]) -> Iterator[Mutant]:
    """Yield coefficients that are multiplied or subtracted for added, and a factor lost before a bracket."""
    source = place.source
    match place.node:
        case ir.Binary("+", left, right) if _is_coefficient(place.variable) and not place.path:
            yield _mutant(place, ir.Binary("*", left, right), _PHRASES["combined"], 0.1)
            values = leaf_value(source, left), leaf_value(source, right)
            if (
                isinstance(values[0], int | Fraction)
                and isinstance(values[1], int | Fraction)
                and values[0] != values[1]
            ):
                larger, smaller = (left, right) if values[0] > values[1] else (right, left)
                yield _mutant(place, ir.Binary("-", larger, smaller), _PHRASES["combined"], 0.2)
        case ir.Binary("*", ir.Name(), ir.Name() as term) if not place.path and place.variable != source.final:
            yield _mutant(place, term, _PHRASES["distribution"], 0.2)


def _is_coefficient(variable: str) -> bool:
    """Tell whether a variable counts how often an unknown is there."""
    return _COEFFICIENT.search(variable.replace("_", " ")) is not None


def _collects(variable: str) -> bool:
    """Tell whether a step gathers the constants or the unknowns of an equation on one side."""
    return _SIDE.search(variable.replace("_", " ")) is not None


def _near(source: FlawSource, left: ir.Name, right: ir.Name) -> bool:
    ratio = abs(Fraction(source.values[left.name]) / source.values[right.name])
    return 0 < ratio <= LARGEST_COEFFICIENT_RATIO


def _expanded(place: StepNode[ir.Binary]) -> Iterator[Mutant]:
    """Yield a * (b + c) as a * b + c, and a - (b + c) as a - b + c where b + c is an earlier step."""
    node = place.node
    if node.operator == "*":
        yield from _first_multiplied(place)
    inner = step_expression(place.source, node.right)
    if inner is node.right or not isinstance(inner, ir.Binary) or inner.operator not in "+-" or node.operator != "-":
        return
    new_difference = ir.Binary(inner.operator, ir.Binary("-", node.left, inner.left), inner.right)
    yield _mutant(place, new_difference, _PHRASES["minus"], 0.3)
    terms = summands(inner)
    if len(terms) > 2:
        flat = ir.Binary("-", node.left, terms[0])
        for term in terms[1:]:
            flat = ir.Binary("+", flat, term)
        yield _mutant(place, flat, _PHRASES["minus"], 0.3)


def _first_multiplied(place: StepNode[ir.Binary]) -> Iterator[Mutant]:
    """Yield the product with a sum of which the first term only is multiplied; a sum in its own parentheses is another operator's."""
    source, node = place.source, place.node
    right, left = step_expression(source, node.right), step_expression(source, node.left)
    if right is not node.right and isinstance(right, ir.Binary) and right.operator in "+-":
        new = ir.Binary(right.operator, ir.Binary("*", node.left, right.left), right.right)
        yield _mutant(place, new, _PHRASES["distribution"], 0.3)
    elif isinstance(left, ir.Binary) and left.operator in "+-":
        new = ir.Binary(left.operator, ir.Binary("*", left.left, node.right), left.right)
        yield _mutant(place, new, _PHRASES["distribution"], 0.2)


def _factored(place: StepNode[ir.Binary]) -> Iterator[Mutant]:
    """Yield a * b + c * d as (a + c) * (b + d), where a and c, b and d are of a kind; so with more products, and with a minus."""
    source, node = place.source, place.node
    terms = [node.left, node.right] if node.operator == "-" else summands(node)
    if node.operator not in "+-" or (place.path and len(terms) > 2):
        return
    columns = _columns(source, [step_expression(source, term) for term in terms])
    if columns is None:
        return
    sums = [reduce(lambda left, right: ir.Binary(node.operator, left, right), column) for column in columns]
    if all((value_of(part, source.values) or 0) > 0 for part in sums):
        yield _mutant(place, ir.Binary("*", sums[0], sums[1]), _PHRASES["factored"], 0.2)


def _columns(source: FlawSource, products: list[ir.Expr]) -> list[list[ir.Expr]] | None:
    """Return the first and the second factors of products of two variables, each of a kind; `None` where they are not."""
    columns: list[list[ir.Name]] = [[], []]
    for product in products:
        match product:
            case ir.Binary("*", ir.Name() as left, ir.Name() as right):
                factors = [left, right] if not columns[0] or _alike(source, columns, (left, right)) else [right, left]
            case _:
                return None
        if columns[0] and not _alike(source, columns, (factors[0], factors[1])):
            return None
        columns[0].append(factors[0])
        columns[1].append(factors[1])
    if len(set(columns[0])) == 1 or (len(set(columns[1])) == 1 and len(columns[0]) > 2):
        return None
    return [list(columns[0]), list(columns[1])]


def _alike(source: FlawSource, columns: list[list[ir.Name]], factors: tuple[ir.Name, ir.Name]) -> bool:
    """Tell whether two factors are counted as those above them are; factors such as `twice` are no quantities."""
    return all(
        source.units[column[0].name].quantity is source.units[factor.name].quantity
        and not is_bare_factor(source, factor.name)
        and not is_bare_factor(source, column[0].name)
        for column, factor in zip(columns, factors, strict=True)
    )


def _mutant(place: StepNode[ir.Binary], new: ir.Expr, phrases: tuple[str, ...], weight: float) -> Mutant:
    return place.mutant(new, phrases, ("a slip of algebra", weight))
