"""The scopes of a program, and the meaning of its names: its own functions and variables, its imports, and Python's builtins.

A name has one meaning in a whole program: one that is imported and also bound by other means is refused.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from harness.program.evaluation.builtin_functions import CONTENTS, LIBRARY, PRELUDE, Place
from harness.program.refusal import Refusal, RefusalReason

_TYPE_PARTS = ast.Name | ast.Constant | ast.Subscript | ast.Tuple | ast.BinOp | ast.operator | ast.expr_context


@dataclass(slots=True)
class CodeScope:
    """One scope, the top level or a function: how often each name is assigned, what is called and mentioned."""

    assigned: Counter[str] = field(default_factory=Counter)
    called: Counter[str] = field(default_factory=Counter)
    mentioned: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class ScopeSurvey:
    """The functions of a module by name and its scopes by function name (`None` is the top level).

    `called_straight` are the functions that statements outside any loop or branch of the top level call.
    """

    functions: dict[str, ast.FunctionDef]
    scopes: dict[str | None, CodeScope]
    called_straight: frozenset[str]

    @property
    def top(self) -> CodeScope:
        """Return the top level."""
        return self.scopes[None]

    def called(self, name: str) -> int:
        """Return how many calls of a function the whole text holds."""
        return sum(scope.called[name] for scope in self.scopes.values())


def survey(tree: ast.Module) -> ScopeSurvey:
    """Return the functions and scopes of a module; of functions with one name the last counts, as in Python."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    scopes: dict[str | None, CodeScope] = {None: CodeScope()}
    straight: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            scopes[node.name] = CodeScope()
            _collect(node, scopes[node.name])
            continue
        before = Counter(scopes[None].called)
        _collect(node, scopes[None])
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.Expr):
            straight.update(scopes[None].called - before)
    return ScopeSurvey(functions, scopes, frozenset(straight))


def _collect(root: ast.AST, scope: CodeScope) -> None:
    for node in ast.walk(root):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                scope.assigned[node.id] += 1
            else:
                scope.mentioned.add(node.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            scope.called[node.func.id] += 1


@dataclass(slots=True)
class Bindings:
    """The names of a program: `imported` are those that the top level imports, `own` all that any scope binds by other means."""

    imported: dict[str, Place] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    functions: Mapping[str, ast.FunctionDef] = field(default_factory=dict)
    complete: bool = False
    """Whether the whole module is known; of a single expression the variables are not."""

    def place(self, name: str) -> Place | None:
        """Return the module, or the name of a module, that a name stands for; `None` for any other name."""
        return None if name in self.own else self.imported.get(name) or PRELUDE.get(name)

    def function(self, module: str, name: str, line: int) -> str:
        """Return the name of a function of a module in the program language; one that is not evaluated here, or hidden, is a `Refusal`."""
        if name in self.own or name not in LIBRARY[module]:
            raise Refusal(RefusalReason.UNSUPPORTED, f"the function {module}.{name[:60]}()", line)
        return name


def import_places(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Place]]:
    """Yield each name that an import binds, with its meaning; an import of other modules or names, or of all names, is a `Refusal`."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            if alias.name not in LIBRARY:
                raise Refusal(RefusalReason.FORBIDDEN, f"import of {alias.name}", node.lineno)
            yield alias.asname or alias.name, (alias.name, None)
        return
    module = node.module or ""
    if module not in LIBRARY or node.level:
        raise Refusal(RefusalReason.FORBIDDEN, f"import from {module}", node.lineno)
    for alias in node.names:
        if alias.name == "*":
            raise Refusal(RefusalReason.UNSUPPORTED, f"the import of all names of {module}", node.lineno)
        if alias.name not in CONTENTS[module]:
            raise Refusal(RefusalReason.FORBIDDEN, f"import of {alias.name} from {module}", node.lineno)
        yield alias.asname or alias.name, (module, alias.name)


def module_bindings(tree: ast.Module, functions: Mapping[str, ast.FunctionDef]) -> Bindings:
    """Return the names of a module; one that is imported and bound by other means, as two things, or below the top level is a `Refusal`."""
    nodes = list(ast.walk(tree))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)} | set(functions)
    bindings = Bindings(own=own, functions=functions, complete=True)
    for node in (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)):
        for name, place in import_places(node):
            if name in own or bindings.imported.get(name, place) != place or node not in tree.body:
                detail = f"{name} is imported below the top level, or bound by other means too"
                raise Refusal(RefusalReason.UNSUPPORTED, detail, node.lineno)
            bindings.imported[name] = place
    return bindings


def check_order(tree: ast.Module, bindings: Bindings) -> None:
    """Refuse a module whose top level may use a function or an import before it is there.

    From the first statement on that mentions a function of the module, none may be defined and nothing imported.
    """
    mentioned: set[str] = set()
    for node in tree.body:
        parts: list[ast.AST] = [node]
        defined: set[str] = set()
        if isinstance(node, ast.FunctionDef):
            parts, defined = [*node.args.defaults, *node.decorator_list], {node.name}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            defined = {name for name, place in import_places(node) if PRELUDE.get(name) != place}
        if defined and not mentioned.isdisjoint(defined | bindings.functions.keys()):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{min(defined)} may be used before it is defined", node.lineno)
        mentioned |= {part.id for item in parts for part in ast.walk(item) if isinstance(part, ast.Name)}


def check_annotation(node: ast.expr | None) -> None:
    """Refuse an annotation that does more than to name types; Python from 3.14 on evaluates none where it stands (PEP 649)."""
    if node is not None and not all(isinstance(part, _TYPE_PARTS) for part in ast.walk(node)):
        raise Refusal(RefusalReason.UNSUPPORTED, f"the annotation {ast.unparse(node)[:40]}", node.lineno)
