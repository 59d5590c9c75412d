"""Sketches: small formalizations as expressions of Python, with their text in each dialect and their exact values.

The values are those of Python itself on Fractions, never of the evaluator, the normal forms or the solvers that the
planted pairs test.
"""

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import lru_cache
from random import Random
from textwrap import indent
from types import CodeType
from typing import NamedTuple

from tests.oracles.equivalence.exact_solver import compiled_solver, solver_answer

Point = dict[str, Fraction]
NAMES = (
    *("apples", "price_each", "boxes", "hours_per_day", "percent_off", "fraction_sold"),
    *("people", "miles", "days", "weight", "tickets", "rate"),
)
STEPS = ("first_total", "second_total", "cost", "remaining", "share_each", "combined", "needed", "result")
SHARES = {"percent_off": Fraction(100), "fraction_sold": Fraction(1)}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
ROUNDINGS = ("math.ceil", "math.floor", "round", "abs", "int")
DIALECTS = ("parametric", "template", "pal", "pot", "tora", "faithful-cot")
EXPRESSION = "expression"
LOOPS = {
    "for": "{name} = {first}\nfor {index} in range({count}):\n    {added}",
    "shifted": "{name} = {first}\nfor {index} in range(1, {count} + 1):\n    {name} += {moved}",
    "while": "{name} = {first}\n{index} = 0\nwhile {index} < {count}:\n    {added}\n    {index} += 1",
    "down": "{name} = {first}\n{index} = {count}\nwhile {index} > 0:\n    {index} -= 1\n    {name} = {name} + ({gain})",
}
"""The forms of a loop that adds up a sum."""
LOOP_FORMS = (*LOOPS, EXPRESSION)
DRAWN_STEPS = (
    *((17, "{first} + {second}"), (17, "{first} - {second}"), (24, "{first} * {second}"), (10, "{first} / {second}")),
    *((3, "{first} // {second}"), (3, "{first} % {second}"), (2, "{first} // {small} // {prime}")),
    *((3, "min({first}, {second})"), (3, "max({first}, {second})")),
    *((3, "{rounding}({first} / {second})"), (3, "{rounding}({first} - {second})")),
    *((2, "({first} + {second}) * {other}"), (2, "({first} - {second}) * {other}")),
    (3, "{first} + ({known} {sign} {bound}) * {second}"),
    *((1.5, f"{{first}} {sign} {{second}} if {{known}} {{sign}} {{bound}} else {{first}}") for sign in "+-*"),
    (0.5, "{first} / 0 if {known} {sign} {bound} else {first}"),  # an exception on one branch only
)
"""How a step is written, with weights; a step mostly reads the newest result, as solutions do."""
DRAWN_GAINS = (
    (45, "{same}"),
    (20, "{same} * i"),
    (15, "{same} + {small} * i"),
    (4, "sum({same} for j in range(i + 1))"),
    (8, "sum({same} for j in range({small}))"),
    (8, "sum({same} + j for j in range({small}))"),
)
"""What is added in each round of a sum, with weights."""


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
class SketchStep:
    """A named expression; a choice, or a sum over a range, is a statement unless its form is `EXPRESSION`."""

    name: str
    text: str
    form: str = EXPRESSION

    def statements(self) -> str:
        """Return the step as Python."""
        node = tree(self.text)
        total = sum_of(node)
        if self.form != EXPRESSION and isinstance(node, ast.IfExp):
            test, then, otherwise = map(ast.unparse, (node.test, node.body, node.orelse))
            return f"if {test}:\n    {self.name} = {then}\nelse:\n    {self.name} = {otherwise}"
        if self.form == EXPRESSION or total is None:
            return f"{self.name} = {self.text}"
        inner = sum_of(tree(total.gain))
        added = f"{self.name} += {total.gain}"
        if inner is not None and inner.first == "0":
            added = f"for {inner.index} in range({inner.count}):\n        {self.name} += {inner.gain}"
        moved = replaced(total.gain, {total.index: f"{total.index} - 1"})
        return LOOPS[self.form].format(name=self.name, added=added, moved=moved, **asdict(total))


class SketchHelper(NamedTuple):
    """A function that the steps call."""

    name: str
    arguments: tuple[str, ...]
    body: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """A formalization: inputs, then steps; the last step is the answer."""

    inputs: tuple[SketchInput, ...]
    steps: tuple[SketchStep, ...]
    dialect: str = "parametric"
    helpers: tuple[SketchHelper, ...] = ()

    def solver(self) -> str:
        """Return the formalization as a function `solve` of its inputs, whatever its dialect."""
        arguments = ", ".join(f"{given.name}: {given.type} = {given.default}" for given in self.inputs)
        return f"{self._helpers()}def solve({arguments}):\n{indent(self._body(), '    ')}    return {self.steps[-1].name}\n"

    def code(self) -> str:
        """Return the formalization in its dialect."""
        if self.dialect == "parametric":
            return self.solver()
        answer = self.steps[-1].name
        body = "".join(f"{given.name} = {given.literal}\n" for given in self.inputs) + self._body()
        ends = {"pot": f"ans = {answer}", "tora": f"print({answer})", "faithful-cot": f"answer = {answer}"}
        if self.dialect in ends:
            return f"{self._helpers()}{body}{ends[self.dialect]}\n"
        function = "solution" if self.dialect == "pal" else "solve"
        text = f"{self._helpers()}def {function}():\n{indent(body, '    ')}    return {answer}\n"
        if self.dialect == "pal":
            return text
        inputs = [given.name for given in self.inputs]
        step = {"line_number": "L1", "question_inputs": inputs, "output_variable": answer}
        return json.dumps({"function_code": text, "logical_steps": [step]})

    def _helpers(self) -> str:
        return "".join(
            f"def {own.name}({', '.join(own.arguments)}):\n    return {own.body}\n\n" for own in self.helpers
        )

    def _body(self) -> str:
        return "".join(f"#: L{number}\n{step.statements()}\n" for number, step in enumerate(self.steps, start=1))

    def value(self, point: Mapping[str, Fraction]) -> object:
        """Return the exact answer at a point, `None` where something is divided by zero.

        Raises:
            LongRunError: a loop there has too many rounds.
        """
        return solver_answer(_compiled(self), point)

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
        ranges = (
            node for step in self.steps for node in ast.walk(tree(step.text)) if isinstance(node, ast.comprehension)
        )
        return frozenset(name for each in ranges for name in names_in(each.iter))


@lru_cache(maxsize=8)
def _compiled(sketch: Sketch) -> CodeType:
    return compiled_solver(sketch.solver())


# Drawing.


def draw_sketch(random: Random) -> Sketch:
    """Draw a formalization in the style of a grade-school word problem."""
    names = random.sample(NAMES, random.randint(3, 7))
    inputs = tuple(_draw_input(name, random) for name in names)
    counts = [given.name for given in inputs if given.type == "int" and Fraction(given.default) >= 0]
    steps: list[SketchStep] = []
    for name in STEPS[: random.randint(3, 8)]:
        known = [*names, *(step.name for step in steps)]
        newest = steps[-1].name if steps and random.random() < 0.7 else random.choice(known)
        drawn = _draw_sum(known, counts, random) if counts and random.random() < 0.07 else None
        steps.append(SketchStep(name, *(drawn or _draw_step(known, newest, random))))
    needed, kept = {steps[-1].name}, list[SketchStep]()
    for step in reversed(steps):
        if step.name in needed:
            kept.insert(0, step)
            needed |= names_in(tree(step.text))
    return Sketch(inputs, tuple(kept))


def _draw_input(name: str, random: Random) -> SketchInput:
    if name == "fraction_sold":
        return SketchInput(name, "float", random.choice(("0.5", "0.25", "1/3", "0.1", "3/4")))
    if name == "percent_off":
        return SketchInput(name, random.choice(("int", "float")), random.choice(("20", "25", "10", "50")))
    if random.random() < 0.3:
        return SketchInput(name, "float", random.choice(("1.5", "2.5", "0.75", "12.0", "3.2", "7.25")))
    default = random.choice((0, *range(1, 13), 20, 48, 100)) if random.random() < 0.95 else -random.randint(1, 5)
    return SketchInput(name, "int", str(default))


def _draw_step(known: Sequence[str], newest: str, random: Random) -> tuple[str, str]:
    bound = random.choice(("6", "37", "365", "1000", "4321")) if random.random() < 0.5 else _draw_operand(known, random)
    text = _drawn(DRAWN_STEPS, random).format(
        first=newest,
        second=_draw_operand(known, random),
        other=_draw_operand(known, random),
        known=random.choice(known),
        sign=random.choice(COMPARISONS),
        bound=bound,
        rounding=random.choice(ROUNDINGS),
        small=random.choice(("2", "3", "12")),
        prime=random.choice("257"),
    )
    return normal(text), EXPRESSION if random.random() < 0.4 else "for"


def _draw_sum(known: Sequence[str], counts: Sequence[str], random: Random) -> tuple[str, str]:
    """Draw a sum over a range: its gain is the same each round, grows with the index, or is a sum itself."""
    count = random.choice(counts)
    count = random.choice((*[count] * 13, *[f"{count} {sign} {random.choice('123')}" for sign in "+-"] * 2, *"345"))
    first = "0" if random.random() < 0.6 else _draw_operand(known, random)
    gain = _drawn(DRAWN_GAINS, random).format(same=_draw_operand(known, random), small=random.choice("235"))
    text = f"sum({gain} for i in range({count}))"
    return normal(text if first == "0" else f"{first} + {text}"), random.choice(LOOP_FORMS)


def _drawn(weighted: Sequence[tuple[float, str]], random: Random) -> str:
    return random.choices([text for _, text in weighted], [weight for weight, _ in weighted])[0]


def _draw_operand(known: Sequence[str], random: Random) -> str:
    numbers = ("2", "3", "4", "7", "10", "12", "60", "100", "0.5", "1.5")
    return random.choice(known) if random.random() < 0.65 else random.choice(numbers)


# Expressions.


def tree(text: str) -> ast.expr:
    """Return the tree of an expression."""
    return ast.parse(text, mode="eval").body


def normal(text: str) -> str:
    """Return an expression as Python writes it."""
    return ast.unparse(tree(text))


@dataclass(frozen=True, slots=True)
class SketchSum:
    """`first` plus the gains for the values 0, 1, … of the index below `count`."""

    first: str
    index: str
    count: str
    gain: str


def sum_of(node: ast.expr) -> SketchSum | None:
    """Return an expression as a sum over a range, `None` where it is none."""
    match node:
        case ast.BinOp(first, ast.Add(), ast.Call() as call):
            total = sum_of(call)
            return None if total is None else replace(total, first=f"({ast.unparse(first)})")
        case ast.Call(
            ast.Name("sum"), [ast.GeneratorExp(gain, [ast.comprehension(ast.Name(index), ast.Call(_, [count]))])]
        ):
            return SketchSum("0", index, ast.unparse(count), ast.unparse(gain))
    return None


def names_in(node: ast.AST) -> set[str]:
    """Return the names of an expression that are read, those of functions left out."""
    called = {id(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and id(each) not in called and each.id != "math"
    }


class _Replacement(ast.NodeTransformer):
    def __init__(self, meant: Mapping[str, ast.expr]) -> None:
        self.meant = meant

    def visit_Name(self, node: ast.Name) -> ast.expr:  # named as ast calls it
        return self.meant.get(node.id, node)


def replaced(text: str, meant: Mapping[str, str | ast.expr]) -> str:
    """Return an expression with others in the place of names, in counts, too."""
    nodes = {name: tree(other) if isinstance(other, str) else other for name, other in meant.items()}
    return ast.unparse(_Replacement(nodes).visit(tree(text)))


class _Visit(ast.NodeTransformer):
    """Visits the parts that may be changed by themselves: a count must stay a whole number, a test a comparison."""

    def __init__(self, change: Callable[[ast.expr], ast.expr | None]) -> None:
        self.change = change

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr) and not isinstance(node, ast.GeneratorExp | ast.List):
            changed = self.change(node)
            if changed is not None:
                return changed
        match node:
            case ast.Call(_, arguments):
                node.args = list(map(self.visit, arguments))  # type: ignore[arg-type]  # expressions give expressions
                return node
            case ast.IfExp(ast.Compare() as test):
                self.generic_visit(test)
                node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)  # type: ignore[assignment]  # as above
                return node
            case ast.UnaryOp() | ast.comprehension():
                return node
        return self.generic_visit(node)


def parts_of(text: str) -> list[ast.expr]:
    """Return the parts of an expression that may be changed by themselves, itself first."""
    found: list[ast.expr] = []
    _Visit(found.append).visit(tree(text))
    return found


def put(text: str, place: int, new: ast.expr | str) -> str:
    """Return an expression with another one in the place of one of its parts, by number."""
    numbers = iter(range(len(text)))
    other = tree(new) if isinstance(new, str) else new
    return ast.unparse(_Visit(lambda _: other if next(numbers) == place else None).visit(tree(text)))


def places_of(sketch: Sketch) -> Iterator[tuple[int, int, ast.expr]]:
    """Yield each part of each step, with the number of the step and its own."""
    for index, step in enumerate(sketch.steps):
        for place, part in enumerate(parts_of(step.text)):
            yield index, place, part


def with_step(sketch: Sketch, index: int, text: str) -> Sketch:
    """Return a sketch with another expression for a step."""
    changed = replace(sketch.steps[index], text=normal(text))
    return replace(sketch, steps=(*sketch.steps[:index], changed, *sketch.steps[index + 1 :]))
