"""Random pairs of formalizations with a planted change, known to be equivalent or known to differ.

Every program is drawn in the style of a grade-school word problem, as a small tree. The truth about a pair is computed on
that tree by the arithmetic of this module, never by the evaluator, the normal forms or the solver that it tests. The module
has more than 400 lines because all of that arithmetic is its own.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.domain import Response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Point = dict[str, Fraction]
ATTEMPTS = 60
_NAMES = (
    "apples",
    "price_each",
    "boxes",
    "hours_per_day",
    "percent_off",
    "fraction_sold",
    "people",
    "miles",
    "days",
    "weight",
    "tickets",
    "rate",
)
_STEPS = ("first_total", "second_total", "cost", "remaining", "share_each", "combined", "needed", "result")
_SHARES = {"percent_off": Fraction(100), "fraction_sold": Fraction(1)}
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_ARITHMETIC = ("+", "-", "*", "/", "//", "%")


@dataclass(frozen=True, slots=True)
class SketchNumber:
    """A literal, as written."""

    text: str


@dataclass(frozen=True, slots=True)
class SketchVariable:
    """A parameter or an earlier step."""

    name: str


@dataclass(frozen=True, slots=True)
class SketchOperation:
    """An infix operator on two operands, or a call of `min`, `max`, `math.ceil`, `math.floor`, `round`, `abs`, `Fraction`."""

    operator: str
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SketchConditional:
    """`then if left comparison right else otherwise`."""

    comparison: str
    left: Node
    right: Node
    then: Node
    otherwise: Node


Node = SketchNumber | SketchVariable | SketchOperation | SketchConditional


@dataclass(frozen=True, slots=True)
class SketchInput:
    """A parameter: its name, declared type and the literal of its default."""

    name: str
    type: str
    default: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """A formalization as a tree: inputs, then steps by name; the last step is the answer."""

    inputs: tuple[SketchInput, ...]
    steps: tuple[tuple[str, Node], ...]

    def code(self) -> str:
        """Return the parametric formalization; a choice that is a whole step becomes an if statement."""
        lines = ["def solve("]
        lines += [f"    {one.name}: {one.type} = {one.default}," for one in self.inputs]
        lines.append("):")
        for number, (name, node) in enumerate(self.steps, start=1):
            lines.append(f"    #: L{number}")
            if isinstance(node, SketchConditional):
                lines += [
                    f"    if {_shown(node.left)} {node.comparison} {_shown(node.right)}:",
                    f"        {name} = {_shown(node.then)}",
                ]
                lines += ["    else:", f"        {name} = {_shown(node.otherwise)}"]
            else:
                lines.append(f"    {name} = {_shown(node)}")
        lines.append(f"    return {self.steps[-1][0]}")
        return "\n".join(lines) + "\n"

    def value(self, point: Mapping[str, Fraction]) -> Fraction | None:
        """Return the exact answer at a point, `None` where something is divided by zero."""
        scope = dict(point)
        try:
            for name, node in self.steps:
                scope[name] = _value(node, scope)
        except ZeroDivisionError:
            return None
        return scope[self.steps[-1][0]]

    @property
    def defaults(self) -> Point:
        """Return the point of the problem itself."""
        return {one.name: Fraction(one.default) for one in self.inputs}


@dataclass(frozen=True, slots=True)
class PlantedPair:
    """Two formalizations with a known relation.

    `kind` names what was planted. `names` maps each input of the left to the right one of the same meaning. `witness`
    is a point of the domain, by left name, on which the two part; `None` where they are equal everywhere.
    """

    left: Response
    right: Response
    kind: str
    names: Mapping[str, str]
    witness: Mapping[str, Fraction] | None

    def similarity(self, left: str, right: str) -> float:
        """Return 1 for the texts of inputs that mean the same, else 0."""
        meant = {one.replace("_", " "): other.replace("_", " ") for one, other in self.names.items()}
        return 1.0 if meant.get(left) == right else 0.0


def planted_faults(seed: int, count: int) -> Iterator[PlantedPair]:
    """Yield pairs of which one side was changed in one operator, operand or constant, with a point that tells them apart.

    Where such values are found, the defaults are chosen so that both sides agree on them: only moving the inputs
    shows the fault.
    """
    made = 0
    for number in itertools.count():
        if made == count:
            return
        random = Random(f"{seed}:fault:{number}")  # reproducible, not secret
        sketch = _draw_sketch(random)
        kind, changed = _changed(sketch, random)
        witness = _witness(sketch, changed, random)
        if witness is None:
            continue
        sketch, changed = _disguised(sketch, changed, random)
        witness = witness if _admits(sketch, witness) else _witness(sketch, changed, random)
        if witness is not None:
            made += 1
            yield _pair(number, (sketch, changed), kind, {}, witness)


def planted_rewrites(seed: int, count: int) -> Iterator[PlantedPair]:
    """Yield pairs of which one side was rewritten, in one to three ways, into one that is equal for all inputs."""
    made = 0
    for number in itertools.count():
        if made == count:
            return
        random = Random(f"{seed}:rewrite:{number}")  # reproducible, not secret
        sketch = _draw_sketch(random)
        rewritten, kinds = sketch, []
        for _ in range(random.randint(1, 3)):
            kind = random.choice(sorted(_REWRITES))
            result = _REWRITES[kind](rewritten, random)
            if result is not None and result != rewritten:
                rewritten = result
                kinds.append(kind)
        names: dict[str, str] = {}
        if random.random() < 0.3:
            names = {one.name: f"the_{one.name}_given" for one in sketch.inputs}
            rewritten = _renamed(rewritten, names)
            kinds.append("renamed")
        if kinds:
            made += 1
            yield _pair(number, (sketch, rewritten), "+".join(sorted(set(kinds))), names, None)


def _pair(
    number: int, sides: tuple[Sketch, Sketch], kind: str, names: Mapping[str, str], witness: Point | None
) -> PlantedPair:
    left, right = sides
    meant = {one.name: names.get(one.name, one.name) for one in left.inputs}
    problem_id = f"planted-{number}"
    responses = Response(problem_id, "left", left.code()), Response(problem_id, "right", right.code())
    return PlantedPair(*responses, kind, meant, witness)


def _shown(node: Node) -> str:
    match node:
        case SketchNumber(text):
            return text
        case SketchVariable(name):
            return name
        case SketchOperation(operator, (left, right)) if operator in _ARITHMETIC:
            return f"({_shown(left)} {operator} {_shown(right)})"
        case SketchOperation(operator, operands):
            return f"{operator}({', '.join(map(_shown, operands))})"
        case SketchConditional(comparison, left, right, then, otherwise):
            return f"({_shown(then)} if {_shown(left)} {comparison} {_shown(right)} else {_shown(otherwise)})"


def _value(node: Node, scope: Mapping[str, Fraction]) -> Fraction:
    match node:
        case SketchNumber(text):
            return Fraction(text)
        case SketchVariable(name):
            return scope[name]
        case SketchOperation(operator, operands):
            return Fraction(_APPLY[operator](*(_value(operand, scope) for operand in operands)))
        case SketchConditional(comparison, left, right, then, otherwise):
            return _value(then if _COMPARE[comparison](_value(left, scope), _value(right, scope)) else otherwise, scope)


_COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}
_APPLY: dict[str, Callable[..., Fraction | int]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "min": min,
    "max": max,
    "math.ceil": math.ceil,
    "math.floor": math.floor,
    "round": round,
    "abs": abs,
    "Fraction": lambda top, bottom: top / bottom,
}


# Drawing formalizations.


def _draw_sketch(random: Random) -> Sketch:
    names = random.sample(_NAMES, random.randint(3, 7))
    inputs = tuple(_draw_input(name, random) for name in names)
    steps: list[tuple[str, Node]] = []
    for step in _STEPS[: random.randint(3, 8)]:
        known = [*names, *(name for name, _ in steps)]
        steps.append((step, _draw_step(known, random, newest=steps[-1][0] if steps else None)))
    return _used(Sketch(inputs, tuple(steps)))


def _draw_input(name: str, random: Random) -> SketchInput:
    if name == "fraction_sold":
        return SketchInput(name, "float", random.choice(("0.5", "0.25", "1/3", "0.1", "3/4")))
    if name == "percent_off":
        return SketchInput(name, random.choice(("int", "float")), random.choice(("20", "25", "10", "50")))
    if random.random() < 0.3:
        return SketchInput(name, "float", random.choice(("1.5", "2.5", "0.75", "12.0", "3.2", "7.25")))
    return SketchInput(
        name,
        "int",
        str(random.choice((0, *range(1, 13), 20, 48, 100)) if random.random() < 0.95 else -random.randint(1, 5)),
    )


def _draw_step(known: Sequence[str], random: Random, *, newest: str | None) -> Node:
    """Draw one step; it mostly reads the newest result, as solutions do."""
    first: Node = (
        SketchVariable(newest) if newest is not None and random.random() < 0.7 else SketchVariable(random.choice(known))
    )
    second = _draw_operand(known, random)
    kind = random.random()
    if kind < 0.62:
        return SketchOperation(random.choice(("+", "+", "-", "-", "*", "*", "*")), (first, second))
    if kind < 0.72:
        return SketchOperation("/", (first, second))
    if kind < 0.78:
        return SketchOperation(random.choice(("//", "%")), (first, second))
    if kind < 0.84:
        return SketchOperation(random.choice(("min", "max")), (first, second))
    if kind < 0.90:
        return SketchOperation(
            random.choice(("math.ceil", "math.floor", "round", "abs")),
            (SketchOperation(random.choice("/-"), (first, second)),),
        )
    if kind < 0.94:
        return SketchOperation(
            "*", (SketchOperation(random.choice("+-"), (first, second)), _draw_operand(known, random))
        )
    then = SketchOperation(random.choice("+-*"), (first, second))
    bound = (
        SketchNumber(random.choice(("6", "37", "365", "1000", "4321")))
        if random.random() < 0.5
        else _draw_operand(known, random)
    )
    if random.random() < 0.1:
        then = SketchOperation("/", (first, SketchNumber("0")))  # an exception on one branch only
    return SketchConditional(random.choice(_COMPARISONS), SketchVariable(random.choice(known)), bound, then, first)


def _draw_operand(known: Sequence[str], random: Random) -> Node:
    return (
        SketchVariable(random.choice(known))
        if random.random() < 0.65
        else SketchNumber(random.choice(("2", "3", "4", "7", "10", "12", "60", "100", "0.5", "1.5")))
    )


def _used(sketch: Sketch) -> Sketch:
    """Drop the steps the answer does not need."""
    needed = {sketch.steps[-1][0]}
    kept: list[tuple[str, Node]] = []
    for name, node in reversed(sketch.steps):
        if name in needed:
            kept.append((name, node))
            needed |= {part.name for part in _parts(node) if isinstance(part, SketchVariable)}
    return replace(sketch, steps=tuple(reversed(kept)))


def _parts(node: Node) -> Iterator[Node]:
    yield node
    for child in _children(node):
        yield from _parts(child)


def _children(node: Node) -> tuple[Node, ...]:
    match node:
        case SketchOperation(_, operands):
            return operands
        case SketchConditional(_, left, right, then, otherwise):
            return (left, right, then, otherwise)
    return ()


def _with_children(node: Node, children: Sequence[Node]) -> Node:
    match node:
        case SketchOperation(operator, _):
            return SketchOperation(operator, tuple(children))
        case SketchConditional(comparison):
            return SketchConditional(comparison, *children)
    return node


def _places(node: Node) -> Iterator[tuple[int, ...]]:
    """Yield the way to each part of a tree."""
    yield ()
    for index, child in enumerate(_children(node)):
        for rest in _places(child):
            yield (index, *rest)


def _at(node: Node, place: Sequence[int]) -> Node:
    for index in place:
        node = _children(node)[index]
    return node


def _put(node: Node, place: Sequence[int], new: Node) -> Node:
    if not place:
        return new
    children = list(_children(node))
    children[place[0]] = _put(children[place[0]], place[1:], new)
    return _with_children(node, children)


def _with_step(sketch: Sketch, index: int, node: Node) -> Sketch:
    steps = list(sketch.steps)
    steps[index] = (steps[index][0], node)
    return replace(sketch, steps=tuple(steps))


# Planting faults.


def _changed(sketch: Sketch, random: Random) -> tuple[str, Sketch]:
    """Change one operator, operand or constant of one step."""
    while True:
        index = random.randrange(len(sketch.steps))
        node = sketch.steps[index][1]
        place = random.choice(list(_places(node)))
        known = [*(one.name for one in sketch.inputs), *(name for name, _ in sketch.steps[:index])]
        found = _change(_at(node, place), known, random)
        if found is not None:
            kind, part = found
            return kind, _with_step(sketch, index, _put(node, place, part))


def _change(part: Node, known: Sequence[str], random: Random) -> tuple[str, Node] | None:
    match part:
        case SketchNumber(text):
            changed = Fraction(text) + random.choice((1, -1, Fraction(1, 2), Fraction(text)))
            return (
                ("constant", SketchNumber(text=str(changed) if changed.denominator == 1 else str(float(changed))))
                if changed
                else None
            )
        case SketchVariable(name):
            others = [other for other in known if other != name]
            return ("operand", SketchVariable(random.choice(others))) if others else None
        case SketchOperation(operator, (left, right)) if operator in _ARITHMETIC:
            if operator in {"-", "/", "//", "%"} and random.random() < 0.3:
                return "operand", SketchOperation(operator, (right, left))
            return "operator", SketchOperation(
                random.choice([other for other in _ARITHMETIC if other != operator]), (left, right)
            )
        case SketchOperation("min" | "max" as operator, operands):
            return "operator", SketchOperation("max" if operator == "min" else "min", operands)
        case SketchOperation("math.ceil" | "math.floor" | "round" | "abs" as operator, (operand,)):
            others = [other for other in ("math.ceil", "math.floor", "round", "abs", "") if other != operator]
            chosen = random.choice(others)
            return "operator", SketchOperation(chosen, (operand,)) if chosen else operand
        case SketchConditional(comparison, left, right, then, otherwise):
            if random.random() < 0.3:
                return "operand", SketchConditional(comparison, left, right, otherwise, then)
            return "operator", SketchConditional(
                random.choice([other for other in _COMPARISONS if other != comparison]), left, right, then, otherwise
            )
    return None


def _admits(sketch: Sketch, point: Mapping[str, Fraction]) -> bool:
    """Tell whether the inputs' roles allow the point: sign, integrality, range."""
    return all(_allowed(one, point[one.name]) for one in sketch.inputs)


def _allowed(one: SketchInput, value: Fraction) -> bool:
    default = Fraction(one.default)
    if one.type == "int" and value.denominator != 1:
        return False
    if default > 0:
        return 0 < value <= _SHARES.get(one.name, value)
    return value >= 0 if default == 0 else value < 0


def _witness(left: Sketch, right: Sketch, random: Random) -> Point | None:
    """Search for a point of the domain on which two sketches part; ties among inputs and constants are tried often."""
    constants = [
        Fraction(part.text)
        for _, node in (*left.steps, *right.steps)
        for part in _parts(node)
        if isinstance(part, SketchNumber)
    ]
    for attempt in range(ATTEMPTS):
        point = left.defaults if attempt == 0 else {one.name: _draw_value(one, random, attempt) for one in left.inputs}
        if attempt % 3 == 0 and attempt:
            pool = [*constants, *point.values()]
            for one in left.inputs:
                value = random.choice(pool)
                if random.random() < 0.5 and _allowed(one, value):
                    point[one.name] = value
        if left.value(point) != right.value(point):
            return point
    return None


def _draw_value(one: SketchInput, random: Random, attempt: int) -> Fraction:
    size = (3, 12, 100, 1000)[attempt % 4]
    while True:
        value = Fraction(random.randint(-size, size) if Fraction(one.default) <= 0 else random.randint(1, size))
        if one.type == "float":
            value /= random.choice((1, 2, 4, 10))
        if one.name == "fraction_sold":
            value /= size
        if _allowed(one, value):
            return value


def _disguised(left: Sketch, right: Sketch, random: Random) -> tuple[Sketch, Sketch]:
    """Choose defaults on which both sides give the same number, if some turn up."""
    for _ in range(ATTEMPTS):
        inputs = tuple(replace(one, default=_small_default(one, random)) for one in left.inputs)
        disguised = replace(left, inputs=inputs)
        found = disguised.value(disguised.defaults)
        if found is not None and found == right.value(disguised.defaults):
            return disguised, replace(right, inputs=inputs)
    return left, right


def _small_default(one: SketchInput, random: Random) -> str:
    if one.name in _SHARES or random.random() < 0.3:
        return one.default
    return random.choice(("1", "2", "3", "4", "5", "12") if one.type == "int" else ("1.0", "2.0", "0.5", "1.5"))


# Planting rewrites.


def _rewritten(sketch: Sketch, random: Random, rewrite: Callable[[Node], Node | None]) -> Sketch | None:
    """Apply a rewrite at one random place it fits."""
    fitting = [
        (index, place, new)
        for index, (_, node) in enumerate(sketch.steps)
        for place in _places(node)
        if (new := rewrite(_at(node, place))) is not None
    ]
    if not fitting:
        return None
    index, place, new = random.choice(fitting)
    return _with_step(sketch, index, _put(sketch.steps[index][1], place, new))


def _commuted(node: Node) -> Node | None:
    match node:
        case SketchOperation("+" | "*" | "min" | "max" as operator, (left, right)):
            return SketchOperation(operator, (right, left))
        case SketchConditional("<" | "<=" | ">" | ">=" as comparison, left, right, then, otherwise):
            return SketchConditional(comparison.translate(str.maketrans("<>", "><")), right, left, then, otherwise)
    return None


def _distributed(node: Node) -> Node | None:
    match node:
        case SketchOperation("*", (SketchOperation("+" | "-" as operator, (first, second)), factor)):
            return SketchOperation(
                operator, (SketchOperation("*", (first, factor)), SketchOperation("*", (second, factor)))
            )
        case SketchOperation("/", (SketchOperation("+" | "-" as operator, (first, second)), divisor)):
            return SketchOperation(
                operator, (SketchOperation("/", (first, divisor)), SketchOperation("/", (second, divisor)))
            )
    return None


def _reassociated(node: Node) -> Node | None:
    match node:
        case SketchOperation("+" | "*" as operator, (SketchOperation(inner, (first, second)), third)) if (
            inner == operator
        ):
            return SketchOperation(operator, (first, SketchOperation(operator, (second, third))))
        case SketchOperation("-", (SketchOperation("-", (first, second)), third)):
            return SketchOperation("-", (first, SketchOperation("+", (second, third))))
        case SketchOperation("/", (SketchOperation("*", (first, second)), third)):
            return SketchOperation("*", (first, SketchOperation("/", (second, third))))
    return None


def _as_factor(node: Node) -> Node | None:
    match node:
        case SketchOperation("/", (value, SketchNumber(text) as divisor)) if (
            _is_nonzero(divisor) and Fraction(text).denominator == 1
        ):
            return SketchOperation("*", (value, SketchOperation("Fraction", (SketchNumber("1"), SketchNumber(text)))))
    return None


def _as_sum(node: Node) -> Node | None:
    match node:
        case SketchOperation("-", (left, right)):
            return SketchOperation("+", (left, SketchOperation("*", (SketchNumber("-1"), right))))
    return None


def _as_choice(node: Node) -> Node | None:
    match node:
        case SketchOperation("min", (left, right)):
            return SketchConditional("<", left, right, left, right)
        case SketchOperation("max", (left, right)):
            return SketchConditional(">=", left, right, left, right)
        case SketchOperation("abs", (value,)):
            return SketchConditional(
                "<", value, SketchNumber("0"), SketchOperation("*", (SketchNumber("-1"), value)), value
            )
    return None


def _as_quotient(node: Node) -> Node | None:
    match node:
        case SketchOperation("//", operands):
            return SketchOperation("math.floor", (SketchOperation("/", operands),))
        case SketchOperation("%", (left, right)):
            return SketchOperation("-", (left, SketchOperation("*", (right, SketchOperation("//", (left, right))))))
        case SketchOperation("math.ceil", (SketchOperation("/", (left, right)),)):
            return SketchOperation(
                "*",
                (SketchNumber("-1"), SketchOperation("//", (SketchOperation("*", (SketchNumber("-1"), left)), right))),
            )
    return None


def _is_nonzero(node: Node) -> bool:
    return isinstance(node, SketchNumber) and Fraction(node.text) != 0


def _total(node: Node) -> bool:
    """Tell whether a tree divides by nothing but numbers other than zero, so that it may be computed anywhere."""
    return not any(
        isinstance(part, SketchOperation) and part.operator in {"/", "//", "%"} and not _is_nonzero(part.operands[1])
        for part in _parts(node)
    )


def _inlined(sketch: Sketch, random: Random) -> Sketch | None:
    """Write a step out where it is used."""
    indices = [index for index, (_, node) in enumerate(sketch.steps[:-1]) if _total(node)]
    if not indices:
        return None
    index = random.choice(indices)
    name, node = sketch.steps[index]
    later = [(other, _replaced(tree, name, node)) for other, tree in sketch.steps[index + 1 :]]
    if sum(1 for _, tree in later for _ in _parts(tree)) > 150:
        return None
    return replace(sketch, steps=(*sketch.steps[:index], *later))


def _replaced(node: Node, name: str, new: Node) -> Node:
    if node == SketchVariable(name):
        return new
    return _with_children(node, [_replaced(child, name, new) for child in _children(node)])


def _extracted(sketch: Sketch, random: Random) -> Sketch | None:
    """Give a part of a step a name of its own."""
    if any(name == "part" for name, _ in sketch.steps):
        return None
    fitting = [
        (index, place)
        for index, (_, node) in enumerate(sketch.steps)
        for place in _places(node)
        if place and isinstance(_at(node, place), SketchOperation) and _total(_at(node, place))
    ]
    if not fitting:
        return None
    index, place = random.choice(fitting)
    name, node = sketch.steps[index]
    return replace(
        sketch,
        steps=(
            *sketch.steps[:index],
            ("part", _at(node, place)),
            (name, _put(node, place, SketchVariable("part"))),
            *sketch.steps[index + 1 :],
        ),
    )


def _reordered(sketch: Sketch, random: Random) -> Sketch | None:
    """Swap two neighbouring steps of which the second does not read the first."""
    fitting = [
        index
        for index, ((name, _), (_, later)) in enumerate(itertools.pairwise(sketch.steps[:-1]))
        if all(part != SketchVariable(name) for part in _parts(later))
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


def _renamed(sketch: Sketch, names: Mapping[str, str]) -> Sketch:
    """Give the inputs and the steps other names."""
    every = {**names, **{name: f"x{number}" for number, (name, _) in enumerate(sketch.steps)}}

    def rename(node: Node) -> Node:
        return (
            SketchVariable(every[node.name])
            if isinstance(node, SketchVariable)
            else _with_children(node, [rename(child) for child in _children(node)])
        )

    inputs = tuple(replace(one, name=names[one.name]) for one in sketch.inputs)
    return Sketch(inputs, tuple((every[name], rename(node)) for name, node in sketch.steps))


def _locally(rewrite: Callable[[Node], Node | None]) -> Callable[[Sketch, Random], Sketch | None]:
    return lambda sketch, random: _rewritten(sketch, random, rewrite)


_REWRITES: dict[str, Callable[[Sketch, Random], Sketch | None]] = {
    "commuted": _locally(_commuted),
    "distributed": _locally(_distributed),
    "reassociated": _locally(_reassociated),
    "division as factor": _locally(_as_factor),
    "difference as sum": _locally(_as_sum),
    "extreme as choice": _locally(_as_choice),
    "quotient respelled": _locally(_as_quotient),
    "inlined": _inlined,
    "extracted": _extracted,
    "reordered": _reordered,
    "inputs shuffled": _shuffled,
}
