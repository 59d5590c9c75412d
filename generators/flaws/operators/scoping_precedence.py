"""Mutation operator: the right operations in the wrong order, with parentheses missing or in the wrong place."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.rewrite_rules import RewriteRule, rewritten
from generators.flaws.solution.source_solution import FlawSource
from harness.solution.labels import ErrorType

_GROUPED = "The operations are grouped in the wrong way. It should be {right}, not {wrong}."
_ALIKE = {"a": "like b"}
_RULES = (
    RewriteRule("(a + b) * c", ("a + b * c",), _GROUPED),
    RewriteRule("(a - b) * c", ("a - b * c",), _GROUPED),
    RewriteRule("(a + b) / c", ("a + b / c",), _GROUPED),
    RewriteRule("(a - b) / c", ("a - b / c",), _GROUPED),
    RewriteRule("a / (b + c)", ("a / b + c",), _GROUPED),
    RewriteRule("a / (b - c)", ("a / b - c",), _GROUPED),
    RewriteRule("a / (b * c)", ("a / b * c",), _GROUPED),
    RewriteRule("a / b * c", ("a / (b * c)",), _GROUPED),
    RewriteRule("a + b * c", ("(a + b) * c",), _GROUPED, _ALIKE),
    RewriteRule("a - b * c", ("(a - b) * c",), _GROUPED, _ALIKE),
    RewriteRule("a * b - c", ("a * (b - c)",), _GROUPED, {"b": "like c"}),
    RewriteRule("a - b / c", ("(a - b) / c",), _GROUPED, _ALIKE),
    RewriteRule("a + b / c", ("(a + b) / c",), _GROUPED, _ALIKE),
)


@mutation_operator(
    "scoping_precedence",
    error_type=ErrorType.SCOPING,
    explanation=_GROUPED,
    examples=(
        MutationExample(
            "# L1\nboys = 6 # 6 children\ngirls = 8 # 8 children\nchildren = boys + girls\n"
            "# L2\npens_each = 2 # 2 pens\npens = children * pens_each\n# L3\nlost = 1 # 1 pen\nleft = pens - lost",
            ("pens = boys + girls * pens_each", "left = children * (pens_each - lost)"),
        ),
        MutationExample("# L1\na = 5 # 5 pens\nb = 3 # 3 pens\nc = 2 # 2 pens\nd = a + b + c\n# L2\ne = d - a - b", ()),
    ),
)
def scoping_precedence(source: FlawSource) -> Iterator[Mutant]:
    """Yield the expressions of all steps, and of a step with the one before it, with two operations grouped otherwise."""
    return rewritten(source, _RULES)
