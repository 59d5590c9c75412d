"""The program under repair as the rules read it: its text, its tree and its faults, and the changes that rules propose."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import TypeVar

from harness.smtlib.faults import ScriptFault, ScriptFaultKind
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, Position
from harness.smtlib.script import Script, read_script
from harness.smtlib.sort_checker import SortChecker

SKIPPED = re.compile(r';[^\n]*|"(?:[^"\n]|"")*"|\|[^|\\\n]+\|')
"""Comments, strings and quoted names, in which nothing is changed."""


@dataclass(frozen=True, slots=True)
class RepairChange:
    """A part of the text, from offset `start` to `end`, and its replacement; the other fields as in `RepairEdit`."""

    start: int
    end: int
    after: str
    certain: bool = True
    note: str = ""


def replacement(node: Node, after: str, *, certain: bool = True, note: str = "") -> RepairChange:
    """Return the change that puts a text in the place of a node."""
    return RepairChange(node.at.offset, node.end, after, certain, note)


def insertion(offset: int, text: str) -> RepairChange:
    """Return the change that puts a text in at an offset."""
    return RepairChange(offset, offset, text)


NodeType = TypeVar("NodeType", Atom, NodeGroup)


class AmbiguousError(Exception):
    """A fault can be repaired in several ways that mean different things; the message says which."""


class ProgramDraft:
    """A program under repair: its text, and the reader's parse of it."""

    def __init__(self, text: str) -> None:
        self.text = text

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

    def faulty(self, shape: type[NodeType], *kinds: ScriptFaultKind) -> Iterator[tuple[ScriptFault, NodeType]]:
        """Yield the faults of the given kinds at which an atom or a group begins, with that node, in order."""
        for fault in self.faults(*kinds):
            node = self.node(fault.at.offset)
            if isinstance(node, shape):
                yield fault, node

    def source(self, node: Node) -> str:
        """Return a node as it is written."""
        return self.text[node.at.offset : node.end]

    def end_of_line(self, offset: int) -> int:
        """Return the offset of the line break after an offset, or of the end of the text."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def line_end(self, node: Node) -> int:
        """Return the end of a node, with the line break right after it."""
        return node.end + self.text.startswith("\n", node.end)

    @cached_property
    def _places(self) -> dict[int, tuple[Node, tuple[NodeGroup, ...]]]:
        """Return each node by the offset that it begins at, with the groups around it."""
        waiting: list[tuple[Node, tuple[NodeGroup, ...]]] = [(node, ()) for node in self.nodes]
        places = {}
        while waiting:
            node, path = waiting.pop()
            places[node.at.offset] = node, path
            if isinstance(node, NodeGroup):
                waiting.extend((item, (*path, node)) for item in node.items)
        return places

    def node(self, offset: int) -> Node | None:
        """Return the node that begins at an offset."""
        return self._places[offset][0] if offset in self._places else None

    def path(self, offset: int) -> tuple[NodeGroup, ...]:
        """Return the groups around the node that begins at an offset, the command first."""
        return self._places[offset][1] if offset in self._places else ()

    def atoms(self) -> Iterator[Atom]:
        """Yield every atom, in no particular order."""
        return (node for node, _ in self._places.values() if isinstance(node, Atom))

    def sorts_of(self, nodes: Sequence[Node]) -> list[str | None]:
        """Return the sorts of terms where they stand, bound variables included; `None` where something is wrong inside."""
        checker = SortChecker(replace(self.script.scope, bound={}))
        for group in self.path(nodes[0].at.offset) if nodes else ():
            _bind(checker, group)
        return [checker.term(node) for node in nodes]

    @cached_property
    def occurrences(self) -> dict[str, list[Atom]]:
        """Return the places of each name, in order."""
        found: dict[str, list[Atom]] = {}
        for atom in sorted(self.atoms(), key=lambda atom: atom.at.offset):
            found.setdefault(atom.name, []).append(atom)
        return found

    @property
    def used(self) -> frozenset[str]:
        """Return all names that stand anywhere."""
        return frozenset(self.occurrences)


def _bind(checker: SortChecker, group: NodeGroup) -> None:
    """Give the variables that a group binds their sorts."""
    place = {"let": 1, "forall": 1, "exists": 1, "define-fun": 2}.get(group.head, 0)
    if not 0 < place < len(group.items) or not isinstance(bindings := group.items[place], NodeGroup):
        return
    pairs = [item.items for item in bindings.items if isinstance(item, NodeGroup) and len(item.items) == 2]
    sorts = [checker.term(value) if group.head == "let" else checker.sort(value) for _, value in pairs]
    for (name, _), sort in zip(pairs, sorts, strict=True):
        if isinstance(name, Atom):
            checker.scope.bound[name.name] = [sort]


@dataclass(frozen=True, slots=True)
class RepairRule:
    """A rule of repair: it is asked where the reader finds one of its faults, and yields changes, or raises `AmbiguousError`."""

    name: str
    faults: frozenset[ScriptFaultKind]
    propose: Callable[[ProgramDraft], Iterable[RepairChange]]


@dataclass(slots=True)
class OffsetHistory:
    """Where offsets of the text as it is now stood in the text as it was given."""

    replaced: list[tuple[tuple[RepairChange, ...], list[int], list[int]]] = field(default_factory=list)
    """Changes that were made at once, where each begins afterwards, and by how much those before it moved it."""

    def replace(self, changes: Iterable[RepairChange]) -> None:
        """Note changes that are made at once; they do not overlap and are in order of their place."""
        made = tuple(changes)
        moved = list(accumulate((len(change.after) - (change.end - change.start) for change in made), initial=0))
        starts = [change.start + before for change, before in zip(made, moved, strict=False)]
        self.replaced.append((made, starts, moved))

    def original(self, offset: int) -> int:
        """Return the original position of an offset; inside an inserted text, the position of the insertion."""
        for changes, starts, moved in reversed(self.replaced):
            place = bisect_right(starts, offset)
            last = changes[place - 1] if place else None
            inside = last is not None and offset < starts[place - 1] + len(last.after)
            offset = last.start if last is not None and inside else offset - moved[place]
        return offset
