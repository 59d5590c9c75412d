"""Programs as inputs and steps, and edits of them that keep what they compute by construction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

Expr = str | int | tuple[str, "Expr", "Expr"]
"""A name, a constant or an operation."""
OPERATORS = ("+", "-", "*", "/")


@dataclass(frozen=True, slots=True)
class Written:
    """A program: inputs with their values, steps in order, and the name of its answer; `remarks` stand where they change nothing."""

    inputs: tuple[tuple[str, int], ...]
    steps: tuple[tuple[str, Expr], ...]
    answer: str
    literals: tuple[str, ...] = ("{}",)
    remarks: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the program in the parametric dialect."""
        header = ", ".join(f"{name}: int = {value}" for name, value in self.inputs)
        lines = [f"{name} = {self._expression(value)}" for name, value in self.steps]
        for number, remark in enumerate(self.remarks):
            lines.insert(number * 7 % (len(lines) + 1), remark)
        return "\n    ".join([f"def solve({header}):", *lines, f"return {self.answer}"]) + "\n"

    def _expression(self, node: Expr) -> str:
        if isinstance(node, tuple):
            operator, left, right = node
            return f"({self._expression(left)} {operator} {self._expression(right)})"
        return self.literals[node % len(self.literals)].format(node) if isinstance(node, int) else node


def written(rng: Random, *, inputs: int = 4, steps: int = 4) -> Written:
    """Return a random program whose steps all reach its answer, without a division by what may be zero."""
    given = tuple((f"given{number}", rng.randrange(11, 99)) for number in range(inputs))
    lines: list[tuple[str, Expr]] = []
    pending: list[Expr] = [name for name, _ in given]
    rng.shuffle(pending)
    for number in range(steps):
        left = pending.pop(0)
        right = pending.pop(0) if pending and rng.random() < 0.7 else rng.randrange(2, 10)
        operator = rng.choice(OPERATORS if isinstance(right, int) else OPERATORS[:3])
        lines.append((f"step{number}", (operator, left, right)))
        pending.insert(rng.randrange(len(pending) + 1), f"step{number}")
    while len(pending) > 1:
        name = f"step{len(lines)}"
        lines.append((name, ("+", pending.pop(0), pending.pop(0))))
        pending.append(name)
    return Written(given, tuple(lines), lines[-1][0])


def _names(node: Expr) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, tuple):
        yield from _names(node[1])
        yield from _names(node[2])


def _with(node: Expr, values: dict[str, Expr]) -> Expr:
    if isinstance(node, str):
        return values.get(node, node)
    return node if isinstance(node, int) else (node[0], _with(node[1], values), _with(node[2], values))


def renamed(program: Written, rng: Random) -> Written:
    """Give every input and step another name."""
    old = [name for name, _ in (*program.inputs, *program.steps)]
    new: dict[str, Expr] = {
        name: f"{rng.choice(['total', 'of', 'x', 'rest', 'count'])}_{number}"
        for number, name in enumerate(rng.sample(old, len(old)))
    }
    return replace(
        program,
        inputs=tuple((str(new[name]), value) for name, value in program.inputs),
        steps=tuple((str(new[name]), _with(value, new)) for name, value in program.steps),
        answer=str(new[program.answer]),
    )


def reordered(program: Written, rng: Random) -> Written:
    """Put inputs in another order, and steps in another one in which each comes after those that it reads."""
    left, order = list(program.steps), []
    while left:
        waiting = {name for name, _ in left}
        ready = [step for step in left if waiting.isdisjoint(_names(step[1]))]
        order.append(rng.choice(ready))
        left.remove(order[-1])
    return replace(program, inputs=tuple(rng.sample(program.inputs, len(program.inputs))), steps=tuple(order))


def joined(program: Written, rng: Random) -> Written:
    """Write a step where it is read, and leave it out."""
    others = [name for name, _ in program.steps if name != program.answer]
    if not others:
        return program
    name = rng.choice(others)
    value = dict(program.steps)[name]
    return replace(
        program, steps=tuple((own, _with(other, {name: value})) for own, other in program.steps if own != name)
    )


def parted(program: Written, rng: Random) -> Written:
    """Give an operand of a step, and an input, a name of its own."""
    place = rng.randrange(len(program.steps))
    name, value = program.steps[place]
    if not isinstance(value, tuple):
        return program
    part = f"part{rng.randrange(10**6)}"
    step = [(part, value[1]), (name, (value[0], part, value[2]))]
    return replace(program, steps=(*program.steps[:place], *step, *program.steps[place + 1 :]))


def padded(program: Written, rng: Random) -> Written:
    """Add steps that nothing reads, one of them a number alone."""
    names = [name for name, _ in program.inputs]
    dead: list[tuple[str, Expr]] = [
        (f"dead{rng.randrange(10**6)}", (rng.choice(OPERATORS[:3]), rng.choice(names), rng.randrange(2, 60)))
        for _ in range(rng.randrange(1, 9))
    ]
    place = rng.randrange(len(program.steps) + 1)
    dead.append((f"dead{rng.randrange(10**6)}", rng.randrange(11, 99)))
    return replace(program, steps=(*program.steps[:place], *dead, *program.steps[place:]))


def unused(program: Written, rng: Random) -> Written:
    """Add an input that nothing reads, of a value that no other has."""
    given = [*program.inputs]
    given.insert(rng.randrange(len(given) + 1), (f"idle{rng.randrange(10**6)}", rng.randrange(101, 199)))
    return replace(program, inputs=tuple(given))


def respelled(program: Written, rng: Random) -> Written:
    """Write constants of the same value otherwise."""
    spellings = ["{}", "{}.0", "({})", "0b{:b}", "{}e0", "+{}", "int({})"]
    return replace(program, literals=tuple(rng.sample(spellings, 3)))


def remarked(program: Written, rng: Random) -> Written:
    """Add comments, blank lines, and conditions that never hold."""
    remarks = ["# the sum of all", "", "# L1: 42", "if 2 < 1:\n        unread = 7", "pass"]
    return replace(program, remarks=('"""Return how many are left."""', *rng.choices(remarks, k=rng.randrange(12))))


EDITS: tuple[Callable[[Written, Random], Written], ...] = (
    renamed,
    reordered,
    joined,
    parted,
    padded,
    unused,
    respelled,
    remarked,
)


def edited(program: Written, rng: Random) -> Written:
    """Return a program after some edits, one of each kind at most but for joining and parting."""
    for edit in rng.sample((*EDITS, joined, parted), rng.randrange(1, 9)):
        program = edit(program, rng)
    return program
