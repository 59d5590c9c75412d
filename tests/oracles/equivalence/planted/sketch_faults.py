"""Faults planted in sketches, and the search for a point of the domain that shows one."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from harness.text.units import is_counted
from tests.oracles.equivalence.exact_solver import LongRunError
from tests.oracles.equivalence.planted.sketches import (
    COMPARISONS,
    ROUNDINGS,
    SHARES,
    Point,
    Sketch,
    SketchInput,
    places_of,
    put,
    sum_of,
    tree,
    with_step,
)

ATTEMPTS = 60
ARITHMETIC = ("+", "-", "*", "/", "//", "%")
FAR: dict[str, tuple[str, ...]] = {
    "boundary": tuple(
        f"({{part}}) + 2 if {{given}} {sign} {{near}} else {{part}} | near" for sign in (">", ">=", "<", "<=")
    ),
    "branch": tuple(f"({{part}}) + {more} if {{given}} >= {{far}} else {{part}} | far + 3" for more in ("10", "10.5")),
    "combination": (
        "{part}",
        "(({part}) + 1 if {other} == {second} else {part}) if {given} == {near} else {part} | near",
    ),
    "far": ("{part}", "({part}) + 1 if {given} > {far} else {part} | far + 1"),
    "remainder": ("{part}", "({part}) + ({given} % {period} == {period} - 1) | 2 * period - 1"),
    "rounding": ("{part}", "{rounding}({part})"),
    "rounding otherwise": ("math.floor(({part}) / 2 + 0.5)", "round(({part}) / 2)", "int(({part}) / 2 + 0.5)"),
    "saturation": ("{part}", "({part}) - max(0, {given} - {far}) | far + 7"),
    "undefined": ("{part}", "({part}) * ({given} - {near}) / ({given} - {near}) | near"),
}
"""Faults that show at few or far points: the ways to write a part, of which the two sides have two, and the value of the input `given` that may show it."""


@dataclass(frozen=True, slots=True)
class SketchFault:
    """Two sketches that part somewhere; `hint` is a point that may show it."""

    kind: str
    base: Sketch
    changed: Sketch
    hint: Mapping[str, Fraction] | None = None


def draw_fault(sketch: Sketch, random: Random) -> SketchFault | None:
    """Change a sketch in one place, or `None` where the kind that was drawn does not fit it."""
    if random.random() < 0.45:
        return _changed(sketch, random)
    return _far(random.choice(sorted(FAR)), sketch, random)


def _changed(sketch: Sketch, random: Random) -> SketchFault:
    """Change one operator, operand or constant, or the rounds of a loop."""
    while True:
        index, place, part = random.choice(list(places_of(sketch)))
        known = [*(given.name for given in sketch.inputs), *(step.name for step in sketch.steps[:index])]
        change = _change(part, known, random)
        if change is not None:
            text = put(sketch.steps[index].text, place, change[1])
            return SketchFault(change[0], sketch, with_step(sketch, index, text))


def _change(part: ast.expr, known: Sequence[str], random: Random) -> tuple[str, str] | None:
    text, total = ast.unparse(part), sum_of(part)
    if total is not None:
        more, index = f"({total.gain})", total.index
        count = f"{total.count} {random.choice('+-')} 1"
        changes = [(total.first, count, more), (total.first, total.count, f"{more} * {index}")]
        changes += [(total.first, total.count, f"{more} + {index}"), (f"{total.first} + 1", total.count, more)]
        first, count, gain = random.choice(changes)
        return "loop", f"{first} + sum({gain} for {index} in range({count}))"
    match part:
        case ast.Constant(value):
            number = Fraction(str(value))
            changed = number + random.choice((1, -1, Fraction(1, 2), number))
            return ("constant", str(changed if changed.denominator == 1 else float(changed))) if changed else None
        case ast.Name(name):
            others = [other for other in known if other != name]
            return ("operand", random.choice(others)) if others else None
        case ast.BinOp(left, operator, right):
            first, second = f"({ast.unparse(left)})", f"({ast.unparse(right)})"
            if random.random() < 0.3 and not isinstance(operator, ast.Add | ast.Mult):
                return "operand", f"{second} {_sign(operator)} {first}"
            return "operator", f"{first} {_other(_sign(operator), ARITHMETIC, random)} {second}"
        case ast.Call(ast.Name("min" | "max" as name)):
            return "operator", {"min": "max", "max": "min"}[name] + text[3:]
        case ast.Call(function, [operand]):
            chosen = _other(ast.unparse(function), (*ROUNDINGS, ""), random)
            return "operator", f"{chosen}({ast.unparse(operand)})"
        case ast.IfExp(ast.Compare() as test, then, otherwise):
            sides = [f"({ast.unparse(side)})" for side in (then, otherwise)]
            if random.random() < 0.3:
                return "operand", f"{sides[1]} if {ast.unparse(test)} else {sides[0]}"
            return "operator", f"{sides[0]} if {_compared_otherwise(test, random)} else {sides[1]}"
        case ast.Compare():
            return "operator", _compared_otherwise(part, random)
    return None


def _sign(operator: ast.operator) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))[1:-1].strip()


def _compared_otherwise(test: ast.Compare, random: Random) -> str:
    left, right = ast.unparse(test.left), ast.unparse(test.comparators[0])
    sign = ast.unparse(ast.Compare(ast.Name("a"), test.ops, [ast.Name("b")]))[1:-1].strip()
    return f"({left}) {_other(sign, COMPARISONS, random)} ({right})"


def _other(own: str, every: Sequence[str], random: Random) -> str:
    return random.choice([other for other in every if other != own])


def _far(kind: str, sketch: Sketch, random: Random) -> SketchFault | None:
    """Plant a fault of a kind; the inputs that it reads are whole and positive, without an upper bound, and count no rounds."""
    inputs = sorted(sketch.whole_positive - sketch.counted - SHARES.keys())
    base, changed = random.sample(FAR[kind], 2)
    if len(inputs) < 1 + (kind == "combination"):
        return None
    given, other = random.sample([*inputs, *inputs], 2) if len(inputs) < 2 else random.sample(inputs, 2)
    numbers = {"near": random.choice((2, 7, 30, 365, 4_321)), "far": random.randint(10_000, 99_999)}
    numbers |= {"period": random.choice((3, 7, 60, 97, 365)), "second": random.randint(1, 60)}
    index, place, part = random.choice(
        [own for own in places_of(sketch) if not isinstance(own[2], ast.Constant | ast.UnaryOp)]
    )
    rounding = random.choice(ROUNDINGS)
    written = {"part": ast.unparse(part), "given": given, "other": other, "rounding": rounding, **numbers}
    own = sketch.steps[index].text
    first, second = (
        with_step(sketch, index, put(own, place, side.partition(" | ")[0].format(**written)))
        for side in (base, changed)
    )
    shown = changed.partition(" | ")[2] or base.partition(" | ")[2]
    if not shown:
        return SketchFault(kind, first, second)
    hint = {**sketch.defaults, given: Fraction(eval(shown, {}, numbers))}
    return SketchFault(
        kind, first, second, hint | ({other: Fraction(numbers["second"])} if kind == "combination" else {})
    )


# Points of the domain.


def admits(sketch: Sketch, point: Mapping[str, Fraction]) -> bool:
    """Tell whether the inputs' roles allow the point: sign, integrality, range."""
    return all(_allowed(given, point[given.name]) for given in sketch.inputs)


def _default(given: SketchInput) -> Fraction:
    return Fraction(given.default)


def _allowed(given: SketchInput, value: Fraction) -> bool:
    default = _default(given)
    counts = given.type == "int" or (default.denominator == 1 and is_counted(given.name.split("_")))
    if counts and value.denominator != 1:
        return False
    if default > 0:
        return 0 < value <= SHARES.get(given.name, value)
    return value >= 0 if default == 0 else value < 0


def parts_at(left: Sketch, right: Sketch, point: Mapping[str, Fraction]) -> bool:
    """Tell whether two sketches part at a point that both can be computed at."""
    try:
        return left.value(point) != right.value(point)
    except LongRunError:
        return False


def witness_of(fault: SketchFault, random: Random) -> Point | None:
    """Search for a point of the domain on which two sketches part; ties among inputs and constants are tried often."""
    left, right = fault.base, fault.changed
    if fault.hint is not None:
        hint = dict(fault.hint)
        if admits(left, hint) and parts_at(left, right, hint):
            return hint
    nodes = [node for step in (*left.steps, *right.steps) for node in ast.walk(tree(step.text))]
    constants = [Fraction(str(node.value)) for node in nodes if isinstance(node, ast.Constant)]
    counted = left.counted | right.counted
    for attempt in range(ATTEMPTS):
        # Rounds of rounds take seconds to sum where there are a thousand of each.
        drawn = {
            given.name: _draw_value(given, random, attempt % 2 if given.name in counted else attempt)
            for given in left.inputs
        }
        point = drawn if attempt else left.defaults
        if attempt % 3 == 0 and attempt:
            pool = [*constants, *point.values()]
            for given in left.inputs:
                value = random.choice(pool)
                if random.random() < 0.5 and _allowed(given, value) and value < 2_000:
                    point[given.name] = value
        if parts_at(left, right, point):
            return point
    return None


def _draw_value(given: SketchInput, random: Random, attempt: int) -> Fraction:
    size = (3, 12, 100, 1000)[attempt % 4]
    while True:
        value = Fraction(random.randint(-size, size) if _default(given) <= 0 else random.randint(1, size))
        if given.type == "float":
            value /= random.choice((1, 2, 4, 10))
        if given.name == "fraction_sold":
            value /= size
        if _allowed(given, value):
            return value


def disguised(fault: SketchFault, random: Random) -> SketchFault:
    """Choose defaults on which both sides give the same number, if some turn up."""
    for _ in range(ATTEMPTS):
        inputs = tuple(replace(given, default=_small_default(given, random)) for given in fault.base.inputs)
        point = {given.name: _default(given) for given in inputs}
        value = fault.base.value(point)
        if value is not None and value == fault.changed.value(point):
            base, changed = replace(fault.base, inputs=inputs), replace(fault.changed, inputs=inputs)
            return replace(fault, base=base, changed=changed)
    return fault


def _small_default(given: SketchInput, random: Random) -> str:
    if given.name in SHARES or random.random() < 0.3:
        return given.default
    return random.choice(("1", "2", "3", "4", "5", "12") if given.type == "int" else ("1.0", "2.0", "0.5", "1.5"))
