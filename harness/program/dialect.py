"""Which dialects exist, and how does one say where the answer of a program stands?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.program.syntax.code_extraction import Source
    from harness.program.syntax.scopes import Survey


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


def shape_of(found: Survey) -> Shape:
    """Describe the top level of a module."""
    functions = {name: len(node.args.args) + len(node.args.kwonlyargs) for name, node in found.functions.items()}
    top = found.top
    return Shape(functions, frozenset(top.assigned), "print" in top.called, frozenset(top.called))
