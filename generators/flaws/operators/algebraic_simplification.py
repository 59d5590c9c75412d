"""Mutation operator: an expression is distributed, factored or collected against the laws of algebra."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator, operations
from generators.flaws.rewrite_rules import RewriteRule, rewritten
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.labels import ErrorType

_INSTEAD = "It should be {right}, not {wrong}."
_DIVIDED = f"The division belongs to both terms, not to the first alone. {_INSTEAD}"
_MULTIPLIED = f"The factor belongs to both terms, not to the first alone. {_INSTEAD}"
_MINUS = f"The minus sign belongs to both terms in the parentheses. {_INSTEAD}"
_SPLIT = f"A division by a sum cannot be split into divisions by its terms. {_INSTEAD}"
_FACTORED = f"The sum of two products is not the product of two sums. {_INSTEAD}"
_COLLECTED = f"The quantity itself, counted once, is missing besides its multiple. {_INSTEAD}"
_LIKE = f"Like terms are collected by the sum or difference of their factors. {_INSTEAD}"
_MOVED = f"A term that moves to the other side of an equation changes its sign. {_INSTEAD}"
_DIVIDED_OUT = f"Both sides have to be divided by the factor of the unknown. {_INSTEAD}"
_MISTAKEN = {"+": "-", "-": "+", "/": "-"}
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
    MutationExample(
        "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # $6\nfirst = boxes * per_box\n"
        "# L2\nbags = 3  # 3 bags\nper_bag = 5  # $5\nsecond = bags * per_bag\n# L3\nspent = first + second\n"
        "# L4\nmoney = 50  # $50\nleft = money - spent",
        ("left = money - first + second", "spent = (boxes + bags) * (per_box + per_bag)"),
    ),
    error_type=ErrorType.ALGEBRAIC_SIMPLIFICATION,
    explanation=_INSTEAD,
)
def algebraic_simplification(source: FlawSource) -> Iterator[Mutant]:
    """Yield the expressions of steps, and of a step with the ones before it, rewritten by a false law of algebra.

    Of an equation in an unknown, terms are collected or moved with the wrong sign, one of two like terms is lost, or the factor is
    subtracted instead of divided out.
    """
    yield from rewritten(source, _RULES)
    for place in operations(source, simplified=True):
        node = place.node
        collects = place.variable in source.coefficients
        cause = _LIKE if collects else _DIVIDED_OUT if node.operator == "/" else _MOVED
        if not place.path and node.operator in _MISTAKEN:
            wrong = ir.Binary(_MISTAKEN[node.operator], node.left, node.right)
            yield from place.mutants(wrong, ("a term with the other sign", 0.3), cause=cause)
        if collects and node.operator == "+" and ir.Const(1) in {node.left, node.right}:
            other = node.left if node.right == ir.Const(1) else node.right
            yield from place.mutants(other, ("the unknown by itself overlooked", 0.3), cause=cause)
