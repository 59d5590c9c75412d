"""The alignment of a program's assertions with the clauses of its problem: what states each, and which clause nothing states.

A clause and an assertion go together by the constants and the numbers that both mention. The alignment reads names
only, no meaning: a clause with an assertion may still be stated wrongly.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from harness.smtlib.grammar import ANSWER
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup, walk
from harness.smtlib.script import read_script
from harness.text.lexicon import english
from harness.text.nouns import singular_noun
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.smtlib.s_expressions import Node
    from harness.smtlib.script import Script

_LISTS = english("clauses")
_OPTIONS = _LISTS.pattern("options", before=r"(?s)(?:^|\s)\(?A\s?[).:]\s.{1,400}?\s\(?B\s?[).:]\s|\b", after=r"\s*:")
_PART = re.compile(r"(?:;|(?<=[:.;,])\s*\(\d{1,2}\))\s+")
_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EMPTY = _LISTS.words("joining")
_NEXT, _BACK, _NAMELESS = 0.15, 0.4, 0.25
"""What a step to a later clause counts, and a step back; and what a clause without a name shares with any assertion."""
_FIGURES, _OPENING, _ASKED = 0.9, 0.7, 0.4
"""What all numbers in common count; the share of its score that the clause that introduces the constants keeps, since it seldom states
a condition; and what the question shares with any assertion about the answer."""
_BOUND = 1.2
"""What the number counts that a term is compared with, where the clause has it."""
_COMPARING = frozenset({"=", "<", "<=", ">", ">=", "distinct"})
_COMMON = frozenset({"0", "1"})
"""Numbers that stand in many terms, and tell none from another."""
_MANY = 3
"""The constants of which an assertion that mentions all speaks of none: two are what a comparison compares."""
_STATED = 0.35
"""The lowest score at which an assertion states a clause: about a third of their constants and numbers is shared."""
LONGEST, MOST = 20_000, 300
"""The characters of a problem, and the assertions and clauses, that are aligned."""


@dataclass(frozen=True, slots=True)
class ProblemClause:
    """A clause of a problem: a sentence, or a part of one after a semicolon or a number in parentheses."""

    text: str
    asks: bool
    """Whether it asks for the answer."""
    option: bool = False
    """Whether it is one of the answer options, which state nothing."""


@dataclass(frozen=True, slots=True)
class ClauseAlignment:
    """For each assertion the number of its clause, `None` for one that no clause states; and the clauses that nothing states."""

    clauses: tuple[ProblemClause, ...]
    clause_of: tuple[int | None, ...]
    missing: tuple[int, ...]


def clauses_of(problem: str) -> tuple[ProblemClause, ...]:
    """Return the first `MOST` clauses of the first `LONGEST` characters of a problem, in order; together they have all the words there."""
    problem = problem[:LONGEST]
    options = _OPTIONS.search(problem)
    parts: list[ProblemClause] = []
    for sentence in sentences_of(problem):
        behind = options is not None and sentence.start >= options.start()
        begin = 0
        for end in [*(match.end() for match in _PART.finditer(sentence.text)), len(sentence.text)]:
            text = sentence.text[begin:end].strip()
            begin = end
            if text:
                parts.append(ProblemClause(text, end == len(sentence.text) and sentence.asks, behind))
    return tuple(parts[:MOST])


def align_clauses(problem: str, program: str) -> ClauseAlignment:
    """Return the alignment of a program with its problem; a program that cannot be read has what can be read of it."""
    clauses = clauses_of(problem)
    reading = _Reading(clauses, read_script(program))
    return ClauseAlignment(clauses, reading.stated, reading.missing)


@dataclass(frozen=True, slots=True)
class _Mention:
    """The constants and numbers that a clause or an assertion mentions, and the numbers that an assertion compares with a term."""

    names: frozenset[str]
    numbers: frozenset[str]
    compared: frozenset[str] = frozenset()
    asked: bool = False
    """Whether an assertion is about the answer."""


@dataclass(frozen=True)
class _Reading:
    """The clauses and the assertions of a program by what they mention, and how well each two fit."""

    clauses: tuple[ProblemClause, ...]
    script: Script

    @cached_property
    def unknowns(self) -> frozenset[str]:
        """Return the constants but the answer."""
        return frozenset(declaration.name for declaration in self.script.declarations if declaration.name != ANSWER)

    @cached_property
    def constants(self) -> dict[str, frozenset[str]]:
        """Return the words of each declared constant and value but the answer."""
        values = [value for enumeration in self.script.enumerations for value in enumeration.values]
        # A sort of the things themselves repeats their names as its values.
        known = {name.casefold() for name in self.unknowns}
        names = [declaration.name for declaration in self.script.declarations if declaration.name != ANSWER]
        words = {
            name: name_words(name) for name in (*names, *(value for value in values if value.casefold() not in known))
        }
        # Of `rania_colour` the word that fewest names have tells it from the others.
        shared = Counter(word for own in words.values() for word in own)
        return {
            name: frozenset(word for word in own if shared[word] == min(shared[other] for other in own))
            for name, own in words.items()
            if own
        }

    @cached_property
    def spoken(self) -> list[_Mention]:
        """Return what each clause mentions."""
        spoken = []
        for clause in self.clauses:
            words = text_words(clause.text)
            names = frozenset(name for name, own in self.constants.items() if own <= words)
            numbers = frozenset(str(reading) for mention in mentions(clause.text) for reading in mention.readings[:1])
            spoken.append(_Mention(names, numbers))
        return spoken

    @cached_property
    def asserted(self) -> list[_Mention]:
        """Return what each of the first `MOST` assertions mentions."""
        by_case = {name.casefold(): name for name in self.constants}
        asserted = []
        for node in self.script.assertions[:MOST]:
            atoms = [atom for atom in walk(node) if isinstance(atom, Atom)]
            counts = Counter(by_case[atom.name.casefold()] for atom in atoms if atom.name.casefold() in by_case)
            # An assertion that mentions every constant, as a count does, speaks of those that occur more often than others.
            least = min(counts.values()) if len(self.unknowns) >= _MANY and self.unknowns <= counts.keys() else 0
            names = frozenset(name for name, count in counts.items() if count > least)
            items = node.arguments if isinstance(node, NodeGroup) and node.head in _COMPARING else ()
            asked = any(atom.name == ANSWER for atom in atoms)
            asserted.append(_Mention(names, _numerals(atoms), _numerals(items) - _COMMON, asked))
        return asserted

    @cached_property
    def introduction(self) -> int:
        """Return the clause that mentions most constants, the first of several."""
        return max(range(len(self.clauses)), key=lambda place: len(self.spoken[place].names), default=0)

    @cached_property
    def scores(self) -> list[list[float]]:
        """Return how well an assertion (row) fits a clause (column)."""
        return [[self._score(assertion, place) for place in range(len(self.clauses))] for assertion in self.asserted]

    def _score(self, assertion: _Mention, place: int) -> float:
        clause, said = self.clauses[place], self.spoken[place]
        if clause.option or (clause.asks and not assertion.asked):
            return 0.0
        figures = _FIGURES * _overlap(assertion.numbers - _COMMON, said.numbers - _COMMON)
        figures += _BOUND * (not said.names and bool(assertion.compared & said.numbers))
        shared = _overlap(assertion.names, said.names) + figures
        if assertion.asked:
            # What bounds the answer is stated where its numbers are, what ties it to the rest by the question.
            return _ASKED + shared if clause.asks else figures
        if not said.names:
            # A clause without a name goes on speaking of what earlier ones named.
            return 0.0 if place < self.introduction else shared + _NAMELESS
        return _OPENING * shared if place == self.introduction else shared

    @cached_property
    def places(self) -> list[int]:
        """Return the clause of each assertion, the sum of their scores being the greatest.

        A clause that no assertion stated before counts more, one before that of the last assertion less.
        """
        if not self.scores or not self.clauses:
            return []
        last = len(self.clauses) - 1
        totals, origins = self.scores[0], list[list[int]]()
        for scores in self.scores[1:]:
            before, after = _running_best(totals), [last - place for place in _running_best(totals[::-1])][::-1]
            came, reached = [], []
            for place, score in enumerate(scores):
                choices = [(totals[place], place)]
                if place:
                    choices.append((totals[before[place - 1]] + _NEXT, before[place - 1]))
                if place < last:
                    choices.append((totals[after[place + 1]] - _BACK, after[place + 1]))
                total, origin = max(choices, key=lambda choice: choice[0])
                came.append(origin)
                reached.append(total + score)
            origins.append(came)
            totals = reached
        places = [max(range(last + 1), key=totals.__getitem__)]
        for came in reversed(origins):
            places.append(came[places[-1]])
        return places[::-1]

    @cached_property
    def stated(self) -> tuple[int | None, ...]:
        """Return the clause of each assertion, `None` where they share too little."""
        stated: list[int | None] = [
            # A clause without a name has nothing more to share.
            place if self.scores[number][place] >= (_STATED if self.spoken[place].names else _NAMELESS) else None
            for number, place in enumerate(self.places)
        ]
        # An assertion out of the order of the text states the clause that it fits better.
        for clause in sorted(set(range(len(self.clauses))) - set(stated)):
            for number, place in enumerate(stated):
                now = 0.0 if place is None else self.scores[number][place]
                if self.spoken[clause].names and self.scores[number][clause] > max(now, _STATED):
                    stated[number] = clause
                    break
        return (*stated, *[None] * (len(self.script.assertions) - len(stated)))

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the clauses that mention constants of earlier clauses, and that no assertion states."""
        stated, known = set(self.stated), set[str]()
        # An assertion that stands with no clause may state any that it fits.
        spare = [scores for scores, place in zip(self.scores, self.stated, strict=False) if place is None]
        missing = []
        for place, clause in enumerate(self.clauses):
            names = self.spoken[place].names
            if names and not clause.asks and not clause.option:
                spoken_of = names <= known and names & self.unknowns and len(names) < len(self.constants)
                if spoken_of and place not in stated and all(scores[place] < _STATED for scores in spare):
                    missing.append(place)
                known |= names
        return tuple(missing)


def words_in(text: str) -> list[str]:
    """Return the words of a text, in order."""
    return _WORD.findall(text)


def stem(word: str) -> str:
    """Return a word without its ending, in small letters."""
    return singular_noun(word.casefold())


def text_words(text: str) -> set[str]:
    """Return the words of a text without their endings."""
    return set(map(stem, words_in(text)))


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name in a program, as in `text_words`."""
    return frozenset(map(stem, words_in(_CAMEL.sub(" ", name).replace("_", " ")))) - _EMPTY


def _running_best(values: Sequence[float]) -> list[int]:
    """Return for each place that of the greatest value up to there, the last of several."""
    best, places = 0, []
    for place, value in enumerate(values):
        best = place if value >= values[best] else best
        places.append(best)
    return places


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the Dice coefficient of two sets, 0 where one is empty."""
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def _numerals(items: Iterable[Node]) -> frozenset[str]:
    return frozenset(
        item.text.removesuffix(".0").lstrip("0") or "0"
        for item in items
        if isinstance(item, Atom) and item.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}
    )
