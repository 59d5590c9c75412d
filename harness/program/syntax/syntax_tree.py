"""The scopes of a module, with the names that each assigns, calls and reads."""

import ast
from collections import Counter
from dataclasses import dataclass, field


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
