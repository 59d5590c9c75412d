"""Mutation operator: an expression is distributed, factored or collected against the laws of algebra."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.rewrite_rules import RewriteRule, rewritten
from generators.flaws.solution.source_solution import FlawSource
from harness.solution.labels import ErrorType

_INSTEAD = "It should be {right}, not {wrong}."
_DIVIDED = f"The division belongs to both terms, not to the first alone. {_INSTEAD}"
_MULTIPLIED = f"The factor belongs to both terms, not to the first alone. {_INSTEAD}"
_MINUS = f"The minus sign belongs to both terms in the parentheses. {_INSTEAD}"
_SPLIT = f"A division by a sum cannot be split into divisions by its terms. {_INSTEAD}"
_FACTORED = f"The sum of two products is not the product of two sums. {_INSTEAD}"
_COLLECTED = f"The quantity itself, counted once, is missing besides its multiple. {_INSTEAD}"
_ALIKE = {"a": "quantity", "b": "quantity", "c": "beside a", "d": "beside b"}
_RULES = (
    RewriteRule("(a + b) / c", ("a / c + b",), _DIVIDED),
    RewriteRule("(a - b) / c", ("a / c - b",), _DIVIDED),
    RewriteRule("(a + b) * c", ("a * c + b",), _MULTIPLIED),
    RewriteRule("(a - b) * c", ("a * c - b",), _MULTIPLIED),
    RewriteRule("a - (b + c)", ("a - b + c",), _MINUS, weight=0.3),
    RewriteRule("a - (b - c)", ("a - b - c",), _MINUS, weight=0.3),
    RewriteRule("t / (a + b)", ("t / a + t / b",), _SPLIT, {"a": "quantity", "b": "quantity"}),
    RewriteRule("(a + b) / (c + d)", ("a / c + b / d",), _SPLIT),
    RewriteRule("a * b + c * d", ("(a + c) * (b + d)",), _FACTORED, _ALIKE),
    RewriteRule("1 + k", ("k",), _COLLECTED, {"k": "multiple"}, weight=0.4),
)


@mutation_operator(
    "algebraic_simplification",
    error_type=ErrorType.ALGEBRAIC_SIMPLIFICATION,
    explanation=_INSTEAD,
    examples=(
        MutationExample(
            "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # $6\nfirst = boxes * per_box\n"
            "# L2\nbags = 3  # 3 bags\nper_bag = 5  # $5\nsecond = bags * per_bag\n# L3\nspent = first + second\n"
            "# L4\nmoney = 50  # $50\nleft = money - spent",
            ("left = money - first + second", "spent = (boxes + bags) * (per_box + per_bag)"),
        ),
    ),
)
def algebraic_simplification(source: FlawSource) -> Iterator[Mutant]:
    """Yield the expressions of steps, and of a step with the ones before it, rewritten by a false law of algebra."""
    return rewritten(source, _RULES)
