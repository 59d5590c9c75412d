"""A printed sentence around one number, read as the number that its format shows."""

import ast
import re
from string import Formatter

_FIXED = re.compile(r",?\.(\d{1,2})f")
_PERCENT = re.compile(r"%(?:%|(\.\d)?([dfis]))")
_SLOT = "\0"
_ALONE = re.compile(r"(?:^|[\s:=([$€£¥₹*\"'“])(?<![-−–]\s)\0[%\])*\"'”,;:!?.]*(?:\s|$)")
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
        case ast.Call(ast.Attribute(ast.Constant(value=str() as text), "format"), given, []):
            return _filled(text, given) or [argument]
        case ast.BinOp(ast.Constant(value=str() as text), ast.Mod(), given):
            return _filled_by_percent(text, given.elts if isinstance(given, ast.Tuple) else [given]) or [argument]
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return [value]
        case ast.FormattedValue(value, -1, ast.JoinedStr([ast.Constant(str() as form)])):
            if form == ",":
                return [value]
            if fixed := _FIXED.fullmatch(form):
                return [ast.Call(ast.Name("round", ast.Load()), [value, ast.Constant(int(fixed[1]))], [])]
    return [argument]


def _filled(text: str, values: list[ast.expr]) -> list[str | ast.expr]:
    """Return the pieces of a text with fields such as `{:.2f}` for the values in order, none for other fields."""
    try:
        fields = list(Formatter().parse(text))
    except ValueError:
        return []
    slots = [(name, spec) for _, name, spec, _ in fields if name is not None]
    if len(slots) != len(values) or any(name not in {"", str(place)} for place, (name, _) in enumerate(slots)):
        return []
    pieces: list[str | ast.expr] = []
    given = iter(values)
    for before, name, spec, conversion in fields:
        pieces.append(before)
        if name is not None:
            form = ast.JoinedStr([ast.Constant(spec)]) if spec else None
            pieces += _pieces(ast.FormattedValue(next(given), ord(conversion) if conversion else -1, form))
    return pieces


def _filled_by_percent(text: str, values: list[ast.expr]) -> list[str | ast.expr]:
    """Return the pieces of a text with fields such as `%.2f`, which are those of `{:.2f}`, and `%d`, which cuts decimals off."""
    fields = [match[2] for match in _PERCENT.finditer(text) if match[2]]
    if "%" in _PERCENT.sub("", text) or len(fields) != len(values):
        return []
    whole = [
        ast.Call(ast.Name("int", ast.Load()), [value], []) if field in "di" else value
        for field, value in zip(fields, values, strict=True)
    ]

    def braced(match: re.Match[str]) -> str:
        form = f":{match[1] or '.6'}f" if match[2] == "f" else ""
        return f"{{{form}}}" if match[2] else "%"

    return _filled(_PERCENT.sub(braced, text.replace("{", "{{").replace("}", "}}")), whole)
