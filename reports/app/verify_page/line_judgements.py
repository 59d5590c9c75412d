"""What a judgement says about each line of a solution: its mark, its equations and the origin of its numbers."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.equations.equation import Truth
from harness.solution.labels import FINAL_ANSWER
from harness.text.number_forms import format_value
from oracles.labels.audit.solution_lines import read_statement
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.solution.solution_steps import OperandSource, steps_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.equations.equation import StatedEquation
    from oracles.labels.audit.solution_lines import LineStatement
    from sft.samples.items import Item
    from sft.samples.solution_judgement import Hint, Judgement
    from sft.verifier.solution.solution_steps import Operand, SolutionSteps

MOST_SHOWN = 12


class LineMark(enum.StrEnum):
    """The mark of a line."""

    ACCUSED = "accused"
    FALSE = "false"
    SUSPECT = "suspect"
    HOLDS = "holds"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class CheckedEquation:
    """An equation from `start` to `end` of its line, whether it holds, and the value of its left side."""

    written: str
    start: int
    end: int
    truth: Truth
    due: str


@dataclass(frozen=True, slots=True)
class NumberOrigin:
    """A number that a line computes with, and its possible origin in words."""

    number: str
    words: str
    known: bool


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """A line of a solution, or its final answer, with the evidence for and against it.

    `unread` says why an equation could not be read, and is empty if all were read.
    """

    place: str
    text: str
    mark: LineMark
    equations: tuple[CheckedEquation, ...] = ()
    unread: str = ""
    origins: tuple[NumberOrigin, ...] = ()
    hints: tuple[Hint, ...] = ()


def judged_lines(item: Item, judgement: Judgement) -> list[JudgedLine]:
    """Return the lines of a solution in order, the final answer last; an accused final answer is added if it is missing."""
    hints = _hints(item, judgement)
    steps = steps_of(item)
    lines = [
        _line(number, text, [hint for hint in hints if hint.line == f"L{number}"], judgement, steps)
        for number, text in enumerate(item.annotated, start=1)
    ]
    answer = [hint for hint in hints if hint.line == FINAL_ANSWER]
    if item.answer is not None or judgement.line == FINAL_ANSWER:
        accused = judgement.flawed and judgement.line == FINAL_ANSWER
        mark = LineMark.ACCUSED if accused else LineMark.SUSPECT if answer else LineMark.NOTHING
        lines.append(JudgedLine(FINAL_ANSWER, item.answer or "", mark, hints=tuple(answer[:MOST_SHOWN])))
    return lines


def _hints(item: Item, judgement: Judgement) -> list[Hint]:
    """Return the judgement's evidence, then further hints of the kinds of evidence that need no model, each once."""
    if not any(item.lines) and not item.answer:
        return list(judgement.evidence)
    signals = EVIDENCE.signals_of(Case(item))
    return list(dict.fromkeys((*judgement.evidence, *(hint for signal in signals.values() for hint in signal.shown))))


def _line(number: int, text: str, hints: Sequence[Hint], judgement: Judgement, steps: SolutionSteps) -> JudgedLine:
    place = f"L{number}"
    statement = read_statement(text)
    equations = tuple(_equation(equation, statement) for equation in statement.equations)
    if judgement.flawed and judgement.line == place:
        mark = LineMark.ACCUSED
    elif any(equation.truth is Truth.FALSE for equation in equations):
        mark = LineMark.FALSE
    elif hints:
        mark = LineMark.SUSPECT
    elif (
        equations
        and not statement.unread
        and all(equation.truth in {Truth.TRUE, Truth.ROUNDED} for equation in equations)
    ):
        mark = LineMark.HOLDS
    else:
        mark = LineMark.NOTHING
    origins = [_origin(operand, steps) for step in steps.steps if step.place == number - 1 for operand in step.operands]
    return JudgedLine(
        place,
        text,
        mark,
        equations[:MOST_SHOWN],
        statement.unread,
        tuple(dict.fromkeys(origins))[:MOST_SHOWN],
        tuple(hints[:MOST_SHOWN]),
    )


def _equation(equation: StatedEquation, statement: LineStatement) -> CheckedEquation:
    # The audit decides what is false: an equation that ends in a correct annotation is not.
    truth = Truth.UNKNOWN if equation.truth is Truth.FALSE and equation not in statement.false else equation.truth
    due = "" if equation.left.value is None else format_value(equation.left.value)
    return CheckedEquation(statement.written(equation), equation.start, equation.end, truth, due)


def _origin(operand: Operand, steps: SolutionSteps) -> NumberOrigin:
    sources = [f"L{steps.steps[step].place + 1}" for step in operand.made]
    words = {
        OperandSource.QUESTION: "the question",
        OperandSource.RESULT: f"the result of {' or '.join(dict.fromkeys(sources))}",
        OperandSource.EITHER: f"the question, or the result of {' or '.join(dict.fromkeys(sources))}",
        OperandSource.KNOWN: "common knowledge",
        OperandSource.DERIVED: "a small conversion of a number before it",
        OperandSource.NOWHERE: "neither the question nor a line before it",
    }[operand.source]
    return NumberOrigin(format_value(operand.value), words, operand.source is not OperandSource.NOWHERE)
