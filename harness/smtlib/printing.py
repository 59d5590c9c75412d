"""How is a node written as SMT-LIB2?"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.smtlib.tree import Node


def write_node(node: Node) -> str:
    """Write a node on one line."""
    raise NotImplementedError(str(node)[:20])


def write_script(commands: Iterable[Node]) -> str:
    """Write commands one a line, ending in a newline."""
    return "".join(f"{write_node(command)}\n" for command in commands)
