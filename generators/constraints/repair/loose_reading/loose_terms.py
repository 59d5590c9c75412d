"""Terms in a notation that is not known, read by what is known of it: names of the program, numbers and operators.

Words and labels that are none of these are left out, so that what is read is never certain.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from generators.constraints.repair.loose_reading.loose_words import changes, operation, says_nothing, wraps
from generators.constraints.repair.loose_reading.pieces import Piece, PieceKind
from generators.constraints.repair.syntax.expression_parser import read_term
from generators.constraints.repair.syntax.name_similarity import folded_name
from generators.constraints.repair.syntax.operator_spellings import COMPARISONS, INFIX, operator
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.parser import atom_kind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.sort_checker import SortChecker, SymbolScope
from harness.smtlib.symbols import BOOL

_LABELLING = frozenset({":", "=", ":=", "=>", "->"})
_ARITIES = {
    "not": (1, 1),
    "ite": (3, 3),
    "=>": (2, 9),
    "-": (1, 9),
    "mod": (2, 2),
    "div": (2, 2),
    "abs": (1, 1),
    "/": (2, 2),
}
_BARS = {"|": "or", "&": "and"}
_UNARY = frozenset({"not", "-", "abs"})
_FEWEST, _MOST_ARGUMENTS = 2, 400


@dataclass(frozen=True, slots=True)
class _Operator:
    """An operator of SMT-LIB2 among the pieces."""

    name: str


@dataclass(frozen=True, slots=True)
class _Listed:
    """Several terms between one pair of brackets."""

    terms: tuple[Node, ...]


class _Parting:
    """A comma between terms."""


_Item = Node | _Operator | _Listed | _Parting


@dataclass(slots=True)
class LooseTerms:
    """Reads terms of a program's names; `beside` collects the words that were left out."""

    scope: SymbolScope
    beside: list[str] = field(default_factory=list)
    folded: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        names: dict[str, list[str]] = {}
        for name in self.scope.symbols:
            names.setdefault(folded_name(name), []).append(name)
        self.folded = {folded: same[0] for folded, same in names.items() if len(same) == 1}

    def term(self, items: Sequence[Piece]) -> Node:
        """Return the one term of some pieces.

        Raises:
            UnreadableError: there is none, or more than one.
        """
        terms = self.terms(items)
        if len(terms) != 1:
            raise UnreadableError(f"{len(terms)} terms")
        return terms[0]

    def terms(self, items: Sequence[Piece]) -> tuple[Node, ...]:
        """Return the terms of some pieces, none where all are words that say nothing; errors as in `term`."""
        return self._combined(self._items([item for item in items if item.kind is not PieceKind.LINE]))

    def speaks(self, item: Piece) -> bool:
        """Tell whether a piece holds a name of the program."""
        if item.kind is PieceKind.GROUP:
            return any(map(self.speaks, item.items))
        return item.kind is PieceKind.WORD and (
            self._name(item.text) is not None
            or any(part in self.scope.symbols for part in re.split(r"\.|::|->", item.text))
        )

    def _items(self, pieces: Sequence[Piece]) -> list[_Item]:
        """Return what pieces are, without those that say nothing."""
        items: list[_Item] = []
        place, left_out = 0, 0
        if any(piece.text == "!" for piece in pieces[:1]) and any(
            left.text.startswith(":") and right.kind is PieceKind.WORD for left, right in pairwise(pieces)
        ):
            raise UnreadableError("an annotation")
        while place < len(pieces):
            piece = pieces[place]
            following = pieces[place + 1] if place + 1 < len(pieces) else None
            further = pieces[place + 2] if place + 2 < len(pieces) else None
            called = (
                following is not None
                and following.kind is PieceKind.GROUP
                and following.touching
                and following.text in "([{"
            )
            if (
                piece.kind is PieceKind.SIGN
                and called
                and following is not None
                and (not items or isinstance(items[-1], _Parting))
                and operator(piece.text)
            ):
                items.append(_applied(operator(piece.text) or "", self._arguments(following)))
                place += 2
            elif piece.text in _BARS and items and following is not None:
                items.append(_Operator(_BARS[piece.text]))
                place += 1
            elif self._is_label(piece, following, further):
                if items and isinstance(items[-1], _Operator):
                    raise UnreadableError("a label behind an operator")
                self.beside.append(piece.text)
                place += 2
            elif piece.kind is PieceKind.WORD and called and following is not None:
                self._call(items, piece, following)
                place += 2
            elif piece.kind is PieceKind.GROUP:
                items.extend(self._group(piece))
                place += 1
            else:
                single = self._single(piece, following)
                left_out += not single and not says_nothing(piece, following)
                items.extend(single)
                place += 1
        if left_out and any(isinstance(item, _Operator) for item in items):
            raise UnreadableError("an unknown word beside an operator")
        return items

    def _is_label(self, piece: Piece, following: Piece | None, further: Piece | None) -> bool:
        """Tell whether `name:` or `name =` stands before a value."""
        return (
            piece.kind is PieceKind.WORD
            and following is not None
            and following.text in _LABELLING
            and further is not None
            and further.kind is not PieceKind.COMMA
            and following.touching >= (following.text == ":")
            and self._name(piece.text) is None
            and operation(piece.text, self.scope.symbols) is None
            and not piece.text[0].isdigit()
        )

    def _call(self, items: list[_Item], piece: Piece, group: Piece) -> None:
        """Add what `word(arguments)` is: a method of the term before it or of a name, an operation, a function, or the only term in it."""
        owner, name = piece.text, operation(piece.text, self.scope.symbols)
        if name is not None and "." in piece.text:
            owner = piece.text.rpartition(".")[0]
            subject = items.pop() if not owner and items else self._atom(owner)
            if isinstance(subject, _Operator | _Listed | _Parting):
                raise UnreadableError(piece.text)
            if subject is not None:
                items.append(_applied(name, (subject, *self.terms(group.items))))
                return
        if name is not None:
            arguments = self._arguments(group)
            if _fits(name, arguments):
                items.append(_applied(name, arguments))
                return
        symbol = self.scope.symbols.get(piece.text)
        if symbol is not None and symbol.sorts:
            items.append(NodeGroup((_symbol(piece.text), *self._arguments(group))))
            return
        if piece.text.startswith(".") and items and not self.terms(group.items):
            self.beside.append(piece.text)
            return
        known = self._name(piece.text)
        if known is not None and not self.terms(group.items):
            items.append(_symbol(known))
            return
        if known is not None or changes(piece.text):
            raise UnreadableError(f"{piece.text} of several terms")
        inner = self._group(group)
        if len(inner) == 1 and isinstance(inner[0], _Listed):
            # `clause(1, x > 3)` has a number beside its formula.
            stated = [term for term in inner[0].terms if isinstance(term, NodeGroup)]
            numbers = [term for term in inner[0].terms if isinstance(term, Atom) and term.kind is AtomKind.NUMERAL]
            inner = [*stated] if len(stated) + len(numbers) == len(inner[0].terms) and self._is_formula(stated) else []
        if len(inner) != 1 or isinstance(inner[0], _Operator | _Listed | _Parting):
            raise UnreadableError(f"{piece.text} is no function")
        if not wraps(piece.text) and not self._is_formula(inner):
            raise UnreadableError(f"{piece.text} may be a function")
        self.beside.append(piece.text)
        items.extend(inner)

    def _is_formula(self, terms: Sequence[_Item]) -> bool:
        only = terms[0] if len(terms) == 1 else None
        return isinstance(only, NodeGroup) and SortChecker(self.scope).term(only) == BOOL

    def _arguments(self, group: Piece) -> tuple[Node, ...]:
        """Return the terms between brackets, those of the only list in them opened."""
        return self.terms(group.items)

    def _group(self, group: Piece) -> list[_Item]:
        """Return the term, the operator or the terms between brackets; nothing where all in it says nothing."""
        if group.text == '"' and not (self.speaks(group) or len(group.items) == 1):
            self.beside.extend(item.text for item in group.items)
            return []
        first = group.items[0] if group.items else None
        symbol = self.scope.symbols.get(first.text) if first is not None and first.kind is PieceKind.WORD else None
        if first is not None and symbol is not None and symbol.sorts and group.text == "(":
            return [NodeGroup((_symbol(first.text), *self.terms(group.items[1:])))]
        items = self._items([item for item in group.items if item.kind is not PieceKind.LINE])
        operators = [item for item in items if isinstance(item, _Operator)]
        if len(items) == 1 and operators:
            return [*operators]
        terms = self._combined(items)
        if not terms:
            return []
        headed = first is not None and first.kind is PieceKind.WORD and not operators and group.text != '"'
        single = headed and len(terms) == 1 and len(group.items) > 1
        # `(var x)` is x, but `(f x)` may be another number.
        if (
            first is not None
            and single
            and not (
                self._atom(first.text) is not None
                or wraps(first.text)
                or (group.text == "<" and len(first.text) == 1)
                or self._is_formula(terms)
            )
        ):
            raise UnreadableError(f"{first.text} may be a function")
        return [terms[0]] if len(terms) == 1 else [_Listed(terms)]

    def _single(self, piece: Piece, following: Piece | None) -> list[_Item]:
        """Return what a piece by itself is; nothing where it says nothing."""
        if piece.kind is PieceKind.COMMA:
            return [_Parting()]
        if piece.kind is PieceKind.NUMBER:
            return [Atom(piece.text, atom_kind(piece.text))]
        if piece.kind is PieceKind.WORD:
            atom = self._atom(piece.text)
            if atom is not None:
                return [atom]
        name = operation(piece.text, self.scope.symbols) if piece.kind is PieceKind.WORD else operator(piece.text)
        if name is None and changes(piece.text):
            raise UnreadableError(f"{piece.text} may change the term")
        if name is not None and not (following is None and piece.text in {"!", "?", "~"}):
            return [_Operator(name)]
        if piece.kind is PieceKind.WORD or not piece.text.isascii():
            self.beside.append(piece.text)
        return []

    def _atom(self, text: str) -> Node | None:
        """Return the constant, the truth value or the number that a word is; `None` where it is none."""
        name = self._name(text)
        if name is not None:
            return _symbol(name)
        if text.lower() in {"true", "false"}:
            return _symbol(text.lower())
        digits = re.fullmatch(r"[_#]?(\d+)", text)
        return Atom(digits[1], AtomKind.NUMERAL) if digits else None

    def _name(self, text: str) -> str | None:
        """Return the name of the program that a word is, or that is one part of it, as in `model.x` and `x.value`."""
        if text in self.scope.symbols:
            return text
        parts = [part for part in re.split(r"\.|::|->", text) if part]
        if len(parts) > 1:
            named = [part for part in parts if part in self.scope.symbols]
            others = [part for part in parts if part not in named]
            if len(named) == 1 and not any(changes(part) or operator(part) is not None for part in others):
                return named[0]
            return None
        bare = text.strip("_.")
        if bare in self.scope.symbols:
            return bare
        return self.folded.get(folded_name(text)) if operator(text) is None else None

    def _combined(self, items: list[_Item]) -> tuple[Node, ...]:
        """Return the terms that items make: an operator before, behind or between its terms, or terms alone."""
        while items and isinstance(items[-1], _Parting):
            items = items[:-1]
        while items and isinstance(items[0], _Parting):
            items = items[1:]
        operators = [place for place, item in enumerate(items) if isinstance(item, _Operator)]
        if not operators:
            return tuple(term for item in items if not isinstance(item, _Parting) for term in _opened(item))
        if len(items) == 1:
            raise UnreadableError("an operator without terms")
        first, last = items[0], items[-1]
        if isinstance(last, _Operator):
            if len(operators) > 1:
                raise UnreadableError("operators behind each other")
            return (_applied(last.name, _plain_terms(items[:-1])),)
        if isinstance(first, _Operator) and (first.name not in _UNARY or len(operators) == 1):
            rest = items[1:]
            if not any(isinstance(item, _Operator) for item in rest):
                return (_applied(first.name, _plain_terms(rest)),)
            if any(isinstance(item, _Parting) for item in rest):
                return (
                    _applied(
                        first.name, tuple(term for segment in _segments(rest) for term in self._combined(segment))
                    ),
                )
            raise UnreadableError("operators behind each other")
        segments = _segments(items)
        if len(segments) > 1 and not any(
            len(segment) == 1 and isinstance(segment[0], _Operator) for segment in segments
        ):
            return tuple(term for segment in segments for term in self._combined(segment))
        return (_infix(items),)


def _segments(items: Sequence[_Item]) -> list[list[_Item]]:
    parts: list[list[_Item]] = [[]]
    for item in items:
        if isinstance(item, _Parting):
            parts.append([])
        else:
            parts[-1].append(item)
    return [part for part in parts if part]


def _infix(items: Sequence[_Item]) -> Node:
    """Return terms with operators between them as one."""
    words, names = [], set()
    for place, item in enumerate(items):
        negated = isinstance(item, _Operator) and item.name == "not" and place + 2 < len(items)
        if negated and isinstance(items[place + 1], Atom) and getattr(items[place + 2], "name", "") in COMPARISONS:
            raise UnreadableError("`not a = b` may negate the name alone")
        if isinstance(item, _Parting):
            continue
        if isinstance(item, _Listed):
            raise UnreadableError("a list beside an operator")
        if isinstance(item, _Operator):
            if item.name not in INFIX and item.name != "not":
                raise UnreadableError(f"{item.name} between terms")
            words.append(item.name)
        else:
            words.append(write_node(item))
            names |= {item.text} if isinstance(item, Atom) else set()
    return _read(" ".join(words))


def _read(text: str) -> Node:
    return read_term(text, frozenset(re.findall(r"[^\s()]+", text)) - INFIX.keys() - {"not", "ite"})


def _plain_terms(items: Sequence[_Item]) -> tuple[Node, ...]:
    terms: list[Node] = []
    for item in items:
        if isinstance(item, _Operator):
            raise UnreadableError("operators behind each other")
        if isinstance(item, _Listed) and sum(not isinstance(other, _Parting) for other in items) > 1:
            raise UnreadableError("a list beside other terms")
        if not isinstance(item, _Parting):
            terms.extend(_opened(item))
    return tuple(terms)


def _opened(item: _Item) -> tuple[Node, ...]:
    if isinstance(item, _Listed):
        return item.terms
    if isinstance(item, _Operator | _Parting):
        raise UnreadableError("an operator without terms")
    return (item,)


def _fits(name: str, arguments: Sequence[Node]) -> bool:
    least, most = _ARITIES.get(name, (_FEWEST, _MOST_ARGUMENTS))
    return least <= len(arguments) <= most


def _applied(name: str, arguments: Sequence[Node]) -> Node:
    if not _fits(name, arguments):
        raise UnreadableError(f"{name} of {len(arguments)} terms")
    return NodeGroup((_symbol(name), *arguments))


def _symbol(text: str) -> Atom:
    return Atom(text, AtomKind.QUOTED if text[0] == "|" and len(text) > _FEWEST else atom_kind(text))
