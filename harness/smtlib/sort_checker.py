"""The sort checker of SMT-LIB2 terms, which also records the theory features that a term uses."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from harness.smtlib.faults import ScriptFault, ScriptFaultKind, shortened
from harness.smtlib.parser import MOST_FAULTS
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, Position, write_node
from harness.smtlib.vocabulary import (
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
    LogicFeature,
    TheoryFunction,
)

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
    """The sorts and symbols that may be used, and the variables that are bound; `reals` where all numbers are real."""

    symbols: dict[str, Signature] = field(default_factory=dict)
    sorts: set[str] = field(default_factory=lambda: set(SORTS))
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
        name = node.head if isinstance(node, NodeGroup) else node.name if node.kind in _NAMES else ""
        if isinstance(node, Atom) and name == INT:
            # Under a logic of real numbers alone this is a fault; numerals are then read as integers.
            self.scope.reals = False
        if isinstance(node, Atom) and name in self.scope.sorts:
            if name in _FEATURES:
                self.use(_FEATURES[name], node.at)
            return name
        if name in OTHER_SORTS or (isinstance(node, NodeGroup) and name == "_"):
            self.fault(ScriptFaultKind.UNSUPPORTED, node, "Bool, Int, Real, a declared sort or an enumeration")
        else:
            self.fault(ScriptFaultKind.UNKNOWN_SORT, node, "Bool, Int, Real or a declared sort")
        return None

    def term(self, node: Node) -> str | None:
        """Return the sort of a term, `None` for a faulty term or one of an unknown sort."""
        if isinstance(node, Atom):
            return self._atom(node)
        if not node.items:
            return self._malformed(node, "a term", "()")
        first = node.items[0]
        if isinstance(first, NodeGroup):
            self._arguments(node.arguments)
            return self._malformed(first, "a function after the parenthesis")
        if first.kind not in _NAMES:
            if first.kind is not AtomKind.ODD:
                self._malformed(node, "a function after the parenthesis")
            self._arguments(node.arguments)
            return None
        match first.name:
            case "let":
                return self._let(node)
            case "forall" | "exists":
                return self._quantified(node)
            case "!":
                return self._annotated(node)
            case "ite":
                return self._ite(node)
        if first.name in WORDS:
            self.fault(ScriptFaultKind.UNSUPPORTED, node, "terms of Core, Ints, Reals and declared functions")
            return None
        function = FUNCTIONS.get(first.name)
        return self._theory(node, function) if function else self._application(node, first)

    def boolean(self, node: Node) -> None:
        """Check a term that must be a formula."""
        self.expect(node, self.term(node), BOOL)

    def expect(self, node: Node, sort: str | None, wanted: str) -> None:
        """Record a fault where the sort of a node is known and is not the one that is wanted, if any is."""
        if sort and wanted and sort != wanted:
            self.fault(ScriptFaultKind.WRONG_SORT, node, wanted, f"{write_node(node)} of sort {sort}")

    def declarable(self, node: Node, *, sort: bool = False) -> str | None:
        """Return the new name that a node declares, `None` with a fault if it cannot be declared."""
        if not isinstance(node, Atom) or node.kind not in _NAMES:
            if not (isinstance(node, Atom) and node.kind is AtomKind.ODD):
                self.fault(ScriptFaultKind.MALFORMED_COMMAND, node, "a name")
            return None
        name = node.name
        if name in (self.scope.sorts if sort else self.scope.symbols):
            self.fault(ScriptFaultKind.DUPLICATE, node, "a name that is not declared yet")
            return None
        if name in (OTHER_SORTS if sort else RESERVED):
            self.fault(ScriptFaultKind.RESERVED_NAME, node, "a name that SMT-LIB does not keep for itself")
            return None if name in FUNCTIONS or name in WORDS else name
        return name

    def _malformed(self, node: Node, expected: str, found: str = "") -> str | None:
        self.fault(ScriptFaultKind.MALFORMED_TERM, node, expected, found)
        return None

    def _atom(self, node: Atom) -> str | None:
        if node.kind in _NAMES:
            return self._symbol(node)
        if node.kind is AtomKind.DECIMAL or (node.kind is AtomKind.NUMERAL and self.scope.reals):
            self.use(LogicFeature.REALS, node.at)
            return REAL
        if node.kind is AtomKind.NUMERAL:
            self.use(LogicFeature.INTEGERS, node.at)
            return INT
        if node.kind is not AtomKind.ODD:
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
                return self._malformed(node, "arguments, in parentheses with the function")
            self.fault(ScriptFaultKind.UNDECLARED, node, "a declared name")
            return None
        if known.sorts:
            self.fault(ScriptFaultKind.WRONG_ARITY, node, _count(len(known.sorts)), f"{node.text} alone")
            return None
        return known.sort or None

    def _arguments(self, nodes: Sequence[Node]) -> list[str | None]:
        return [self.term(node) for node in nodes]

    def _theory(self, node: NodeGroup, function: TheoryFunction) -> str | None:
        name, nodes, taking = node.head, node.arguments, function.taking
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
        good = None not in sorts
        allowed = NUMBERS if taking is ArgumentKind.NUMBERS else {taking.value}
        for argument, sort in zip(nodes, sorts, strict=True):
            literal = name == "/" and sort == INT and self.constant(argument)
            if sort is not None and taking is not ArgumentKind.SAME and sort not in allowed and not literal:
                self.expect(argument, sort, taking.value)
                good = False
        if not good or taking not in {ArgumentKind.SAME, ArgumentKind.NUMBERS}:
            return function.sort or None
        common = self._common(node, sorts)
        return function.sort or common

    def _common(self, node: NodeGroup, sorts: Sequence[str | None]) -> str | None:
        """Return the one sort of the arguments, where whole numbers that are written out may be real; `None` with a fault if there is none."""
        pairs = list(zip(node.arguments, sorts, strict=True))
        if set(sorts) == NUMBERS and all(sort == REAL or self.constant(argument) for argument, sort in pairs):
            return REAL
        if len(set(sorts)) == 1:
            return sorts[0]
        listed = ", ".join(f"{write_node(argument)} of sort {sort}" for argument, sort in pairs)
        self.fault(ScriptFaultKind.WRONG_SORT, node, "arguments of one sort", f"{node.head} of {listed}")
        return None

    def _multiplies(self, name: str, nodes: Sequence[Node]) -> bool:
        if name == "*":
            return sum(not self.constant(factor) for factor in nodes) > 1
        return name in {"/", "div", "mod"} and any(not self.constant(factor) for factor in nodes[1:])

    def constant(self, node: Node) -> bool:
        """Tell whether a term is a constant number."""
        if isinstance(node, Atom):
            defined = self.scope.symbols.get(node.name)
            named = defined is not None and defined.constant and not self.scope.bound.get(node.name)
            return named or node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}
        return node.head in {"+", "-", "*", "/"} and all(self.constant(argument) for argument in node.arguments)

    def _application(self, node: NodeGroup, first: Atom) -> str | None:
        sorts = self._arguments(node.arguments)
        known = self.scope.symbols.get(first.name)
        if known is None or self.scope.bound.get(first.name):
            if known or first.name in {"true", "false"}:
                return self._malformed(first, "a declared function")
            self.fault(ScriptFaultKind.UNDECLARED, first, "a declared function")
            return None
        if not known.sorts:
            self.fault(ScriptFaultKind.WRONG_ARITY, node, f"{first.text} without parentheses")
            return None
        if len(known.sorts) != len(sorts):
            self.fault(ScriptFaultKind.WRONG_ARITY, node, _count(len(known.sorts)))
        else:
            for argument, sort, wanted in zip(node.arguments, sorts, known.sorts, strict=True):
                self.expect(argument, sort, wanted)
        return known.sort or None

    def _ite(self, node: NodeGroup) -> str | None:
        if len(node.arguments) != 3:
            self._arguments(node.arguments)
            self.fault(ScriptFaultKind.WRONG_ARITY, node, "3 arguments")
            return None
        self.boolean(node.arguments[0])
        left, right = self._arguments(node.arguments[1:])
        if left and right and left != right:
            self.fault(ScriptFaultKind.WRONG_SORT, node, "branches of one sort", f"ite of {left} and {right}")
        return left if left == right else None

    def _let(self, node: NodeGroup) -> str | None:
        if len(node.items) != 3 or not isinstance(node.items[1], NodeGroup):
            return self._malformed(node, "(let ((name term) …) term)")
        return self.within(self._bound(node.items[1], self.term, "(name term)"), node.items[2])

    def _quantified(self, node: NodeGroup) -> str | None:
        self.use(LogicFeature.QUANTIFIERS, node.at)
        if len(node.items) != 3 or not isinstance(node.items[1], NodeGroup) or not node.items[1].items:
            return self._malformed(node, f"({node.head} ((name sort) …) formula)")
        bound = self._bound(node.items[1], self.sort, "(name sort)")
        self.expect(node.items[2], self.within(bound, node.items[2]), BOOL)
        return BOOL

    def _bound(self, bindings: NodeGroup, sort_of: Callable[[Node], str | None], form: str) -> dict[str, str | None]:
        """Return the sorts of the names in pairs of a name and of what gives its sort."""
        bound: dict[str, str | None] = {}
        for binding in bindings.items:
            match binding:
                case NodeGroup(items=(Atom() as name, given)) if name.kind in _NAMES and name.name not in RESERVED:
                    sort = sort_of(given)
                    if name.name in bound:
                        self.fault(ScriptFaultKind.DUPLICATE, name, "a name that is not bound yet")
                    bound[name.name] = sort
                case _:
                    self._malformed(binding, form)
        return bound

    def within(self, bound: dict[str, str | None], body: Node) -> str | None:
        """Return the sort of a term under variables of the given sorts."""
        for name, sort in bound.items():
            self.scope.bound.setdefault(name, []).append(sort)
        body_sort = self.term(body)
        for name in bound:
            self.scope.bound[name].pop()
        return body_sort

    def _annotated(self, node: NodeGroup) -> str | None:
        pairs = node.items[2:]
        sort = self.term(node.items[1]) if len(node.items) > 1 else None
        for attribute, value in zip(pairs[::2], pairs[1::2], strict=False):
            if not isinstance(attribute, Atom) or attribute.text != ":named":
                self.fault(ScriptFaultKind.UNSUPPORTED, attribute, ":named and a name")
            elif (name := self.declarable(value)) is not None and sort is not None:
                self.scope.symbols[name] = Signature((), sort)
        if len(pairs) % 2 or not pairs:
            self._malformed(node, "(! term :named name)")
        return sort


def _count(number: int) -> str:
    return "one argument" if number == 1 else f"{number} arguments"
