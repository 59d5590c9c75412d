"""Mutation operator: a formula is replaced by another one that people confuse with it."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.rewrite_rules import RewriteRule, rewritten
from generators.flaws.solution.source_solution import FlawSource
from harness.solution.labels import ErrorType

_INSTEAD = "It should be {right}, not {wrong}."
_LENGTHS = {"a": "length", "b": "length"}
_AREA = f"The area of a rectangle is its length times its width. {_INSTEAD}"
_PERIMETER = f"The way around a rectangle is twice its length and twice its width. {_INSTEAD}"
_SHARE_OF = f"A share of a quantity is the quantity times the share. {_INSTEAD}"
_LESS = f"A quantity less a share of itself is the quantity times one minus the share. {_INSTEAD}"
_MORE = f"A quantity and a share of itself is the quantity times one plus the share. {_INSTEAD}"
_TIMES = f"Several times as much is the multiple alone; the quantity is not added once more. {_INSTEAD}"
_WEIGHTED = f"Groups of different size count by their size in an average. {_INSTEAD}"
_AVERAGE = f"An average is the sum divided by the number of values. {_INSTEAD}"
_RULES = (
    RewriteRule("a * b", ("2 * (a + b)", "a * b / 2"), _AREA, _LENGTHS, weight=0.4),
    RewriteRule("2 * (a + b)", ("a * b",), _PERIMETER, _LENGTHS, weight=0.4),
    RewriteRule("2 * a + 2 * b", ("a * b",), _PERIMETER, _LENGTHS, weight=0.4),
    RewriteRule("q * s", ("q * (1 - s)", "q * (1 + s)"), _SHARE_OF, {"q": "quantity", "s": "share"}),
    RewriteRule("q * (1 - s)", ("q * s", "q / (1 + s)"), _LESS, {"s": "share"}),
    RewriteRule("q * (1 + s)", ("q * s", "q / (1 - s)"), _MORE, {"s": "share"}),
    RewriteRule("q / (1 + s)", ("q * (1 - s)",), _MORE, {"s": "share"}),
    RewriteRule("q - q * s", ("q / (1 + s)",), _LESS, {"s": "share"}),
    RewriteRule("q * k", ("q * k + q",), _TIMES, {"q": "quantity", "k": "multiple"}),
    RewriteRule("(a * n + b * m) / (n + m)", ("(a + b) / 2",), _WEIGHTED, weight=0.5),
    RewriteRule("(a + b) / 2", ("(a + b) / 3",), _AVERAGE),
    RewriteRule("(a + b + c) / 3", ("(a + b + c) / 2",), _AVERAGE),
)


@mutation_operator(
    "wrong_formula",
    MutationExample(
        "# L1\nlength = 6  # 6 feet long\nwidth = 4  # 4 feet wide\narea = length * width\n"
        "# L2\nprice = 3  # $3 a square foot\ncost = area * price",
        ("area = 2 * (length + width)", "area = length * width / 2"),
    ),
    MutationExample(
        "# L1\nprice = 80  # $80\npercent = 0.25  # 25% off\ndiscount = price * percent\n# L2\nsale_price = price - discount",
        ("discount = price * (1 - percent)", "discount = price * (1 + percent)", "sale_price = price / (1 + percent)"),
    ),
    error_type=ErrorType.WRONG_FORMULA,
    explanation=_INSTEAD,
)
def wrong_formula(source: FlawSource) -> Iterator[Mutant]:
    """Yield each formula of the table that a step states, replaced by those that people confuse with it."""
    return rewritten(source, _RULES)
