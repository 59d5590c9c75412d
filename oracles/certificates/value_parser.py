"""Parsers for the exact values, expressions and variable names that records contain as text."""

from __future__ import annotations

import ast
import keyword
import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import parse
from harness.program.syntax.comments import Comments
from harness.program.syntax.lowering import Lowering

if TYPE_CHECKING:
    from harness.domain import Exact
    from harness.program import ir

LONGEST_NUMBER = 400
# Every number of so many bits has at most 400 digits.
MOST_BITS = 1_328
LONGEST_EXPRESSION = 4_000
LONGEST_NAME = 200
_NUMBER = re.compile(r"(-?[0-9]{1,400})(?:/([0-9]{1,400}))?")


def read_exact(text: str) -> Exact:
    """Read `7`, `-7` or `7/2`.

    Raises:
        Refusal: it is no such number, or has more than 400 digits above or below.
    """
    match = _NUMBER.fullmatch(text)
    if match is None or (match[2] is not None and not int(match[2])):
        raise Refusal(RefusalReason.NON_NUMERIC, f"{text[:40]!r} is no number such as 7 or 7/2")
    return int(match[1]) if match[2] is None else Fraction(int(match[1]), int(match[2]))


@lru_cache(maxsize=4_096)
def read_expression(text: str) -> ir.Expr:
    """Read one Python expression; it is parsed, never executed.

    Raises:
        Refusal: it is too long, is no expression, or uses what the program language lacks.
    """
    if len(text) > LONGEST_EXPRESSION:
        raise Refusal(
            RefusalReason.TOO_LARGE,
            f"an expression of {len(text):,} characters, at most {LONGEST_EXPRESSION:,} are read",
        )
    body = parse(text.strip()).body
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise Refusal(RefusalReason.SYNTAX, f"{text[:60]!r} is no expression")
    return Lowering(Comments({}, {})).expression(body[0].value)


@lru_cache(maxsize=4_096)
def is_variable(name: str) -> bool:
    """Tell whether a text is a name that an assignment may bind."""
    return (
        len(name) <= LONGEST_NAME and name.isidentifier() and not name.startswith("__") and not keyword.iskeyword(name)
    )
