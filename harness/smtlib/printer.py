"""The printer that writes nodes and scripts as SMT-LIB2 text, one command a line."""

from collections.abc import Iterable

from harness.smtlib.s_expressions import Atom, Node


def write_node(node: Node) -> str:
    """Write a node on one line, with one blank between the items of a group."""
    if isinstance(node, Atom):
        return node.text
    return f"({' '.join(write_node(item) for item in node.items)})"


def write_script(commands: Iterable[Node]) -> str:
    """Write commands one a line, ending in a newline."""
    return "".join(f"{write_node(command)}\n" for command in commands)
