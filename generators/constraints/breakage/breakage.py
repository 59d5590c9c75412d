"""The registry of ways to break an SMT-LIB2 program, and the combination of several ways in one program."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from harness.registry import Registry
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from generators.constraints.repair.edit_kind import ProgramDraft


@dataclass(frozen=True, slots=True)
class BreakingExample:
    """What a way makes of a program with some seed; `None` where it does not apply."""

    before: str
    after: str | None
    seed: str = "0"


@dataclass(frozen=True, slots=True)
class BreakingWay:
    """A registered way to break a program, as models do.

    `apply` gives the broken program, or `None` where there is nothing of the kind to break. It takes any text, broken already
    or not, and the same text and random numbers give the same result.
    """

    name: str
    apply: Callable[[str, Random], str | None]
    examples: tuple[BreakingExample, ...]


WAYS: Registry[BreakingWay] = Registry("generators.constraints.breakage.ways")


def way(
    name: str, *, examples: tuple[BreakingExample, ...]
) -> Callable[[Callable[[str, Random], str | None]], BreakingWay]:
    """Register a function from a program to a broken one as a way to break programs."""

    def register(apply: Callable[[str, Random], str | None]) -> BreakingWay:
        return WAYS.add(BreakingWay(name, apply, examples))

    return register


@dataclass(frozen=True, slots=True)
class BrokenProgram:
    """A broken program and the names of the ways it was broken in, in the order they were applied."""

    program: str
    ways: tuple[str, ...]


def break_program(program: str, count: int, seed: str) -> BrokenProgram | None:
    """Break a program in several ways at once, drawn by the seed, each another; `None` where not so many apply."""
    random = Random(f"{seed}:breaking")
    names: list[str] = []
    for one in random.sample(list(WAYS), len(list(WAYS))):
        text = one.apply(program, random) if len(names) < count else None
        if text is not None and _further(program, text):
            program = text
            names.append(one.name)
    return BrokenProgram(program, tuple(names)) if len(names) == count else None


def _further(before: str, after: str) -> bool:
    """Tell whether a program is broken further: one way may undo another, and leave a program of another meaning."""
    return after != before and len(read_script(after).faults) >= max(1, len(read_script(before).faults))


def assertions(draft: ProgramDraft) -> list[NodeGroup]:
    """Return the assertions of a program that are written as such."""
    return [command for command in draft.script.commands if command.head == "assert" and len(command.items) == 2]


def closing_parentheses(draft: ProgramDraft, program: str) -> list[int]:
    """Return where the closing parentheses of the assertions stand."""
    return [
        place
        for command in assertions(draft)
        for place in range(command.at.offset, command.end)
        if program[place] == ")"
    ]


def groups(nodes: Sequence[Node], *heads: str) -> Iterator[NodeGroup]:
    """Yield the groups below some nodes that begin with one of the given names."""
    for node in nodes:
        yield from (one for one in walk(node) if isinstance(one, NodeGroup) and one.head in heads)


def atoms(nodes: Sequence[Node]) -> Iterator[Atom]:
    """Yield the atoms below some nodes."""
    for node in nodes:
        yield from (one for one in walk(node) if isinstance(one, Atom))


def replace_node(text: str, node: Node, after: str) -> str:
    """Return a text with something else where a node stands."""
    return text[: node.at.offset] + after + text[node.end :]
