"""Letters for the names of a problem, in its text and in its program, and digits for its number words.

A small model copies a letter more surely than `rania` for `Rania`, and meets each letter in every problem. Which words name something is
learnt from programs: the words of their constants and values; beside them stand words with a capital within a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.smtlib.grammar import ANSWER, KEPT
from harness.smtlib.script import read_script
from harness.text.noun_forms import singular_noun
from harness.text.numbers.number_mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from harness.smtlib.constraint_problem import ConstraintProblem

LETTERS = tuple("BCDEFGHJKLMNPQRSTUVWXYZ")
"""Letters that are no words of English by themselves."""
VALUE = "_"
"""What a letter has behind it as a value of an enumeration where a constant has the letter."""
_WORD = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)?")
_INNER = re.compile(r"(?<=[\w,] )[A-Z][a-z]+\b")
_SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SURE, _MOSTLY = 0.9, 0.4
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class NameLexicon:
    """The names of programs as their problems say them: each a tuple of words in the singular and in lower case."""

    names: frozenset[tuple[str, ...]] = frozenset()

    @classmethod
    def of_problems(cls, problems: Iterable[ConstraintProblem]) -> NameLexicon:
        """Return the names that stand in the text wherever a program declares them, or nearly."""
        declared, said, words = (Counter[tuple[str, ...]]() for _ in range(3))
        for problem in problems:
            stems = [_stem(word) for word in _WORD.findall(problem.problem)]
            runs = {tuple(stems[place : place + size]) for size in (1, 2, 3) for place in range(len(stems) - size + 1)}
            words.update(runs)
            names = {_stems(name) for name in _declared(problem.program)}
            declared.update(names)
            said.update(names & runs)
        # A word such as `left` names a tent in a few texts, and tells where something is in most.
        return cls(
            frozenset(
                name
                for name, count in declared.items()
                if count >= _FEWEST and said[name] >= _SURE * count and said[name] >= _MOSTLY * words[name]
            )
        )

    def lettered(self, problem: str) -> LetteredProblem:
        """Return a problem with letters for its names and digits for its number words."""
        text = _in_digits(problem)
        words = list(_WORD.finditer(text))
        stems = [_stem(word[0]) for word in words]
        known = {(_stem(match[0]),) for match in _INNER.finditer(text)} | self.names
        longest = max(map(len, known), default=0)
        letters: dict[tuple[str, ...], str] = {}
        said: dict[str, str] = {}
        parts, end, place = [], 0, 0
        while place < len(words):
            size = next(
                (size for size in range(longest, 0, -1) if tuple(stems[place : place + size]) in known
                 and place + size <= len(words)), 0)
            if not size or (len(letters) == len(LETTERS) and tuple(stems[place : place + size]) not in letters):
                place += 1
                continue
            stem = tuple(stems[place : place + size])
            first, last = words[place], words[place + size - 1]
            letter = letters.setdefault(stem, LETTERS[min(len(letters), len(LETTERS) - 1)])
            said.setdefault(letter, text[first.start() : last.end()])
            parts += [text[end : first.start()], letter]
            end, place = last.end(), place + size
        return LetteredProblem("".join([*parts, text[end:]]), said, letters)


@dataclass(frozen=True, slots=True)
class LetteredProblem:
    """A problem with letters for names: its text, and for each letter what it stands for."""

    text: str
    said: Mapping[str, str]
    letters: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    def program(self, program: str) -> str:
        """Return a program with the letters for its names; a name without a letter stays."""
        script = read_script(program)
        values = {value for enumeration in script.enumerations for value in enumeration.values}
        constants = {declaration.name for declaration in script.declarations}
        lower = {name.casefold() for name in constants}
        table = {}
        for name in constants | values:
            letter = self.letters.get(_stems(name))
            if letter is not None:
                table[name] = letter + (VALUE if name in values and name.casefold() in lower else "")
        return _SYMBOL.sub(lambda match: table.get(match[0], match[0]), program)

    def original(self, program: str) -> str:
        """Return a program with the names for their letters: constants in lower case, values with a capital."""
        script = read_script(program)
        values = {value for enumeration in script.enumerations for value in enumeration.values}
        table: dict[str, str] = {}
        for letter, words in self.said.items():
            symbol = re.sub(r"\W+", "_", words.casefold()).strip("_")
            if not symbol.isascii() or symbol in KEPT or symbol == ANSWER:
                symbol = f"the_{letter.casefold()}"
            capital = symbol[:1].upper() + symbol[1:]
            table[letter] = capital if letter in values else symbol
            table[letter + VALUE] = capital
        return _SYMBOL.sub(lambda match: table.get(match[0], match[0]), program)


def _declared(program: str) -> Iterator[str]:
    script = read_script(program)
    yield from (declaration.name for declaration in script.declarations if declaration.name != ANSWER)
    yield from (value for enumeration in script.enumerations for value in enumeration.values)


def _stems(name: str) -> tuple[str, ...]:
    return tuple(_stem(word) for word in name.split("_") if word)


def _stem(word: str) -> str:
    return singular_noun(word.casefold())


def _in_digits(text: str) -> str:
    """Return a text with digits for whole numbers in words, but for `one`, which is a pronoun too."""
    parts, end = [], 0
    for mention in mentions(text):
        reading = mention.readings[0]
        if mention.text.replace("-", "").isalpha() and mention.text.casefold() != "one" and reading.denominator == 1 and mention.text.casefold() not in _MULTIPLES:
            parts += [text[end : mention.start], str(reading)]
            end = mention.end
    return "".join([*parts, text[end:]])


_MULTIPLES = frozenset({"once", "twice", "thrice", "double", "triple", "half"})
