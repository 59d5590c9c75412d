"""The meaning of a variable for a reader: its description, whether it is a bare factor, and what the question asks for."""

from __future__ import annotations

import re

from generators.flaws.knowledge.quantity_confusion import words_of
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.expression_text import write_out
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.phrases.explanation_phrases import UNWRITTEN
from harness.solution.trace import TraceEntry
from harness.text.lexicon import word_lists
from harness.text.names import variable_phrase

_LISTS = word_lists(__file__)

LONGEST_QUESTION = 4_000
LONGEST_DESCRIPTION = 300
_FACTOR = re.compile(rf"\b(?:{_LISTS.either('factor')})\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")


def reader_text(source: FlawSource, expression: ir.Expr) -> str:
    """Return an expression as a reader sees it: a variable in words, anything else in numbers."""
    match expression:
        case ir.Name(name):
            return variable_phrase(name)
        case _:
            return write_out(expression, source.values) or UNWRITTEN


def variable_description(entry: TraceEntry) -> str:
    """Return the name of a variable and the beginning of its comment, in lower case."""
    return f"{entry.variable.replace('_', ' ')} {entry.comment}"[:LONGEST_DESCRIPTION].lower()


def is_bare_factor(source: FlawSource, variable: str) -> bool:
    """Tell whether a variable is a bare factor, `twice as many` or `20 percent`, and no quantity of its own."""
    name = variable.replace("_", " ").lower()
    return source.units[variable].quantity is Quantity.SHARE or _FACTOR.search(name) is not None


def variables_clash(source: FlawSource, left: str, right: str) -> bool:
    """Tell whether two variables are plainly of different kinds; a bare number clashes with nothing."""
    kinds = {source.units[left].quantity, source.units[right].quantity} - {Quantity.NUMBER}
    return len(kinds) == 2


def question_words(source: FlawSource) -> frozenset[str]:
    """Return the words that tell a name from others in the last sentence of the question."""
    return words_of(_SENTENCE_END.split(source.problem.question.strip()[-LONGEST_QUESTION:])[-1])


def leaves(expression: ir.Expr) -> list[ir.Name | ir.Const]:
    """Return the variables and constants of an expression, left to right, each as often as it stands there."""
    return [node for _, node in nodes(expression) if isinstance(node, ir.Name | ir.Const)]


def summands(expression: ir.Expr) -> list[ir.Expr]:
    """Return the terms that a sum adds up, left to right; an expression that is no sum is one term."""
    match expression:
        case ir.Binary("+", left, right):
            return [*summands(left), *summands(right)]
    return [expression]


def alone_on_line(source: FlawSource, variable: str) -> bool:
    """Tell whether a line of the solution works out this step and nothing else."""
    label = source.trace.by_name[variable].line
    computed = [entry for entry in source.trace.entries if entry.line == label and not entry.role.is_input]
    return label is not None and len(computed) == 1
