"""The registry of ways to break an SMT-LIB2 program, and the combination of several ways in one program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from generators.constraints.repair.program_draft import ProgramDraft
from harness.registry import Registry
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk
from harness.smtlib.script import Declaration, read_script

EXAMPLE = """\
(set-logic QF_LIA)
(declare-const apples Int)
(declare-const pears Int)
(declare-const ripe Bool)
(assert (and (> apples 3) (distinct apples pears)))
(assert (=> ripe (= pears (- 2))))
(check-sat)
"""
"""The program that the ways show in their examples."""


@dataclass(frozen=True, slots=True)
class BreakingExample:
    """The result of a way for a program with some seed; `None` where it does not apply."""

    before: str
    after: str | None
    seed: str = "0"


@dataclass(frozen=True, slots=True)
class BreakingWay:
    """A registered way to break a program, as models do.

    `change` gives the broken program, or `None` where there is nothing of the kind to break. It takes any program, broken already or
    not, and the same program and random numbers give the same result.
    """

    name: str
    change: Callable[[ProgramDraft, Random], str | None]
    examples: tuple[BreakingExample, ...]

    def apply(self, program: str, random: Random) -> str | None:
        """Return the broken program, or `None` where there is nothing of the kind to break."""
        return self.change(ProgramDraft(program), random)


WAYS: Registry[BreakingWay] = Registry("generators.constraints.breakage.ways")


def way(name: str, *, example: str) -> Callable[[Callable[[ProgramDraft, Random], str | None]], BreakingWay]:
    """Register a function from a program to a broken one as a way to break programs; `example` is its result for `EXAMPLE`."""

    def register(change: Callable[[ProgramDraft, Random], str | None]) -> BreakingWay:
        return WAYS.add(BreakingWay(name, change, (BreakingExample(EXAMPLE, example),)))

    return register


@dataclass(frozen=True, slots=True)
class BrokenProgram:
    """A broken program and the names of the ways it was broken in, in the order they were applied."""

    program: str
    ways: tuple[str, ...]


def break_program(program: str, count: int, seed: str) -> BrokenProgram | None:
    """Break a program in `count` different ways at once, drawn by the seed; return `None` where fewer ways apply."""
    random = Random(f"{seed}:breaking")
    names: list[str] = []
    for candidate in random.sample(list(WAYS), len(list(WAYS))):
        text = candidate.apply(program, random) if len(names) < count else None
        if text is not None and _is_further(program, text):
            program = text
            names.append(candidate.name)
    return BrokenProgram(program, tuple(names)) if len(names) == count else None


def _is_further(before: str, after: str) -> bool:
    """Tell whether a program is broken further: one way may undo another, and leave a program of another meaning."""
    return after != before and len(read_script(after).faults) >= max(1, len(read_script(before).faults))


Choice = TypeVar("Choice")


def drawn(random: Random, choices: Iterable[Choice]) -> Choice | None:
    """Return one of the choices, `None` where there are none."""
    listed = list(choices)
    return random.choice(listed) if listed else None


def assertions(draft: ProgramDraft) -> list[NodeGroup]:
    """Return the assertions of a program that have exactly one formula."""
    return [command for command in draft.script.commands if command.head == "assert" and len(command.items) == 2]


def closing_parentheses(draft: ProgramDraft) -> Iterator[int]:
    """Yield the offsets of the closing parentheses of the assertions."""
    for command in assertions(draft):
        yield from (place for place in range(command.at.offset, command.end) if draft.text[place] == ")")


def constants(draft: ProgramDraft) -> list[Declaration]:
    """Return the declarations without a definition."""
    return [declaration for declaration in draft.script.declarations if declaration.body is None]


def used_constant(draft: ProgramDraft, random: Random) -> NodeGroup | None:
    """Draw the command that declares a constant or function which an assertion uses."""
    used = {atom.name for atom in atoms(assertions(draft))}
    declaration = drawn(random, (declaration for declaration in constants(draft) if declaration.name in used))
    return None if declaration is None else draft.script.commands[declaration.command]


def groups(nodes: Sequence[Node], *heads: str) -> Iterator[NodeGroup]:
    """Yield the groups below some nodes that begin with one of the given names."""
    for node in nodes:
        yield from (part for part in walk(node) if isinstance(part, NodeGroup) and part.head in heads)


def atoms(nodes: Sequence[Node]) -> Iterator[Atom]:
    """Yield the atoms below some nodes."""
    for node in nodes:
        yield from (part for part in walk(node) if isinstance(part, Atom))


def replaced(draft: ProgramDraft, *changes: tuple[Node, str]) -> str:
    """Return the program with other text where some nodes stand."""
    text = draft.text
    for node, after in sorted(changes, key=lambda change: -change[0].at.offset):
        text = text[: node.at.offset] + after + text[node.end :]
    return text
