"""The registry of dialects, and the place where each dialect puts the answer of a program."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from harness.program.syntax.bindings import ScopeSurvey
from harness.program.syntax.code_extraction import ProgramSource
from harness.registry import Registry


@dataclass(frozen=True, slots=True)
class ModuleShape:
    """The top level of a module: functions with their argument counts, assigned variables, prints, and calls."""

    functions: dict[str, int]
    variables: frozenset[str]
    prints: bool
    calls: frozenset[str]


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Where the answer is: what calling `function` gives, else the top-level `variable`, else the last print.

    `precedence` tells how clearly the program marks that place: of several dialects that recognise a program, the one with
    the lowest has it. Those of the registered dialects are 0 for `solve`, 10 for a variable `ans`, 20 for `answer`, 30 for a
    function `solution`, 40 for `solver` or a last print, 60 for the only function there is. `dialect` names the one that recognised it.
    """

    function: str | None = None
    variable: str | None = None
    precedence: int = 100
    dialect: str = "unmarked"


@dataclass(frozen=True, slots=True)
class ProgramDialect:
    """A way in which LLMs write formalizations; `examples` are whole responses in this dialect.

    `recognise` is asked of JSON templates only where `reads_templates`.
    """

    name: str
    recognise: Callable[[ProgramSource, ModuleShape], AnswerPlace | None]
    examples: tuple[str, ...]
    reads_templates: bool = False


DIALECTS: Registry[ProgramDialect] = Registry("harness.program.dialects")


def dialect(
    name: str, *, examples: tuple[str, ...], reads_templates: bool = False
) -> Callable[[Callable[[ProgramSource, ModuleShape], AnswerPlace | None]], ProgramDialect]:
    """Register the decorated recogniser as the dialect of that name."""

    def register(recognise: Callable[[ProgramSource, ModuleShape], AnswerPlace | None]) -> ProgramDialect:
        return DIALECTS.add(ProgramDialect(name, recognise, examples, reads_templates))

    return register


def shape_of(scopes: ScopeSurvey) -> ModuleShape:
    """Return what the top level of a module defines and calls."""
    functions = {name: len(node.args.args) + len(node.args.kwonlyargs) for name, node in scopes.functions.items()}
    top = scopes.top
    return ModuleShape(functions, frozenset(top.assigned), "print" in top.called, frozenset(top.called))


def answer_place(source: ProgramSource, shape: ModuleShape, hint: str | None = None) -> AnswerPlace | None:
    """Return the place by the dialect that marks it most clearly; among equals the one named `hint`, else the first by name."""
    places = [
        replace(place, dialect=dialect.name)
        for dialect in DIALECTS
        if (dialect.reads_templates or not source.template) and (place := dialect.recognise(source, shape)) is not None
    ]
    return min(places, key=lambda place: (place.precedence, place.dialect != hint, place.dialect), default=None)
