"""Rewrites of sketches: each gives another formalization with the same value for all inputs of the domain."""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tests.oracles.equivalence.planted.sketches import (
    DIALECTS,
    LOOP_FORMS,
    Node,
    Sketch,
    SketchConditional,
    SketchHelper,
    SketchNumber,
    SketchOperation,
    SketchSum,
    SketchTruth,
    SketchVariable,
    at,
    children,
    parts_of,
    places_of,
    put,
    replaced,
    with_children,
    with_step,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from tests.oracles.equivalence.planted.sketches import SketchInput

ZERO, ONE_NUMBER, TWO = SketchNumber("0"), SketchNumber("1"), SketchNumber("2")
LARGEST = 150
FRESH_INDEX = "k"


def _rewritten(sketch: Sketch, random: Random, rewrite: Callable[[Node, Sketch], Node | None]) -> Sketch | None:
    """Apply a rewrite at one random place it fits."""
    fitting = [
        (index, place, new)
        for index, (_, node) in enumerate(sketch.steps)
        for place in places_of(node)
        if (new := rewrite(at(node, place), sketch)) is not None
    ]
    if not fitting:
        return None
    index, place, new = random.choice(fitting)
    return with_step(sketch, index, put(sketch.steps[index][1], place, new))


def _operation(operator: str, *operands: Node) -> Node:
    return SketchOperation(operator, operands)


def _negative(node: Node) -> Node:
    return _operation("*", SketchNumber("-1"), node)


# Identities of single nodes.

COMPARED = "".join(
    f"""
choice turned: c if a {sign} b else d -> d if a {opposite} b else c
choice turned: a {sign} b -> 1 - (a {opposite} b)
extreme as choice: a {sign} b -> inline 1 if a {sign} b else 0"""
    for sign, opposite in (("<", ">="), ("<=", ">"), (">", "<="), (">=", "<"), ("==", "!="), ("!=", "=="))
)
IDENTITIES = f"""{COMPARED}
commuted: a + b -> b + a
commuted: a * b -> b * a
commuted: min(a, b) -> min(b, a)
commuted: max(a, b) -> max(b, a)
commuted: c if a < b else d -> c if b > a else d
commuted: c if a <= b else d -> c if b >= a else d
commuted: c if a > b else d -> c if b < a else d
commuted: c if a >= b else d -> c if b <= a else d
distributed: (a + b) * c -> a * c + b * c
distributed: (a - b) * c -> a * c - b * c
distributed: (a + b) / c -> a / c + b / c
distributed: (a - b) / c -> a / c - b / c
reassociated: (a + b) + c -> a + (b + c)
reassociated: (a * b) * c -> a * (b * c)
reassociated: (a - b) - c -> a - (b + c)
reassociated: (a * b) / c -> a * (b / c)
difference as sum: a - b -> a + -1 * b
difference as sum: (a + b) + c -> sum(a, b, c)
difference as sum: a + b -> sum(a, b)
identity: a * a -> a ** 2
identity: (a - b) * (a + b) -> a ** 2 - b ** 2
identity: a + b -> min(a, b) + max(a, b)
identity: a * b -> ((a + b) ** 2 - (a ** 2 + b ** 2)) / 2
identity: a - b -> (a + b) - 2 * b
identity: abs(a) -> max(a, -1 * a)
extreme as choice: min(a, b) -> a if a < b else b
extreme as choice: max(a, b) -> a if a >= b else b
extreme as choice: abs(a) -> -1 * a if a < 0 else a
choice as minimum: a if a < b else b -> min(a, b)
choice as minimum: a if a <= b else b -> min(a, b)
choice as minimum: a if a > b else b -> max(a, b)
choice as minimum: a if a >= b else b -> max(a, b)
quotient respelled: a // b -> math.floor(a / b)
quotient respelled: a % b -> a - b * (a // b)
quotient respelled: math.ceil(a / b) -> -1 * (-1 * a // b)
quotient respelled: math.floor(a / b) -> a // b
quotient respelled: int(a) -> inline math.floor(a) if a >= 0 else math.ceil(a)
"""
"""Identities that hold for all numbers, by kind: a tree on the left may be written as on the right; a letter stands for any tree."""


def _tree(text: str) -> Node:
    """Return the tree of an expression."""
    return _tree_of(ast.parse(text.removeprefix("inline "), mode="eval").body, inline=text.startswith("inline "))


def _tree_of(node: ast.expr, *, inline: bool = False) -> Node:
    match node:
        case ast.Name(name):
            return SketchVariable(name)
        case ast.Constant() | ast.UnaryOp():
            return SketchNumber(ast.unparse(node))
        case ast.BinOp(left, _, right):
            return SketchOperation(
                ast.unparse(ast.BinOp(ast.Name("a"), node.op, ast.Name("b")))[1:-1].strip(),
                (_tree_of(left), _tree_of(right)),
            )
        case ast.Call(function, operands):
            return SketchOperation(ast.unparse(function), tuple(map(_tree_of, operands)))
        case ast.Compare(left, _, [right]):
            sign = ast.unparse(node)[len(ast.unparse(left)) : -len(ast.unparse(right))].strip()
            return SketchTruth(sign, _tree_of(left), _tree_of(right))
        case ast.IfExp(test, then, otherwise):
            truth = _tree_of(test)
            assert isinstance(truth, SketchTruth)
            return SketchConditional(
                truth.comparison, truth.left, truth.right, _tree_of(then), _tree_of(otherwise), inline
            )
    raise ValueError(ast.unparse(node))


def _shape(node: Node) -> object:
    """Return what two nodes have in common that differ in their parts alone."""
    return getattr(node, "operator", None) or getattr(node, "comparison", None) or getattr(node, "text", None)


def _fits(pattern: Node, node: Node, bound: dict[str, Node]) -> bool:
    """Tell whether a tree has the form of a pattern, and bind the letters of the pattern."""
    if isinstance(pattern, SketchVariable):
        return bound.setdefault(pattern.name, node) == node
    parts, others = children(pattern), children(node)
    same = type(pattern) is type(node) and _shape(pattern) == _shape(node) and len(parts) == len(others)
    return same and all(_fits(part, other, bound) for part, other in zip(parts, others, strict=True))


def _filled(pattern: Node, bound: Mapping[str, Node]) -> Node:
    if isinstance(pattern, SketchVariable):
        return bound[pattern.name]
    return with_children(pattern, [_filled(part, bound) for part in children(pattern)])


def _by_identities(kind: str) -> Callable[[Node], Node | None]:
    """Return what rewrites a node by the first identity of a kind that fits it; a choice stays inline if it was."""
    lines = [line.removeprefix(f"{kind}: ").split(" -> ") for line in IDENTITIES.splitlines() if line.startswith(kind)]
    rules = [(_tree(left), _tree(right)) for left, right in lines]

    def rewritten(node: Node) -> Node | None:
        for pattern, other in rules:
            bound: dict[str, Node] = {}
            if _fits(pattern, node, bound):
                new = _filled(other, bound)
                both = isinstance(node, SketchConditional) and isinstance(new, SketchConditional)
                return replace(new, inline=node.inline) if both else new
        return None

    return rewritten


def _as_factor(node: Node) -> Node | None:
    match node:
        case SketchOperation("/", (value, SketchNumber(text) as divisor)) if (
            is_nonzero(divisor) and Fraction(text).denominator == 1
        ):
            return _operation("*", value, _operation("Fraction", ONE_NUMBER, SketchNumber(text)))
    return None


# Choices and truths.


def _as_truth(node: Node) -> Node | None:
    match node:
        case SketchConditional(comparison, left, right, then, otherwise) if is_total(then) and is_total(otherwise):
            gain = _operation("*", SketchTruth(comparison, left, right), _operation("-", then, otherwise))
            return _operation("+", otherwise, gain)
    return None


def _inline(node: Node) -> Node | None:
    return replace(node, inline=not node.inline) if isinstance(node, SketchConditional) else None


# Rounding.


def _is_whole(node: Node, sketch: Sketch) -> bool:
    """Tell whether a tree is surely an integer."""
    match node:
        case SketchNumber(text):
            return Fraction(text).denominator == 1
        case SketchVariable(name):
            return any(given.name == name and given.type == "int" for given in sketch.inputs)
        case SketchOperation("math.ceil" | "math.floor" | "int" | "//", _):
            return True
        case SketchOperation("+" | "-" | "*" | "min" | "max" | "sum" | "abs", operands):
            return all(_is_whole(operand, sketch) for operand in operands)
    return False


def _is_whole_positive(node: Node, sketch: Sketch) -> bool:
    match node:
        case SketchNumber(text):
            return Fraction(text).denominator == 1 and Fraction(text) > 0
        case SketchVariable(name):
            return name in sketch.whole_positive
    return False


def _as_whole_ceiling(node: Node, sketch: Sketch) -> Node | None:
    """Round up by adding the divisor less one: that is right for integers above a positive integer only."""
    match node:
        case SketchOperation("math.ceil", (SketchOperation("/", (left, right)),)) if _is_whole(
            left, sketch
        ) and _is_whole_positive(right, sketch):
            return _operation("//", _operation("-", _operation("+", left, right), ONE_NUMBER), right)
        case SketchOperation("//", (left, right)) if _is_whole(left, sketch) and _is_whole_positive(right, sketch):
            return _operation(
                "math.ceil", _operation("/", _operation("-", _operation("+", left, ONE_NUMBER), right), right)
            )
    return None


def _as_one_quotient(node: Node, sketch: Sketch) -> Node | None:
    """Divide by a product in place of one after the other, and back."""
    match node:
        case SketchOperation("//", (SketchOperation("//", (first, second)), third)) if _is_whole_positive(
            third, sketch
        ):
            return _operation("//", first, _operation("*", second, third))
        case SketchOperation("//", (first, SketchOperation("*", (second, third)))) if _is_whole_positive(third, sketch):
            return _operation("//", _operation("//", first, second), third)
    return None


# Sums.


def _respelled(sketch: Sketch, random: Random) -> Sketch | None:
    """Write a loop in another form."""
    form = random.choice(LOOP_FORMS)
    return _rewritten(sketch, random, lambda node, _: replace(node, form=form) if isinstance(node, SketchSum) else None)


def _closed(node: Node, sketch: Sketch) -> Node | None:
    """Write a sum in closed form."""
    if not isinstance(node, SketchSum):
        return None
    known = node.count if _is_whole_positive(node.count, sketch) else _operation("max", node.count, ZERO)
    total = _total_of(node.gain, node.index, known)
    return None if total is None else total if node.first == ZERO else _operation("+", node.first, total)


def _total_of(gain: Node, index: str, count: Node) -> Node | None:
    """Return the sum of a gain over 0 ≤ index < count; `None` where the gain has another shape."""
    match gain:
        case SketchVariable(name) if name == index:
            return _operation("//", _operation("*", count, _operation("-", count, ONE_NUMBER)), TWO)
        case _ if not any(part == SketchVariable(index) for part in parts_of(gain)) and is_total(gain):
            return _operation("*", count, gain)
        case SketchSum(inner, SketchNumber() as rounds, inner_gain, first) if first == ZERO:
            each = _total_of(inner_gain, inner, rounds)
            return None if each is None else _total_of(each, index, count)
        case SketchOperation("+" | "-" as operator, (left, right)):
            totals = _total_of(left, index, count), _total_of(right, index, count)
            return None if totals[0] is None or totals[1] is None else _operation(operator, totals[0], totals[1])
        case SketchOperation("*", (left, right)):
            varying, same = (left, right) if SketchVariable(index) in parts_of(left) else (right, left)
            if SketchVariable(index) in parts_of(same) or not is_total(same):
                return None
            total = _total_of(varying, index, count)
            return None if total is None else _operation("*", same, total)
    return None


def _opened(node: Node, sketch: Sketch) -> Node | None:
    """Write a product with a whole number as a sum."""
    match node:
        case SketchOperation("*", (SketchVariable(name) as count, gain)) if (
            name in sketch.whole_positive and is_total(gain) and SketchVariable(FRESH_INDEX) not in parts_of(gain)
        ):
            # A sum within a sum would take minutes at large inputs.
            within = any(isinstance(part, SketchSum) for _, tree in sketch.steps for part in parts_of(tree))
            return None if within else SketchSum(FRESH_INDEX, count, gain, ZERO, "for")
    return None


# Steps and helpers.


def is_nonzero(node: Node) -> bool:
    """Tell whether a tree is a number other than zero."""
    return isinstance(node, SketchNumber) and Fraction(node.text) != 0


def is_total(node: Node) -> bool:
    """Tell whether a tree divides by nothing but numbers other than zero, so that it may be computed anywhere."""
    return not any(
        isinstance(part, SketchOperation) and part.operator in {"/", "//", "%"} and not is_nonzero(part.operands[1])
        for part in parts_of(node)
    )


def _free(node: Node, sketch: Sketch) -> bool:
    """Tell whether a tree reads inputs and steps only: no index, no argument."""
    outer = {given.name for given in sketch.inputs} | {name for name, _ in sketch.steps}
    bound = {part.index for part in parts_of(node) if isinstance(part, SketchSum)}
    return all(part.name in outer | bound for part in parts_of(node) if isinstance(part, SketchVariable)) and not any(
        isinstance(part, SketchHelper) for part in parts_of(node)
    )


def _inlined(sketch: Sketch, random: Random) -> Sketch | None:
    """Write a step out where it is used."""
    counted = sketch.counted
    indices = [
        index
        for index, (name, node) in enumerate(sketch.steps[:-1])
        if is_total(node) and name not in counted and not any(isinstance(part, SketchSum) for part in parts_of(node))
    ]
    if not indices:
        return None
    index = random.choice(indices)
    name, node = sketch.steps[index]
    later = [(other, replaced(tree, name, node)) for other, tree in sketch.steps[index + 1 :]]
    if sum(1 for _, tree in later for _ in parts_of(tree)) > LARGEST:
        return None
    return replace(sketch, steps=(*sketch.steps[:index], *later))


def _extracted(sketch: Sketch, random: Random) -> Sketch | None:
    """Give a part of a step a name of its own."""
    if any(name == "part" for name, _ in sketch.steps):
        return None
    fitting = [
        (index, place)
        for index, (_, node) in enumerate(sketch.steps)
        for place in places_of(node)
        if place
        and isinstance(part := at(node, place), SketchOperation | SketchSum)
        and is_total(part)
        and _free(part, sketch)
    ]
    if not fitting:
        return None
    index, place = random.choice(fitting)
    name, node = sketch.steps[index]
    before = (*sketch.steps[:index], ("part", at(node, place)))
    return replace(
        sketch, steps=(*before, (name, put(node, place, SketchVariable("part"))), *sketch.steps[index + 1 :])
    )


def _with_helper(sketch: Sketch, random: Random) -> Sketch | None:
    """Move a part of a step into a function."""
    fitting = [
        (index, place)
        for index, (_, node) in enumerate(sketch.steps)
        for place in places_of(node)
        if isinstance(part := at(node, place), SketchOperation | SketchConditional)
        and not any(isinstance(inner, SketchHelper | SketchSum) for inner in parts_of(part))
    ]
    if not fitting:
        return None
    index, place = random.choice(fitting)
    node = sketch.steps[index][1]
    part = at(node, place)
    read = sorted({inner.name for inner in parts_of(part) if isinstance(inner, SketchVariable)})
    arguments = tuple(f"given_{number}" for number in range(len(read)))
    body = part
    for name, argument in zip(read, arguments, strict=True):
        body = replaced(body, name, SketchVariable(argument))
    helpers = sum(isinstance(inner, SketchHelper) for _, tree in sketch.steps for inner in parts_of(tree))
    helper = SketchHelper(f"helper_{helpers}", arguments, body, tuple(map(SketchVariable, read)))
    return with_step(sketch, index, put(node, place, helper))


def _without_helper(node: Node) -> Node | None:
    if not isinstance(node, SketchHelper):
        return None
    body = node.body
    for argument, operand in zip(node.arguments, node.operands, strict=True):
        body = replaced(body, argument, operand)
    return body


def _reordered(sketch: Sketch, random: Random) -> Sketch | None:
    """Swap two neighbouring steps of which the second does not read the first."""
    fitting = [
        index
        for index, ((name, _), (_, later)) in enumerate(itertools.pairwise(sketch.steps[:-1]))
        if all(part != SketchVariable(name) for part in parts_of(later))
    ]
    if not fitting:
        return None
    index = random.choice(fitting)
    return replace(
        sketch, steps=(*sketch.steps[:index], sketch.steps[index + 1], sketch.steps[index], *sketch.steps[index + 2 :])
    )


def _shuffled(sketch: Sketch, random: Random) -> Sketch:
    """Put the inputs in another order."""
    return replace(sketch, inputs=tuple(random.sample(sketch.inputs, len(sketch.inputs))))


def _translated(sketch: Sketch, random: Random) -> Sketch:
    """Write the formalization in another dialect."""
    return replace(sketch, dialect=random.choice(DIALECTS))


def renamed(sketch: Sketch, names: Mapping[str, str]) -> Sketch:
    """Give the inputs and the steps other names."""
    every = {**names, **{name: f"x{number}" for number, (name, _) in enumerate(sketch.steps)}}

    def rename(node: Node) -> Node:
        if isinstance(node, SketchVariable):
            return SketchVariable(every.get(node.name, node.name))
        if isinstance(node, SketchSum):
            node = replace(node, count=rename(node.count))
        return with_children(node, [rename(child) for child in children(node)])

    def input_of(given: SketchInput) -> SketchInput:
        return replace(given, name=names[given.name])

    steps = tuple((every[name], rename(node)) for name, node in sketch.steps)
    return Sketch(tuple(map(input_of, sketch.inputs)), steps, sketch.dialect)


def _locally(rewrite: Callable[[Node], Node | None]) -> Callable[[Sketch, Random], Sketch | None]:
    return lambda sketch, random: _rewritten(sketch, random, lambda node, _: rewrite(node))


def _with_inputs(rewrite: Callable[[Node, Sketch], Node | None]) -> Callable[[Sketch, Random], Sketch | None]:
    return lambda sketch, random: _rewritten(sketch, random, rewrite)


REWRITES: dict[str, Callable[[Sketch, Random], Sketch | None]] = {
    "choice as minimum": _locally(_by_identities("choice as minimum")),
    "choice as truth": _locally(_as_truth),
    "choice inline": _locally(_inline),
    "choice turned": _locally(_by_identities("choice turned")),
    "commuted": _locally(_by_identities("commuted")),
    "dialect": _translated,
    "difference as sum": _locally(_by_identities("difference as sum")),
    "distributed": _locally(_by_identities("distributed")),
    "division as factor": _locally(_as_factor),
    "extracted": _extracted,
    "extreme as choice": _locally(_by_identities("extreme as choice")),
    "helper": _with_helper,
    "helper inlined": _locally(_without_helper),
    "identity": _locally(_by_identities("identity")),
    "inlined": _inlined,
    "inputs shuffled": _shuffled,
    "loop closed": _with_inputs(_closed),
    "loop respelled": _respelled,
    "one quotient": _with_inputs(_as_one_quotient),
    "product as loop": _with_inputs(_opened),
    "quotient respelled": _locally(_by_identities("quotient respelled")),
    "reassociated": _locally(_by_identities("reassociated")),
    "reordered": _reordered,
    "whole ceiling": _with_inputs(_as_whole_ceiling),
}
