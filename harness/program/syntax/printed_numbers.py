"""Python whose calls of `print` with one number among texts are rewritten as calls with that number alone.

Only what certainly has that meaning is rewritten.
"""

from __future__ import annotations

import ast
import re
from string import Formatter
from typing import TYPE_CHECKING

from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.tree_nodes import walk

if TYPE_CHECKING:
    Slot = tuple[ast.expr, str]
    Piece = str | Slot

_PERCENT = re.compile(r"%(?:(%)|[-+ 0#]*\d*(\.\d+)?([dfsi]))")
_FIXED = re.compile(r",?\.(\d{1,2})f")
_SLOT = "\0"
_ALONE = re.compile(r"(?:^|[\s:=([$€£¥₹*\"'“])\0[%\])*\"'”,;:!?.]*(?:\s|$)")
_SHOWN = frozenset({"", ","})


def with_printed_numbers(tree: ast.Module) -> ast.Module:
    """Return the tree with its calls of `print` rewritten; the tree itself is changed, and lines stay.

    Raises:
        Refusal: the code nests too deeply.
    """
    try:
        return _rewritten(tree)
    except RecursionError:
        raise Refusal(RefusalReason.TOO_DEEP, "the code nests too deeply to be rewritten") from None


def _rewritten(tree: ast.Module) -> ast.Module:
    stored = [node.id for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    arguments = [node.arg for node in walk(tree) if isinstance(node, ast.arg)]
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    _PlainPrint(frozenset([*stored, *arguments, *functions])).visit(tree)
    return ast.fix_missing_locations(tree)


class _PlainPrint(ast.NodeTransformer):
    """Rewrites calls of `print` with one number among texts, where no name of the program is that of the builtin."""

    def __init__(self, taken: frozenset[str]) -> None:
        self.taken = taken

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id != "print":
            return node
        pieces = [piece for argument in node.args for piece in (*_pieces(argument), " ")]
        slots = [piece for piece in pieces if not isinstance(piece, str)]
        if len(slots) != 1 or node.keywords or not {"print", "int", "round"}.isdisjoint(self.taken):
            return node
        if not _shows_one_number(pieces):
            # The evaluator takes what is joined for no number, where it is the answer.
            joined = [ast.keyword("sep", ast.Constant(""))]
            return ast.copy_location(ast.Call(node.func, [ast.Constant(""), slots[0][0]], joined), node)
        printed = _rounded(*slots[0])
        return node if printed is None else ast.copy_location(ast.Call(node.func, [printed], []), node)


def _called(name: str, argument: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _shows_one_number(pieces: list[Piece]) -> bool:
    """Tell whether a printed text says its one value as a number: no other digit, and nothing beside it that makes it another one."""
    text = "".join(piece if isinstance(piece, str) else _SLOT for piece in pieces)
    return not any(map(str.isdigit, text)) and _ALONE.search(text) is not None


def _pieces(node: ast.expr) -> list[Piece]:
    """Return what a printed argument shows: texts, and values, each with its format."""
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=values):
            return [
                _slot_of(value) if isinstance(value, ast.FormattedValue) else ast.literal_eval(value)
                for value in values
            ]
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=str() as text), attr="format"), args=given, keywords=[]
        ):
            return _formatted(text, given) or [(node, "unread")]
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod(), right=given):
            values = given.elts if isinstance(given, ast.Tuple) else [given]
            return _percent_formatted(text, values) or [(node, "unread")]
    return [(node, "")]


def _percent_formatted(text: str, values: list[ast.expr]) -> list[Piece]:
    """Return the pieces of a text with formats such as `%.2f`, none where one of them is not read."""

    def field(match: re.Match[str]) -> str:
        spec = {"s": "", "f": f"{match[2] or '.6'}f"}.get(match[3], "%d")
        return "%" if match[1] else f"{{:{spec}}}"

    if "%" in _PERCENT.sub("", text) or len(values) != sum(match[1] is None for match in _PERCENT.finditer(text)):
        return []
    return _formatted(_PERCENT.sub(field, text.replace("{", "{{").replace("}", "}}")), values)


def _slot_of(value: ast.FormattedValue) -> Slot:
    match value.format_spec:
        case None:
            spec = ""
        case ast.JoinedStr(values=[ast.Constant(value=str() as spec)]):
            pass
        case _:
            spec = "unread"
    return value.value, spec if value.conversion in {-1, ord("s")} else "unread"


def _formatted(text: str, given: list[ast.expr]) -> list[Piece]:
    """Return the pieces of a text with fields such as `{:.2f}` in order, none where one of them is not read."""
    try:
        fields = list(Formatter().parse(text))
    except ValueError:
        return []
    pieces: list[Piece] = []
    place = 0
    for before, name, spec, _ in fields:
        pieces.append(before)
        if name is not None:
            if name not in {"", str(place)} or place >= len(given):
                return []
            pieces.append((given[place], spec or ""))
            place += 1
    return pieces


def _rounded(value: ast.expr, spec: str) -> ast.expr | None:
    """Return the number that a format shows, `None` where the format is not read."""
    if spec in _SHOWN:
        return value
    if spec == "%d":
        return ast.copy_location(_called("int", value), value)
    fixed = _FIXED.fullmatch(spec)
    if fixed is None:
        return None
    places = ast.Constant(int(fixed[1]))
    return ast.fix_missing_locations(
        ast.copy_location(ast.Call(ast.Name("round", ast.Load()), [value, places], []), value)
    )
