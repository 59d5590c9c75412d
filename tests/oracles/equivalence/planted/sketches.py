"""Sketches: small formalizations as trees, with their Python text in each dialect and their exact values.

The values are computed by the arithmetic of this module, never by the evaluator, the normal forms or the solvers that
the planted pairs test. The module has more than 400 lines because all of that arithmetic is its own.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

Point = dict[str, Fraction]
NAMES = (
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
STEPS = ("first_total", "second_total", "cost", "remaining", "share_each", "combined", "needed", "result")
SHARES = {"percent_off": Fraction(100), "fraction_sold": Fraction(1)}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
ARITHMETIC = ("+", "-", "*", "/", "//", "%")
INDICES = ("i", "j")
LOOP_FORMS = (*("for", "shifted", "while", "down", "sum") * 3, "list")
DIALECTS = ("parametric", "template", "pal", "pot", "tora", "faithful-cot")
LONGEST_SUM = 30_000


@dataclass(frozen=True, slots=True)
class SketchNumber:
    """A literal, as written."""

    text: str


@dataclass(frozen=True, slots=True)
class SketchVariable:
    """A parameter, an earlier step, the index of a sum or the argument of a helper."""

    name: str


@dataclass(frozen=True, slots=True)
class SketchOperation:
    """An infix operator on two operands, or a call of a function such as `min`, `math.ceil`, `sum` (of a list) or `Fraction`."""

    operator: str
    operands: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class SketchConditional:
    """`then if left comparison right else otherwise`; as a whole step it is an if statement unless `inline`."""

    comparison: str
    left: Node
    right: Node
    then: Node
    otherwise: Node
    inline: bool = False


@dataclass(frozen=True, slots=True)
class SketchTruth:
    """A comparison that is used as the number 0 or 1."""

    comparison: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class SketchSum:
    """`first` plus the gains for the indices 0, 1, … below `count`; as a whole step it is a loop of the given form."""

    index: str
    count: Node
    gain: Node
    first: Node
    form: str = "for"


@dataclass(frozen=True, slots=True)
class SketchHelper:
    """A call of a function that is defined before: `body` with the operands for its arguments."""

    name: str
    arguments: tuple[str, ...]
    body: Node
    operands: tuple[Node, ...]


Node = SketchNumber | SketchVariable | SketchOperation | SketchConditional | SketchTruth | SketchSum | SketchHelper


@dataclass(frozen=True, slots=True)
class SketchInput:
    """A parameter: its name, declared type and the literal of its default."""

    name: str
    type: str
    default: str

    @property
    def literal(self) -> str:
        """Return a literal that has the declared type by itself."""
        whole = self.type == "float" and self.default.lstrip("-").isdecimal()
        return f"{self.default}.0" if whole else self.default


@dataclass(frozen=True, slots=True)
class Sketch:
    """A formalization as a tree: inputs, then steps by name; the last step is the answer."""

    inputs: tuple[SketchInput, ...]
    steps: tuple[tuple[str, Node], ...]
    dialect: str = "parametric"

    def solver(self) -> str:
        """Return the formalization as a function `solve` of its inputs, whatever its dialect."""
        arguments = [f"    {given.name}: {given.type} = {given.default}," for given in self.inputs]
        lines = [*self._helpers(), "def solve(", *arguments, "):", *_indented(self._body(), 1)]
        return "\n".join([*lines, f"    return {self.steps[-1][0]}"]) + "\n"

    def code(self) -> str:
        """Return the formalization in its dialect."""
        if self.dialect == "parametric":
            return self.solver()
        given, answer = [f"{entry.name} = {entry.literal}" for entry in self.inputs], self.steps[-1][0]
        body = [*given, *self._body()]
        ends = {"pot": f"ans = {answer}", "tora": f"print({answer})", "faithful-cot": f"answer = {answer}"}
        if self.dialect in ends:
            return "\n".join([*self._helpers(), *body, ends[self.dialect]]) + "\n"
        function = "def solution():" if self.dialect == "pal" else "def solve():"
        lines = [*self._helpers(), function, *_indented(body, 1), f"    return {answer}"]
        text = "\n".join(lines) + "\n"
        if self.dialect == "pal":
            return text
        step = {
            "line_number": "L1",
            "question_inputs": [entry.name for entry in self.inputs],
            "output_variable": answer,
        }
        return json.dumps({"function_code": text, "logical_steps": [step]})

    def _helpers(self) -> list[str]:
        helpers = {
            part.name: part for _, node in self.steps for part in parts_of(node) if isinstance(part, SketchHelper)
        }
        # One that another calls stands before it.
        ordered = sorted(helpers.values(), key=lambda helper: int(helper.name.rpartition("_")[2]))
        return [
            line
            for helper in ordered
            for line in (f"def {helper.name}({', '.join(helper.arguments)}):", f"    return {shown(helper.body)}", "")
        ]

    def _body(self) -> list[str]:
        lines = []
        for number, (name, node) in enumerate(self.steps, start=1):
            lines.append(f"#: L{number}")
            lines += _step_lines(name, node)
        return lines

    def value(self, point: Mapping[str, Fraction]) -> Fraction | None:
        """Return the exact answer at a point, `None` where something is divided by zero.

        Raises:
            OverflowError: a sum there has more than 30,000 rounds.
        """
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
        return {given.name: Fraction(given.default) for given in self.inputs}

    @property
    def whole_positive(self) -> frozenset[str]:
        """Return the inputs that are integers above zero on the whole domain."""
        return frozenset(given.name for given in self.inputs if given.type == "int" and Fraction(given.default) > 0)

    @property
    def counted(self) -> frozenset[str]:
        """Return the names that some sum's count reads."""
        sums = (part for _, node in self.steps for part in parts_of(node) if isinstance(part, SketchSum))
        return frozenset(
            part.name for total in sums for part in parts_of(total.count) if isinstance(part, SketchVariable)
        )


# Writing.


def _indented(lines: Sequence[str], depth: int) -> list[str]:
    return ["    " * depth + line for line in lines]


def _step_lines(name: str, node: Node) -> list[str]:
    match node:
        case SketchConditional(comparison, left, right, then, otherwise, False):
            return [
                f"if {shown(left)} {comparison} {shown(right)}:",
                f"    {name} = {shown(then)}",
                "else:",
                f"    {name} = {shown(otherwise)}",
            ]
        case SketchSum() if node.form != "sum":
            return _loop_lines(name, node)
    return [f"{name} = {shown(node)}"]


def _loop_lines(name: str, node: SketchSum) -> list[str]:
    index, count, gain, first = node.index, shown(node.count), node.gain, shown(node.first)
    if node.form == "list":
        items = f"{name}_items"
        loop = [f"for {index} in range({count}):", f"    {items}.append({shown(gain)})"]
        return [f"{items} = []", *loop, f"{name} = {first} + sum({items})"]
    match gain:
        case SketchSum(inner, inner_count, inner_gain, SketchNumber("0")) if node.form in {"for", "while"}:
            added = [f"for {inner} in range({shown(inner_count)}):", f"    {name} += {shown(inner_gain)}"]
        case _:
            added = [f"{name} = {name} + {shown(gain)}" if node.form == "down" else f"{name} += {shown(gain)}"]
    if node.form == "shifted":
        moved = replaced(gain, index, SketchOperation("-", (SketchVariable(index), SketchNumber("1"))))
        return [f"{name} = {first}", f"for {index} in range(1, {count} + 1):", f"    {name} += {shown(moved)}"]
    if node.form == "while":
        loop = [f"{index} = 0", f"while {index} < {count}:", *_indented([*added, f"{index} += 1"], 1)]
        return [f"{name} = {first}", *loop]
    if node.form == "down":
        loop = [f"{index} = {count}", f"while {index} > 0:", *_indented([f"{index} -= 1", *added], 1)]
        return [f"{name} = {first}", *loop]
    return [f"{name} = {first}", f"for {index} in range({count}):", *_indented(added, 1)]


def shown(node: Node) -> str:
    """Return an expression as Python text."""
    match node:
        case SketchNumber(text):
            # The sign binds less than a power.
            return f"({text})" if text.startswith("-") else text
        case SketchVariable(name):
            return name
        case SketchOperation("sum", operands):
            return f"sum([{', '.join(map(shown, operands))}])"
        case SketchOperation(operator, (left, right)) if operator in {*ARITHMETIC, "**"}:
            return f"({shown(left)} {operator} {shown(right)})"
        case SketchOperation(operator, operands):
            return f"{operator}({', '.join(map(shown, operands))})"
        case SketchConditional(comparison, left, right, then, otherwise):
            return f"({shown(then)} if {shown(left)} {comparison} {shown(right)} else {shown(otherwise)})"
        case SketchTruth(comparison, left, right):
            return f"({shown(left)} {comparison} {shown(right)})"
        case SketchSum(index, count, gain, first):
            items = f"sum({shown(gain)} for {index} in range({shown(count)}))"
            return items if first == SketchNumber("0") else f"({shown(first)} + {items})"
        case SketchHelper(name, _, _, operands):
            return f"{name}({', '.join(map(shown, operands))})"


# Computing.


def _value(node: Node, scope: Mapping[str, Fraction]) -> Fraction:
    match node:
        case SketchNumber(text):
            return Fraction(text)
        case SketchVariable(name):
            return scope[name]
        case SketchOperation(operator, operands):
            return Fraction(_APPLY[operator](*(_value(operand, scope) for operand in operands)))
        case SketchConditional(comparison, left, right, then, otherwise):
            return _value(then if COMPARE[comparison](_value(left, scope), _value(right, scope)) else otherwise, scope)
        case SketchTruth(comparison, left, right):
            return Fraction(COMPARE[comparison](_value(left, scope), _value(right, scope)))
        case SketchSum(index, count, gain, first):
            total, rounds = _value(first, scope), _value(count, scope)
            assert rounds.denominator == 1, "a sum has a whole number of rounds"
            if rounds > LONGEST_SUM:
                raise OverflowError
            if SketchVariable(index) not in parts_of(gain):
                return total + _value(gain, scope) * int(rounds) if rounds > 0 else total
            return sum((_value(gain, {**scope, index: Fraction(number)}) for number in range(int(rounds))), total)
        case SketchHelper(_, arguments, body, operands):
            return _value(body, dict(zip(arguments, (_value(operand, scope) for operand in operands), strict=True)))


COMPARE: dict[str, Callable[[Fraction, Fraction], bool]] = {
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
    "**": lambda left, right: left ** int(right),
    "min": min,
    "max": max,
    "sum": lambda *items: sum(items, Fraction(0)),
    "math.ceil": math.ceil,
    "math.floor": math.floor,
    "int": math.trunc,
    "round": round,
    "abs": abs,
    "Fraction": lambda top, bottom: top / bottom,
}


# Drawing.


def draw_sketch(random: Random) -> Sketch:
    """Draw a formalization in the style of a grade-school word problem."""
    names = random.sample(NAMES, random.randint(3, 7))
    inputs = tuple(_draw_input(name, random) for name in names)
    counts = [given.name for given in inputs if given.type == "int" and Fraction(given.default) >= 0]
    steps: list[tuple[str, Node]] = []
    for step in STEPS[: random.randint(3, 8)]:
        known = [*names, *(name for name, _ in steps)]
        newest = steps[-1][0] if steps else None
        drawn = _draw_sum(known, counts, random) if counts and random.random() < 0.07 else None
        steps.append((step, drawn or _draw_step(known, random, newest=newest)))
    return _used(Sketch(inputs, tuple(steps)))


def _draw_input(name: str, random: Random) -> SketchInput:
    if name == "fraction_sold":
        return SketchInput(name, "float", random.choice(("0.5", "0.25", "1/3", "0.1", "3/4")))
    if name == "percent_off":
        return SketchInput(name, random.choice(("int", "float")), random.choice(("20", "25", "10", "50")))
    if random.random() < 0.3:
        return SketchInput(name, "float", random.choice(("1.5", "2.5", "0.75", "12.0", "3.2", "7.25")))
    default = random.choice((0, *range(1, 13), 20, 48, 100)) if random.random() < 0.95 else -random.randint(1, 5)
    return SketchInput(name, "int", str(default))


def _draw_sum(known: Sequence[str], counts: Sequence[str], random: Random) -> Node:
    """Draw a sum over a range: its gain is the same each round, grows with the index, or is a sum itself."""
    counter: Node = SketchVariable(random.choice(counts))
    if random.random() < 0.2:
        counter = SketchOperation(random.choice("+-"), (counter, SketchNumber(random.choice("123"))))
    elif random.random() < 0.15:
        counter = SketchNumber(random.choice("3456"))
    index = SketchVariable(INDICES[0])
    same = _draw_operand(known, random)
    shape = random.random()
    if shape < 0.45:
        gain: Node = same
    elif shape < 0.65:
        gain = SketchOperation("*", (same, index))
    elif shape < 0.8:
        gain = SketchOperation("+", (same, SketchOperation("*", (SketchNumber(random.choice("235")), index))))
    else:
        inner: Node = SketchNumber(random.choice("234"))
        if shape < 0.85:
            inner = SketchOperation("+", (index, SketchNumber("1")))
        inner_gain = same if random.random() < 0.6 else SketchOperation("+", (same, SketchVariable(INDICES[1])))
        gain = SketchSum(INDICES[1], inner, inner_gain, SketchNumber("0"))
    first = SketchNumber("0") if random.random() < 0.6 else _draw_operand(known, random)
    return SketchSum(INDICES[0], counter, gain, first, random.choice(LOOP_FORMS))


def _draw_step(known: Sequence[str], random: Random, *, newest: str | None) -> Node:
    """Draw one step; it mostly reads the newest result, as solutions do."""
    first: Node = (
        SketchVariable(newest) if newest is not None and random.random() < 0.7 else SketchVariable(random.choice(known))
    )
    second = _draw_operand(known, random)
    kind = random.random()
    if kind < 0.58:
        return SketchOperation(random.choice(("+", "+", "-", "-", "*", "*", "*")), (first, second))
    if kind < 0.68:
        return SketchOperation("/", (first, second))
    if kind < 0.74:
        return SketchOperation(random.choice(("//", "%")), (first, second))
    if kind < 0.76:
        whole = SketchOperation("//", (first, SketchNumber(random.choice(("2", "3", "12")))))
        return SketchOperation("//", (whole, SketchNumber(random.choice(("2", "5", "7")))))
    if kind < 0.82:
        return SketchOperation(random.choice(("min", "max")), (first, second))
    if kind < 0.88:
        return SketchOperation(
            random.choice(("math.ceil", "math.floor", "round", "abs", "int")),
            (SketchOperation(random.choice("/-"), (first, second)),),
        )
    if kind < 0.92:
        return SketchOperation(
            "*", (SketchOperation(random.choice("+-"), (first, second)), _draw_operand(known, random))
        )
    comparison, left = random.choice(COMPARISONS), SketchVariable(random.choice(known))
    bound = (
        SketchNumber(random.choice(("6", "37", "365", "1000", "4321")))
        if random.random() < 0.5
        else _draw_operand(known, random)
    )
    if kind < 0.95:
        return SketchOperation("+", (first, SketchOperation("*", (SketchTruth(comparison, left, bound), second))))
    then = SketchOperation(random.choice("+-*"), (first, second))
    if random.random() < 0.1:
        then = SketchOperation("/", (first, SketchNumber("0")))  # an exception on one branch only
    return SketchConditional(comparison, left, bound, then, first, inline=random.random() < 0.4)


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
            needed |= {part.name for part in parts_of(node) if isinstance(part, SketchVariable)}
    return replace(sketch, steps=tuple(reversed(kept)))


# Walking and replacing.


def parts_of(node: Node) -> Iterator[Node]:
    """Yield a tree and all trees in it."""
    yield node
    for child in (*children(node), *_unchanged(node)):
        yield from parts_of(child)


def _unchanged(node: Node) -> tuple[Node, ...]:
    """Return the parts that are no places for changes: a count must stay a whole number, a helper's body is shared."""
    match node:
        case SketchSum(_, count):
            return (count,)
        case SketchHelper(_, _, body):
            return (body,)
    return ()


def children(node: Node) -> tuple[Node, ...]:
    """Return the parts of a node that may be changed by themselves."""
    match node:
        case SketchOperation(_, operands) | SketchHelper(_, _, _, operands):
            return operands
        case SketchConditional(_, left, right, then, otherwise):
            return (left, right, then, otherwise)
        case SketchTruth(_, left, right):
            return (left, right)
        case SketchSum(_, _, gain, first):
            return (gain, first)
    return ()


def with_children(node: Node, new: Sequence[Node]) -> Node:
    """Return a node with other parts in the places of its `children`."""
    match node:
        case SketchOperation(operator, _):
            return SketchOperation(operator, tuple(new))
        case SketchHelper():
            return replace(node, operands=tuple(new))
        case SketchConditional():
            return replace(node, left=new[0], right=new[1], then=new[2], otherwise=new[3])
        case SketchTruth(comparison):
            return SketchTruth(comparison, new[0], new[1])
        case SketchSum():
            return replace(node, gain=new[0], first=new[1])
    return node


def places_of(node: Node) -> Iterator[tuple[int, ...]]:
    """Yield the way to each part of a tree that may be changed."""
    yield ()
    for place, child in enumerate(children(node)):
        for rest in places_of(child):
            yield (place, *rest)


def at(node: Node, place: Sequence[int]) -> Node:
    """Return the part at a place."""
    for index in place:
        node = children(node)[index]
    return node


def put(node: Node, place: Sequence[int], new: Node) -> Node:
    """Return a tree with another part at a place."""
    if not place:
        return new
    parts = list(children(node))
    parts[place[0]] = put(parts[place[0]], place[1:], new)
    return with_children(node, parts)


def replaced(node: Node, name: str, new: Node) -> Node:
    """Return a tree with another tree for each reading of a variable, counts included."""
    if node == SketchVariable(name):
        return new
    if isinstance(node, SketchSum):
        node = replace(node, count=replaced(node.count, name, new))
    return with_children(node, [replaced(child, name, new) for child in children(node)])


def with_step(sketch: Sketch, index: int, node: Node) -> Sketch:
    """Return a sketch with another tree for a step."""
    steps = list(sketch.steps)
    steps[index] = (steps[index][0], node)
    return replace(sketch, steps=tuple(steps))
