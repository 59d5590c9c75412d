"""A program read from a text in a notation that is not known: statements that declare one name each, or state one formula each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generators.constraints.repair.edit_kind import ProgramDraft
from generators.constraints.repair.loose_reading.loose_terms import LooseTerms
from generators.constraints.repair.loose_reading.loose_words import operation
from generators.constraints.repair.loose_reading.pieces import Piece, PieceKind, pieces, without_remarks
from generators.constraints.repair.syntax.frame_words import may_deny
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.sort_names import sort_name
from generators.constraints.repair.syntax.term_rewrites import weight
from generators.constraints.repair.syntax.tokens import UnreadableError
from harness.smtlib.commands import ALLOWED, DECLARING, REFUSED, SOLVED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Node, NodeGroup
from harness.smtlib.script import read_script
from harness.smtlib.sort_checker import SortChecker, SymbolScope
from harness.smtlib.symbols import BOOL
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_ASKING = _LISTS.words("asking")
_SORTS = _LISTS.by_word("sorts")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")
_DECLARING = frozenset({"is", "let", "be", "Is", "Let"})
_RELATING = re.compile(r"<(?!-)|(?<![-=])>|=[=<>]|!=|&&|\|\||\+|(?<!\()\*(?!\))")
_REFUSED = DECLARING | SOLVED | {"reset", "reset-assertions", "maximize", "minimize", "include"}
"""The commands that say more than a declaration or an assertion does, or that are no declaration which could be read."""
_OF_THE_WHOLE = frozenset(
    {ScriptFaultKind.NO_ASSERTION, ScriptFaultKind.NO_CHECK, ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.EMPTY}
)
_FRAME, _MOST_ITEMS, _MOST_STATEMENTS = 8, 400, 600
"""The words beside a formula, the pieces of a statement and the statements that are looked at."""


@dataclass(frozen=True, slots=True)
class _Statement:
    pieces: tuple[Piece, ...]
    text: str


@dataclass(frozen=True, slots=True)
class _Stated:
    """The formulas of a statement, and the words around them."""

    formulas: tuple[Node, ...] = ()
    beside: str = ""


def loose_program(text: str) -> str | None:
    """Return the program that a text states in any notation, as far as its words, brackets and tags tell; `None` where a statement is not read.

    What stands in SMT-LIB2 is kept. Words that are no names of the program, numbers or operators are left out, unless they may say
    that a formula does not hold.
    """
    try:
        return _Reading(text).program()
    except UnreadableError:
        return None


class _Reading:
    def __init__(self, text: str) -> None:
        self.text = without_remarks(text)
        self.draft = ProgramDraft(self.text)
        self.read = {(command.at.offset, command.end): command for command in self.draft.script.commands}
        self.known = frozenset(self.draft.script.scope.symbols)
        if self.draft.faults(ScriptFaultKind.DUPLICATE):
            raise UnreadableError("a name is declared twice")

    def program(self) -> str:
        """Return the program; raise `UnreadableError` where a statement is not read."""
        statements = list(self._statements(pieces(self.text, self.known)))
        if len(statements) > _MOST_STATEMENTS:
            raise UnreadableError("too many statements")
        declared = self._declarations(statements)
        head = [
            write_node(command)
            for command in self.draft.script.commands
            if command.head in DECLARING and not self._is_faulty(command)
        ]
        head += [f"(declare-const {name} {sort})" for name, sort in declared.values()]
        scope = read_script("\n".join(head)).scope
        if not scope.symbols:
            raise UnreadableError("no names")
        stated = [
            self._stated(statement, scope)
            for number, statement in enumerate(statements)
            if number not in declared and not self._is_declaring(statement)
        ]
        # Alone on its line, a name is asserted only where formulas stand beside the same words.
        frames = {part.beside for part in stated if any(isinstance(formula, NodeGroup) for formula in part.formulas)}
        if not frames:
            raise UnreadableError("no formula")
        if any(part.formulas and part.beside not in frames for part in stated):
            raise UnreadableError("a name alone")
        lines = head + [f"(assert {write_node(formula)})" for part in stated for formula in part.formulas]
        lines.append("(check-sat)")
        asked = (
            c for c in self.draft.script.commands if c.head in {"get-value", "get-model"} and not self._is_faulty(c)
        )
        return "".join(f"{line}\n" for line in [*lines, *map(write_node, asked)])

    def _is_faulty(self, command: NodeGroup) -> bool:
        return any(
            command.at.offset <= fault.at.offset < command.end and fault.kind not in _OF_THE_WHOLE
            for fault in self.draft.script.faults
        )

    def _command(self, statement: _Statement) -> NodeGroup | None:
        """Return the command of SMT-LIB2 that a statement is."""
        return self.read.get((statement.pieces[0].start, statement.pieces[-1].end))

    def _is_declaring(self, statement: _Statement) -> bool:
        command = self._command(statement)
        return command is not None and command.head in DECLARING and not self._is_faulty(command)

    def _statements(self, items: Sequence[Piece]) -> Iterator[_Statement]:
        """Yield the statements among pieces: the lines, the commands on them, and those in a bracket or tag that holds several."""
        for part in _parted(items):
            only = part[0]
            held = list(_parted(only.items)) if len(part) == 1 and only.kind is PieceKind.GROUP else []
            if only.text == "<" and len(held) == 1 and not self._is_leaf(only):
                held = [[item] for item in only.items[1:] if item.kind is PieceKind.GROUP]
            if (
                len(held) > 1
                and (only.text in "<{[" or not isinstance(self._operator_of(only), str))
                and self._holds_statements(held)
            ):
                yield from self._statements(_with_breaks(held))
                continue
            end = part[-1].end
            yield _Statement(tuple(part), self.text[part[0].start : end])

    def _is_leaf(self, piece: Piece) -> bool:
        return sum(item.kind is PieceKind.GROUP for item in piece.items) < 2 or self._operator_of(piece) is not None

    def _operator_of(self, piece: Piece) -> str | None:
        """Return the operator that a bracket or tag begins with."""
        first = piece.items[0] if piece.items else None
        if first is None or first.kind not in {PieceKind.WORD, PieceKind.SIGN}:
            return None
        return operation(first.text, self.known)

    def _holds_statements(self, held: Sequence[Sequence[Piece]]) -> bool:
        """Tell whether at least two of the parts hold brackets or several words."""
        return sum(len(part) > 2 or part[0].kind is PieceKind.GROUP for part in held) > 1

    def _declarations(self, statements: Sequence[_Statement]) -> dict[int, tuple[str, str]]:
        """Return the name and the sort of each statement that declares one, by its number."""
        sorted_words: dict[int, tuple[str, list[str]]] = {}
        elsewhere: Counter[str] = Counter()
        for number, statement in enumerate(statements):
            command = self._command(statement)
            words = list(_words(statement.pieces))
            if command is None or command.head not in ALLOWED:
                words = list(_phrases(words))
                sorts = {sort for word in words if (sort := self._sort(word)) is not None}
                relating = any(
                    operation(word, self.known) not in {None, "+"} for word in words if word not in _DECLARING
                )
                if (
                    len(sorts) == 1
                    and not relating
                    and not _RELATING.search(_plain(statement.text))
                    and not self.known & set(words)
                ):
                    sorted_words[number] = sorts.pop(), [word for word in words if self._sort(word) is None]
                    continue
            elsewhere.update({part for word in words for part in {word, *re.split(r"\.|::|->", word)}})
        held = Counter(word for _, words in sorted_words.values() for word in set(words))
        declared: dict[int, tuple[str, str]] = {}
        for number, (sort, words) in sorted_words.items():
            names = list(dict.fromkeys(word for word in words if held[word] == 1 or len(sorted_words) == 1))
            names = [name for name in names if re.fullmatch(r"[^\W\d]\w*", name)]
            used = [name for name in names if elsewhere[name]]
            chosen = used or names
            if len(chosen) != 1 or may_deny(" ".join(word for word in words if word not in chosen)):
                raise UnreadableError(f"{statements[number].text[:60]!r} declares {len(chosen)} names")
            declared[number] = chosen[0], sort
        return declared

    def _sort(self, word: str) -> str | None:
        """Return the sort that a word is, or that is a part of it, as in `IntVar` and `mkBoolConst`."""
        whole = sort_name(self.draft, word)
        if whole is not None or word in self.known:
            return whole
        sorts = {sort for part in _PART.findall(word) if (sort := sort_name(self.draft, part)) is not None}
        return sorts.pop() if len(sorts) == 1 else _SORTS.get(word.lower())

    def _stated(self, statement: _Statement, scope: SymbolScope) -> _Stated:
        """Return the formulas that a statement states, none where it asks or says nothing."""
        held = list(self._held_commands(statement.pieces))
        if len(held) > 1:
            raise UnreadableError("several commands")
        if held:
            if held[0].items[0].text in _REFUSED:
                raise UnreadableError(f"{held[0].items[0].text} is more than a program's order tells")
            return _Stated(self._asserted(held[0], scope), "assert")
        items = _without_mark([item for item in statement.pieces if item.kind is not PieceKind.LINE])
        terms = LooseTerms(scope)
        speaking = [number for number, item in enumerate(items) if terms.speaks(item)]
        if not speaking:
            if _RELATING.search(_plain(statement.text)) and any(item.kind is PieceKind.NUMBER for item in items):
                raise UnreadableError(statement.text[:60])
            return _Stated()
        words = [re.sub(r"[-_.]", "", word).lower() for word in _words(items[:1])]
        if words and words[0] in _ASKING:
            return _Stated()
        if len(items) > _MOST_ITEMS:
            raise UnreadableError("a long statement")
        for start in range(min(speaking[0], _FRAME) + 1):
            for end in range(len(items), max(speaking[-1], len(items) - 1 - _FRAME), -1):
                if not _are_words(items[:start], items[end:]):
                    continue
                stated = _read(items[start:end], scope, list(_words([*items[:start], *items[end:]])))
                if stated is not None:
                    return stated
        raise UnreadableError(statement.text[:60])

    def _held_commands(self, items: Sequence[Piece]) -> Iterator[Piece]:
        """Yield the groups among pieces, and in them, that begin with the name of a command of SMT-LIB2."""
        for item in items:
            if (
                item.kind is PieceKind.GROUP
                and item.items
                and item.text == "("
                and item.items[0].text in ALLOWED | REFUSED
            ):
                yield item
            else:
                yield from self._held_commands(item.items)

    def _asserted(self, group: Piece, scope: SymbolScope) -> tuple[Node, ...]:
        """Return the formula of an assertion; nothing of another command."""
        if group.items[0].text != "assert":
            return ()
        command = self.read.get((group.start, group.end))
        if command is not None and len(command.items) == 2 and weight(self.draft, command.items[1]) == 0:
            return (command.items[1],)
        stated = _read(group.items[1:], scope, [])
        if stated is None:
            raise UnreadableError(self.text[group.start : group.end][:60])
        return stated.formulas


def _without_mark(items: list[Piece]) -> list[Piece]:
    """Return the pieces of a statement without the sign by which a cell of a spreadsheet begins, and the number before it."""
    for place in range(min(2, len(items) - 1)):
        if items[place].text == "=" and items[place + 1].touching and not items[place].touching:
            return items[place + 1 :] if place == 0 or items[0].kind is PieceKind.NUMBER else items
    return items


def _are_words(before: Sequence[Piece], behind: Sequence[Piece]) -> bool:
    """Tell whether no number and no operator stands outside a formula, but for a number or the mark of a list before it."""
    signs = [piece.text for piece in (*before[1:], *behind) if piece.kind is PieceKind.SIGN]
    return not any(operator(sign) is not None for sign in signs) and not any(
        piece.kind is PieceKind.NUMBER for piece in behind
    )


def _read(items: Sequence[Piece], scope: SymbolScope, outside: Sequence[str]) -> _Stated | None:
    """Return what pieces state; `None` where they are no formulas, or the words beside them may say that these do not hold."""
    terms = LooseTerms(scope)
    try:
        formulas = terms.terms(items)
    except UnreadableError:
        return None
    checker = SortChecker(scope)
    if not formulas or (len(formulas) > 1 and not all(isinstance(formula, NodeGroup) for formula in formulas)):
        return None
    # Whole numbers among real ones are mended afterwards.
    if any(checker.term(formula) != BOOL for formula in formulas) or any(
        fault.kind is not ScriptFaultKind.WRONG_SORT for fault in checker.faults
    ):
        return None
    if may_deny(" ".join([*terms.beside, *outside])) or items[-1].text == "?":
        return None
    return _Stated(formulas, " ".join(re.sub(r"\d+", "", word) for word in outside))


def _parted(items: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Yield the pieces of each statement: those of a line without the signs that end it, and each of several brackets on a line."""
    line: list[Piece] = []
    for item in [*items, Piece("\n", PieceKind.LINE, 0, 0)]:
        if item.kind is PieceKind.LINE or item.text == ";":
            while line and (line[-1].kind is PieceKind.COMMA or line[-1].text in {".", "|"}):
                line.pop()
            groups = [piece for piece in line if piece.kind is PieceKind.GROUP]
            if len(groups) == len(line) > 1 and all(group.text in "(<" for group in groups):
                yield from ([group] for group in groups)
            elif line:
                yield line
            line = []
        else:
            line.append(item)


def _with_breaks(parts: Sequence[Sequence[Piece]]) -> list[Piece]:
    return [item for part in parts for item in (*part, Piece("\n", PieceKind.LINE, 0, 0))]


def _words(items: Sequence[Piece]) -> Iterator[str]:
    for item in items:
        if item.kind is PieceKind.GROUP:
            yield from _words(item.items)
        elif item.kind is PieceKind.WORD:
            yield item.text


def _phrases(words: Sequence[str]) -> Iterator[str]:
    """Yield words, two that name a sort together as one."""
    place = 0
    while place < len(words):
        phrase = "".join(words[place : place + 2])
        named = len(words) > place + 1 and phrase.lower() in _SORTS
        yield phrase if named else words[place]
        place += 1 + named


def _plain(text: str) -> str:
    """Return a text without its tags and arrows."""
    return re.sub(r"</?[A-Za-z][^<>\n]*>|->|<-|=>", " ", text)
