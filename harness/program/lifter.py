"""Lifting of a response to a program: from raw text to parameters, functions, body and answer."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from harness.domain import Provenance
from harness.program import ir
from harness.program.dialect import AnswerPlace, ModuleShape, RecognizedDialect, recognized_dialect, shape_of
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.code_extraction import ProgramSource, read_source
from harness.program.syntax.comments import scan_comments
from harness.program.syntax.literals import literal_value
from harness.program.syntax.lowering import Lowering
from harness.program.syntax.scopes import CodeScope, ScopeSurvey, survey

if TYPE_CHECKING:
    from harness.domain import Response


def lift(response: Response) -> ir.Program:
    """Read a response as a program; its code is parsed, never executed.

    Raises:
        Refusal: with a typed reason, where the response holds no program of any dialect.
    """
    return lift_source(read_source(response.text), response.dialect)


def lift_source(source: ProgramSource, hint: str | None = None) -> ir.Program:
    """Lift source text that has been read already; `hint` names its dialect where two are as likely; errors as in `lift`."""
    scopes = survey(source.tree)
    shape = shape_of(scopes)
    recognized = recognized_dialect(source, shape, hint) or _unmarked(source, shape)
    entry = recognized.place
    lowering = Lowering(scan_comments(source.code), marked=_marked_inputs(source))
    used = _reachable(source.tree, scopes, entry)
    lowering.signatures = {name: [argument.arg for argument in node.args.args] for name, node in used.items()}
    lowering.called_once = {name for name in used if name in scopes.called_straight and scopes.called(name) == 1}
    lowering.inputs = _single_literals(source.tree.body, scopes.top)
    for key, node in used.items():
        if key in lowering.called_once or key == entry.function:
            lowering.inputs |= _single_literals(node.body, scopes.scopes[key])
    body, answer = _main(source, entry, lowering, used)
    functions = {key: _function(node, lowering) for key, node in used.items() if key != entry.function}
    if entry.function is not None:
        functions[entry.function] = _entry_function(used[entry.function], lowering)
    return ir.Program(recognized.name, source.code, tuple(lowering.parameters), functions, body, answer, source.repairs)


def _unmarked(source: ProgramSource, shape: ModuleShape) -> RecognizedDialect:
    if len(shape.functions) > 1:
        raise Refusal(RefusalReason.SEVERAL_FUNCTIONS, f"which of {', '.join(shape.functions)} gives the answer?")
    if source.template:
        raise Refusal(RefusalReason.NO_FUNCTION, "function_code defines no function")
    return RecognizedDialect("unmarked", AnswerPlace())


def _marked_inputs(source: ProgramSource) -> dict[str, Provenance]:
    """Return the provenance that `logical_steps` state; a name in both lists is a question input."""
    marked: dict[str, Provenance] = {}
    for field, provenance in (("WK_inputs", Provenance.WORLD_KNOWLEDGE), ("question_inputs", Provenance.QUESTION)):
        for step in source.steps:
            names = step.get(field)
            if isinstance(names, list):
                marked.update({name: provenance for name in names if isinstance(name, str)})
    return marked


def _reachable(tree: ast.Module, scopes: ScopeSurvey, entry: AnswerPlace) -> dict[str, ast.FunctionDef]:
    """Return the functions the answer can reach; others are never looked at."""
    for node in tree.body:
        if isinstance(node, ast.AsyncFunctionDef | ast.ClassDef):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{type(node).__name__} statements", node.lineno)
    pending = [entry.function]
    reached: set[str | None] = set()
    while pending:
        scope = pending.pop()
        reached.add(scope)
        pending.extend(
            name for name in scopes.scopes[scope].mentioned if name in scopes.functions and name not in reached
        )
    return {name: node for name, node in scopes.functions.items() if name in reached}


def _single_literals(body: list[ast.stmt], scope: CodeScope) -> set[int]:
    """Return the identities of the assignments of a literal to a name that nothing else in the scope assigns."""
    assignments: set[int] = set()
    for node in body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if scope.assigned[name] == 1 and literal_value(value) is not None:
                    assignments.add(id(node))
    return assignments


def _main(
    source: ProgramSource, entry: AnswerPlace, lowering: Lowering, used: dict[str, ast.FunctionDef]
) -> tuple[tuple[ir.Stmt, ...], ir.Expr | None]:
    """Translate the top level: what runs before the answer is read, and how it is read."""
    top = [node for node in source.tree.body if not isinstance(node, ast.FunctionDef)]
    if entry.function is None:
        answer = None if entry.variable is None else ir.Name(entry.variable)
        return lowering.block(top), answer
    before = used[entry.function].lineno
    kept = [
        node
        for node in top
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Assign | ast.AnnAssign) and node.lineno < before)
    ]
    return lowering.block(kept), ir.Call(entry.function, ())


def _function(node: ast.FunctionDef, lowering: Lowering) -> ir.Function:
    _check_signature(node)
    defaults = tuple(lowering.expression(value) for value in node.args.defaults)
    return ir.Function(
        node.name, tuple(argument.arg for argument in node.args.args), defaults, lowering.block(node.body)
    )


def _entry_function(node: ast.FunctionDef, lowering: Lowering) -> ir.Function:
    """Translate the function that gives the answer: its arguments' defaults are the inputs."""
    _check_signature(node)
    arguments, defaults = node.args.args, node.args.defaults
    missing = arguments[: len(arguments) - len(defaults)]
    if missing:
        raise Refusal(RefusalReason.MISSING_ARGUMENT, f"{missing[0].arg} has no default", node.lineno)
    lowered: list[ir.Expr] = []
    for argument, default in zip(arguments, defaults, strict=True):
        value = literal_value(default)
        declared = argument.annotation.id if isinstance(argument.annotation, ast.Name) else None
        lowered.append(
            lowering.expression(default)
            if value is None
            else lowering.parameter(argument.arg, value, default.lineno, declared=declared)
        )
    if lowering.parameters and arguments:
        lowering.inputs.clear()
    return ir.Function(
        node.name, tuple(argument.arg for argument in arguments), tuple(lowered), lowering.block(node.body)
    )


def _check_signature(node: ast.FunctionDef) -> None:
    if node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.posonlyargs or node.decorator_list:
        raise Refusal(RefusalReason.UNSUPPORTED, f"the signature of {node.name}", node.lineno)
