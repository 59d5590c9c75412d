"""Explanations of flaws, each rendered by the template of its operator from the facts of the change."""

from generators.flaws.mutation_operator import Mutant
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.expression_text import equation_text, expression_text
from harness.solution.trace import Trace
from harness.text.names import with_names
from harness.text.number_forms import format_value

UNWRITTEN = "the expression"
"""The words for an expression that cannot be written in numbers."""


def node_text(source: FlawSource, node: ir.Expr | str) -> str:
    """Return a node as a reader sees it: a variable by its phrase, another expression in numbers, words as they are."""
    match node:
        case str():
            return node
        case ir.Name(name) if name in source.values:
            return source.phrases.phrase(name)
    return expression_text(node, source.values) or UNWRITTEN


class _Facts(dict[str, str]):
    """The facts of a mutant, each worked out when a template names it."""

    def __init__(self, source: FlawSource, mutant: Mutant, trace: Trace) -> None:
        self.source, self.mutant, self.trace = source, mutant, trace

    def __missing__(self, fact: str) -> str:
        source, variable, new = self.source, self.mutant.variable, self.mutant.expression
        right = source.values[variable]
        if self.mutant.rewired is not None:
            wrong = source.values[self.mutant.rewired]
        else:
            wrong = self.trace.answer.value if self.mutant.result else self.trace.values.get(variable, right)
        match fact:
            case "was" | "now":
                return node_text(source, getattr(self.mutant, fact))
            case "asked":
                return source.phrases.asked
            case "right":
                return equation_text(source.expression(variable), source.values, right)
            case "wrong" if new is not None and not isinstance(new, ir.Name | ir.Const):
                return equation_text(new, self.trace.values, wrong)
        return format_value(right if fact == "right_value" else wrong)


def explanation(source: FlawSource, mutant: Mutant, trace: Trace, template: str) -> str:
    """Return the explanation of a mutant, its own template in the place of its operator's; proper names have their capitals."""
    text = with_names((mutant.cause or template).format_map(_Facts(source, mutant, trace)), source.names)
    return text[0].upper() + text[1:]
