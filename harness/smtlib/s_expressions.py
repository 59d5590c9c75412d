"""The nodes of S-expressions (atoms and groups) with their positions in the text, and their writing as SMT-LIB2."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias


class AtomKind(enum.StrEnum):
    """What an atom is, by its first characters."""

    SYMBOL = "symbol"
    QUOTED = "quoted symbol"
    KEYWORD = "keyword"
    NUMERAL = "numeral"
    DECIMAL = "decimal"
    HEXADECIMAL = "hexadecimal"
    BINARY = "binary"
    STRING = "string"
    ODD = "odd"  # characters that no atom of SMT-LIB holds, such as `&&` or `3x`


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text: `offset` from zero, `line` and `column` from one, all in characters."""

    offset: int = 0
    line: int = 1
    column: int = 1


START = Position()


@dataclass(frozen=True, slots=True)
class Atom:
    """A token as it is written, `|x y|` with its bars; equal to another of the same text and kind wherever it stands."""

    text: str
    kind: AtomKind = AtomKind.SYMBOL
    at: Position = field(default=START, compare=False)

    @property
    def name(self) -> str:
        """Return the symbol it stands for: `|x|` and `x` are one."""
        return self.text[1:-1] if self.kind is AtomKind.QUOTED else self.text

    @property
    def end(self) -> int:
        """Return the offset after its last character."""
        return self.at.offset + len(self.text)


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """What stands between two parentheses; `end` is the offset after the closing one, or where it was found missing."""

    items: tuple[Node, ...]
    at: Position = field(default=START, compare=False)
    end: int = field(default=0, compare=False)

    @property
    def head(self) -> str:
        """Return the name of the first item where that is a symbol, else an empty text."""
        first = self.items[0] if self.items else None
        named = isinstance(first, Atom) and first.kind in {AtomKind.SYMBOL, AtomKind.QUOTED, AtomKind.ODD}
        return first.name if named and isinstance(first, Atom) else ""

    @property
    def arguments(self) -> tuple[Node, ...]:
        """Return the items after the first."""
        return self.items[1:]


Node: TypeAlias = Atom | NodeGroup


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all it holds, in the order of the text."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, NodeGroup):
            waiting.extend(reversed(node.items))


def write_node(node: Node) -> str:
    """Write a node on one line, with one blank between the items of a group."""
    if isinstance(node, Atom):
        return node.text
    return f"({' '.join(write_node(item) for item in node.items)})"


def write_script(commands: Iterable[Node]) -> str:
    """Write commands one a line, ending in a newline."""
    return "".join(f"{write_node(command)}\n" for command in commands)
