"""Lifting of a response to a program: from raw text to parameters, functions, body and answer, and its result at the default inputs."""

import ast
import itertools
from dataclasses import dataclass, replace

from harness.domain import Provenance, Response
from harness.program import ir
from harness.program.dialect import AnswerPlace, ModuleShape, answer_place, shape_of
from harness.program.evaluation.evaluator import Outcome, evaluate
from harness.program.ir import Program
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.bindings import (
    CodeScope,
    ScopeSurvey,
    check_annotation,
    check_order,
    module_bindings,
    survey,
)
from harness.program.syntax.code_extraction import ProgramSource, read_source
from harness.program.syntax.comments import scan_comments
from harness.program.syntax.literals import literal_value
from harness.program.syntax.lowering import Lowering

_SHOWING = (
    *(ast.Expr, ast.Assign, ast.Assert, ast.Pass, ast.Call, ast.keyword, ast.Name, ast.Constant),
    *(ast.Compare, ast.cmpop, ast.JoinedStr, ast.FormattedValue, ast.expr_context),
)


def lift(response: Response) -> ir.Program:
    """Read a response as a program; its code is parsed, never executed. One without a program of any dialect is a `Refusal`."""
    return lift_source(read_source(response.text), response.dialect)


def lift_source(source: ProgramSource, hint: str | None = None) -> ir.Program:
    """Lift source text that has been read already; `hint` names its dialect where two are as likely; errors as in `lift`."""
    scopes = survey(source.tree)
    shape = shape_of(scopes)
    entry = answer_place(source, shape, hint) or _unmarked(source, shape)
    if entry.function is not None and _is_given_inputs(source.tree, entry.function):
        shape = replace(shape, functions={})
        entry = answer_place(source, shape, hint) or _unmarked(source, shape)
    top = _kept_statements(source.tree, scopes, entry)
    used = _reachable(source.tree, scopes, entry, top)
    bindings = module_bindings(source.tree, scopes.functions)
    check_order(source.tree, bindings)
    lowering = Lowering(scan_comments(source.code), marked=_marked_inputs(source), bindings=bindings)
    once = {name for name in used if name in scopes.called_straight and scopes.called(name) == 1}
    handed = once - {entry.function}
    lowering.signatures = {name: [argument.arg for argument in used[name].args.args] for name in handed}
    lowering.inputs = _single_literals(source.tree.body, scopes.top)
    for key, node in used.items():
        if key in once or key == entry.function:
            lowering.inputs |= _single_literals(node.body, scopes.scopes[key])
    body, answer = _main(top, entry, lowering)
    functions = {key: _lifted_function(node, lowering) for key, node in used.items() if key != entry.function}
    if entry.function is not None:
        functions[entry.function] = _lifted_function(used[entry.function], lowering, gives_answer=True)
    return ir.Program(entry.dialect, source.code, tuple(lowering.parameters), functions, body, answer, source.repairs)


def _unmarked(source: ProgramSource, shape: ModuleShape) -> AnswerPlace:
    if len(shape.functions) > 1 and not shape.calls & shape.functions.keys():
        raise Refusal(RefusalReason.SEVERAL_FUNCTIONS, f"which of {', '.join(shape.functions)} gives the answer?")
    if source.template:
        raise Refusal(RefusalReason.NO_FUNCTION, "function_code defines no function")
    return AnswerPlace()


def _is_given_inputs(tree: ast.Module, function: str) -> bool:
    """Tell whether the top level calls a function with other inputs than its defaults, so that what it makes of them is the answer; with and without inputs is a `Refusal`."""
    statements = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.Assert)]
    calls = [
        bool(part.args or part.keywords)
        for node in statements
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == function
    ]
    if len(set(calls)) > 1:
        raise Refusal(RefusalReason.SEVERAL_FUNCTIONS, f"{function} is called with inputs and without")
    return True in calls


def _marked_inputs(source: ProgramSource) -> dict[str, Provenance]:
    """Return the provenance that `logical_steps` state; a name in both lists is a question input."""
    marked: dict[str, Provenance] = {}
    for key, provenance in (("WK_inputs", Provenance.WORLD_KNOWLEDGE), ("question_inputs", Provenance.QUESTION)):
        for step in source.steps:
            names = step.get(key)
            if isinstance(names, list):
                marked.update({name: provenance for name in names if isinstance(name, str)})
    return marked


def _reachable(
    tree: ast.Module, scopes: ScopeSurvey, entry: AnswerPlace, top: list[ast.stmt]
) -> dict[str, ast.FunctionDef]:
    """Return the functions that the answer or a kept statement can reach; of others only the definition counts."""
    for node in tree.body:
        if isinstance(node, ast.AsyncFunctionDef | ast.ClassDef):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{type(node).__name__} statements", node.lineno)
    statements = [node for node in top if not isinstance(node, ast.FunctionDef)]
    pending = [part.id for node in statements for part in ast.walk(node) if isinstance(part, ast.Name)]
    pending += [] if entry.function is None else [entry.function]
    reached: set[str] = set()
    while pending:
        name = pending.pop()
        if name in scopes.functions and name not in reached:
            reached.add(name)
            pending.extend(scopes.scopes[name].mentioned)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node is not scopes.functions.get(node.name):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{node.name} is defined twice", node.lineno)
    return {name: node for name, node in scopes.functions.items() if name in reached}


def _kept_statements(tree: ast.Module, scopes: ScopeSurvey, entry: AnswerPlace) -> list[ast.stmt]:
    """Return the statements of the top level, without those after the entry function where all of them only show its result.

    Such are `print(solve())`, `result = solve()` and `assert solve() == 5`, below `if __name__ == "__main__":` too: each part is one of
    `_SHOWING`, they call nothing else, and no function reads the names that they set.
    """
    if entry.function is None:
        return tree.body
    place = tree.body.index(scopes.functions[entry.function])
    defined = ast.FunctionDef | ast.Import | ast.ImportFrom
    after = [node for node in tree.body[place + 1 :] if not isinstance(node, defined)]
    read = {name for key, scope in scopes.scopes.items() if key is not None for name in scope.mentioned}
    assigned = {name for scope in scopes.scopes.values() for name in scope.assigned}
    known = {entry.function, "print"} - assigned
    for node in itertools.chain.from_iterable(map(_run_in_a_script, after)):
        names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
        loaded = {name.id for name in names if isinstance(name.ctx, ast.Load)}
        stored = {name.id for name in names} - loaded
        shows = all(isinstance(part, _SHOWING) for part in ast.walk(node)) and loaded <= known
        if not shows or not stored.isdisjoint(read | scopes.functions.keys()):
            return tree.body
        known |= stored
    return [node for node in tree.body if node not in after]


def _run_in_a_script(node: ast.stmt) -> list[ast.stmt]:
    """Return the statements that `if __name__ == "__main__":` guards; any other statement as it is."""
    if isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'":
        return node.body
    return [node]


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


def _main(top: list[ast.stmt], entry: AnswerPlace, lowering: Lowering) -> tuple[tuple[ir.Stmt, ...], ir.Expr | None]:
    """Translate the top level: what runs before the answer is read, and how it is read."""
    body: list[ir.Stmt] = []
    for node in top:
        match node:
            case ast.FunctionDef():
                _check_definition(node, lowering)
            case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=None):
                check_annotation(annotation)
            case _:
                body += lowering.block([node])
    if entry.function is None:
        return tuple(body), None if entry.variable is None else ir.Name(entry.variable)
    return tuple(body), ir.Call(entry.function, ())


def _lifted_function(node: ast.FunctionDef, lowering: Lowering, *, gives_answer: bool = False) -> ir.Function:
    """Translate a function; of the one that gives the answer, the arguments' defaults are the inputs."""
    if node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.posonlyargs:
        raise Refusal(RefusalReason.UNSUPPORTED, f"the signature of {node.name}", node.lineno)
    arguments, defaults = node.args.args, node.args.defaults
    first = len(arguments) - len(defaults)
    if gives_answer and first:
        raise Refusal(RefusalReason.MISSING_ARGUMENT, f"{arguments[0].arg} has no default", node.lineno)
    lowered: list[ir.Expr] = []
    for argument, default in zip(arguments[first:], defaults, strict=True):
        value = lowering.literal(default) if gives_answer else None
        declared = argument.annotation.id if isinstance(argument.annotation, ast.Name) else None
        if value is None:
            lowered.append(lowering.expression(default))
        else:
            lowered.append(lowering.parameter(argument.arg, value, default.lineno, declared=declared))
    if gives_answer and lowering.parameters and arguments:
        lowering.inputs.clear()
    names = tuple(argument.arg for argument in arguments)
    return ir.Function(node.name, names, tuple(lowered), lowering.block(node.body))


def _check_definition(node: ast.FunctionDef, lowering: Lowering) -> None:
    """Refuse a function whose definition alone, called or not, may raise or change something."""

    def is_constant(default: ast.expr) -> bool:
        return isinstance(default, ast.Constant) or lowering.literal(default) is not None

    defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
    if node.decorator_list or not all(map(is_constant, defaults)):
        raise Refusal(RefusalReason.UNSUPPORTED, f"the definition of {node.name}", node.lineno)
    arguments = [part for part in ast.walk(node.args) if isinstance(part, ast.arg)]
    for annotation in (node.returns, *(argument.annotation for argument in arguments)):
        check_annotation(annotation)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A response with its program and the outcome at the default inputs.

    `program` is `None` for an unreadable response; `outcome` is `None` where evaluation was refused. `reason` is the refusal.
    """

    response: Response
    program: Program | None
    outcome: Outcome | None
    reason: str | None


def read_candidate(response: Response) -> Candidate:
    """Read and evaluate a response; every refusal becomes the candidate's reason."""
    program: Program | None = None
    try:
        program = lift(response)
        return Candidate(response, program, evaluate(program), None)
    except Refusal as refusal:
        return Candidate(response, program, None, str(refusal))


def read_program(response: Response) -> Program | None:
    """Read a response's program without evaluating it; `None` where it holds none."""
    try:
        return lift(response)
    except Refusal:
        return None
