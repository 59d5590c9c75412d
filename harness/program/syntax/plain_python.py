"""Python rewritten in fewer constructs of the same meaning: named lambdas, walrus, `map`, and texts printed around one number.

Only what certainly has that meaning is rewritten; what remains is refused by name where it is translated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import count
from string import Formatter

from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.syntax_tree import parts_of, walk

Slot = tuple[ast.expr, str]
Piece = str | Slot

READERS = frozenset({"list", "max", "min", "sorted", "sum", "tuple"})
"""The functions that read what they are given at once and to its end, as they read a list."""
ITERATORS = frozenset({"enumerate", "zip"})
"""The functions whose items can be read once; they are evaluated where they are read."""
_PERCENT = re.compile(r"%(?:(%)|[-+ 0#]*\d*(\.\d+)?([dfsi]))")
_FIXED = re.compile(r",?\.(\d{1,2})f")
_SLOT = "\0"
_ALONE = re.compile(r"(?:^|[\s:=([$€£¥₹*\"'“])\0[%\])*\"'”,;:!?.]*(?:\s|$)")
_SHOWN = frozenset({"", ","})
_CALLED = frozenset({"abs", "float", "int", "len", "max", "min", "sum"})
"""The builtin functions that `map` may be given."""
_UNORDERED = (ast.Name, ast.NamedExpr, ast.BoolOp, ast.IfExp, ast.ListComp, ast.GeneratorExp, ast.Lambda)
"""The expressions that read a name, or of whose parts not all are evaluated, each once and in order."""
_COMPOUND = (ast.For, ast.While, ast.If, ast.FunctionDef)


def plain_python(tree: ast.Module) -> ast.Module:
    """Return the tree with what has a plainer form rewritten; the tree itself is changed, and lines stay.

    Raises:
        Refusal: the code nests too deeply.
    """
    try:
        return _rewritten(tree)
    except RecursionError:
        raise Refusal(RefusalReason.TOO_DEEP, "the code nests too deeply to be rewritten") from None


def _rewritten(tree: ast.Module) -> ast.Module:
    stored = [node.id for node in walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    tree.body = [_named_function(node, stored) for node in tree.body]
    arguments = [node.arg for node in walk(tree) if isinstance(node, ast.arg)]
    _Plainer([*stored, *arguments], {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}).visit(tree)
    for block in _blocks(tree):
        block[:] = [part for statement in block for part in _without_walrus(statement)]
    return ast.fix_missing_locations(tree)


def _named_function(node: ast.stmt, stored: list[str]) -> ast.stmt:
    """Return `f = lambda x: x + 1` as a function, where nothing else binds `f`."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=arguments, body=body)) if (
            stored.count(name) == 1
        ):
            returned = ast.copy_location(ast.Return(body), node)
            function = ast.FunctionDef(name, arguments, [returned], [], lineno=node.lineno, col_offset=node.col_offset)
            return ast.copy_location(function, node)
    return node


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Yield the lists of statements of a tree."""
    for node in walk(tree):
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


class _Plainer(ast.NodeTransformer):
    """Rewrites `map` where it is read at once, and calls of `print` with one number among texts."""

    def __init__(self, stored: list[str], functions: set[str]) -> None:
        self.functions = functions.difference(stored)
        self.taken = functions.union(stored)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id in self.taken:
            return node
        if node.func.id == "print":
            pieces = [piece for argument in node.args for piece in (*_pieces(argument), " ")]
            slots = [piece for piece in pieces if not isinstance(piece, str)]
            if len(slots) != 1 or node.keywords or not {"int", "round"}.isdisjoint(self.taken):
                return node
            if not _shows_one_number(pieces):
                # The evaluator takes what is joined for no number, where it is the answer.
                joined = [ast.keyword("sep", ast.Constant(""))]
                return ast.copy_location(ast.Call(node.func, [ast.Constant(""), slots[0][0]], joined), node)
            printed = _shown_number(*slots[0])
            return node if printed is None else ast.copy_location(ast.Call(node.func, [printed], []), node)
        if node.func.id in READERS and node.args:
            node.args[0] = self._map_as_list(node.args[0])
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._visit_loop(node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        return self._visit_loop(node)

    def _visit_loop(self, node: ast.For | ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._map_as_list(node.iter)
        return node

    def _is_function(self, name: str) -> bool:
        return name in self.functions or (name in _CALLED and name not in self.taken)

    def _map_as_list(self, node: ast.expr) -> ast.expr:
        """Return `map`, of which each item is read once, as a comprehension."""
        match node:
            case ast.Call(func=ast.Name(id="map"), args=[function, items], keywords=[]) if "map" not in self.taken:
                names = map("item_{}".format, count())
                place = ast.Name(next(name for name in names if name not in self.taken), ast.Load())
                match function:
                    case ast.Lambda(args=ast.arguments(posonlyargs=[], args=[argument], kwonlyargs=[], defaults=[])):
                        listed = _comprehension(function.body, argument.arg, items)
                    case ast.Name(id=name) if self._is_function(name):
                        listed = _comprehension(ast.Call(function, [place], []), place.id, items)
                    case _:
                        return node
                return ast.fix_missing_locations(ast.copy_location(listed, node))
        return node


def _called(name: str, argument: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _comprehension(element: ast.expr, name: str, items: ast.expr) -> ast.ListComp:
    return ast.ListComp(element, [ast.comprehension(ast.Name(name, ast.Store()), items, [], 0)])


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


def _shown_number(value: ast.expr, spec: str) -> ast.expr | None:
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


def _without_walrus(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield a statement, before it the assignments that its expression makes once and before anything else reads the names."""
    if isinstance(statement, _COMPOUND) and not isinstance(statement, ast.If):
        yield statement
        return
    field = "test" if isinstance(statement, ast.If) else "value"
    expression = getattr(statement, field, None)
    if isinstance(expression, ast.expr):
        for named in list(_assigned_first(expression)):
            target = ast.Name(named.target.id, ast.Store())
            yield ast.copy_location(ast.Assign([target], named.value), statement)
            setattr(statement, field, _Replaced(named).visit(getattr(statement, field)))
    yield statement


class _Replaced(ast.NodeTransformer):
    """Puts the name in the place of one walrus."""

    def __init__(self, named: ast.NamedExpr) -> None:
        self.named = named

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        return ast.copy_location(ast.Name(node.target.id, ast.Load()), node) if node is self.named else node


def _assigned_first(expression: ast.expr) -> Iterator[ast.NamedExpr]:
    """Yield the walruses that are evaluated for certain, once, and before any name is read or function called."""
    for part in _in_order(expression):
        if isinstance(part, ast.NamedExpr):
            if any(isinstance(inner, ast.NamedExpr) for inner in walk(part.value)):
                return
            yield part
        elif isinstance(part, (ast.Call, ast.Subscript, *_UNORDERED)):
            return


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression in the order in which Python evaluates them, those of a walrus aside."""
    if not isinstance(node, _UNORDERED):
        named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        for part in parts_of(node)[int(named) :]:
            yield from _in_order(part)
    yield node
