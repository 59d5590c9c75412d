"""Parsers for the exact values, expressions and variable names that records contain as text, and the types of such fields."""

import ast
import keyword
import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator

from harness.domain import Exact
from harness.json_form import LONGEST_EXPRESSION, LONGEST_NAME
from harness.program import ir
from harness.program.evaluation.evaluator import format_exact
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import parse
from harness.program.syntax.comments import Comments
from harness.program.syntax.lowering import Lowering
from harness.program.syntax.unparser import unparse

# Every number of so many bits has at most 400 digits.
MOST_BITS = 1_328
_NUMBER = re.compile(r"(-?[0-9]{1,400})(?:/([0-9]{1,400}))?")


def read_exact(text: str) -> Exact:
    """Read `7`, `-7` or `7/2`; another text, or more than 400 digits above or below, is a `Refusal`."""
    match = _NUMBER.fullmatch(text)
    if match is None or (match[2] is not None and not int(match[2])):
        raise Refusal(RefusalReason.NON_NUMERIC, f"{text[:40]!r} is no number such as 7 or 7/2")
    return int(match[1]) if match[2] is None else Fraction(int(match[1]), int(match[2]))


@lru_cache(maxsize=4_096)
def read_expression(text: str) -> ir.Expr:
    """Read one Python expression, which is not executed; one that is too long or beyond the program language is a `Refusal`."""
    if len(text) > LONGEST_EXPRESSION:
        detail = f"an expression of {len(text):,} characters, at most {LONGEST_EXPRESSION:,} are read"
        raise Refusal(RefusalReason.TOO_LARGE, detail)
    body = parse(text.strip()).body
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise Refusal(RefusalReason.SYNTAX, f"{text[:60]!r} is no expression")
    return Lowering(Comments({}, {})).expression(body[0].value)


@lru_cache(maxsize=4_096)
def is_variable(name: str) -> bool:
    """Tell whether a text is a name that an assignment may bind."""
    is_word = name.isidentifier() and not keyword.iskeyword(name)
    return is_word and len(name) <= LONGEST_NAME and not name.startswith("__")


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("Input should be a valid string")  # noqa: TRY004  # pydantic tells of ValueErrors only
    return value


def _field(read: Callable[[object], Any]) -> PlainValidator:
    """Return the validator of a field by a parser; pydantic tells of ValueErrors only, and names their field."""

    def validate(value: object) -> Any:
        try:
            return read(value)
        except Refusal as refusal:
            raise ValueError(str(refusal)) from None

    return PlainValidator(validate, str | None)


def _limit(value: object) -> str | Exact | None:
    if value is None or is_variable(_string(value)):
        return value  # type: ignore[return-value]  # a text
    return read_exact(_string(value))


def _limit_text(value: str | Exact | None) -> str | None:
    return value if value is None or isinstance(value, str) else format_exact(value)


ExactText = Annotated[Exact, _field(lambda value: read_exact(_string(value))), PlainSerializer(format_exact)]
"""An exact number, in JSON `7`, `-7` or `7/2` as text."""
ExpressionText = Annotated[ir.Expr, _field(lambda value: read_expression(_string(value))), PlainSerializer(unparse)]
"""An expression, in JSON its Python code."""
LimitText = Annotated[str | Exact | None, _field(_limit), PlainSerializer(_limit_text)]
"""A variable or an exact number, in JSON as text."""
