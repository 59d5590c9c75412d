"""A printed sentence around one number, read as the number that its format shows."""

import ast
import re

_FIXED = re.compile(r",?\.(\d{1,2})f")
_SLOT = "\0"
_ALONE = re.compile(r"(?:^|[\s:=([$€£¥₹*\"'“])\0[%\])*\"'”,;:!?.]*(?:\s|$)")
"""The place of a value with nothing beside it that makes it another number."""


def printed_number(call: ast.Call) -> ast.Call:
    """Return a call of `print` that shows one value among texts as a call that shows the value alone.

    A text with another digit, or that makes the value a part of another number, is joined with the value: the evaluator takes
    what is joined for no number. Any other call is returned as it is.
    """
    pieces = [piece for argument in call.args for piece in (*_pieces(argument), " ")]
    values = [piece for piece in pieces if isinstance(piece, ast.expr)]
    if len(values) != 1 or call.keywords:
        return call
    text = "".join(piece if isinstance(piece, str) else _SLOT for piece in pieces)
    shown = ast.Call(call.func, values, [])
    if any(map(str.isdigit, text)) or _ALONE.search(text) is None:
        shown = ast.Call(call.func, [ast.Constant(""), *values], [ast.keyword("sep", ast.Constant(""))])
    return ast.fix_missing_locations(ast.copy_location(shown, call))


def _pieces(argument: ast.expr) -> list[str | ast.expr]:
    """Return the texts and values that a printed argument shows, in order."""
    match argument:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=values):
            return [piece for value in values for piece in _pieces(value)]
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return [value]
        case ast.FormattedValue(
            value=value, conversion=-1, format_spec=ast.JoinedStr(values=[ast.Constant(value=str() as form)])
        ):
            if form == ",":
                return [value]
            if fixed := _FIXED.fullmatch(form):
                return [ast.Call(ast.Name("round", ast.Load()), [value, ast.Constant(int(fixed[1]))], [])]
    return [argument]
