"""Which dialects exist, and how does one say where the answer of a program stands?"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.program.response import Source


@dataclass(frozen=True, slots=True)
class Shape:
    """What stands at the top level: functions with their argument counts, assigned variables, prints."""

    functions: dict[str, int]
    variables: frozenset[str]
    prints: bool
    calls: frozenset[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """Where the answer is: what calling `function` gives, else the top-level `variable`, else the last print."""

    function: str | None = None
    variable: str | None = None


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way LLMs write formalizations; `examples` are whole responses that only this dialect recognises."""

    name: str
    recognise: Callable[[Source, Shape], Entry | None]
    examples: tuple[str, ...]


DIALECTS: Registry[Dialect] = Registry("harness.program.dialects")


def dialect(name: str, *, examples: tuple[str, ...]) -> Callable[[Callable[[Source, Shape], Entry | None]], Dialect]:
    """Register the decorated recogniser as the dialect of that name."""

    def register(recognise: Callable[[Source, Shape], Entry | None]) -> Dialect:
        return DIALECTS.add(Dialect(name, recognise, examples))

    return register


def shape_of(tree: ast.Module) -> Shape:
    """Describe the top level of a module."""
    functions: dict[str, int] = {}
    variables: set[str] = set()
    calls: set[str] = set()
    prints = False
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = len(node.args.args) + len(node.args.kwonlyargs)
            continue
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                variables.add(part.id)
            elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                calls.add(part.func.id)
                prints = prints or part.func.id == "print"
    return Shape(functions, frozenset(variables), prints, frozenset(calls))
