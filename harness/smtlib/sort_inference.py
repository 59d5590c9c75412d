"""Inference of the sorts of undeclared names from all their uses in a script."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.symbols import BOOL, FUNCTIONS, INT, NUMBERS, REAL, WORDS, ArgumentKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from harness.smtlib.sort_checker import SymbolScope

_NAMES = {AtomKind.SYMBOL, AtomKind.QUOTED}


@dataclass(frozen=True, slots=True)
class InferredSignature:
    """The inferred signature of a name: the `sorts` of its arguments and its own `sort`.

    `assumed`: no use determines a sort, and Int is taken, or uses demand both Int and Real, and Real is taken. `counted`: only
    whole numbers, which may stand for real ones, determine it. `conflict`: its uses demand several sorts.
    """

    name: str
    sorts: tuple[str, ...]
    sort: str
    assumed: bool = False
    conflict: bool = False
    counted: bool = False


@dataclass(slots=True)
class _Unknown:
    """An unknown sort: `same` is the unknown it is equal to; with `number`, it can only be Int or Real.

    `numeral`: its uses have a number such as 3; `decimal`: a number such as 3.0; `mixed`: both Int and Real are demanded.
    """

    same: _Unknown | None = None
    sort: str | None = None
    number: bool = False
    numeral: bool = False
    decimal: bool = False
    mixed: bool = False
    conflict: bool = False

    def root(self) -> _Unknown:
        root = self
        while root.same is not None:
            root = root.same
        return root


@dataclass(slots=True)
class _Use:
    arguments: list[_Unknown]
    result: _Unknown = field(default_factory=_Unknown)
    conflict: bool = False


def infer(
    names: Collection[str], terms: Iterable[Node], formulas: Iterable[Node], scope: SymbolScope
) -> dict[str, InferredSignature]:
    """Return signatures of the names under which terms, and formulas of sort Bool, are well-sorted; `scope` has all other names.

    Unused names are left out. A name with different numbers of arguments is in conflict.
    """
    inference = _Inference(names, scope)
    for term in formulas:
        inference.join(inference.term(term), inference.of(BOOL))
    for term in terms:
        inference.term(term)
    return inference.result()


class _Inference:
    def __init__(self, names: Collection[str], scope: SymbolScope) -> None:
        self.names = frozenset(names)
        self.scope = scope
        self.uses: dict[str, _Use] = {}
        self.digits: list[_Unknown] = []
        self.bound: dict[str, list[_Unknown]] = {}

    def result(self) -> dict[str, InferredSignature]:
        signatures: dict[str, InferredSignature] = {}
        for argument in self.digits:
            # 0 and 1 are also written for false and true.
            if argument.root().sort != BOOL:
                self.join(argument, _Unknown(number=True, numeral=True))
        for name, use in self.uses.items():
            roots = [unknown.root() for unknown in (*use.arguments, use.result)]
            sorts = [root.sort or (REAL if root.decimal or self.scope.reals else INT) for root in roots]
            conflict = use.conflict or any(root.conflict for root in roots)
            assumed = any(root.mixed or (root.sort is None and not (root.numeral or root.decimal)) for root in roots)
            counted = any(root.sort is None and root.numeral for root in roots)
            signatures[name] = InferredSignature(name, tuple(sorts[:-1]), sorts[-1], assumed, conflict, counted)
        return signatures

    def of(self, sort: str) -> _Unknown:
        return _Unknown(sort=sort, number=sort in NUMBERS)

    def join(self, left: _Unknown, right: _Unknown) -> None:
        """Make two sorts equal; Int and Real become Real."""
        first, second = left.root(), right.root()
        if first is second:
            return
        sorts = {root.sort for root in (first, second) if root.sort is not None}
        number = first.number or second.number
        first.conflict |= second.conflict or (len(sorts) > 1 and sorts != NUMBERS) or (number and not sorts <= NUMBERS)
        first.sort = REAL if sorts == NUMBERS else next(iter(sorts), None)
        first.number = number
        first.numeral |= second.numeral
        first.decimal |= second.decimal
        first.mixed |= second.mixed or sorts == NUMBERS
        second.same = first

    def term(self, node: Node) -> _Unknown:
        if isinstance(node, Atom):
            return self._atom(node)
        head = node.head
        if head in {"let", "forall", "exists"} and len(node.items) == 3 and isinstance(node.items[1], NodeGroup):
            return self._binder(node, head, node.items[1])
        arguments = [self.term(item) for item in node.arguments] if head not in WORDS else []
        if head == "!" and len(node.items) > 1:
            return self.term(node.items[1])
        if head == "ite" and len(arguments) == 3:
            self.join(arguments[0], self.of(BOOL))
            self.join(arguments[1], arguments[2])
            return arguments[1]
        if head in FUNCTIONS:
            if head in {"=", "distinct"} and len(arguments) == 2 and (digits := _digits(node)):
                self.digits.extend(arguments[place] for place in (0, 1) if place not in digits)
                return self.of(BOOL)
            return self._theory(head, arguments)
        if head in self.names and not self.bound.get(head):
            return self._used(head, arguments)
        known = self.scope.symbols.get(head)
        if known is None or len(known.sorts) != len(arguments):
            return _Unknown()
        for argument, sort in zip(arguments, known.sorts, strict=True):
            if sort:
                self._demand(argument, sort)
        return self.of(known.sort) if known.sort else _Unknown()

    def _demand(self, argument: _Unknown, sort: str) -> None:
        """Demand a sort of an argument, unless it is a number of the other sort, which is a mixture."""
        root = argument.root()
        if not (root.sort in NUMBERS and sort in NUMBERS):
            self.join(argument, self.of(sort))

    def _atom(self, node: Atom) -> _Unknown:
        if node.kind is AtomKind.NUMERAL:
            # A numeral may stand for a real number.
            return _Unknown(number=True, numeral=True)
        if node.kind is AtomKind.DECIMAL:
            return self.of(REAL) if node.text.rstrip("0")[-1] != "." else _Unknown(number=True, decimal=True)
        if node.kind not in _NAMES:
            return _Unknown()
        if bound := self.bound.get(node.name):
            return bound[-1]
        if node.name in self.names:
            return self._used(node.name, [])
        if node.name in {"true", "false"}:
            return self.of(BOOL)
        known = self.scope.symbols.get(node.name)
        return self.of(known.sort) if known is not None and known.sort and not known.sorts else _Unknown()

    def _used(self, name: str, arguments: list[_Unknown]) -> _Unknown:
        use = self.uses.setdefault(name, _Use([_Unknown() for _ in arguments]))
        if len(use.arguments) != len(arguments):
            use.conflict = True
            return use.result
        for own, argument in zip(use.arguments, arguments, strict=True):
            self.join(own, argument)
        return use.result

    def _theory(self, name: str, arguments: list[_Unknown]) -> _Unknown:
        function = FUNCTIONS[name]
        match function.taking:
            case ArgumentKind.BOOLEANS:
                for argument in arguments:
                    self.join(argument, self.of(BOOL))
            case ArgumentKind.INTEGERS | ArgumentKind.REALS:
                for argument in arguments:
                    self._demand(argument, function.taking.value)
            case ArgumentKind.SAME | ArgumentKind.NUMBERS:
                return self._same(function.sort, arguments, number=function.taking is ArgumentKind.NUMBERS)
        return self.of(function.sort)

    def _same(self, sort: str, arguments: list[_Unknown], *, number: bool) -> _Unknown:
        joined = _Unknown(number=number)
        for argument in arguments:
            root = argument.root()
            mixed = {root.sort, joined.root().sort} == NUMBERS
            if mixed:
                continue
            self.join(joined, argument)
        return self.of(sort) if sort else joined

    def _binder(self, node: NodeGroup, head: str, bindings: NodeGroup) -> _Unknown:
        bound: list[tuple[str, _Unknown]] = []
        for binding in bindings.items:
            if not isinstance(binding, NodeGroup) or len(binding.items) != 2 or not isinstance(binding.items[0], Atom):
                continue
            value = binding.items[1]
            sort = value.name if isinstance(value, Atom) else ""
            unknown = self.term(value) if head == "let" else self.of(self.scope.aliases.get(sort, sort))
            bound.append((binding.items[0].name, unknown))
        for name, unknown in bound:
            self.bound.setdefault(name, []).append(unknown)
        body_sort = self.term(node.items[2])
        for name, _ in bound:
            self.bound[name].pop()
        if head != "let":
            self.join(body_sort, self.of(BOOL))
            return self.of(BOOL)
        return body_sort


def _digits(node: NodeGroup) -> set[int]:
    """Return the places of the arguments of a comparison that are 0 or 1."""
    return {
        place
        for place, argument in enumerate(node.arguments)
        if isinstance(argument, Atom) and argument.text in {"0", "1"}
    }
