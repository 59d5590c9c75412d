"""An SMT-LIB2 script: its commands, declarations, assertions and faults, read from any text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.smtlib.commands import ALLOWED, OPTIONS, REFUSED
from harness.smtlib.faults import ScriptFault, ScriptFaultKind
from harness.smtlib.logics import LogicFeature, features_of
from harness.smtlib.parser import MOST_FAULTS, read_tree
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, Position
from harness.smtlib.sort_checker import Signature, SortChecker

if TYPE_CHECKING:
    from harness.smtlib.parser import ParsedText
    from harness.smtlib.sort_checker import SymbolScope

_BEFORE_LOGIC = {"set-info", "set-option", "set-logic"}
_VALUES = {"get-model", "get-value"}


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
        name = node.head
        if name in REFUSED:
            self.checker.fault(ScriptFaultKind.REFUSED_COMMAND, node, "commands that declare, assert and check", name)
        elif name not in ALLOWED:
            self.checker.fault(ScriptFaultKind.UNKNOWN_COMMAND, node, "a command of SMT-LIB")
        else:
            _READERS[name](self, node)

    def finish(self, text: str, tree: ParsedText) -> Script:
        """Return the script with the faults of its commands and of the whole."""
        checker, first = self.checker, self.commands[0].at if self.commands else Position()
        if not self.commands:
            checker.faults.append(
                ScriptFault(ScriptFaultKind.EMPTY, first, "no command", "(declare-const …), (assert …), (check-sat)")
            )
        else:
            last = self.commands[-1]
            if not self.assertions:
                checker.faults.append(ScriptFault(ScriptFaultKind.NO_ASSERTION, last.at, "no assertion", "(assert …)"))
            if not self.checked:
                checker.faults.append(ScriptFault(ScriptFaultKind.NO_CHECK, last.at, "no (check-sat)", "(check-sat)"))
            elif self.unchecked is not None:
                checker.fault(ScriptFaultKind.MISPLACED_COMMAND, self.unchecked, "it before (check-sat)")
        self._narrow()
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

    def _narrow(self) -> None:
        held = features_of(self.logic.name) if self.logic else None
        if self.logic is None or held is None:
            return
        missing = sorted(set(self.checker.features) - held)
        if missing:
            self.checker.fault(
                ScriptFaultKind.NARROW_LOGIC, self.logic, f"a logic with {', '.join(missing)}", self.logic.text
            )

    def _malformed(self, node: NodeGroup, expected: str) -> None:
        self.checker.fault(ScriptFaultKind.MALFORMED_COMMAND, node, expected)

    def set_logic(self, node: NodeGroup) -> None:
        name = node.items[1] if len(node.items) == 2 else None
        if not isinstance(name, Atom) or name.kind is not AtomKind.SYMBOL:
            self._malformed(node, "(set-logic QF_LIA)")
            return
        if any(command.head not in _BEFORE_LOGIC for command in self.commands[:-1]) or self.logic is not None:
            self.checker.fault(ScriptFaultKind.MISPLACED_COMMAND, node, "one logic, before anything is declared")
            return
        held = features_of(name.name)
        if held is None:
            self.checker.fault(ScriptFaultKind.UNKNOWN_LOGIC, name, "a logic such as QF_LIA or ALL")
        elif LogicFeature.REALS in held and LogicFeature.INTEGERS not in held:
            self.checker.scope.reals = True
        self.logic = name

    def set_option(self, node: NodeGroup) -> None:
        if len(node.items) != 3:
            self._malformed(node, "(set-option :produce-models true)")
        elif write_node(node.items[1]) not in OPTIONS or write_node(node.items[2]) not in {"true", "false"}:
            self.checker.fault(ScriptFaultKind.REFUSED_COMMAND, node, f"{' or '.join(sorted(OPTIONS))}, true or false")
        elif any(command.head not in _BEFORE_LOGIC for command in self.commands[:-1]):
            self.checker.fault(ScriptFaultKind.MISPLACED_COMMAND, node, "options before anything is declared")

    def set_info(self, node: NodeGroup) -> None:
        kinds = [item.kind if isinstance(item, Atom) else None for item in node.items]
        if len(kinds) != 3 or kinds[1] is not AtomKind.KEYWORD or None in kinds:
            self._malformed(node, "(set-info :smt-lib-version 2.6)")
        elif write_node(node.items[1]) == ":status":
            # cvc5 takes it for a claim and calls another answer an error.
            self.checker.fault(ScriptFaultKind.REFUSED_COMMAND, node, "no claim about the answer")

    def declare_sort(self, node: NodeGroup) -> None:
        if len(node.items) not in {2, 3}:
            self._malformed(node, "(declare-sort Person 0)")
            return
        if len(node.items) == 3 and write_node(node.items[2]) != "0":
            self.checker.fault(ScriptFaultKind.UNSUPPORTED, node, "a sort without arguments")
        elif len(node.items) == 2:
            self._malformed(node, "(declare-sort Person 0)")
        self._new_sort(node.items[1])

    def _new_sort(self, node: Node) -> str | None:
        name = self.checker.declarable(node, sort=True)
        if name is not None:
            self.checker.scope.sorts.add(name)
            self.sorts.append(name)
            self.checker.use(LogicFeature.SORTS, node.at)
        return name

    def define_sort(self, node: NodeGroup) -> None:
        if len(node.items) != 4 or not isinstance(node.items[2], NodeGroup):
            self._malformed(node, "(define-sort Day () Int)")
            return
        if node.items[2].items:
            self.checker.fault(ScriptFaultKind.UNSUPPORTED, node, "a sort without arguments")
            return
        sort = self.checker.sort(node.items[3])
        name = self.checker.declarable(node.items[1], sort=True)
        if name is not None and sort is not None:
            self.checker.scope.aliases[name] = sort

    def declare_datatype(self, node: NodeGroup) -> None:
        if len(node.items) != 3 or not isinstance(node.items[2], NodeGroup):
            self._malformed(node, "(declare-datatype Color ((red) (green)))")
            return
        self._enumerated(node, node.items[1], node.items[2])

    def declare_datatypes(self, node: NodeGroup) -> None:
        wanted = "(declare-datatypes ((Color 0)) (((red) (green))))"
        if len(node.items) != 3 or not all(isinstance(item, NodeGroup) and item.items for item in node.items[1:]):
            self._malformed(node, wanted)
            return
        names, values = node.items[1], node.items[2]
        assert isinstance(names, NodeGroup)  # noqa: S101  # seen above
        assert isinstance(values, NodeGroup)  # noqa: S101  # seen above
        if len(names.items) != len(values.items):
            self._malformed(node, wanted)
            return
        for name, listed in zip(names.items, values.items, strict=True):
            if not isinstance(name, NodeGroup) or len(name.items) != 2 or not isinstance(listed, NodeGroup):
                self._malformed(node, wanted)
            elif write_node(name.items[1]) != "0" or listed.head == "par":
                self.checker.fault(ScriptFaultKind.UNSUPPORTED, node, "a sort without arguments")
            else:
                self._enumerated(node, name.items[0], listed)

    def _enumerated(self, node: NodeGroup, name: Node, listed: NodeGroup) -> None:
        sort = self.checker.declarable(name, sort=True)
        self.checker.use(LogicFeature.DATATYPES, node.at)
        if not listed.items:
            self._malformed(node, "at least one value")
        if sort is not None:
            self.checker.scope.sorts.add(sort)
        values: list[str] = []
        for item in listed.items:
            value = item.items[0] if isinstance(item, NodeGroup) and item.items else item
            if isinstance(item, NodeGroup) and len(item.items) > 1:
                self.checker.fault(ScriptFaultKind.UNSUPPORTED, item, "a value without fields")
            elif not isinstance(item, NodeGroup):
                self.checker.fault(ScriptFaultKind.MALFORMED_COMMAND, item, f"({write_node(item)})")
            value_name = self.checker.declarable(value)
            if value_name is not None and sort is not None:
                self.checker.scope.symbols[value_name] = Signature((), sort)
                values.append(value_name)
        if sort is not None:
            self.enumerations.append(Enumeration(sort, tuple(values), name.at, len(self.commands) - 1))

    def declare_const(self, node: NodeGroup) -> None:
        if len(node.items) != 3:
            self._malformed(node, "(declare-const x Int)")
            return
        sort = self.checker.sort(node.items[2])
        self._declare(node.items[1], (), sort)

    def declare_fun(self, node: NodeGroup) -> None:
        if len(node.items) != 4 or not isinstance(node.items[2], NodeGroup):
            self._malformed(node, "(declare-fun f (Int) Int)")
            return
        sorts = [self.checker.sort(item) for item in node.items[2].items]
        sort = self.checker.sort(node.items[3])
        if sorts:
            self.checker.use(LogicFeature.FUNCTIONS, node.at)
        self._declare(node.items[1], tuple(argument_sort or "" for argument_sort in sorts), sort)

    def _declare(self, node: Node, sorts: tuple[str, ...], sort: str | None) -> None:
        name = self.checker.declarable(node)
        if name is None:
            return
        # A name of an unknown sort is declared too: one fault is enough.
        self.checker.scope.symbols[name] = Signature(sorts, sort or "")
        self.declarations.append(Declaration(name, sorts, sort or "", node.at, len(self.commands) - 1))

    def define_const(self, node: NodeGroup) -> None:
        if len(node.items) != 4:
            self._malformed(node, "(define-const x Int 3)")
            return
        self._define(node, (), node.items[2], node.items[3])

    def define_fun(self, node: NodeGroup) -> None:
        if len(node.items) != 5 or not isinstance(node.items[2], NodeGroup):
            self._malformed(node, "(define-fun f ((x Int)) Int (+ x 1))")
            return
        self._define(node, node.items[2].items, node.items[3], node.items[4])

    def _define(self, node: NodeGroup, parameters: tuple[Node, ...], sort_node: Node, body: Node) -> None:
        bound: dict[str, str | None] = {}
        for parameter in parameters:
            parameter_name = (
                parameter.items[0] if isinstance(parameter, NodeGroup) and len(parameter.items) == 2 else None
            )
            if not isinstance(parameter, NodeGroup) or not isinstance(parameter_name, Atom):
                self._malformed(node, "parameters such as (x Int)")
                return
            if parameter_name.name in bound:
                self.checker.fault(ScriptFaultKind.DUPLICATE, parameter_name, "a parameter that is not there yet")
            bound[parameter_name.name] = self.checker.sort(parameter.items[1])
        sort = self.checker.sort(sort_node)
        body_sort = self.checker.within(bound, body)
        if sort is not None and body_sort not in {None, sort, ""}:
            self.checker.fault(ScriptFaultKind.WRONG_SORT, body, sort, f"{write_node(body)} of sort {body_sort}")
        name = self.checker.declarable(node.items[1])
        if name is None:
            return
        sorts = tuple(parameter_sort or "" for parameter_sort in bound.values())
        constant = not bound and self.checker.constant(body)
        self.checker.scope.symbols[name] = Signature(sorts, sort or "", constant)
        at = node.items[1].at
        self.declarations.append(Declaration(name, sorts, sort or "", at, len(self.commands) - 1, tuple(bound), body))

    def assertion(self, node: NodeGroup) -> None:
        if len(node.items) != 2:
            self._malformed(node, "(assert formula)")
            for argument in node.arguments:
                self.checker.term(argument)
            return
        self.checker.boolean(node.items[1])
        self.assertions.append(node.items[1])
        if self.checked and self.unchecked is None:
            self.unchecked = node

    def check_sat(self, node: NodeGroup) -> None:
        if len(node.items) != 1:
            self._malformed(node, "(check-sat)")
        self.checked, self.unchecked = True, None

    def values(self, node: NodeGroup) -> None:
        if node.head == "get-model":
            if len(node.items) != 1:
                self._malformed(node, "(get-model)")
        elif len(node.items) != 2 or not isinstance(node.items[1], NodeGroup) or not node.items[1].items:
            self._malformed(node, "(get-value (x))")
        else:
            for term in node.items[1].items:
                self.checker.term(term)
        if not self.checked or self.unchecked is not None:
            self.checker.fault(ScriptFaultKind.MISPLACED_COMMAND, node, "it behind (check-sat)")


_READERS = {
    "set-logic": _ScriptReader.set_logic,
    "set-info": _ScriptReader.set_info,
    "set-option": _ScriptReader.set_option,
    "declare-sort": _ScriptReader.declare_sort,
    "define-sort": _ScriptReader.define_sort,
    "declare-datatype": _ScriptReader.declare_datatype,
    "declare-datatypes": _ScriptReader.declare_datatypes,
    "declare-const": _ScriptReader.declare_const,
    "declare-fun": _ScriptReader.declare_fun,
    "define-const": _ScriptReader.define_const,
    "define-fun": _ScriptReader.define_fun,
    "assert": _ScriptReader.assertion,
    "check-sat": _ScriptReader.check_sat,
    "get-model": _ScriptReader.values,
    "get-value": _ScriptReader.values,
}
