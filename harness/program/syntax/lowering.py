"""Translation of Python syntax trees to the program language, with typed refusals."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from harness.domain import Parameter, Provenance
from harness.program import ir
from harness.program.evaluation.arithmetic import bounded
from harness.program.evaluation.builtin_functions import MATH, PRELUDE
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.bindings import Bindings, check_annotation
from harness.program.syntax.comments import Comments, read_provenance
from harness.program.syntax.literals import decimal_literal, literal_value
from harness.program.syntax.printed_text import printed_number

DEEPEST = 100
_READERS = frozenset({"list", "max", "min", "sorted", "sum", "tuple"})
"""The functions that read what they are given at once and to its end, as they read a list."""
_ITERATORS = frozenset({"enumerate", "zip"})
"""The functions whose items can be read once; they are evaluated where they are read."""
_MAPPED = frozenset({"abs", "float", "int", "len", "max", "min", "sum"})
"""The builtin functions that `map` may be given."""
_ITEM = "<item>"
"""The variable of a `map` of a function, which no program can name."""
_BEGINNING = (ast.Assign, ast.AnnAssign, ast.Expr, ast.If, ast.Return)
"""The statements that evaluate one expression, once and before anything else."""
_CHOOSING = (ast.BoolOp, ast.IfExp)
"""The expressions of whose parts not all are evaluated."""
_READS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_FORBIDDEN_CALLS = {"compile", "eval", "exec", "exit", "getattr", "globals", "input", "open", "setattr"}


@dataclass(slots=True)
class Lowering:
    """The translation of one syntax tree; collects the parameters it meets.

    `inputs` maps the identity of an assignment node whose literal is an input to nothing but its membership; `read_at_once` are the
    identities of expressions whose items are read where they stand. `signatures` are the arguments of the functions that are called
    once. `walruses` are the assignments within the statement in hand, which are made before it; `untouched` tells that nothing before
    the expression in hand read a name or called a function.
    """

    comments: Comments
    inputs: set[int] = field(default_factory=set)
    read_at_once: set[int] = field(default_factory=set)
    signatures: dict[str, list[str]] = field(default_factory=dict)
    marked: dict[str, Provenance] = field(default_factory=dict)
    parameters: list[Parameter] = field(default_factory=list)
    bindings: Bindings = field(default_factory=Bindings)
    walruses: list[ir.Assign] = field(default_factory=list)
    untouched: bool = False
    depth: int = 0

    def parameter(self, name: str, value: int | Fraction, line: int, *, declared: str | None = None) -> ir.Input:
        """Make a new parameter from a literal and return the node that reads it."""
        bounded(value)
        provenance, words = read_provenance(self.comments.of(line))
        # The annotation says which values the input may take; its literal gives the type that Python holds it in.
        kind = declared if declared in {"int", "float"} else "int" if isinstance(value, int) else "float"
        kind = "int" if kind == "int" and value.denominator == 1 else "float"
        self.parameters.append(Parameter(name, value, kind, self.marked.get(name, provenance), words, line))
        return ir.Input(len(self.parameters) - 1)

    def block(self, nodes: Sequence[ast.stmt]) -> tuple[ir.Stmt, ...]:
        """Return the translation of statements; docstrings, `pass` and imports of known modules leave nothing."""
        self._descend(nodes[0].lineno if nodes else None)
        lowered = tuple(statement for node in nodes for statement in self.statement(node))
        self.depth -= 1
        return lowered

    def statement(self, node: ast.stmt) -> tuple[ir.Stmt, ...]:
        """Return the translation of one statement, after the assignments that its expression makes for certain and first."""
        walruses: list[ir.Assign] = []
        self.walruses, self.untouched = walruses, isinstance(node, _BEGINNING)
        lowered = self._statement(node)
        self.untouched = False
        return (*walruses, *lowered)

    def _statement(self, node: ast.stmt) -> tuple[ir.Stmt, ...]:
        line = node.lineno
        match node:
            case ast.Assign(targets=targets, value=value):
                return self._assign(node, targets, value)
            case ast.AnnAssign(target=ast.Name() as target, annotation=annotation, value=ast.expr() as value):
                check_annotation(annotation)
                return self._assign(node, [target], value)
            case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
                return ()
            case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value):
                result = ir.Binary(_sign(operator, line), ir.Name(name), self.expression(value))
                return (ir.Assign((_checked(name, line),), result, line),)
            case ast.Expr(value=value):
                return (ir.Evaluate(self.expression(value), line),)
            case ast.If(test=test, body=then, orelse=otherwise):
                return (ir.If(self.expression(test), self.block(then), self.block(otherwise), line),)
            case ast.For(target=target, iter=iterable, body=body, orelse=[]):
                return (ir.For(self._loop_names(target), self._items(iterable), self.block(body), line),)
            case ast.While(test=test, body=body, orelse=[]):
                return (ir.While(self.expression(test), self.block(body), line),)
            case ast.Break():
                return (ir.Jump("break", line),)
            case ast.Continue():
                return (ir.Jump("continue", line),)
            case ast.Return(value=value):
                return (ir.Return(ir.Const(None) if value is None else self.expression(value), line),)
        raise Refusal(RefusalReason.UNSUPPORTED, f"{type(node).__name__} statements", line)

    def expression(self, node: ast.expr) -> ir.Expr:
        """Return the translation of one expression."""
        self._descend(node.lineno)
        self.untouched &= not isinstance(node, _CHOOSING)
        lowered = self._expression(node)
        self.untouched &= not isinstance(node, _READS)
        self.depth -= 1
        return lowered

    def _expression(self, node: ast.expr) -> ir.Expr:
        line = node.lineno
        match node:
            case ast.Constant(value=float() as value, kind=written):
                return ir.Const(decimal_literal(value, written, line))
            case ast.Constant(value=bool() | int() | str() | None as value):
                return ir.Const(value)
            case ast.Name(id="__name__"):
                return ir.Const("__main__")
            case ast.Name(id=name):
                return self._name(_checked(name, line), line)
            case ast.NamedExpr(target=ast.Name(id=name), value=value) if self.untouched:
                return self._walrus(_checked(name, line), value)
            case ast.BinOp(left=left, op=operator, right=right):
                return ir.Binary(_sign(operator, line), self.expression(left), self.expression(right))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not() as operator, operand=operand):
                symbol = {ast.USub: "-", ast.UAdd: "+", ast.Not: "not"}[type(operator)]
                return ir.Unary(symbol, self.expression(operand))
            case ast.Compare(left=left, ops=operators, comparators=others):
                symbols = tuple(_sign(operator, line) for operator in operators)
                self.untouched &= len(operators) == 1
                return ir.Comparison(symbols, tuple(self.expression(operand) for operand in [left, *others]))
            case ast.BoolOp(op=operator, values=values):
                symbol = "and" if isinstance(operator, ast.And) else "or"
                return ir.Boolean(symbol, tuple(self.expression(value) for value in values))
            case ast.IfExp(test=test, body=then, orelse=otherwise):
                return ir.Conditional(self.expression(test), self.expression(then), self.expression(otherwise))
            case ast.Call():
                return self._call(node)
            case ast.Subscript(value=receiver, slice=index) if not isinstance(index, ast.Slice):
                return ir.Subscript(self.expression(receiver), self.expression(index))
            case ast.List(elts=items):
                return ir.Sequence("list", tuple(self.expression(item) for item in items))
            case ast.Tuple(elts=items):
                return ir.Sequence("tuple", tuple(self.expression(item) for item in items))
            case ast.ListComp(elt=element, generators=[generator]):
                return self._comprehension(element, generator)
        raise Refusal(RefusalReason.UNSUPPORTED, f"{type(node).__name__} expressions", line)

    def _walrus(self, name: str, value: ast.expr) -> ir.Expr:
        """Make the assignment before the statement, where nothing before it in the statement can tell the difference."""
        lowered = self.expression(value)
        if any(name in walrus.targets for walrus in self.walruses):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{name} is assigned twice in a statement", value.lineno)
        self.walruses.append(ir.Assign((name,), lowered, value.lineno))
        self.untouched = True
        return ir.Name(name)

    def _items(self, node: ast.expr) -> ir.Expr:
        """Translate what a loop reads to its end, or until the loop ends; `map` of one argument is a comprehension."""
        self.read_at_once.add(id(node))
        match node:
            case ast.Call(ast.Name("map"), [function, items], []) if "map" not in self.bindings.own:
                match function:
                    case ast.Lambda(args=ast.arguments(posonlyargs=[], args=[argument], kwonlyargs=[], defaults=[])):
                        target = ast.Name(argument.arg, ast.Store(), lineno=node.lineno)
                        return self._comprehension(function.body, ast.comprehension(target, items, [], 0))
                    case ast.Name(id=name) if name in self.bindings.functions or name in _MAPPED - self.bindings.own:
                        element = ir.Call(self._function_name(name, node.lineno), (ir.Name(_ITEM),))
                        return ir.Comprehension(element, (_ITEM,), self._items(items), ())
        return self.expression(node)

    def _name(self, name: str, line: int) -> ir.Expr:
        match self.bindings.place(name):
            case module, None:
                raise Refusal(RefusalReason.UNSUPPORTED, f"the module {module} as a value", line)
            case module, str() as function:
                raise Refusal(RefusalReason.UNSUPPORTED, f"the name {module}.{function} as a value", line)
        return ir.Name(name)

    def _module(self, name: str) -> str | None:
        """Return the module that a name stands for, `None` where it stands for something else."""
        match self.bindings.place(name):
            case module, None:
                return module
        return None

    def _comprehension(self, element: ast.expr, generator: ast.comprehension) -> ir.Expr:
        self.untouched = False
        if generator.is_async:
            raise Refusal(RefusalReason.UNSUPPORTED, "an asynchronous comprehension", element.lineno)
        targets = self._loop_names(generator.target)
        iterable = self._items(generator.iter)
        conditions = tuple(self.expression(condition) for condition in generator.ifs)
        return ir.Comprehension(self.expression(element), targets, iterable, conditions)

    def _function_name(self, name: str, line: int) -> str:
        _checked(name, line)
        match self.bindings.place(name):
            case module, None:
                raise Refusal(RefusalReason.UNSUPPORTED, f"calling the module {module}", line)
            case module, str() as function:
                _check_callable(function, line)
                return self.bindings.function(module, function, line)
        if name not in self.bindings.own:
            _check_callable(name, line)
            if self.bindings.complete and name in MATH:
                raise Refusal(RefusalReason.UNSUPPORTED, f"{name}() is not imported", line)
        return name

    def _call(self, node: ast.Call) -> ir.Expr:
        line = node.lineno
        match node.func:
            case ast.Name(id=name):
                function = self._function_name(name, line)
                if function == "print" and self.bindings.own.isdisjoint({"print", "round", "int"}):
                    node = printed_number(node)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if module := self._module(owner):
                _check_callable(_checked(name, line), line)
                function = self.bindings.function(module, name, line)
            case ast.Attribute(value=receiver, attr=name):
                _checked(name, line)
                if node.keywords:
                    raise Refusal(RefusalReason.UNSUPPORTED, f"keyword arguments of .{name}()", line)
                return ir.Method(self.expression(receiver), name, tuple(self.expression(item) for item in node.args))
            case _:
                raise Refusal(RefusalReason.UNSUPPORTED, "calls of computed functions", line)
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if starred or any(word.arg is None for word in node.keywords):
            raise Refusal(RefusalReason.UNSUPPORTED, "unpacked arguments", line)
        names = self.signatures.get(function, [])
        builtin = function not in self.bindings.own
        if builtin and function in _ITERATORS and id(node) not in self.read_at_once:
            raise Refusal(RefusalReason.UNSUPPORTED, f"{function}() that is not read at once", line)
        reads_first = builtin and function in _READERS
        if builtin and function in _READERS | _ITERATORS:
            self.read_at_once.update(map(id, node.args))
        arguments = tuple(
            self._comprehension(item.elt, item.generators[0])
            if isinstance(item, ast.GeneratorExp) and len(item.generators) == 1 and reads_first and not place
            else self._items(item)
            if reads_first and not place
            else self._argument(item, names[place] if place < len(names) else None)
            for place, item in enumerate(node.args)
        )
        words = ((str(word.arg), self._argument(word.value, word.arg if names else None)) for word in node.keywords)
        return ir.Call(function, arguments, tuple(words))

    def _argument(self, node: ast.expr, name: str | None) -> ir.Expr:
        """Translate an argument; a literal handed to a function that is called once is an input of that name."""
        value = self.literal(node) if name is not None else None
        if name is None or value is None:
            return self.expression(node)
        return self.parameter(name, value, node.lineno)

    def _assign(self, node: ast.stmt, targets: list[ast.expr], value: ast.expr) -> tuple[ir.Stmt, ...]:
        line = node.lineno
        match targets:
            case [ast.Name(id=name)]:
                literal = self.literal(value) if id(node) in self.inputs else None
                lowered = (
                    self.expression(value) if literal is None else self.parameter(_checked(name, line), literal, line)
                )
                return (ir.Assign((_checked(name, line),), lowered, line),)
            case [ast.Tuple(elts=items) | ast.List(elts=items)] if items:
                return (ir.Assign(self._target_names(items), self.expression(value), line, unpack=True),)
        return (ir.Assign(self._target_names(targets), self.expression(value), line),)

    def literal(self, node: ast.expr) -> int | Fraction | None:
        """Return the number that a literal stands for where its class has its usual name; `None` for anything else."""
        match node:
            case ast.Call(func=ast.Name(id=name)) if self.bindings.place(name) != PRELUDE["Fraction"]:
                return None
        return literal_value(node)

    @staticmethod
    def _target_names(targets: Sequence[ast.expr]) -> tuple[str, ...]:
        for target in targets:
            if not isinstance(target, ast.Name):
                detail = f"assignment to {type(target).__name__} among several"
                raise Refusal(RefusalReason.UNSUPPORTED, detail, target.lineno)
        return tuple(_checked(target.id, target.lineno) for target in targets if isinstance(target, ast.Name))

    def _loop_names(self, target: ast.expr) -> tuple[str, ...]:
        match target:
            case ast.Name():
                return self._target_names([target])
            case ast.Tuple(elts=[_, _, *_] as items) | ast.List(elts=[_, _, *_] as items):
                return self._target_names(items)
        raise Refusal(RefusalReason.UNSUPPORTED, f"a loop over {type(target).__name__}", target.lineno)

    def _descend(self, line: int | None) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refusal(RefusalReason.TOO_DEEP, f"nested more than {DEEPEST} levels", line)


def _sign(node: ast.operator | ast.cmpop, line: int) -> str:
    if type(node) not in _SIGNS:
        what = "operator" if isinstance(node, ast.operator) else "comparison"
        raise Refusal(RefusalReason.UNSUPPORTED, f"the {what} {type(node).__name__}", line)
    return _SIGNS[type(node)]


def _check_callable(name: str, line: int) -> None:
    if name in _FORBIDDEN_CALLS:
        raise Refusal(RefusalReason.FORBIDDEN, f"{name}() is never called", line)


def _checked(name: str, line: int) -> str:
    if name.startswith("__"):
        raise Refusal(RefusalReason.FORBIDDEN, f"the name {name}", line)
    return name
