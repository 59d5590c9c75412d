"""The translation of formulas over enumerations and functions to SMT-LIB2, with quantifiers expanded."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from benchmarks.constraint_languages.translation import TranslationFailure
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.symbols import BOOL, FUNCTIONS, INT, NUMBERS, REAL, ArgumentKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST_NODES = 100_000
_JOINED = {
    "forall": "and",
    "exists": "or",
    "AtLeastOne": "or",
    "Count": "+",
    "Sum": "+",
    "+": "+",
    "distinct": "distinct",
}
_SINGLE = {"and": "true", "or": "false", "+": "0", "distinct": "true"}


class UntranslatableError(Exception):
    """A formula has no translation: why, and what was found."""

    def __init__(self, failure: TranslationFailure, found: str) -> None:
        """Keep why."""
        super().__init__(found)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class VariableDomain:
    """What a variable ranges over: its sort, and its values where they are listed, numbers among them."""

    sort: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeclaredFunction:
    """A declared function: its name in SMT-LIB2, what it takes and what it gives."""

    name: str
    arguments: tuple[VariableDomain, ...]
    result: VariableDomain


@dataclass(frozen=True, slots=True)
class _Typed:
    node: Node
    sort: str


class FormulaTranslator:
    """Translates formulas over what is declared.

    `values` are the names of enumerations, each with its symbol and sort for every enumeration it is in; `ranks` the
    definitions of the order of an enumeration, by its sort; `assumed` what was taken for granted, in order.
    """

    def __init__(self) -> None:
        """Begin with nothing declared."""
        self.domains: dict[str, VariableDomain] = {}
        self.values: dict[str, list[tuple[str, str]]] = {}
        self.functions: dict[str, DeclaredFunction] = {}
        self.ranks: dict[str, str] = {}
        self.assumed: dict[str, None] = {}
        self._nodes = 0

    @property
    def names(self) -> frozenset[str]:
        """Return all names a formula may use, so that none is taken for an operator."""
        return frozenset({*self.values, *self.functions})

    def formula(self, node: Node) -> Node:
        """Return a formula in SMT-LIB2.

        Raises:
            UntranslatableError: it is none of what is declared.
        """
        self._nodes = 0
        return self._of(node, {}, BOOL).node

    def _of(self, node: Node, bound: Mapping[str, _Typed], sort: str) -> _Typed:
        typed = self._term(node, bound, sort)
        if typed.sort != sort:
            raise UntranslatableError(TranslationFailure.WRONG_SORT, f"{typed.sort} instead of {sort}")
        return typed

    def _term(self, node: Node, bound: Mapping[str, _Typed], wanted: str = "") -> _Typed:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise UntranslatableError(TranslationFailure.TOO_LARGE, f"more than {MOST_NODES} parts")
        if isinstance(node, Atom):
            return self._atom(node, bound, wanted)
        head = node.head
        if head in _JOINED and len(node.items) > 1 and _variables(node.items[1]):
            return self._ranging(node, bound)
        if head in self.functions:
            return self._applied(self.functions[head], node.arguments, bound)
        if head in {"=", "distinct"}:
            return self._same(head, node.arguments, bound)
        if head == "ite" and len(node.items) == 4:
            condition = self._of(node.items[1], bound, BOOL)
            left, right = (self._term(item, bound, wanted) for item in node.items[2:])
            if left.sort != right.sort:
                raise UntranslatableError(TranslationFailure.WRONG_SORT, f"{left.sort} or {right.sort}")
            return _Typed(NodeGroup((Atom("ite"), condition.node, left.node, right.node)), left.sort)
        if head in FUNCTIONS:
            return self._theory(head, node.arguments, bound)
        failure = TranslationFailure.UNREADABLE if not head else TranslationFailure.UNDECLARED
        raise UntranslatableError(failure, head or "()")

    def _atom(self, node: Atom, bound: Mapping[str, _Typed], wanted: str) -> _Typed:
        if node.text in bound:
            return bound[node.text]
        if node.text in {"True", "False", "true", "false"}:
            return _Typed(Atom(node.text.lower()), BOOL)
        if node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}:
            return _Typed(node, INT if node.kind is AtomKind.NUMERAL else REAL)
        known = self.values.get(node.text, [])
        fitting = [function for function in known if function[1] == wanted] or known
        if len(fitting) == 1:
            return _Typed(Atom(fitting[0][0]), fitting[0][1])
        if node.text in self.functions and not self.functions[node.text].arguments:
            function = self.functions[node.text]
            return _Typed(Atom(function.name), function.result.sort)
        failure = TranslationFailure.WRONG_SORT if fitting else TranslationFailure.UNDECLARED
        raise UntranslatableError(failure, node.text)

    def _applied(self, function: DeclaredFunction, nodes: Sequence[Node], bound: Mapping[str, _Typed]) -> _Typed:
        if len(nodes) != len(function.arguments):
            raise UntranslatableError(TranslationFailure.WRONG_ARITY, f"{function.name} of {len(nodes)} arguments")
        terms = [self._of(node, bound, domain.sort) for node, domain in zip(nodes, function.arguments, strict=True)]
        if not terms:
            return _Typed(Atom(function.name), function.result.sort)
        return _Typed(NodeGroup((Atom(function.name), *(term.node for term in terms))), function.result.sort)

    def _ranging(self, node: NodeGroup, bound: Mapping[str, _Typed]) -> _Typed:
        """Write out what ranges over variables."""
        head, variables, bodies = node.head, node.items[1], node.items[2:]
        if not bodies or not isinstance(variables, NodeGroup):
            raise UntranslatableError(TranslationFailure.WRONG_ARITY, f"{head} of nothing")
        pairs = [
            (_text(item.items[0]), _text(item.items[1])) for item in variables.items if isinstance(item, NodeGroup)
        ]
        unknown = next((sort for _, sort in pairs if sort not in self.domains and sort.lower() != "int"), None)
        if unknown is not None:
            raise UntranslatableError(TranslationFailure.UNKNOWN_SORT, unknown)
        if any(sort not in self.domains for _, sort in pairs):
            return self._kept(head, pairs, bodies, bound)
        rows = product(*(self._row(name, self.domains[sort]) for name, sort in pairs))
        terms = [body for row in rows for body in self._bodies(head, bodies, {**bound, **dict(row)})]
        join = _JOINED[head]
        sort = INT if join == "+" else BOOL
        if len(terms) == 1 and join != "distinct":
            return _Typed(terms[0], sort)
        return _Typed(NodeGroup((Atom(join), *terms)) if len(terms) > 1 else Atom(_SINGLE[join]), sort)

    def _row(self, name: str, domain: VariableDomain) -> Iterator[tuple[str, _Typed]]:
        kind = AtomKind.NUMERAL if domain.sort == INT else AtomKind.SYMBOL
        return ((name, _Typed(Atom(value, kind), domain.sort)) for value in domain.values)

    def _bodies(self, head: str, bodies: Sequence[Node], bound: Mapping[str, _Typed]) -> Iterator[Node]:
        if head == "distinct":
            yield from (self._term(body, bound).node for body in bodies)
        elif head in {"Sum", "+"}:
            yield from (self._of(body, bound, INT).node for body in bodies)
        elif head == "Count" and len(bodies) == 1 and (count := self._term(bodies[0], bound)).sort == INT:
            self.assumed["a count of numbers is their sum"] = None
            yield count.node
        else:
            held = [self._of(body, bound, BOOL).node for body in bodies]
            formula = held[0] if len(held) == 1 else NodeGroup((Atom("and"), *held))
            yield NodeGroup((Atom("ite"), formula, Atom("1"), Atom("0"))) if head == "Count" else formula

    def _kept(
        self, head: str, pairs: Sequence[tuple[str, str]], bodies: Sequence[Node], bound: Mapping[str, _Typed]
    ) -> _Typed:
        """Keep a quantifier over all integers; what is listed is bounded by its formula."""
        if head not in {"forall", "exists"} or any(sort in self.domains for _, sort in pairs):
            raise UntranslatableError(TranslationFailure.TOO_LARGE, f"{head} over all integers")
        own = {name: _Typed(Atom(f"{name}!"), INT) for name, _ in pairs}
        held = [self._of(body, {**bound, **own}, BOOL).node for body in bodies]
        formula = held[0] if len(held) == 1 else NodeGroup((Atom("and"), *held))
        variables = NodeGroup(tuple(NodeGroup((term.node, Atom(INT))) for term in own.values()))
        return _Typed(NodeGroup((Atom(head), variables, formula)), BOOL)

    def _same(self, head: str, nodes: Sequence[Node], bound: Mapping[str, _Typed]) -> _Typed:
        if len(nodes) < 2:
            raise UntranslatableError(TranslationFailure.WRONG_ARITY, f"{head} of {len(nodes)}")
        terms: list[_Typed] = []
        for node in nodes:
            # A name that is in several enumerations is of the sort of what it is compared with.
            several = isinstance(node, Atom) and len(self.values.get(node.text, ())) > 1
            other = next((other for other in nodes if other is not node), node)
            terms.append(self._term(node, bound, self._known(other, bound) if several else ""))
        if len({term.sort for term in terms}) > 1:
            terms = self._numbers(terms)
        return _Typed(NodeGroup((Atom(head), *(term.node for term in terms))), BOOL)

    def _known(self, node: Node, bound: Mapping[str, _Typed]) -> str:
        """Return the sort of a term where that is plain."""
        try:
            return self._term(node, bound).sort
        except UntranslatableError:
            return ""

    def _theory(self, head: str, nodes: Sequence[Node], bound: Mapping[str, _Typed]) -> _Typed:
        function = FUNCTIONS[head]
        if not function.least <= len(nodes) <= (function.most or len(nodes)):
            raise UntranslatableError(TranslationFailure.WRONG_ARITY, f"{head} of {len(nodes)}")
        if function.taking is ArgumentKind.BOOLEANS:
            held = [self._of(node, bound, BOOL).node for node in nodes]
            return _Typed(NodeGroup((Atom(head), *held)), BOOL)
        terms = self._numbers([self._term(node, bound) for node in nodes])
        if head in {"div", "mod"} and any(term.sort != INT for term in terms):
            raise UntranslatableError(TranslationFailure.WRONG_SORT, head)
        return _Typed(NodeGroup((Atom(head), *(term.node for term in terms))), function.sort or terms[0].sort)

    def _numbers(self, terms: Sequence[_Typed]) -> list[_Typed]:
        """Return terms as numbers: what is listed by name counts from one."""
        numbers = [term if term.sort in NUMBERS else self._ranked(term) for term in terms]
        if len({number.sort for number in numbers}) > 1:
            numbers = [number if number.sort == REAL else _Typed(_real(number.node), REAL) for number in numbers]
        return numbers

    def _ranked(self, term: _Typed) -> _Typed:
        values = next((domain.values for domain in self.domains.values() if domain.sort == term.sort), ())
        if not values:
            failure = TranslationFailure.WRONG_SORT if term.sort == BOOL else TranslationFailure.UNORDERED
            raise UntranslatableError(failure, f"{term.sort} taken for a number")
        if term.sort not in self.ranks:
            self.assumed[f"{term.sort} in the order in which they are listed"] = None
            body = str(len(values))
            for number in range(len(values) - 1, 0, -1):
                body = f"(ite (= v! {values[number - 1]}) {number} {body})"
            self.ranks[term.sort] = f"(define-fun {_rank(term.sort)} ((v! {term.sort})) Int {body})"
        return _Typed(NodeGroup((Atom(_rank(term.sort)), term.node)), INT)


def _rank(sort: str) -> str:
    return f"rank!{sort}"


def _real(node: Node) -> Node:
    if isinstance(node, Atom) and node.kind is AtomKind.NUMERAL:
        return Atom(f"{node.text}.0", AtomKind.DECIMAL)
    return NodeGroup((Atom("to_real"), node))


def _text(node: Node) -> str:
    return node.text if isinstance(node, Atom) else ""


def _variables(node: Node) -> bool:
    """Tell whether a node is a list of typed variables."""
    return (
        isinstance(node, NodeGroup)
        and bool(node.items)
        and all(
            isinstance(item, NodeGroup) and len(item.items) == 2 and all(isinstance(part, Atom) for part in item.items)
            for item in node.items
        )
    )
