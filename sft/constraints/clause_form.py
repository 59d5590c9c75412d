"""A program written clause by clause: each clause of the problem as a comment, followed by its declarations and assertions.

It is SMT-LIB2 in the order of the text. The comments are the problem's own words, so that a writer is given them and does not
write them; a constant is declared after the clause that first names it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.smtlib.grammar import ANSWER, CHECK, VALUE
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, NodeGroup, walk
from harness.smtlib.script import read_script
from oracles.constraints.clause_alignment import align_clauses, clauses_of, name_words, text_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.smtlib.script import Script

HEAD = "(set-logic ALL)"
"""The logic of a program clause by clause: what it needs is known at its end only."""
MARK = ";"
"""The mark that begins a clause; a writer ends the part after a clause by it."""
_LOGIC = "set-logic"
_ENDING = frozenset({"assert", "check-sat", "get-value", "get-model", "exit"})


@dataclass(frozen=True, slots=True)
class StatedClause:
    """A clause on one line, and after it the declarations and assertions for it, a command a line."""

    text: str
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClauseProgram:
    """A program clause by clause: its clauses in the order of the text."""

    clauses: tuple[StatedClause, ...]

    @property
    def text(self) -> str:
        """Return the program in SMT-LIB2."""
        lines = [HEAD]
        for clause in self.clauses:
            lines += [given_line(clause.text), *clause.commands]
        return "\n".join([*lines, *ending(lines)])


def ending(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the last commands of a program: the question to the solver and, where an answer is declared, for its value."""
    asks_value = any(line.startswith(f"(declare-const {ANSWER} ") for line in lines)
    return (CHECK, VALUE) if asks_value else (CHECK,)


def clause_texts(problem: str) -> tuple[str, ...]:
    """Return the clauses of a problem, each on one line, without answer options."""
    return tuple(" ".join(clause.text.split()) for clause in clauses_of(problem) if not clause.option)


def clause_program(problem: str, program: str, stated: Sequence[str] = ()) -> ClauseProgram:
    """Return a program clause by clause; an assertion that no clause states follows the one before it.

    `stated` are the words that state each assertion, where they are known; else names and numbers align the two.
    """
    texts, script = clause_texts(problem), read_script(program)
    places = _known_places(texts, script, stated) or _aligned_places(problem, program, len(texts))
    behind: list[list[str]] = [[] for _ in texts]
    if texts:
        for place, command in _declared_places(texts, script, places):
            behind[place].append(write_node(command))
        for place, node in zip(places, script.assertions, strict=True):
            behind[place].append(f"(assert {write_node(node)})")
    return ClauseProgram(tuple(StatedClause(text, tuple(lines)) for text, lines in zip(texts, behind, strict=True)))


def _aligned_places(problem: str, program: str, count: int) -> list[int]:
    """Return the clause of each assertion by the alignment, the one before it where no clause states it; of the answer, the last."""
    places, place, last = [], 0, max(count - 1, 0)
    for clause, node in zip(align_clauses(problem, program).clause_of, read_script(program).assertions, strict=True):
        place = place if clause is None else min(clause, last)
        places.append(last if ANSWER in _names(node) else place)
    return places


def _known_places(texts: Sequence[str], script: Script, stated: Sequence[str]) -> list[int]:
    """Return the clause of each assertion by the words that state it, none if they are not all in the text in their order.

    What holds in every case is after the last clause before those, what ties the answer to the rest after the last clause.
    """
    if not texts or len(stated) != len(script.assertions) or not any(stated):
        return []
    whole = " ".join(texts).casefold()
    ends = [len(" ".join(texts[: number + 1])) for number in range(len(texts))]
    found: list[int | None] = []
    begin = 0
    for words in stated:
        plain = " ".join(words.split()).casefold()
        at = whole.find(plain, begin) if plain else None
        if at == -1:
            return []
        if at is not None:
            begin = at + len(plain)
        found.append(None if at is None else next(number for number, end in enumerate(ends) if at < end))
    first = min(place for place in found if place is not None)
    return [
        place if place is not None else len(texts) - 1 if ANSWER in _names(node) else max(first - 1, 0)
        for place, node in zip(found, script.assertions, strict=True)
    ]


def _names(node: NodeGroup | Atom) -> set[str]:
    return {atom.name for atom in walk(node) if isinstance(atom, Atom)}


@dataclass(frozen=True, slots=True)
class _Declaring:
    """A command that declares: the names it declares, those it uses, and whether it declares a sort by its values."""

    command: NodeGroup
    own: frozenset[str]
    used: frozenset[str]
    sort: str | None = None


def _declarations(script: Script) -> Iterator[_Declaring]:
    names = {declaration.command: declaration.name for declaration in script.declarations}
    sorts = {enumeration.command: enumeration for enumeration in script.enumerations}
    for number, command in enumerate(script.commands):
        if command.head in _ENDING or command.head == _LOGIC:
            continue
        enumeration = sorts.get(number)
        own = frozenset(enumeration.values if enumeration else filter(None, [names.get(number)]))
        used = frozenset(_names(command)) - own
        yield _Declaring(command, own, used, enumeration.name if enumeration else None)


def _declared_places(texts: Sequence[str], script: Script, places: Sequence[int]) -> list[tuple[int, NodeGroup]]:
    """Return each declaration with the clause that it is after: the first by which its names were said, before its use.

    A sort is declared with its first constant, the answer after the last clause.
    """
    said, words = list[set[str]](), set[str]()
    for text in texts:
        words = words | text_words(text)
        said.append(words)
    last = len(texts) - 1
    uses = list(zip(places, map(_names, script.assertions), strict=True))
    declarings = list(_declarations(script))

    def first(declaring: _Declaring) -> int:
        named = set().union(*map(name_words, declaring.own))
        spoken = next((place for place in range(len(texts)) if named <= said[place]), last)
        return last if ANSWER in declaring.own else spoken

    def needed(declaring: _Declaring) -> int:
        return min((place for place, names in uses if names & declaring.own), default=last)

    spoken = {declaring.sort: first(declaring) for declaring in declarings if declaring.sort}
    chosen = []
    for declaring in declarings:
        values = [spoken[name] for name in declaring.used & spoken.keys() if declaring.sort is None]
        chosen.append(min(needed(declaring), max([first(declaring), *values])))
    for number, declaring in enumerate(declarings):
        if declaring.sort:
            users = [
                chosen[other]
                for other, user in enumerate(declarings)
                if declaring.sort in user.used and other != number
            ]
            chosen[number] = min([needed(declaring), *users])
    ready: dict[str, int] = {}
    for number, declaring in enumerate(declarings):
        chosen[number] = max([chosen[number], *(ready[name] for name in declaring.used if name in ready)])
        ready |= dict.fromkeys([*declaring.own, *([declaring.sort] if declaring.sort else [])], chosen[number])
    if any(place > needed(declaring) for place, declaring in zip(chosen, declarings, strict=True)):
        chosen = [0] * len(declarings)
    return sorted(
        ((place, declaring.command) for place, declaring in zip(chosen, declarings, strict=True)),
        key=lambda pair: pair[0],
    )


def given_line(clause: str) -> str:
    """Return the comment of a clause."""
    return f"{MARK} {clause}"


def given_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the words of clauses begin and end in a program clause by clause, with their line ends; the first span from its begin."""
    start, first = 0, True
    for line in text.splitlines(keepends=True):
        if line.startswith(MARK):
            yield 0 if first else start + len(MARK), start + len(line)
            first = False
        start += len(line)


def without_clauses(lines: Iterable[str]) -> str:
    """Return a program without the comments of its clauses."""
    return "\n".join(line for line in lines if not line.startswith(MARK))
