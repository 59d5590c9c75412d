"""The alignment of a program's assertions with the clauses of its problem: what states each, and which clause nothing states.

A clause and an assertion go together by the constants and the numbers that both mention. The alignment reads names
only, no meaning: a clause with an assertion may still be stated wrongly.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.records.constraint import ClauseRecord
from harness.smtlib.grammar import ANSWER
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup, walk
from harness.smtlib.script import Script, read_script
from harness.text.lexicon import english
from harness.text.nouns import singular_noun
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of
from harness.text.words import letter_runs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LISTS = english("clauses")
_OPTIONS = _LISTS.pattern("options", before=r"(?s)(?:^|\s)\(?A\s?[).:]\s.{1,400}?\s\(?B\s?[).:]\s|\b", after=r"\s*:")
_PART = re.compile(r"(?:;|(?<=[:.;,])\s*\(\d{1,2}\))\s+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EMPTY = _LISTS.words("joining")
_NEXT, _BACK = 0.15, 0.4
"""What a step to a later clause counts, and a step back."""
_TIE = 1e-9
"""What each clause of distance takes from a step, to choose the nearest of equal ones."""
_FIGURES, _OPENING, _ASKED = 0.9, 0.7, 0.4
"""What all numbers in common count; the share of its score that the clause that introduces the constants keeps, since it seldom states
a condition; and what the question shares with any assertion about the answer."""
_BOUND = 1.2
"""What the number counts that a term is compared with, where the clause has it."""
_COMPARING = frozenset({"=", "<", "<=", ">", ">=", "distinct"})
_FREQUENT = frozenset({"0", "1"})
"""Numbers that stand in many terms, and tell none from another."""
_MANY = 3
"""The constants of which an assertion that mentions all speaks of none: two are what a comparison compares."""
_STATED = 0.35
"""The lowest score at which an assertion states a clause: about a third of their constants and numbers is shared."""
LONGEST, MOST = 20_000, 300
"""The characters of a problem, and the assertions and clauses, that are aligned."""


@dataclass(frozen=True, slots=True)
class ClauseAlignment:
    """For each assertion the number of its clause, `None` for one that no clause states; and the clauses that nothing states."""

    clauses: tuple[ClauseRecord, ...]
    clause_of: tuple[int | None, ...]
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Mention:
    """The constants and numbers that a clause or an assertion mentions, the numbers that it compares with a term, and whether it is about the answer."""

    names: frozenset[str]
    numbers: frozenset[str]
    compared: frozenset[str] = frozenset()
    asked: bool = False


def clauses_of(problem: str) -> tuple[ClauseRecord, ...]:
    """Return the first `MOST` clauses of the first `LONGEST` characters of a problem, in order; together they have all the words there."""
    problem = problem[:LONGEST]
    options = _OPTIONS.search(problem)
    clauses: list[ClauseRecord] = []
    for sentence in sentences_of(problem):
        option = options is not None and sentence.start >= options.start()
        begin = 0
        for end in [*(match.end() for match in _PART.finditer(sentence.text)), len(sentence.text)]:
            if text := sentence.text[begin:end].strip():
                asks = end == len(sentence.text) and sentence.asks
                clauses.append(ClauseRecord(text=text, asks=asks, option=option))
            begin = end
    return tuple(clauses[:MOST])


def align_clauses(problem: str, program: str) -> ClauseAlignment:
    """Return the alignment of a program with its problem; a program that cannot be read has what can be read of it."""
    import numpy as np  # what asks for help need not wait for it

    clauses, script = clauses_of(problem), read_script(program)
    unknowns = {declaration.name for declaration in script.declarations if declaration.name != ANSWER}
    constants = _constant_words(script, unknowns)
    mentioned = [_clause_mention(clause.text, constants) for clause in clauses]
    asserted = [_assertion_mention(node, constants, unknowns) for node in script.assertions[:MOST]]
    introduction = max(range(len(clauses)), key=lambda place: len(mentioned[place].names), default=0)
    scores = np.array(
        [
            [_score(assertion, clause, mentioned[place], place == introduction) for place, clause in enumerate(clauses)]
            for assertion in asserted
        ]
    ).reshape(len(asserted), len(clauses))
    places = enumerate(_assigned_clauses(scores))
    stated = [place if scores[number, place] >= _STATED else None for number, place in places] or [None] * len(asserted)
    # An assertion out of the order of the text states the clause that it fits better.
    for other in sorted(set(range(len(clauses))) - set(stated)):
        for number, place in enumerate(stated):
            now = 0.0 if place is None else scores[number, place]
            if mentioned[other].names and scores[number, other] > max(now, _STATED):
                stated[number] = other
                break
    missing, known = [], set[str]()
    for place, clause in enumerate(clauses):
        names = mentioned[place].names
        if not clause.asks and not clause.option:
            mentioned_before = names <= known and names & unknowns and len(names) < len(constants)
            if mentioned_before and place not in stated:
                missing.append(place)
            known |= names
    return ClauseAlignment(clauses, (*stated, *[None] * (len(script.assertions) - len(stated))), tuple(missing))


def _constant_words(script: Script, unknowns: set[str]) -> dict[str, frozenset[str]]:
    """Return the words of each declared constant and value but the answer."""
    # A sort of the things themselves repeats their names as its values.
    known = {name.casefold() for name in unknowns}
    values = [value for enumeration in script.enumerations for value in enumeration.values]
    names = [declaration.name for declaration in script.declarations if declaration.name != ANSWER]
    names += [value for value in values if value.casefold() not in known]
    return {name: words for name in names if (words := name_words(name))}


def _clause_mention(text: str, constants: Mapping[str, frozenset[str]]) -> _Mention:
    words = text_words(text)
    numbers = frozenset(str(reading) for mention in mentions(text) for reading in mention.readings[:1])
    return _Mention(frozenset(name for name, own in constants.items() if own <= words), numbers)


def _assertion_mention(node: Node, constants: Mapping[str, frozenset[str]], unknowns: set[str]) -> _Mention:
    by_case = {name.casefold(): name for name in constants}
    atoms = [atom for atom in walk(node) if isinstance(atom, Atom)]
    counts = Counter(by_case[atom.name.casefold()] for atom in atoms if atom.name.casefold() in by_case)
    # An assertion that mentions every constant, as a count does, speaks of those that occur more often than others.
    least = min(counts.values()) if len(unknowns) >= _MANY and unknowns <= counts.keys() else 0
    compared = node.arguments if isinstance(node, NodeGroup) and node.head in _COMPARING else ()
    return _Mention(
        frozenset(name for name, count in counts.items() if count > least),
        _numerals(atoms),
        _numerals(compared) - _FREQUENT,
        any(atom.name == ANSWER for atom in atoms),
    )


def _score(assertion: _Mention, clause: ClauseRecord, mention: _Mention, introduces: bool) -> float:  # noqa: FBT001  # one of its facts
    """Return how well an assertion fits a clause, which may be the one that introduces the constants."""
    if clause.option or (clause.asks and not assertion.asked):
        return 0.0
    figures = _FIGURES * _overlap(assertion.numbers - _FREQUENT, mention.numbers - _FREQUENT)
    figures += _BOUND * (not mention.names and bool(assertion.compared & mention.numbers))
    shared = _overlap(assertion.names, mention.names) + figures
    if assertion.asked:
        # What bounds the answer is stated where its numbers are, what ties it to the rest by the question.
        return _ASKED + shared if clause.asks else figures
    return _OPENING * shared if introduces else shared


def _assigned_clauses(scores: NDArray[np.float64]) -> list[int]:
    """Return the clause (column) of each assertion (row), the sum of their scores being the greatest.

    A later clause than that of the last assertion counts more, an earlier one less; of equal ones the nearest is chosen.
    """
    import numpy as np  # what asks for help need not wait for it

    if not scores.size:
        return []
    order = np.arange(scores.shape[1])
    ahead = order - order[:, None]
    steps = np.where(ahead > 0, _NEXT, np.where(ahead < 0, -_BACK, 0.0))
    farther = _TIE * (2 * np.abs(ahead) + (ahead < 0))
    totals, origins = scores[0], []
    for row in scores[1:]:
        reached = np.round(totals[:, None] + steps, 6)
        origins.append((reached - farther).argmax(axis=0))
        totals = reached.max(axis=0) + row
    places = [int(totals.argmax())]
    for origin in reversed(origins):
        places.append(int(origin[places[-1]]))
    return places[::-1]


def text_words(text: str) -> set[str]:
    """Return the words of a text without their endings."""
    return {singular_noun(word.casefold()) for word in letter_runs(text)}


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name in a program, as in `text_words`."""
    return frozenset(text_words(_CAMEL.sub(" ", name))) - _EMPTY


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the Dice coefficient of two sets, 0 where one is empty."""
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0


def _numerals(items: Iterable[Node]) -> frozenset[str]:
    return frozenset(
        item.text.removesuffix(".0").lstrip("0") or "0"
        for item in items
        if isinstance(item, Atom) and item.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}
    )
