"""The explanation of a conceptual flaw: the template of its operator, with the parts of the step as a reader sees them."""

from generators.flaws.mutation_operator import Mutant
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.expression_text import calculation_text, worked_equation
from harness.solution.trace import Trace
from harness.text.names import with_names
from harness.text.number_forms import format_value


def node_text(source: FlawSource, node: ir.Expr | str) -> str:
    """Return a node as a reader sees it: a variable by its phrase, another expression in numbers, words as they are."""
    match node:
        case str():
            return node
        case ir.Name(name) if name in source.values:
            read = source.trace.by_name[name].expression
            if isinstance(read, ir.Unary):
                return node_text(source, read.operand)
            return source.phrases.phrase(name)
    return calculation_text(node, source.values)


def explanation(source: FlawSource, mutant: Mutant, trace: Trace, template: str) -> str:
    """Return the explanation of a mutant, its own template in the place of its operator's; proper names have their capitals."""
    variable, new = mutant.variable, mutant.expression
    right, wrong = source.values[variable], trace.values.get(variable, trace.answer.value)
    if mutant.rewired is not None or mutant.result is not None:
        wrong = trace.answer.value if mutant.rewired is None else source.values[mutant.rewired]
    calculated = new is not None and not isinstance(new, ir.Name | ir.Const)
    facts = {
        "was": node_text(source, mutant.was),
        "now": node_text(source, mutant.now),
        "right": worked_equation(mutant.right or source.expression(variable), source.values, right),
        "wrong": worked_equation(new, trace.values, wrong) if new is not None and calculated else format_value(wrong),
        "right_value": format_value(right),
        "wrong_value": format_value(wrong),
        "asked": source.phrases.asked,
    }
    text = with_names((mutant.cause or template).format_map(facts), source.names)
    return text[0].upper() + text[1:]
