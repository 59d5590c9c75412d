"""The facts of a correct solution that the re-check of flaws needs, computed once for all flaws that were made from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING

from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.solution.phrases.quantity_phrases import QuantityPhrases
from harness.solution.solution_program import question_inputs
from harness.solution.tiers import tier_of
from harness.text.characters import quoted
from harness.text.numbers import mentions
from oracles.certificates.flaw_text import means

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.domain import Exact
    from harness.solution.solution_program import QuestionInput
    from oracles.certificates.straight_program import StraightLineProgram


@dataclass(frozen=True)
class SourceFacts:
    """A question, its correct solution with the final answer, the solution's program, and the values of the program's variables."""

    question: str
    solution: str
    oracle: StraightLineProgram
    values: Mapping[str, Exact]

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Return the lines of the solution, the final answer last."""
        return tuple(self.solution.split("\n"))

    @cached_property
    def phrases(self) -> QuantityPhrases:
        """Return the phrases by which explanations name the quantities of the solution."""
        steps = {
            step.variable: (int(step.line[1:]) if step.line[1:].isdecimal() else 0, self.values[step.variable])
            for step in self.oracle.steps
        }
        return QuantityPhrases(self.question, self.lines[:-1], self.oracle.inputs, steps)

    @cached_property
    def question_inputs(self) -> tuple[QuestionInput, ...]:
        """Return the places of the question that state the inputs."""
        return question_inputs(self.question, self.oracle.inputs)

    @cached_property
    def tier(self) -> int | None:
        """Return the tier of the solution."""
        return tier_of("\n".join(self.lines[:-1]))

    @cached_property
    def line_problem(self) -> str | None:
        """Return a statement of the solution that is false, or on another line than in the program; `None` if there is none."""
        return next(chain(self._false_lines(), self._misplaced_steps()), None)

    def _false_lines(self) -> Iterator[str]:
        for number, line in enumerate(self.lines[:-1], start=1):
            false = statements(line)[1]
            if false:
                yield f"solution: L{number} holds a false equation: {quoted(false)}"

    def _misplaced_steps(self) -> Iterator[str]:
        """Yield the steps whose line in the program is not the line that states their result; lines go up."""
        lines = self.lines[:-1]
        steps = [(step, int(step.line[1:]) if step.line[1:].isdecimal() else 0) for step in self.oracle.steps]
        last = 1
        for step, number in steps:
            if not last <= number <= len(lines):
                yield f"certificate.oracle.steps: expected {step.variable} on L{last} to L{len(lines)}, found {step.line or 'no line'}"
                return
            last = number
            value = self.values[step.variable]
            own, results = lines[number - 1], statements(lines[number - 1])[0]
            if value in results or (not results and shows(own, value)):
                continue
            for place, line in enumerate(lines, start=1):
                others = [other for other, on in steps if on == place and other is not step]
                claimed = (
                    bool(others) if shows(own, value) else any(self.values[other.variable] == value for other in others)
                )
                if value in statements(line)[0] and not claimed:
                    yield f"certificate.oracle.steps: {step.variable} is said to stand on {step.line}, L{place} works out its value"
                    return


@lru_cache(maxsize=8_192)
def statements(line: str) -> tuple[frozenset[Exact | None], str]:
    """Return the results of a line's equations, and the first equation that is false, empty where none is."""
    equations = read_line(line).equations
    false = next((equation for equation in equations if equation.truth is Truth.FALSE), None)
    return frozenset(equation.right.value for equation in equations), "" if false is None else line[
        false.start : false.end
    ]


def shows(line: str, value: Exact) -> bool:
    """Tell whether a number of a line can mean a value."""
    return any(means(mention.readings, value) for mention in mentions(line))
