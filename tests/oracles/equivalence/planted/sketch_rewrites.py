"""Rewrites of sketches: each gives another formalization with the same value for all inputs of the domain."""

import ast
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from tests.oracles.equivalence.planted.sketches import (
    DIALECTS,
    LOOP_FORMS,
    Sketch,
    SketchHelper,
    SketchStep,
    names_in,
    normal,
    places_of,
    put,
    replaced,
    sum_of,
    tree,
    with_step,
)

LARGEST = 1_000
TURN = "turn"
"""The index of a loop that a rewrite makes."""
COMPARED = "".join(
    f"""
choice turned: c if a {sign} b else d -> d if a {opposite} b else c
choice turned: a {sign} b -> 1 - (a {opposite} b)
choice as truth: t if a {sign} b else s -> s + (a {sign} b) * (t - s)
extreme as choice: a {sign} b -> 1 if a {sign} b else 0"""
    for sign, opposite in (("<", ">="), ("<=", ">"), (">", "<="), (">=", "<"), ("==", "!="), ("!=", "=="))
)
IDENTITIES = f"{COMPARED}\n{Path(__file__).with_name('identities.txt').read_text('utf-8')}"
"""Identities by kind: an expression on the left may be written as on the right.

`a` to `d` stand for any expression, `s` and `t` for one that can be computed anywhere, `w` for an integer, `n` for an integer above zero, `m` for
an input that is one, where the sketch has no sum (a sum within a sum would take minutes), and `k` for an integer other than zero.
"""


@cache
def _rules(kind: str) -> list[tuple[ast.expr, str]]:
    """Return the identities of a kind: pattern and what it may be written as."""
    lines = [line.removeprefix(f"{kind}: ").split(" -> ") for line in IDENTITIES.splitlines() if line.startswith(kind)]
    return [(tree(left), right) for left, right in lines]


def _fits(pattern: Any, part: Any, bound: dict[str, ast.expr], sketch: Sketch) -> bool:
    """Tell whether an expression has the form of a pattern, and bind the letters of the pattern."""
    match pattern:
        case ast.Name(letter) if len(letter) == 1:
            same = ast.dump(bound.setdefault(letter, part)) == ast.dump(part)
            return same and _may_be(letter, part, sketch)
        case ast.AST():
            return type(pattern) is type(part) and all(
                _fits(value, getattr(part, name), bound, sketch) for name, value in ast.iter_fields(pattern)
            )
        case list():
            pairs = zip(pattern, part, strict=False)
            return len(pattern) == len(part) and all(_fits(own, other, bound, sketch) for own, other in pairs)
    return bool(pattern == part)


def _may_be(letter: str, part: ast.expr, sketch: Sketch) -> bool:
    match letter, part:
        case ("n", ast.Constant(int(value))) if value > 0:
            return True
        case ("n" | "m", ast.Name(name)) if name in sketch.whole_positive:
            return letter == "n" or not any("range(" in step.text for step in sketch.steps)
        case ("k", ast.Constant(int(value))):
            return value != 0
        case ("s" | "t", _):
            return is_total(part) and TURN not in names_in(part)
        case ("w", _):
            return _is_whole(part, sketch)
    return letter in "abcd"


def _by_identities(kind: str, sketch: Sketch, random: Random) -> Sketch | None:
    """Apply the first identity of a kind that fits at one random place."""

    def written(part: ast.expr) -> str | None:
        for pattern, other in _rules(kind):
            bound: dict[str, ast.expr] = {}
            if _fits(pattern, part, bound, sketch):
                return replaced(other, bound)
        return None

    return _rewritten(sketch, random, written)


def _rewritten(sketch: Sketch, random: Random, rewrite: Callable[[ast.expr], str | None]) -> Sketch | None:
    """Apply a rewrite at one random place that it fits."""
    fitting = [(index, place, new) for index, place, part in places_of(sketch) if (new := rewrite(part)) is not None]
    if not fitting:
        return None
    index, place, new = random.choice(fitting)
    return with_step(sketch, index, put(sketch.steps[index].text, place, new))


def _is_whole(node: ast.expr, sketch: Sketch) -> bool:
    """Tell whether an expression is surely an integer."""
    match node:
        case ast.Constant(value):
            return isinstance(value, int)
        case ast.Name(name):
            return any(given.name == name and given.type == "int" for given in sketch.inputs)
        case ast.BinOp(_, ast.FloorDiv()) | ast.Call(ast.Attribute() | ast.Name("int")):
            return True
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult(), right):
            return _is_whole(left, sketch) and _is_whole(right, sketch)
        case ast.Call(ast.Name("min" | "max" | "abs"), operands):
            return all(_is_whole(operand, sketch) for operand in operands)
    return False


def is_total(node: ast.expr) -> bool:
    """Tell whether an expression divides by nothing but numbers other than zero, so that it may be computed anywhere."""
    return not any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, ast.Div | ast.FloorDiv | ast.Mod)
        and not (isinstance(part.right, ast.Constant) and part.right.value)
        for part in ast.walk(node)
    ) and not _calls_helper(node)


def _calls_helper(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Name) and part.id.startswith("helper_") for part in ast.walk(node))


def _has_sum(node: ast.AST) -> bool:
    return any(isinstance(part, ast.GeneratorExp) for part in ast.walk(node))


# Sums.


def _closed(sketch: Sketch, random: Random) -> Sketch | None:
    """Write a sum in closed form."""

    def closed(part: ast.expr) -> str | None:
        total = sum_of(part)
        if total is None:
            return None
        positive = _may_be("n", tree(total.count), sketch)
        written = _total_of(total.gain, total.index, f"({total.count})" if positive else f"max({total.count}, 0)")
        return None if written is None else f"{total.first} + {written}"

    return _rewritten(sketch, random, closed)


def _total_of(gain: str, index: str, count: str) -> str | None:
    """Return the sum of a gain over 0 ≤ index < count; `None` where the gain has another shape."""
    node = tree(gain)
    inner = sum_of(node)
    if gain == index:
        return f"({count} * ({count} - 1) // 2)"
    if index not in names_in(node) and not _has_sum(node):
        return f"({count} * ({gain}))" if is_total(node) else None
    if inner is not None and inner.first == "0" and inner.count.isdigit():
        each = _total_of(inner.gain, inner.index, inner.count)
        return None if each is None else _total_of(normal(each), index, count)
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() as operator, right):
            totals = [_total_of(ast.unparse(side), index, count) for side in (left, right)]
            sign = "+" if isinstance(operator, ast.Add) else "-"
            return None if None in totals else f"({totals[0]} {sign} {totals[1]})"
        case ast.BinOp(left, ast.Mult(), right):
            varying, same = (left, right) if index in names_in(left) else (right, left)
            if index not in names_in(same) and is_total(same):
                total = _total_of(ast.unparse(varying), index, count)
                return None if total is None else f"(({ast.unparse(same)}) * {total})"
    return None


def _in_form(sketch: Sketch, random: Random, form: str) -> Sketch | None:
    """Write a step, a loop or a choice, in another form."""
    fitting = [
        index for index, step in enumerate(sketch.steps) if step.statements() != replace(step, form=form).statements()
    ]
    if not fitting:
        return None
    index = random.choice(fitting)
    changed = replace(sketch.steps[index], form=form)
    return replace(sketch, steps=(*sketch.steps[:index], changed, *sketch.steps[index + 1 :]))


# Steps and helpers.


def _inlined(sketch: Sketch, random: Random) -> Sketch | None:
    """Write a step out where it is used."""
    fitting = [
        index
        for index, step in enumerate(sketch.steps[:-1])
        if is_total(node := tree(step.text)) and step.name not in sketch.counted and not _has_sum(node)
    ]
    if not fitting:
        return None
    index = random.choice(fitting)
    own = sketch.steps[index]
    later = [replace(step, text=replaced(step.text, {own.name: own.text})) for step in sketch.steps[index + 1 :]]
    if sum(len(step.text) for step in later) > LARGEST:
        return None
    return replace(sketch, steps=(*sketch.steps[:index], *later))


def _extracted(sketch: Sketch, random: Random) -> Sketch | None:
    """Give a part of a step a name of its own."""
    outer = {given.name for given in sketch.inputs} | {step.name for step in sketch.steps}
    fitting = [
        (index, place, part)
        for index, place, part in places_of(sketch)
        if place and isinstance(part, ast.BinOp | ast.Call) and is_total(part)
        if {name for name in names_in(part) if len(name) > 1} <= outer and not _reads_index(part)
    ]
    if not fitting or "part" in outer:
        return None
    index, place, part = random.choice(fitting)
    changed = with_step(sketch, index, put(sketch.steps[index].text, place, "part"))
    own = SketchStep("part", ast.unparse(part), random.choice(LOOP_FORMS))
    return replace(changed, steps=(*changed.steps[:index], own, *changed.steps[index:]))


def _reads_index(node: ast.expr) -> bool:
    bound = {
        part.target.id
        for part in ast.walk(node)
        if isinstance(part, ast.comprehension) and isinstance(part.target, ast.Name)
    }
    return not {name for name in names_in(node) if len(name) == 1 or name == TURN} <= bound


def _with_helper(sketch: Sketch, random: Random) -> Sketch | None:
    """Move a part of a step into a function."""
    fitting = [
        (index, place, part)
        for index, place, part in places_of(sketch)
        if isinstance(part, ast.BinOp | ast.Call | ast.IfExp) and not _has_sum(part) and not _calls_helper(part)
    ]
    if not fitting:
        return None
    index, place, part = random.choice(fitting)
    read = sorted(names_in(part))
    arguments = {name: f"given_{number}" for number, name in enumerate(read)}
    body = replaced(ast.unparse(part), arguments)
    helper = SketchHelper(f"helper_{len(sketch.helpers)}", tuple(arguments.values()), body)
    call = f"{helper.name}({', '.join(read)})"
    changed = with_step(sketch, index, put(sketch.steps[index].text, place, call))
    return replace(changed, helpers=(*sketch.helpers, helper))


def _without_helper(sketch: Sketch, random: Random) -> Sketch | None:
    """Write the body of a function in the place of its call."""
    known = {helper.name: helper for helper in sketch.helpers}

    def written(part: ast.expr) -> str | None:
        match part:
            case ast.Call(ast.Name(name), operands) if name in known:
                return replaced(known[name].body, dict(zip(known[name].arguments, operands, strict=True)))
        return None

    return _rewritten(sketch, random, written)


def _reordered(sketch: Sketch, random: Random) -> Sketch | None:
    """Swap two neighbouring steps of which the second does not read the first."""
    steps = list(sketch.steps)
    fitting = [
        index
        for index, (first, second) in enumerate(itertools.pairwise(steps[:-1]))
        if first.name not in names_in(tree(second.text))
    ]
    if not fitting:
        return None
    index = random.choice(fitting)
    steps[index : index + 2] = reversed(steps[index : index + 2])
    return replace(sketch, steps=tuple(steps))


def renamed(sketch: Sketch, names: Mapping[str, str]) -> Sketch:
    """Give the inputs and the steps other names."""
    every = {**names, **{step.name: f"x{number}" for number, step in enumerate(sketch.steps)}}
    inputs = tuple(replace(given, name=names[given.name]) for given in sketch.inputs)
    steps = tuple(SketchStep(every[step.name], replaced(step.text, every), step.form) for step in sketch.steps)
    return replace(sketch, inputs=inputs, steps=steps)


REWRITES: dict[str, Callable[[Sketch, Random], Sketch | None]] = {
    **{
        kind: partial(_by_identities, kind)
        for kind in sorted({line.partition(":")[0] for line in IDENTITIES.split("\n") if line})
    },
    "dialect": lambda sketch, random: replace(sketch, dialect=random.choice(DIALECTS)),
    "extracted": _extracted,
    "helper": _with_helper,
    "helper inlined": _without_helper,
    "inlined": _inlined,
    "inputs shuffled": lambda sketch, random: replace(
        sketch, inputs=tuple(random.sample(sketch.inputs, len(sketch.inputs)))
    ),
    "loop closed": _closed,
    "respelled": lambda sketch, random: _in_form(sketch, random, random.choice(LOOP_FORMS)),
    "reordered": _reordered,
}
