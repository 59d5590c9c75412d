"""Faults planted in sketches, and the search for a point of the domain that shows one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.text.units import is_counted
from tests.oracles.equivalence.planted.sketches import (
    ARITHMETIC,
    COMPARISONS,
    SHARES,
    Node,
    Sketch,
    SketchConditional,
    SketchNumber,
    SketchOperation,
    SketchSum,
    SketchTruth,
    SketchVariable,
    at,
    parts_of,
    places_of,
    put,
    with_step,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from tests.oracles.equivalence.planted.sketches import Point, SketchInput

ATTEMPTS = 60


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
    return _FAR[random.choice(sorted(_FAR))](sketch, random)


# Faults in one operator, operand or constant.


def _changed(sketch: Sketch, random: Random) -> SketchFault:
    while True:
        index = random.randrange(len(sketch.steps))
        node = sketch.steps[index][1]
        place = random.choice(list(places_of(node)))
        known = [*(given.name for given in sketch.inputs), *(name for name, _ in sketch.steps[:index])]
        change = _change(at(node, place), known, random)
        if change is not None:
            kind, part = change
            return SketchFault(kind, sketch, with_step(sketch, index, put(node, place, part)))


def _change(part: Node, known: Sequence[str], random: Random) -> tuple[str, Node] | None:
    match part:
        case SketchNumber(text):
            changed = Fraction(text) + random.choice((1, -1, Fraction(1, 2), Fraction(text)))
            written = str(changed) if changed.denominator == 1 else str(float(changed))
            return ("constant", SketchNumber(written)) if changed else None
        case SketchVariable(name):
            others = [other for other in known if other != name]
            return ("operand", SketchVariable(random.choice(others))) if others else None
        case SketchOperation(operator, (left, right)) if operator in ARITHMETIC:
            if operator in {"-", "/", "//", "%"} and random.random() < 0.3:
                return "operand", SketchOperation(operator, (right, left))
            chosen = random.choice([other for other in ARITHMETIC if other != operator])
            return "operator", SketchOperation(chosen, (left, right))
        case SketchOperation("min" | "max" as operator, operands):
            return "operator", SketchOperation("max" if operator == "min" else "min", operands)
        case SketchOperation("math.ceil" | "math.floor" | "round" | "abs" | "int" as operator, (operand,)):
            others = [other for other in ("math.ceil", "math.floor", "round", "abs", "int", "") if other != operator]
            chosen = random.choice(others)
            return "operator", SketchOperation(chosen, (operand,)) if chosen else operand
        case SketchConditional(comparison, _, _, then, otherwise):
            if random.random() < 0.3:
                return "operand", replace(part, then=otherwise, otherwise=then)
            return "operator", replace(part, comparison=_other_comparison(comparison, random))
        case SketchTruth(comparison, left, right):
            return "operator", SketchTruth(_other_comparison(comparison, random), left, right)
        case SketchSum():
            return "loop", _change_of_sum(part, random)
    return None


def _other_comparison(comparison: str, random: Random) -> str:
    return random.choice([other for other in COMPARISONS if other != comparison])


def _change_of_sum(part: SketchSum, random: Random) -> Node:
    """Run a loop once more or less, count from one, or begin with something else."""
    unit, index = SketchNumber("1"), SketchVariable(part.index)
    match random.randrange(4):
        case 0:
            return replace(part, count=SketchOperation(random.choice("+-"), (part.count, unit)))
        case 1 if index in parts_of(part.gain):
            return replace(part, gain=SketchOperation("+", (part.gain, index)))
        case 2:
            return replace(
                part, first=SketchOperation("+", (part.first, part.gain)) if index not in parts_of(part.gain) else unit
            )
    return replace(part, gain=SketchOperation("*", (part.gain, index)))


# Faults that show only at few or far points.


def _somewhere(sketch: Sketch, random: Random, wrap: Callable[[Node], Node]) -> Sketch:
    """Put another tree around a part of a step."""
    index = random.randrange(len(sketch.steps))
    node = sketch.steps[index][1]
    places = [place for place in places_of(node) if not isinstance(at(node, place), SketchNumber)]
    place = random.choice(places)
    return with_step(sketch, index, put(node, place, wrap(at(node, place))))


def _free_inputs(sketch: Sketch, *, whole: bool | None = None) -> list[SketchInput]:
    """Return the positive inputs without an upper bound that count no rounds."""
    counted = sketch.counted
    return [
        given
        for given in sketch.inputs
        if given.name not in SHARES
        and given.name not in counted
        and Fraction(given.default) > 0
        and (whole is None or (given.type == "int") is whole)
    ]


def _plus(node: Node, number: str) -> Node:
    return SketchOperation("+", (node, SketchNumber(number)))


def _far(sketch: Sketch, random: Random) -> SketchFault | None:
    """Change the value where an input is greater than some ten thousand."""
    inputs = _free_inputs(sketch)
    if not inputs:
        return None
    given, bound = random.choice(inputs), random.randint(10_000, 99_999)
    inline = random.random() < 0.5

    def wrap(node: Node) -> Node:
        limit = SketchNumber(str(bound))
        return SketchConditional(">", SketchVariable(given.name), limit, _plus(node, "1"), node, inline=inline)

    hint = {**sketch.defaults, given.name: Fraction(bound + random.choice((1, 1, 4321)))}
    return SketchFault("far", sketch, _somewhere(sketch, random, wrap), hint)


def _saturated(sketch: Sketch, random: Random) -> SketchFault | None:
    """Bound an input from above, far away."""
    inputs = _free_inputs(sketch)
    if not inputs:
        return None
    given, bound = random.choice(inputs), random.choice((10_000, 65_535, 1_000_000))

    def wrap(node: Node) -> Node:
        excess = SketchOperation(
            "max", (SketchNumber("0"), SketchOperation("-", (SketchVariable(given.name), SketchNumber(str(bound)))))
        )
        return SketchOperation("-", (node, excess))

    hint = {**sketch.defaults, given.name: Fraction(bound + 7)}
    return SketchFault("far", sketch, _somewhere(sketch, random, wrap), hint)


def _combined(sketch: Sketch, random: Random) -> SketchFault | None:
    """Change the value where two inputs have one combination of values."""
    inputs = _free_inputs(sketch, whole=True)
    if len(inputs) < 2:
        return None
    first, second = random.sample(inputs, 2)
    numbers = [random.randint(1, 60), random.randint(1, 5_000)]

    def wrap(node: Node) -> Node:
        conditions = [
            (SketchVariable(given.name), SketchNumber(str(number)))
            for given, number in zip((first, second), numbers, strict=True)
        ]
        (outer, at_outer), (inner, at_inner) = conditions
        nested = SketchConditional("==", inner, at_inner, _plus(node, "1"), node, inline=True)
        return SketchConditional("==", outer, at_outer, nested, node, inline=True)

    hint = {**sketch.defaults, first.name: Fraction(numbers[0]), second.name: Fraction(numbers[1])}
    return SketchFault("combination", sketch, _somewhere(sketch, random, wrap), hint)


def _periodic(sketch: Sketch, random: Random) -> SketchFault | None:
    """Change the value for one remainder of an input."""
    inputs = _free_inputs(sketch, whole=True)
    if not inputs:
        return None
    given, period = random.choice(inputs), random.choice((3, 7, 60, 97, 365))

    def wrap(node: Node) -> Node:
        rest = SketchOperation("%", (SketchVariable(given.name), SketchNumber(str(period))))
        truth = SketchTruth("==", rest, SketchNumber(str(period - 1)))
        return SketchOperation("+", (node, truth))

    hint = {**sketch.defaults, given.name: Fraction(2 * period - 1)}
    return SketchFault("remainder", sketch, _somewhere(sketch, random, wrap), hint)


def _rounded(sketch: Sketch, random: Random) -> SketchFault | None:
    """Round a part that is whole on the problem's own values, or is none."""
    function = random.choice(("math.floor", "math.ceil", "int", "round"))
    return SketchFault("rounding", sketch, _somewhere(sketch, random, lambda node: SketchOperation(function, (node,))))


def _rounded_otherwise(sketch: Sketch, random: Random) -> SketchFault | None:
    """Round one side to even and the other half up."""
    index = random.randrange(len(sketch.steps))
    name, node = sketch.steps[index]
    half = SketchOperation("/", (node, SketchNumber("2")))
    if isinstance(node, SketchNumber):
        return None
    up = SketchOperation("math.floor", (SketchOperation("+", (half, SketchNumber("0.5"))),))
    even = SketchOperation("round", (half,))
    truncated = SketchOperation("int", (SketchOperation("+", (half, SketchNumber("0.5"))),))
    base, changed = random.sample([up, even, truncated], 2)
    del name
    return SketchFault("rounding", with_step(sketch, index, base), with_step(sketch, index, changed))


def _bounded(sketch: Sketch, random: Random) -> SketchFault | None:
    """Take a bound to one side of a choice or to the other."""
    inputs = _free_inputs(sketch)
    if not inputs:
        return None
    given, bound = random.choice(inputs), random.choice((2, 7, 30, 365, 4_321, 25_000))
    comparison, other = random.choice(((">", ">="), ("<", "<="), (">=", ">"), ("<=", "<")))
    index = random.randrange(len(sketch.steps))
    node = sketch.steps[index][1]
    sides = [
        SketchConditional(
            sign, SketchVariable(given.name), SketchNumber(str(bound)), _plus(node, "2"), node, inline=True
        )
        for sign in (comparison, other)
    ]
    hint = {**sketch.defaults, given.name: Fraction(bound)}
    return SketchFault("boundary", with_step(sketch, index, sides[0]), with_step(sketch, index, sides[1]), hint)


def _in_one_branch(sketch: Sketch, random: Random) -> SketchFault | None:
    """Change a constant in a branch that is taken far away only."""
    inputs = _free_inputs(sketch)
    if not inputs:
        return None
    given, bound = random.choice(inputs), random.randint(900, 40_000)
    index = random.randrange(len(sketch.steps))
    node = sketch.steps[index][1]
    inline = random.random() < 0.5
    sides = [
        SketchConditional(
            ">=", SketchVariable(given.name), SketchNumber(str(bound)), _plus(node, number), node, inline=inline
        )
        for number in ("10", "10.5")
    ]
    hint = {**sketch.defaults, given.name: Fraction(bound + 3)}
    return SketchFault("branch", with_step(sketch, index, sides[0]), with_step(sketch, index, sides[1]), hint)


def _undefined(sketch: Sketch, random: Random) -> SketchFault | None:
    """Multiply and divide by something that vanishes at one value of an input."""
    inputs = _free_inputs(sketch, whole=True)
    if not inputs:
        return None
    given, root = random.choice(inputs), random.randint(1, 20_000)

    def wrap(node: Node) -> Node:
        factor = SketchOperation("-", (SketchVariable(given.name), SketchNumber(str(root))))
        return SketchOperation("/", (SketchOperation("*", (node, factor)), factor))

    hint = {**sketch.defaults, given.name: Fraction(root)}
    return SketchFault("undefined", sketch, _somewhere(sketch, random, wrap), hint)


_FAR: dict[str, Callable[[Sketch, Random], SketchFault | None]] = {
    "boundary": _bounded,
    "branch": _in_one_branch,
    "combination": _combined,
    "far": _far,
    "remainder": _periodic,
    "rounding": _rounded,
    "rounding otherwise": _rounded_otherwise,
    "saturation": _saturated,
    "undefined": _undefined,
}


# Points of the domain.


def admits(sketch: Sketch, point: Mapping[str, Fraction]) -> bool:
    """Tell whether the inputs' roles allow the point: sign, integrality, range."""
    return all(_allowed(given, point[given.name]) for given in sketch.inputs)


def _allowed(given: SketchInput, value: Fraction) -> bool:
    default = Fraction(given.default)
    counts = given.type == "int" or (Fraction(given.default).denominator == 1 and is_counted(given.name.split("_")))
    if counts and value.denominator != 1:
        return False
    if default > 0:
        return 0 < value <= SHARES.get(given.name, value)
    return value >= 0 if default == 0 else value < 0


def parts_at(left: Sketch, right: Sketch, point: Mapping[str, Fraction]) -> bool:
    """Tell whether two sketches part at a point that both can be computed at."""
    try:
        return left.value(point) != right.value(point)
    except OverflowError:
        return False


def witness_of(fault: SketchFault, random: Random) -> Point | None:
    """Search for a point of the domain on which two sketches part; ties among inputs and constants are tried often."""
    left, right = fault.base, fault.changed
    if fault.hint is not None:
        hint = dict(fault.hint)
        if admits(left, hint) and parts_at(left, right, hint):
            return hint
    constants = [
        Fraction(part.text)
        for _, node in (*left.steps, *right.steps)
        for part in parts_of(node)
        if isinstance(part, SketchNumber)
    ]
    counted = left.counted | right.counted
    for attempt in range(ATTEMPTS):
        point = (
            left.defaults
            if attempt == 0
            else {
                # Rounds of rounds take seconds to sum where there are a thousand of each.
                given.name: _draw_value(given, random, attempt % 2 if given.name in counted else attempt)
                for given in left.inputs
            }
        )
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
        value = Fraction(random.randint(-size, size) if Fraction(given.default) <= 0 else random.randint(1, size))
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
        base, changed = replace(fault.base, inputs=inputs), replace(fault.changed, inputs=inputs)
        value = base.value(base.defaults)
        if value is not None and value == changed.value(changed.defaults):
            return replace(fault, base=base, changed=changed)
    return fault


def _small_default(given: SketchInput, random: Random) -> str:
    if given.name in SHARES or random.random() < 0.3:
        return given.default
    return random.choice(("1", "2", "3", "4", "5", "12") if given.type == "int" else ("1.0", "2.0", "0.5", "1.5"))
