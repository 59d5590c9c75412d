"""The registry of dialects, and the place where each dialect puts the answer of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.program.syntax.code_extraction import ProgramSource
    from harness.program.syntax.scopes import ScopeSurvey


@dataclass(frozen=True, slots=True)
class ModuleShape:
    """What stands at the top level: functions with their argument counts, assigned variables, prints."""

    functions: dict[str, int]
    variables: frozenset[str]
    prints: bool
    calls: frozenset[str]


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Where the answer is: what calling `function` gives, else the top-level `variable`, else the last print."""

    function: str | None = None
    variable: str | None = None


@dataclass(frozen=True, slots=True)
class ProgramDialect:
    """One way LLMs write formalizations; `examples` are whole responses that only this dialect recognises."""

    name: str
    recognise: Callable[[ProgramSource, ModuleShape], AnswerPlace | None]
    examples: tuple[str, ...]


DIALECTS: Registry[ProgramDialect] = Registry("harness.program.dialects")


def dialect(
    name: str, *, examples: tuple[str, ...]
) -> Callable[[Callable[[ProgramSource, ModuleShape], AnswerPlace | None]], ProgramDialect]:
    """Register the decorated recogniser as the dialect of that name."""

    def register(recognise: Callable[[ProgramSource, ModuleShape], AnswerPlace | None]) -> ProgramDialect:
        return DIALECTS.add(ProgramDialect(name, recognise, examples))

    return register


def shape_of(found: ScopeSurvey) -> ModuleShape:
    """Describe the top level of a module."""
    functions = {name: len(node.args.args) + len(node.args.kwonlyargs) for name, node in found.functions.items()}
    top = found.top
    return ModuleShape(functions, frozenset(top.assigned), "print" in top.called, frozenset(top.called))
