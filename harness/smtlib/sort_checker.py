"""The sort checker of SMT-LIB2 terms, which also records the theory features that a term uses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.smtlib.faults import ScriptFault, ScriptFaultKind, shortened
from harness.smtlib.logics import LogicFeature
from harness.smtlib.parser import MOST_FAULTS
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.symbols import (
    BOOL,
    FUNCTIONS,
    INT,
    NUMBERS,
    OTHER_SORTS,
    REAL,
    RESERVED,
    SORTS,
    WORDS,
    ArgumentKind,
    TheoryFunction,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from harness.smtlib.s_expressions import Position

_NAMES = {AtomKind.SYMBOL, AtomKind.QUOTED}
_FEATURES = {INT: LogicFeature.INTEGERS, REAL: LogicFeature.REALS}
_REAL_FUNCTIONS = {"/", "to_real", "to_int", "is_int"}


@dataclass(frozen=True, slots=True)
class Signature:
    """The sorts of the arguments of a symbol and its own sort; a `constant` symbol is defined as a number."""

    sorts: tuple[str, ...]
    sort: str
    constant: bool = False


@dataclass(slots=True)
class SymbolScope:
    """The sorts and symbols that may be used, and the variables that are bound; `reals` where all numbers are real.

    `aliases` are sorts by what they stand for.
    """

    symbols: dict[str, Signature] = field(default_factory=dict)
    sorts: set[str] = field(default_factory=lambda: set(SORTS))
    aliases: dict[str, str] = field(default_factory=dict)
    bound: dict[str, list[str | None]] = field(default_factory=dict)
    reals: bool = False


@dataclass(slots=True)
class SortChecker:
    """Finds the sorts of terms; collects `faults`, and `features` with the position of their first use."""

    scope: SymbolScope = field(default_factory=SymbolScope)
    faults: list[ScriptFault] = field(default_factory=list)
    features: dict[LogicFeature, Position] = field(default_factory=dict)

    def fault(self, kind: ScriptFaultKind, node: Node, expected: str, found: str = "") -> None:
        """Record a fault of a node."""
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(ScriptFault(kind, node.at, shortened(found or write_node(node)), expected))

    def use(self, feature: LogicFeature, at: Position) -> None:
        """Record the use of a feature."""
        self.features.setdefault(feature, at)

    def sort(self, node: Node) -> str | None:
        """Return the sort that a node names, `None` with a fault if it names none."""
        if isinstance(node, Atom) and node.kind in _NAMES:
            name = self.scope.aliases.get(node.name, node.name)
            if name == INT:
                # Under a logic of real numbers alone this is a fault; numerals are then read as integers.
                self.scope.reals = False
            if name in self.scope.sorts:
                if name in _FEATURES:
                    self.use(_FEATURES[name], node.at)
                return name
            if name in OTHER_SORTS:
                self.fault(ScriptFaultKind.UNSUPPORTED, node, "Bool, Int, Real, a declared sort or an enumeration")
                return None
        elif isinstance(node, NodeGroup) and (node.head in OTHER_SORTS or node.head == "_"):
            self.fault(ScriptFaultKind.UNSUPPORTED, node, "Bool, Int, Real, a declared sort or an enumeration")
            return None
        self.fault(ScriptFaultKind.UNKNOWN_SORT, node, "Bool, Int, Real or a declared sort")
        return None

    def term(self, node: Node) -> str | None:
        """Return the sort of a term, `None` for a faulty term."""
        if isinstance(node, Atom):
            return self._atom(node)
        if not node.items:
            self.fault(ScriptFaultKind.MALFORMED_TERM, node, "a term", "()")
            return None
        first = node.items[0]
        if isinstance(first, NodeGroup):
            return self._applied(node, first)
        if first.kind not in _NAMES:
            if first.kind is not AtomKind.ODD:
                self.fault(ScriptFaultKind.MALFORMED_TERM, node, "a function behind the parenthesis")
            self._arguments(node.arguments)
            return None
        match first.name:
            case "let":
                return self._let(node)
            case "forall" | "exists":
                return self._quantified(node)
            case "!":
                return self._annotated(node)
            case "as":
                return self._qualified(node)
            case "ite":
                return self._ite(node)
        if first.name in WORDS:
            self.fault(ScriptFaultKind.UNSUPPORTED, node, "terms of Core, Ints, Reals and declared functions")
            return None
        function = FUNCTIONS.get(first.name)
        return self._theory(node, function) if function else self._application(node, first)

    def boolean(self, node: Node) -> None:
        """Check a term that must be a formula."""
        sort = self.term(node)
        if sort not in {BOOL, None}:
            self.fault(ScriptFaultKind.WRONG_SORT, node, "Bool", f"{write_node(node)} of sort {sort}")

    def declarable(self, node: Node, *, sort: bool = False) -> str | None:
        """Return the new name that a node declares, `None` with a fault if it cannot be declared."""
        if not isinstance(node, Atom) or node.kind not in _NAMES:
            if not (isinstance(node, Atom) and node.kind is AtomKind.ODD):
                self.fault(ScriptFaultKind.MALFORMED_COMMAND, node, "a name")
            return None
        name = node.name
        known = self.scope.sorts | self.scope.aliases.keys() if sort else self.scope.symbols.keys()
        if name in known:
            self.fault(ScriptFaultKind.DUPLICATE, node, "a name that is not declared yet")
            return None
        if name in (OTHER_SORTS if sort else RESERVED):
            self.fault(ScriptFaultKind.RESERVED_NAME, node, "a name that SMT-LIB does not keep for itself")
            return None if name in FUNCTIONS or name in WORDS else name
        return name

    def _atom(self, node: Atom) -> str | None:
        match node.kind:
            case AtomKind.NUMERAL:
                self.use(LogicFeature.REALS if self.scope.reals else LogicFeature.INTEGERS, node.at)
                return REAL if self.scope.reals else INT
            case AtomKind.DECIMAL:
                self.use(LogicFeature.REALS, node.at)
                return REAL
            case AtomKind.ODD:
                return None
            case AtomKind.SYMBOL | AtomKind.QUOTED:
                return self._symbol(node)
        self.fault(ScriptFaultKind.UNSUPPORTED, node, "a symbol or a number")
        return None

    def _symbol(self, node: Atom) -> str | None:
        if bound := self.scope.bound.get(node.name):
            return bound[-1] or None
        known = self.scope.symbols.get(node.name)
        if known is None:
            if node.name in {"true", "false"}:
                return BOOL
            if node.name in FUNCTIONS or node.name in WORDS or node.name == "ite":
                self.fault(ScriptFaultKind.MALFORMED_TERM, node, "arguments, in parentheses with the function")
            else:
                self.fault(ScriptFaultKind.UNDECLARED, node, "a declared name")
            return None
        if known.sorts:
            self.fault(ScriptFaultKind.WRONG_ARITY, node, f"{_count(len(known.sorts))}", f"{node.text} alone")
            return None
        return known.sort or None

    def _arguments(self, nodes: Sequence[Node]) -> list[str | None]:
        return [self.term(node) for node in nodes]

    def _theory(self, node: NodeGroup, function: TheoryFunction) -> str | None:
        name, nodes = node.head, node.arguments
        sorts = self._arguments(nodes)
        if not function.least <= len(nodes) <= (function.most or len(nodes)):
            wanted = _count(function.least) if function.least == function.most else f"at least {_count(function.least)}"
            self.fault(ScriptFaultKind.WRONG_ARITY, node, wanted)
            return None
        if name in _REAL_FUNCTIONS:
            self.use(LogicFeature.REALS, node.at)
            if name != "/":
                self.use(LogicFeature.INTEGERS, node.at)
        if self._multiplies(name, nodes):
            self.use(LogicFeature.PRODUCTS, node.at)
        good = True
        allowed = {
            ArgumentKind.BOOLEANS: {BOOL},
            ArgumentKind.INTEGERS: {INT},
            ArgumentKind.NUMBERS: NUMBERS,
            ArgumentKind.REALS: {REAL},
        }
        for argument, sort in zip(nodes, sorts, strict=True):
            literal = function.taking is ArgumentKind.REALS and sort == INT and name == "/" and self.constant(argument)
            if sort is None:
                good = False
            elif function.taking is not ArgumentKind.SAME and sort not in allowed[function.taking] and not literal:
                self.fault(
                    ScriptFaultKind.WRONG_SORT,
                    argument,
                    function.taking.value,
                    f"{write_node(argument)} of sort {sort}",
                )
                good = False
        return self._joined(node, function, sorts) if good else function.sort or None

    def _joined(self, node: NodeGroup, function: TheoryFunction, sorts: Sequence[str | None]) -> str | None:
        """Return the sort of an application whose arguments must have the same sort; report a fault if they do not."""
        if function.taking not in {ArgumentKind.SAME, ArgumentKind.NUMBERS}:
            return function.sort
        common = {sort for sort in sorts if sort is not None}
        if common == NUMBERS and all(
            sort == REAL or self.constant(argument) for argument, sort in zip(node.arguments, sorts, strict=True)
        ):
            common = {REAL}
        if len(common) > 1:
            listed = ", ".join(
                f"{write_node(argument)} of sort {sort}" for argument, sort in zip(node.arguments, sorts, strict=True)
            )
            self.fault(ScriptFaultKind.WRONG_SORT, node, "arguments of one sort", f"{node.head} of {listed}")
            return function.sort or None
        return function.sort or common.pop()

    def _multiplies(self, name: str, nodes: Sequence[Node]) -> bool:
        if name == "*":
            return sum(not self.constant(factor) for factor in nodes) > 1
        return name in {"/", "div", "mod"} and any(not self.constant(factor) for factor in nodes[1:])

    def constant(self, node: Node) -> bool:
        """Tell whether a term is a constant number."""
        if isinstance(node, Atom):
            defined = self.scope.symbols.get(node.name)
            return node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL} or (
                defined is not None and defined.constant and not self.scope.bound.get(node.name)
            )
        return node.head in {"+", "-", "*", "/"} and all(self.constant(argument) for argument in node.arguments)

    def _application(self, node: NodeGroup, first: Atom) -> str | None:
        sorts = self._arguments(node.arguments)
        known = self.scope.symbols.get(first.name)
        if known is None or self.scope.bound.get(first.name):
            kind = (
                ScriptFaultKind.MALFORMED_TERM
                if known or first.name in {"true", "false"}
                else ScriptFaultKind.UNDECLARED
            )
            self.fault(kind, first, "a declared function")
            return None
        if not known.sorts:
            self.fault(ScriptFaultKind.WRONG_ARITY, node, f"{first.text} without parentheses")
            return None
        return self._call(node, known, node.arguments, sorts)

    def _call(
        self, node: NodeGroup, known: Signature, nodes: Sequence[Node], sorts: Sequence[str | None]
    ) -> str | None:
        if len(known.sorts) != len(nodes):
            self.fault(ScriptFaultKind.WRONG_ARITY, node, _count(len(known.sorts)))
            return known.sort or None
        for argument, sort, wanted in zip(nodes, sorts, known.sorts, strict=True):
            if sort not in {None, wanted} and wanted:
                self.fault(ScriptFaultKind.WRONG_SORT, argument, wanted, f"{write_node(argument)} of sort {sort}")
        return known.sort or None

    def _applied(self, node: NodeGroup, first: NodeGroup) -> str | None:
        """Return the sort of `((_ is red) x)`, the only application whose function is no name."""
        sorts = self._arguments(node.arguments)
        if len(first.items) == 3 and first.head == "_" and isinstance(tested := first.items[2], Atom):
            known = self.scope.symbols.get(tested.name)
            if write_node(first.items[1]) == "is" and known is not None and not known.sorts:
                return self._call(node, Signature((known.sort,), BOOL), node.arguments, sorts)
        self.fault(ScriptFaultKind.MALFORMED_TERM, first, "a function behind the parenthesis")
        return None

    def _ite(self, node: NodeGroup) -> str | None:
        if len(node.arguments) != 3:
            self._arguments(node.arguments)
            self.fault(ScriptFaultKind.WRONG_ARITY, node, "3 arguments")
            return None
        self.boolean(node.arguments[0])
        left, right = self._arguments(node.arguments[1:])
        if left is None or right is None:
            return None
        if left != right:
            self.fault(ScriptFaultKind.WRONG_SORT, node, "branches of one sort", f"ite of {left} and {right}")
            return None
        return left

    def _let(self, node: NodeGroup) -> str | None:
        if len(node.items) != 3 or not isinstance(node.items[1], NodeGroup):
            self.fault(ScriptFaultKind.MALFORMED_TERM, node, "(let ((name term) …) term)")
            return None
        return self.within(self._bound(node.items[1], self.term, "(name term)"), node.items[2])

    def _quantified(self, node: NodeGroup) -> str | None:
        self.use(LogicFeature.QUANTIFIERS, node.at)
        if len(node.items) != 3 or not isinstance(node.items[1], NodeGroup) or not node.items[1].items:
            self.fault(ScriptFaultKind.MALFORMED_TERM, node, f"({node.head} ((name sort) …) formula)")
            return None
        return self.within(self._bound(node.items[1], self.sort, "(name sort)"), node.items[2], formula=True)

    def _bound(self, bindings: NodeGroup, sort_of: Callable[[Node], str | None], form: str) -> dict[str, str | None]:
        """Return the sorts of the names in pairs of a name and of what gives its sort."""
        bound: dict[str, str | None] = {}
        for binding in bindings.items:
            name = binding.items[0] if isinstance(binding, NodeGroup) and len(binding.items) == 2 else None
            if (
                not isinstance(binding, NodeGroup)
                or not isinstance(name, Atom)
                or name.kind not in _NAMES
                or name.name in RESERVED
            ):
                self.fault(ScriptFaultKind.MALFORMED_TERM, binding, form)
                continue
            sort = sort_of(binding.items[1])
            if name.name in bound:
                self.fault(ScriptFaultKind.DUPLICATE, name, "a name that is not bound yet")
            bound[name.name] = sort
        return bound

    def within(self, bound: dict[str, str | None], body: Node, *, formula: bool = False) -> str | None:
        """Return the sort of a term, or of a formula, under variables of the given sorts."""
        for name, sort in bound.items():
            self.scope.bound.setdefault(name, []).append(sort)
        if formula:
            self.boolean(body)
            body_sort: str | None = BOOL
        else:
            body_sort = self.term(body)
        for name in bound:
            self.scope.bound[name].pop()
        return body_sort

    def _annotated(self, node: NodeGroup) -> str | None:
        if len(node.items) < 2:
            self.fault(ScriptFaultKind.MALFORMED_TERM, node, "(! term :named name)")
            return None
        sort = self.term(node.items[1])
        rest = node.items[2:]
        for attribute, value in zip(rest[::2], rest[1::2], strict=False):
            if not isinstance(attribute, Atom) or attribute.text != ":named":
                self.fault(ScriptFaultKind.UNSUPPORTED, attribute, ":named and a name")
            elif (name := self.declarable(value)) is not None and sort is not None:
                self.scope.symbols[name] = Signature((), sort)
        if len(rest) % 2 or not rest:
            self.fault(ScriptFaultKind.MALFORMED_TERM, node, "(! term :named name)")
        return sort

    def _qualified(self, node: NodeGroup) -> str | None:
        if len(node.items) != 3:
            self.fault(ScriptFaultKind.MALFORMED_TERM, node, "(as name sort)")
            return None
        sort, term_sort = self.sort(node.items[2]), self.term(node.items[1])
        if sort is not None and term_sort not in {None, sort}:
            self.fault(ScriptFaultKind.WRONG_SORT, node, sort, f"{write_node(node.items[1])} of sort {term_sort}")
        return sort


def _count(number: int) -> str:
    return "one argument" if number == 1 else f"{number} arguments"
