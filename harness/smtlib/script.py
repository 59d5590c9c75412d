"""An SMT-LIB2 script: its commands, declarations, assertions and faults, read from any text."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.smtlib.faults import ScriptFault, ScriptFaultKind
from harness.smtlib.parser import MOST_FAULTS, ParsedText, read_tree
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, Position, write_node
from harness.smtlib.sort_checker import Signature, SortChecker, SymbolScope
from harness.smtlib.vocabulary import ALLOWED, OPTIONS, REFUSED, LogicFeature, features_of

_BEFORE_LOGIC = {"set-info", "set-option", "set-logic"}
_FORMS = {
    "set-logic": (".", "(set-logic QF_LIA)"),
    "set-info": ("..", "(set-info :smt-lib-version 2.6)"),
    "set-option": ("..", "(set-option :produce-models true)"),
    "declare-sort": ("..", "(declare-sort Person 0)"),
    "define-sort": (".(.", "(define-sort Day () Int)"),
    "declare-datatype": (".(", "(declare-datatype Color ((red) (green)))"),
    "declare-datatypes": ("((", "(declare-datatypes ((Color 0)) (((red) (green))))"),
    "declare-const": ("..", "(declare-const x Int)"),
    "declare-fun": (".(.", "(declare-fun f (Int) Int)"),
    "define-const": ("...", "(define-const x Int 3)"),
    "define-fun": (".(..", "(define-fun f ((x Int)) Int (+ x 1))"),
    "assert": (".", "(assert formula)"),
    "check-sat": ("", "(check-sat)"),
    "get-model": ("", "(get-model)"),
    "get-value": ("(", "(get-value (x))"),
}
"""What stands after the name of each command, a parenthesis for each group and a dot for any node, and an example."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """A constant or function that a script declares or defines: `sorts` of its arguments, its own `sort`, both as text.

    `body` is what a `define-fun` or `define-const` gives it, with `parameters` by name. `command` is the index of its command.
    """

    name: str
    sorts: tuple[str, ...]
    sort: str
    at: Position
    command: int
    parameters: tuple[str, ...] = ()
    body: Node | None = None


@dataclass(frozen=True, slots=True)
class Enumeration:
    """A sort of finitely many named values, by `declare-datatype` or `declare-datatypes`; `command` is the index of its command."""

    name: str
    values: tuple[str, ...]
    at: Position
    command: int


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed script: its commands in order, their declarations and assertions, and its faults.

    `nodes` are all nodes at the top level, including stray atoms. `sorts` are those of `declare-sort`. `features` are the used
    features of a logic. `scope` has the symbols at its end. z3 and cvc5 read a script without faults without an error.
    """

    text: str
    nodes: tuple[Node, ...]
    commands: tuple[NodeGroup, ...]
    logic: str | None
    sorts: tuple[str, ...]
    enumerations: tuple[Enumeration, ...]
    declarations: tuple[Declaration, ...]
    assertions: tuple[Node, ...]
    features: frozenset[LogicFeature]
    faults: tuple[ScriptFault, ...]
    scope: SymbolScope = field(compare=False, repr=False)

    @property
    def valid(self) -> bool:
        """Tell whether the script has no faults."""
        return not self.faults


def read_script(text: str) -> Script:
    """Read any text as an SMT-LIB2 script; never raises, in time linear in its length.

    A faulty command declares as much as can be read, so that one fault does not cause others.
    """
    tree = read_tree(text)
    reader = _ScriptReader()
    for node in tree.nodes:
        if isinstance(node, NodeGroup):
            reader.command(node)
    return reader.finish(text, tree)


@dataclass(slots=True)
class _ScriptReader:
    checker: SortChecker = field(default_factory=SortChecker)
    commands: list[NodeGroup] = field(default_factory=list)
    logic: Atom | None = None
    sorts: list[str] = field(default_factory=list)
    enumerations: list[Enumeration] = field(default_factory=list)
    declarations: list[Declaration] = field(default_factory=list)
    assertions: list[Node] = field(default_factory=list)
    unchecked: NodeGroup | None = None
    checked: bool = False

    def command(self, node: NodeGroup) -> None:
        """Read one command."""
        self.commands.append(node)
        name, items = node.head, node.arguments
        if name in REFUSED:
            self.checker.fault(ScriptFaultKind.REFUSED_COMMAND, node, "commands that declare, assert and check", name)
        elif name not in ALLOWED:
            self.checker.fault(ScriptFaultKind.UNKNOWN_COMMAND, node, "a command of SMT-LIB")
        elif len(items) == len(_FORMS[name][0]) and not any(
            form == "(" and not isinstance(item, NodeGroup) for form, item in zip(_FORMS[name][0], items, strict=True)
        ):
            self._read_command(node, name, items)
        else:
            self._malformed(node)
            if name == "check-sat":
                self._read_command(node, name, items)
            elif name == "declare-sort" and len(items) == 1:
                self._declare_sort(items[0])
            elif name == "assert":
                for item in items:
                    self.checker.term(item)

    def _read_command(self, node: NodeGroup, name: str, items: Sequence[Node]) -> None:
        match name, items:
            case "set-logic", (logic,):
                self._set_logic(node, logic)
            case "set-info" | "set-option", (key, value):
                self._set(node, key, value)
            case "declare-sort", (sort, count):
                if write_node(count) != "0":
                    self.checker.fault(ScriptFaultKind.UNSUPPORTED, node, "a sort without arguments")
                self._declare_sort(sort)
            case "define-sort", _:
                self.checker.fault(ScriptFaultKind.UNSUPPORTED, node, "declare-sort or declare-datatypes")
            case "declare-datatype", (sort, NodeGroup() as values):
                self._enumerate(node, sort, values)
            case "declare-datatypes", (NodeGroup(items=sorts), NodeGroup(items=values)):
                self._enumerate_all(node, sorts, values)
            case "declare-const", (constant, sort):
                self._declare(constant, [], sort)
            case "declare-fun", (function, NodeGroup(items=sorts), sort):
                if sorts:
                    self.checker.use(LogicFeature.FUNCTIONS, node.at)
                self._declare(function, sorts, sort)
            case "define-const", (constant, sort, body):
                self._define(node, constant, [], sort, body)
            case "define-fun", (function, NodeGroup(items=parameters), sort, body):
                self._define(node, function, parameters, sort, body)
            case "assert", (formula,):
                self.checker.boolean(formula)
                self.assertions.append(formula)
                if self.checked and self.unchecked is None:
                    self.unchecked = node
            case "check-sat", _:
                self.checked, self.unchecked = True, None
            case _:
                self._ask(node, items)

    def finish(self, text: str, tree: ParsedText) -> Script:
        """Return the script with the faults of its commands and of the whole."""
        checker, last = self.checker, self.commands[-1].at if self.commands else Position()
        if not self.commands:
            example = "(declare-const …), (assert …), (check-sat)"
            checker.faults.append(ScriptFault(ScriptFaultKind.EMPTY, last, "no command", example))
        else:
            if not self.assertions:
                checker.faults.append(ScriptFault(ScriptFaultKind.NO_ASSERTION, last, "no assertion", "(assert …)"))
            if not self.checked:
                checker.faults.append(ScriptFault(ScriptFaultKind.NO_CHECK, last, "no (check-sat)", "(check-sat)"))
            elif self.unchecked is not None:
                checker.fault(ScriptFaultKind.MISPLACED_COMMAND, self.unchecked, "it before (check-sat)")
        held = features_of(self.logic.name) if self.logic else None
        if self.logic is not None and held is not None and (missing := sorted(set(checker.features) - held)):
            wanted = f"a logic with {', '.join(missing)}"
            checker.fault(ScriptFaultKind.NARROW_LOGIC, self.logic, wanted, self.logic.text)
        faults = sorted({*tree.faults, *checker.faults}, key=lambda fault: (fault.at.offset, fault.kind))
        return Script(
            text=text,
            nodes=tree.nodes,
            commands=tuple(self.commands),
            logic=self.logic.name if self.logic else None,
            sorts=tuple(self.sorts),
            enumerations=tuple(self.enumerations),
            declarations=tuple(self.declarations),
            assertions=tuple(self.assertions),
            features=frozenset(checker.features),
            faults=tuple(faults[:MOST_FAULTS]),
            scope=checker.scope,
        )

    def _malformed(self, node: NodeGroup, expected: str = "") -> None:
        self.checker.fault(ScriptFaultKind.MALFORMED_COMMAND, node, expected or _FORMS[node.head][1])

    def _is_late(self) -> bool:
        """Tell whether something stands before this command that a logic or an option must precede."""
        return any(command.head not in _BEFORE_LOGIC for command in self.commands[:-1])

    def _set_logic(self, node: NodeGroup, logic: Node) -> None:
        if not isinstance(logic, Atom) or logic.kind is not AtomKind.SYMBOL:
            self._malformed(node)
            return
        if self._is_late() or self.logic is not None:
            self.checker.fault(ScriptFaultKind.MISPLACED_COMMAND, node, "one logic, before anything is declared")
            return
        held = features_of(logic.name)
        if held is None:
            self.checker.fault(ScriptFaultKind.UNKNOWN_LOGIC, logic, "a logic such as QF_LIA or ALL")
        elif LogicFeature.REALS in held and LogicFeature.INTEGERS not in held:
            self.checker.scope.reals = True
        self.logic = logic

    def _set(self, node: NodeGroup, key: Node, value: Node) -> None:
        if node.head == "set-info":
            if not isinstance(key, Atom) or key.kind is not AtomKind.KEYWORD or not isinstance(value, Atom):
                self._malformed(node)
            elif key.text == ":status":
                # cvc5 takes it for a claim and calls another answer an error.
                self.checker.fault(ScriptFaultKind.REFUSED_COMMAND, node, "no claim about the answer")
        elif write_node(key) not in OPTIONS or write_node(value) not in {"true", "false"}:
            self.checker.fault(ScriptFaultKind.REFUSED_COMMAND, node, f"{' or '.join(sorted(OPTIONS))}, true or false")
        elif self._is_late():
            self.checker.fault(ScriptFaultKind.MISPLACED_COMMAND, node, "options before anything is declared")

    def _declare_sort(self, node: Node) -> None:
        name = self.checker.declarable(node, sort=True)
        if name is not None:
            self.checker.scope.sorts.add(name)
            self.sorts.append(name)
            self.checker.use(LogicFeature.SORTS, node.at)

    def _enumerate_all(self, node: NodeGroup, sorts: Sequence[Node], values: Sequence[Node]) -> None:
        if not sorts or len(sorts) != len(values):
            self._malformed(node)
            return
        for sort, listed in zip(sorts, values, strict=True):
            if not isinstance(sort, NodeGroup) or len(sort.items) != 2 or not isinstance(listed, NodeGroup):
                self._malformed(node)
            elif write_node(sort.items[1]) != "0" or listed.head == "par":
                self.checker.fault(ScriptFaultKind.UNSUPPORTED, node, "a sort without arguments")
            else:
                self._enumerate(node, sort.items[0], listed)

    def _enumerate(self, node: NodeGroup, name: Node, listed: NodeGroup) -> None:
        sort = self.checker.declarable(name, sort=True)
        self.checker.use(LogicFeature.DATATYPES, node.at)
        if not listed.items:
            self._malformed(node, "at least one value")
        if sort is not None:
            self.checker.scope.sorts.add(sort)
        values: list[str] = []
        for item in listed.items:
            value = item.items[0] if isinstance(item, NodeGroup) and item.items else item
            if not isinstance(item, NodeGroup):
                self.checker.fault(ScriptFaultKind.MALFORMED_COMMAND, item, f"({write_node(item)})")
            elif len(item.items) > 1:
                self.checker.fault(ScriptFaultKind.UNSUPPORTED, item, "a value without fields")
            value_name = self.checker.declarable(value)
            if value_name is not None and sort is not None:
                self.checker.scope.symbols[value_name] = Signature((), sort)
                values.append(value_name)
        if sort is not None:
            self.enumerations.append(Enumeration(sort, tuple(values), name.at, len(self.commands) - 1))

    def _declare(self, node: Node, sort_nodes: Sequence[Node], sort_node: Node) -> None:
        # A name of an unknown sort is declared too: one fault is enough.
        sorts = tuple(self.checker.sort(item) or "" for item in sort_nodes)
        self._add(node, Signature(sorts, self.checker.sort(sort_node) or ""))

    def _add(self, node: Node, signature: Signature, bound: Sequence[str] = (), body: Node | None = None) -> None:
        name = self.checker.declarable(node)
        if name is not None:
            self.checker.scope.symbols[name] = signature
            place = len(self.commands) - 1
            declaration = Declaration(name, signature.sorts, signature.sort, node.at, place, tuple(bound), body)
            self.declarations.append(declaration)

    def _define(self, node: NodeGroup, name: Node, parameters: Sequence[Node], sort_node: Node, body: Node) -> None:
        bound: dict[str, str | None] = {}
        for parameter in parameters:
            match parameter:
                case NodeGroup(items=(Atom() as variable, parameter_sort)):
                    if variable.name in bound:
                        self.checker.fault(ScriptFaultKind.DUPLICATE, variable, "a parameter that is not there yet")
                    bound[variable.name] = self.checker.sort(parameter_sort)
                case _:
                    self._malformed(node, "parameters such as (x Int)")
                    return
        sort = self.checker.sort(sort_node)
        self.checker.expect(body, self.checker.within(bound, body), sort or "")
        constant = not bound and self.checker.constant(body)
        sorts = tuple(parameter_sort or "" for parameter_sort in bound.values())
        self._add(name, Signature(sorts, sort or "", constant), tuple(bound), body)

    def _ask(self, node: NodeGroup, items: Sequence[Node]) -> None:
        terms = items[0].items if items and isinstance(items[0], NodeGroup) else ()
        if items and not terms:
            self._malformed(node)
        for term in terms:
            self.checker.term(term)
        if not self.checked or self.unchecked is not None:
            self.checker.fault(ScriptFaultKind.MISPLACED_COMMAND, node, "it after (check-sat)")
