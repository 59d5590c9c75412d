"""The registry of edit kinds, the program under repair that they read, and the changes that they propose."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from harness.registry import Registry
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, Position
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from harness.smtlib.faults import ScriptFault, ScriptFaultKind
    from harness.smtlib.script import Script


@dataclass(frozen=True, slots=True)
class RepairChange:
    """A part of the text, from offset `start` to `end`, and what should stand there instead; the rest as in `RepairEdit`."""

    start: int
    end: int
    after: str
    certain: bool = True
    note: str = ""


class AmbiguousError(Exception):
    """What is wrong could be put right in several ways that mean different things; the message says which."""


class ProgramDraft:
    """A program under repair: its text, and what the reader makes of it."""

    def __init__(self, text: str, *, names: frozenset[str] = frozenset()) -> None:
        """Read a text; `names` are those that may not be taken for new names."""
        self.text = text
        self.names = names

    @cached_property
    def script(self) -> Script:
        """Return the script."""
        return read_script(self.text)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Return all nodes at the top level, stray atoms among the commands."""
        return self.script.nodes

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(place + 1 for place, character in enumerate(self.text) if character == "\n")]

    def position(self, offset: int) -> Position:
        """Return the position of an offset."""
        line = bisect_right(self._starts, offset)
        return Position(offset, line, offset - self._starts[line - 1] + 1)

    def faults(self, *kinds: ScriptFaultKind) -> list[ScriptFault]:
        """Return the faults of the given kinds, in order."""
        return [fault for fault in self.script.faults if fault.kind in kinds]

    def source(self, node: Node) -> str:
        """Return a node as it is written."""
        return self.text[node.at.offset : node.end]

    @cached_property
    def _paths(self) -> dict[int, tuple[NodeGroup, ...]]:
        found: dict[int, tuple[NodeGroup, ...]] = {}
        waiting: list[tuple[Node, tuple[NodeGroup, ...]]] = [(node, ()) for node in self.nodes]
        while waiting:
            node, path = waiting.pop()
            found[node.at.offset] = path
            if isinstance(node, NodeGroup):
                waiting.extend((item, (*path, node)) for item in node.items)
        return found

    @cached_property
    def _by_offset(self) -> dict[int, Node]:
        found: dict[int, Node] = {}
        waiting = list(self.nodes)
        while waiting:
            node = waiting.pop()
            found[node.at.offset] = node
            if isinstance(node, NodeGroup):
                waiting.extend(node.items)
        return found

    def node(self, offset: int) -> Node | None:
        """Return the node that begins at an offset."""
        return self._by_offset.get(offset)

    def path(self, offset: int) -> tuple[NodeGroup, ...]:
        """Return the groups around the node that begins at an offset, the command first."""
        return self._paths.get(offset, ())

    def atoms(self) -> Iterator[Atom]:
        """Yield every atom, in no particular order."""
        return (node for node in self._by_offset.values() if isinstance(node, Atom))

    @cached_property
    def used(self) -> frozenset[str]:
        """Return all names that stand anywhere."""
        return frozenset(atom.name for atom in self.atoms()) | self.names


@dataclass(frozen=True, slots=True)
class RepairExample:
    """A broken program, or what an edit kind should leave alone, and what it makes of it; `certain` as in `RepairEdit`."""

    before: str
    after: str
    certain: bool = True


@dataclass(frozen=True, slots=True)
class EditKind:
    """A registered kind of edit; of those that have something to propose the one with the lowest `order` goes first.

    `propose` yields changes that do not overlap, or raises `AmbiguousError`. It is asked again until it proposes nothing.
    """

    name: str
    order: int
    propose: Callable[[ProgramDraft], Iterable[RepairChange]]
    examples: tuple[RepairExample, ...]


EDITS: Registry[EditKind] = Registry("generators.constraints.repair.edits")


def edit_kind(
    name: str, *, order: int, examples: tuple[RepairExample, ...]
) -> Callable[[Callable[[ProgramDraft], Iterable[RepairChange]]], EditKind]:
    """Register a function from a draft to changes as a kind of edit."""

    def register(propose: Callable[[ProgramDraft], Iterable[RepairChange]]) -> EditKind:
        return EDITS.add(EditKind(name, order, propose, examples))

    return register


def by_order() -> list[EditKind]:
    """Return the registered kinds in the order they are asked in."""
    return sorted(EDITS, key=lambda kind: (kind.order, kind.name))


@dataclass(slots=True)
class OffsetHistory:
    """Where offsets of the text as it is now stood in the text as it was given."""

    splices: list[tuple[int, int, int]] = field(default_factory=list)

    def splice(self, start: int, end: int, length: int) -> None:
        """Note that what stood from `start` to `end` has been replaced by `length` characters."""
        self.splices.append((start, end, length))

    def original(self, offset: int) -> int:
        """Return where an offset came from; inside what was put in, where that was put."""
        for start, end, length in reversed(self.splices):
            if offset >= start + length:
                offset += end - start - length
            elif offset > start:
                offset = start
        return offset
