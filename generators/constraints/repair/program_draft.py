"""The program under repair as the rules read it: its text, its tree and its faults, and the changes that rules propose."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from harness.smtlib.faults import ScriptFault, ScriptFaultKind
from harness.smtlib.s_expressions import Atom, Node, NodeGroup
from harness.smtlib.script import Script, read_script
from harness.smtlib.sort_checker import SortChecker, SymbolScope

SKIPPED = re.compile(r';[^\n]*|"(?:[^"\n]|"")*"|\|[^|\\\n]+\|')
"""Comments, strings and quoted names, in which nothing is changed."""
NodeType = TypeVar("NodeType", Atom, NodeGroup)


@dataclass(frozen=True, slots=True)
class RepairChange:
    """A part of the text, from offset `start` to `end`, and its replacement; `note` as in `RepairEdit`."""

    start: int
    end: int
    after: str
    note: str = ""


def replacement(node: Node, after: str, note: str = "") -> RepairChange:
    """Return the change that puts a text in the place of a node; with a note it is not certain."""
    return RepairChange(node.at.offset, node.end, after, note)


def insertion(offset: int, text: str, note: str = "") -> RepairChange:
    """Return the change that puts a text in at an offset; with a note it is not certain."""
    return RepairChange(offset, offset, text, note)


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

    def faults(self, *kinds: ScriptFaultKind) -> list[ScriptFault]:
        """Return the faults of the given kinds, in order."""
        return [fault for fault in self.script.faults if fault.kind in kinds]

    def faulty(self, shape: type[NodeType], *kinds: ScriptFaultKind) -> Iterator[tuple[ScriptFault, NodeType]]:
        """Yield the faults of the given kinds at which an atom or a group begins, with that node, in order."""
        for fault in self.faults(*kinds):
            node = self.node(fault.at.offset)
            if isinstance(node, shape):
                yield fault, node

    def commands(self, *heads: str) -> list[NodeGroup]:
        """Return the commands of some names, in order."""
        return [command for command in self.script.commands if command.head in heads]

    def source(self, node: Node) -> str:
        """Return a node as it is written."""
        return self.text[node.at.offset : node.end]

    def end_of_line(self, offset: int) -> int:
        """Return the offset of the line break after an offset, or of the end of the text."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end

    def place_after(self, node: Node) -> int:
        """Return the offset of the line after a node and its comment, or right after the node where something else follows."""
        end = self.end_of_line(node.end)
        rest = self.text[node.end : end].strip()
        return node.end if rest and not rest.startswith(";") else min(end + 1, len(self.text))

    def without(self, node: Node) -> RepairChange:
        """Return the change that leaves out a node, with the line break right after it."""
        return RepairChange(node.at.offset, node.end + self.text.startswith("\n", node.end), "")

    @cached_property
    def _nodes_by_offset(self) -> dict[int, tuple[Node, tuple[NodeGroup, ...]]]:
        """Return each node by the offset that it begins at, with the groups around it."""
        waiting: list[tuple[Node, tuple[NodeGroup, ...]]] = [(node, ()) for node in self.script.nodes]
        places = {}
        while waiting:
            node, path = waiting.pop()
            places[node.at.offset] = node, path
            if isinstance(node, NodeGroup):
                waiting.extend((item, (*path, node)) for item in node.items)
        return places

    def node(self, offset: int) -> Node | None:
        """Return the node that begins at an offset."""
        return self._nodes_by_offset[offset][0] if offset in self._nodes_by_offset else None

    def path(self, offset: int) -> tuple[NodeGroup, ...]:
        """Return the groups around the node that begins at an offset, the command first."""
        return self._nodes_by_offset[offset][1] if offset in self._nodes_by_offset else ()

    def sorts_of(self, nodes: Sequence[Node]) -> list[str | None]:
        """Return the sorts of terms where they stand, bound variables included; `None` where something is wrong inside."""
        checker = SortChecker(replace(self.script.scope, bound={}))
        for group in self.path(nodes[0].at.offset) if nodes else ():
            bind(checker, group)
        return [checker.term(node) for node in nodes]

    @cached_property
    def occurrences(self) -> dict[str, list[Atom]]:
        """Return the places of each name, in order."""
        found: dict[str, list[Atom]] = {}
        for _, (node, _) in sorted(self._nodes_by_offset.items()):
            if isinstance(node, Atom):
                found.setdefault(node.name, []).append(node)
        return found


def bind(checker: SortChecker, group: NodeGroup) -> None:
    """Give the variables that a group binds their sorts."""
    place = {"let": 1, "forall": 1, "exists": 1, "define-fun": 2}.get(group.head, 0)
    bindings = group.items[place] if 0 < place < len(group.items) else None
    bound: dict[str, list[str | None]] = {}
    for binding in bindings.items if isinstance(bindings, NodeGroup) else ():
        match binding:
            case NodeGroup(items=(Atom() as name, given)):
                bound[name.name] = [checker.term(given) if group.head == "let" else checker.sort(given)]
    checker.scope.bound.update(bound)


def command_faults(command: NodeGroup, scope: SymbolScope) -> list[ScriptFault]:
    """Return the faults of the terms of a command."""
    checker = SortChecker(replace(scope, bound={}))
    bind(checker, command)
    match command.head, command.items:
        case "assert", (_, formula):
            checker.boolean(formula)
        case "define-fun" | "define-const", (*_, sort, body):
            checker.expect(body, checker.term(body), checker.sort(sort) or "")
        case "get-value", (_, NodeGroup(items=terms)):
            for term in terms:
                checker.term(term)
    return checker.faults


@dataclass(frozen=True, slots=True)
class RepairRule:
    """A rule of repair: it is asked where the reader finds one of its faults, and yields changes, or raises `AmbiguousError`."""

    name: str
    faults: tuple[ScriptFaultKind, ...]
    propose: Callable[[ProgramDraft], Iterable[RepairChange]]


def repair_rule(*faults: ScriptFaultKind) -> Callable[[Callable[[ProgramDraft], Iterable[RepairChange]]], RepairRule]:
    """Make a rule of the decorated function, under its name, that is asked at some faults of the reader."""
    return lambda propose: RepairRule(propose.__name__, faults, propose)
