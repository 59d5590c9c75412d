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
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup, walk
from harness.smtlib.script import read_script
from harness.text.nouns import singular_noun
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from harness.smtlib.s_expressions import Node
    from harness.smtlib.script import Script

_OPTIONS = re.compile(
    r"(?:^|\s)\(?A\s?[).:]\s.{1,400}?\s\(?B\s?[).:]\s|\b(?:options|choices)\s*:", re.IGNORECASE | re.DOTALL
)
_PART = re.compile(r"(?:;|(?<=[:.;,])\s*\(\d{1,2}\))\s+")
_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EMPTY = frozenset({"a", "an", "and", "at", "has", "in", "is", "of", "on", "the", "to"})
_NEXT, _BACK, _NAMELESS = 0.15, 0.4, 0.25
"""What a step to a later clause counts, and a step back; and what a clause without a name shares with any assertion."""
_FIGURES, _OPENING, _ASKED = 0.9, 0.7, 0.4
"""What all numbers in common count; the share of its score that the clause that introduces the constants keeps, since it seldom states
a condition; and what the question shares with any assertion about the answer."""
_BOUNDS = "(<= # @ #)"
"""The shape of an assertion that bounds one constant."""
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


@dataclass(frozen=True)
class _Reading:
    """The constants of the clauses and the assertions by name, and their numbers by value."""

    clauses: tuple[ProblemClause, ...]
    script: Script

    @cached_property
    def constants(self) -> dict[str, frozenset[str]]:
        """Return the words of each declared constant and value but the answer."""
        names = [declaration.name for declaration in self.script.declarations if declaration.name != ANSWER]
        values = [value for enumeration in self.script.enumerations for value in enumeration.values]
        # A sort of the things themselves repeats their names as its values.
        known = {name.casefold() for name in names}
        words = {
            name: name_words(name) for name in (*names, *(value for value in values if value.casefold() not in known))
        }
        counts = [word for own in words.values() for word in own]
        # What all names share, as `book` in `green_book`, tells none from another.
        common = {word for word in set(counts) if len(words) > 1 and counts.count(word) == len(words)}
        left = {name: (own - common) or own for name, own in words.items() if own}
        # Of `rania_colour` the word that fewest names have tells it from the others.
        shared = Counter(word for own in left.values() for word in own)
        return {
            name: frozenset(word for word in own if shared[word] == min(shared[other] for other in own))
            for name, own in left.items()
        }

    @cached_property
    def _spoken(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        spoken = []
        for clause in self.clauses:
            words = text_words(clause.text)
            names = frozenset(name for name, own in self.constants.items() if own <= words)
            spoken.append((names, _numbers_of(clause.text)))
        return spoken

    @cached_property
    def _asserted(self) -> list[tuple[frozenset[str], frozenset[str], bool]]:
        asserted = []
        by_case = {name.casefold(): name for name in self.constants}
        for node in self.script.assertions[:MOST]:
            atoms = [atom for atom in walk(node) if isinstance(atom, Atom)]
            names = self._distinctive(
                Counter(by_case[atom.name.casefold()] for atom in atoms if atom.name.casefold() in by_case)
            )
            numbers = frozenset(
                _plain(atom.text) for atom in atoms if atom.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}
            )
            asserted.append((names, numbers, any(atom.name == ANSWER for atom in atoms)))
        return asserted

    def _distinctive(self, counts: Counter[str]) -> frozenset[str]:
        """Return the names that an assertion speaks of: where it mentions every constant, as a count does, those that occur more often than others."""
        if len(self._unknowns) < _MANY or not self._unknowns <= counts.keys():
            return frozenset(counts)
        least = min(counts.values())
        return frozenset(name for name, count in counts.items() if count > least)

    @cached_property
    def _unknowns(self) -> set[str]:
        """Return the constants but the answer."""
        return {declaration.name for declaration in self.script.declarations if declaration.name != ANSWER}

    @cached_property
    def _bounds(self) -> list[frozenset[str]]:
        """Return for each assertion the numbers that a term is compared with: what a clause says of a total, beside the factors in it."""
        return [
            frozenset(
                _plain(item.text)
                for item in (node.arguments if isinstance(node, NodeGroup) and node.head in _COMPARING else ())
                if isinstance(item, Atom) and item.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}
            )
            - _COMMON
            for node in self.script.assertions[:MOST]
        ]

    @cached_property
    def _frames(self) -> set[int]:
        """Return the assertions that state the same about each of several constants, such as their bounds, or mention all at once."""
        shapes: dict[str, list[int]] = {}
        for number, node in enumerate(self.script.assertions[:MOST]):
            if len(self._asserted[number][0]) == 1 and not self._asserted[number][2]:
                shapes.setdefault(_shape(node, self.constants.keys()), []).append(number)
        constants = {declaration.name for declaration in self.script.declarations} - {ANSWER}
        # One of the constants may have a value of its own and need no bounds.
        same = {
            number
            for shape, numbers in shapes.items()
            if 1 < len(numbers) >= len(constants) - (shape == _BOUNDS)
            for number in numbers
        }
        different = {
            number
            for number, node in enumerate(self.script.assertions[:MOST])
            if isinstance(node, NodeGroup) and node.head == "distinct" and len(node.arguments) >= max(len(constants), 2)
        }
        return same | different

    def _score(self, assertion: int, clause: int) -> float:
        names, numbers, asked = self._asserted[assertion]
        said, counted = self._spoken[clause]
        if self.clauses[clause].option or (self.clauses[clause].asks and not asked):
            return 0.0
        if assertion in self._frames:
            return 1.0 if clause == self._introduction else 0.0
        shared = _overlap(names, said)
        figures = _FIGURES * _overlap(numbers - _COMMON, counted - _COMMON)
        figures += _BOUND * (not said and bool(self._bounds[assertion] & counted))
        if asked:
            # What bounds the answer is stated where its numbers are, what ties it to the rest by the question.
            return _ASKED + shared + figures if self.clauses[clause].asks else figures
        # A clause without a name goes on speaking of what earlier ones named.
        total = shared + figures + _NAMELESS if not said else shared + figures
        if not said and self._introduction is not None and clause < self._introduction:
            return 0.0
        return _OPENING * total if clause == self._introduction else total

    @cached_property
    def places(self) -> tuple[int | None, ...]:
        """Return the clause of each assertion, the sum of their scores being the greatest.

        A clause that no assertion stated before counts more, one before that of the last assertion less.
        """
        count, clauses = len(self._asserted), len(self.clauses)
        if not count or not clauses:
            return (None,) * len(self.script.assertions)
        totals = [self._score(0, clause) for clause in range(clauses)]
        origins: list[list[int]] = []
        for assertion in range(1, count):
            before, behind = _running_best(totals), _running_best(totals[::-1])
            came, reached = [], []
            for clause in range(clauses):
                choices = [(totals[clause], clause)]
                if clause:
                    best = before[clause - 1]
                    choices.append((totals[best] + _NEXT, best))
                if clause < clauses - 1:
                    best = clauses - 1 - behind[clauses - 2 - clause]
                    choices.append((totals[best] - _BACK, best))
                total, origin = max(choices, key=lambda choice: choice[0])
                came.append(origin)
                reached.append(total + self._score(assertion, clause))
            origins.append(came)
            totals = reached
        place = max(range(clauses), key=totals.__getitem__)
        places: list[int | None] = [place]
        for came in reversed(origins):
            place = came[place]
            places.append(place)
        return (*reversed(places), *(None,) * (len(self.script.assertions) - count))

    @cached_property
    def stated(self) -> tuple[int | None, ...]:
        """Return the clause of each assertion, `None` where they share too little."""
        stated = [
            place if place is not None and self._score(number, place) >= self._least(place) else None
            for number, place in enumerate(self.places)
        ]
        # An assertion out of the order of the text states the clause that it fits better.
        for clause in sorted(set(range(len(self.clauses))) - set(stated)):
            for number in range(len(self._asserted)):
                place = stated[number]
                now = 0.0 if place is None else self._score(number, place)
                if self._spoken[clause][0] and self._score(number, clause) > max(now, _STATED):
                    stated[number] = clause
                    break
        return tuple(stated)

    def _least(self, clause: int) -> float:
        """Return the lowest score at which an assertion states a clause; a clause without a name has nothing more to share."""
        return _STATED if self._spoken[clause][0] else _NAMELESS

    @cached_property
    def _introduction(self) -> int | None:
        """Return the clause that mentions most constants, the first of several."""
        most = max((len(names) for names, _ in self._spoken), default=0)
        return next((place for place, (names, _) in enumerate(self._spoken) if len(names) == most), None)

    def _spare(self, clause: int) -> bool:
        """Tell whether an assertion that fits a clause stands with a clause that has another assertion, or with none."""
        stated = self.stated
        return any(
            (place is None or stated.count(place) > 1) and self._score(number, clause) >= _STATED
            for number, place in enumerate(stated[:MOST])
            if number < len(self._asserted) and number not in self._frames
        )

    @property
    def missing(self) -> tuple[int, ...]:
        """Return the clauses that mention constants of earlier clauses, and that no assertion states."""
        stated, known = set(self.stated), set[str]()
        declared = {declaration.name for declaration in self.script.declarations}
        missing = []
        for place, (names, _) in enumerate(self._spoken):
            clause = self.clauses[place]
            if names and not clause.asks and not clause.option:
                if (
                    place not in stated
                    and names <= known
                    and names & declared
                    and names < set(self.constants)
                    and not self._spare(place)
                ):
                    missing.append(place)
                known |= names
        return tuple(missing)


def text_words(text: str) -> set[str]:
    """Return the words of a text without their endings."""
    return {_stem(word) for word in _WORD.findall(text)}


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name in a program, as in `text_words`."""
    words = (_stem(word) for word in _WORD.findall(_CAMEL.sub(" ", name).replace("_", " ")))
    return frozenset(word for word in words if word not in _EMPTY)


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


def _stem(word: str) -> str:
    return singular_noun(word.casefold())


def _numbers_of(text: str) -> frozenset[str]:
    return frozenset(str(reading) for mention in mentions(text) for reading in mention.readings[:1])


def _plain(numeral: str) -> str:
    return numeral.removesuffix(".0").lstrip("0") or "0"


def _shape(node: Node, names: Collection[str]) -> str:
    """Return a term with `@` for each constant; bounds of whatever size have one shape."""
    if isinstance(node, NodeGroup):
        if node.head == "<=" and len(node.arguments) == 3 and write_node(node.arguments[1]) in names:
            return _BOUNDS
        return f"({' '.join(_shape(item, names) for item in node.items)})"
    return "@" if node.name in names else node.text
