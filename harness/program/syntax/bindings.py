"""The meaning of the names of a program: its own functions and variables, its imports, and Python's builtins.

A name whose meaning depends on more than the place where it is read is refused.
"""

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from harness.program.evaluation.builtin_functions import CONTENTS, LIBRARY, PRELUDE, QUALIFIED, Place
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.syntax_tree import parts_of, walk

_ANNOTATIONS = frozenset({"int", "float", "str", "bool", "list", "dict", "tuple", "set", "complex", "object"})


@dataclass(slots=True)
class Bindings:
    """The names of a program.

    `imported` are those that the top level imports, `own` all that any scope binds by other means, `local` those that the
    function in hand binds.
    """

    imported: dict[str, Place] = field(default_factory=dict)
    own: set[str] = field(default_factory=set)
    top: set[str] = field(default_factory=set)
    functions: Mapping[str, ast.FunctionDef] = field(default_factory=dict)
    local: set[str] = field(default_factory=set)
    complete: bool = False
    """Whether the whole module is known; of a single expression the variables are not."""

    def place(self, name: str) -> Place | None:
        """Return the module, or the name of a module, that a name stands for; `None` for any other name."""
        if name in self.local or name in self.top or name in self.functions:
            return None
        return self.imported.get(name) or PRELUDE.get(name)

    def spelled(self, module: str, name: str) -> str:
        """Return the name of a function of a module in the program language: the bare one where it means nothing else."""
        qualified = f"{module}.{name}"
        return qualified if name in self.own else QUALIFIED.get(qualified, qualified)

    def enter(self, function: ast.FunctionDef | None) -> None:
        """Take a function, or the top level, in hand."""
        self.local = set()
        if function is not None:
            self.local = {*(argument.arg for argument in function.args.args), *bound_names(function.body)}


def bound_names(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements of one scope bind, imports and the names of comprehensions aside.

    Statements that bind names in other ways are refused where they are translated.
    """
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                yield node.id
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            pending += [part for part in walk(node) if isinstance(part, ast.NamedExpr)]
        elif not isinstance(node, ast.Lambda | ast.FunctionDef):
            pending.extend(parts_of(node))


def import_places(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Place]]:
    """Yield each name that an import binds, with its meaning.

    Raises:
        Refusal: the import is of another module, of a function that is never called, or of all names.
    """
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
    """Return the names of a module.

    Raises:
        Refusal: a name is imported and also bound by other means, or imported as two things, or within a branch or a function.
    """
    bindings = Bindings(functions=functions, complete=True)
    plain = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    bindings.top = set(bound_names(plain))
    nodes = list(walk(tree))
    bindings.own = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bindings.own |= {node.arg for node in nodes if isinstance(node, ast.arg)} | set(functions)
    for node in (node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)):
        for name, place in import_places(node):
            bound = name in bindings.top or name in functions or bindings.imported.get(name, place) != place
            if bound or node not in tree.body:
                raise Refusal(
                    RefusalReason.UNSUPPORTED,
                    f"{name} is imported below the top level, or bound by other means too",
                    node.lineno,
                )
            bindings.imported[name] = place
    renamed = {name for name, place in bindings.imported.items() if place[1] != name}
    bindings.own |= renamed
    return bindings


def check_order(tree: ast.Module, bindings: Bindings, mentioned: Mapping[str | None, set[str]]) -> None:
    """Refuse a module whose top level uses a function or an import before it is there.

    `mentioned` are the names that each function reads.
    """
    last: dict[str, int] = {}
    first: dict[str, int] = {}
    for index, node in enumerate(tree.body):
        if isinstance(node, ast.FunctionDef):
            last[node.name] = index
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for name, place in import_places(node):
                if PRELUDE.get(name) != place:
                    first.setdefault(name, index)
    definitions = {**first, **last}
    for index, node in enumerate(tree.body):
        parts = [*node.args.defaults, *node.decorator_list] if isinstance(node, ast.FunctionDef) else [node]
        reached = {part.id for item in parts for part in walk(item) if isinstance(part, ast.Name)}
        pending = list(reached)
        while pending:
            name = pending.pop()
            if definitions.get(name, -1) > index:
                raise Refusal(RefusalReason.UNSUPPORTED, f"{name} is used before it is defined", node.lineno)
            inner = mentioned.get(name, set()) - reached if name in bindings.functions else set()
            reached |= inner
            pending += inner


def check_compilation(tree: ast.Module) -> None:
    """Refuse code that Python's compiler refuses after parsing: jumps outside loops, arguments of one name, and the like; nothing is executed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(tree, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise Refusal(RefusalReason.SYNTAX, str(getattr(error, "msg", error)), getattr(error, "lineno", None)) from None
    except (RecursionError, MemoryError):
        raise Refusal(RefusalReason.TOO_DEEP, "the code nests too deeply for the compiler") from None


def check_annotation(node: ast.expr | None, bindings: Bindings) -> None:
    """Refuse an annotation that Python may fail to evaluate."""
    if node is None:
        return
    for part in walk(node):
        known = (
            isinstance(part, ast.Constant | ast.Subscript | ast.Tuple | ast.expr_context)
            or _is_union(part)
            or (
                isinstance(part, ast.Name)
                and (part.id in _ANNOTATIONS or part.id in bindings.imported or part.id in PRELUDE)
            )
        )
        if not known or (isinstance(part, ast.Name) and part.id in bindings.own):
            raise Refusal(RefusalReason.UNSUPPORTED, f"the annotation {ast.unparse(node)[:40]}", node.lineno)


def _is_union(node: ast.AST) -> bool:
    """Tell whether a part of an annotation is `int | None`, of types that are no texts."""
    match node:
        case ast.BinOp(op=ast.BitOr(), left=left, right=right):
            return not any(isinstance(side, ast.Constant) and isinstance(side.value, str) for side in (left, right))
    return False
