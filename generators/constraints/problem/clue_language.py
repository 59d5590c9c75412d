"""The language of clues about a small world: one table of statements, each with its sentences and its term of SMT-LIB2.

A language lists all its worlds as columns: the value of each constant in each world. A statement is said by filling its sentence,
written by filling its term, and meant by evaluating that term in every world. If all worlds in which the clues hold give one answer,
that answer is the only one. This is an exhaustive proof; the tests compare it with both solvers.
"""

import operator
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from random import Random
from typing import Any

from generators.constraints.problem.draft import constants, enumeration, sort_of_literal
from generators.constraints.problem.vocabulary import NamedThing, symbols_of, words

Statement = tuple[Any, ...]
"""A kind of statement, and for each letter of its arguments a place in the range of that letter: `("before", 0, 2)`."""
Columns = Mapping[str, Sequence[Any]]
"""The value of each constant in each world: a whole number, a truth value, or the name of a value of an enumeration."""
_TOKEN = re.compile(r"[()]|[^\s()]+")
_EACH = re.compile(r"\[([xo]): ([^\[\]]*)\]")
_MASKS: dict[Hashable, dict[Statement, int]] = {}
_FACTS: dict[Hashable, list[tuple[Statement, int]]] = {}
_OPERATIONS: dict[str, Callable[..., Any]] = {
    "and": lambda *values: all(values),
    "or": lambda *values: any(values),
    "not": operator.not_,
    "=>": lambda left, right: not left or right,
    "xor": operator.ne,
    "ite": lambda condition, yes, no: yes if condition else no,
    "+": lambda *values: sum(values),
    "-": operator.sub,
    "*": operator.mul,
    "mod": operator.mod,
}
_COMPARISONS = {"=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@dataclass(frozen=True, slots=True)
class ClueKind:
    """A kind of statement or question: how often it is drawn, a letter for each argument, and its term.

    In a term `{a}` is the symbol of an argument and `{a_key}` one of its further words; `[x: …]` is repeated for each thing, `[o: …]` for
    each thing that is not an argument. A question with a `claim` asks for the thing `{x}` of which it holds.
    """

    weight: int
    arguments: str
    term: str = ""
    claim: str = ""


@dataclass(frozen=True, slots=True)
class ClueTable:
    """All statements and questions of one kind of problem, and which of them reasoning concludes and a world is described by."""

    name: str
    clues: Mapping[str, ClueKind]
    questions: Mapping[str, ClueKind]
    facts: Sequence[str]
    portrait: Sequence[str]
    forms: Mapping[str, Sequence[str]]


@cache
def clue_table(name: str) -> ClueTable:
    """Return the table in the file of words of a kind of problem."""
    parts = words(name)["table"]
    clues, questions = ({key: ClueKind(**row) for key, row in parts[part].items()} for part in ("clues", "questions"))
    return ClueTable(name, clues, questions, parts["facts"], parts["portrait"], parts.get("forms", {}))


@dataclass(slots=True)
class ClueLanguage:
    """Statements about some things; sets of worlds are integers with a bit for each.

    `background` are the terms of what holds in every case, such as that places are distinct. `ranges` has what each letter stands for, `forms` the sentences of each kind, the plainest first; a kind without a sentence is not
    used. `filling` is what sentences and terms may say besides, `enumerations` the named values of each sort, `thing_sort` the sort of
    the things. `shape` is all that the meaning of statements depends on, `None` where that is not worth keeping.
    """

    table: ClueTable
    ranges: Mapping[str, Sequence[NamedThing]]
    columns: Columns
    forms: Mapping[str, Sequence[str]]
    shape: Hashable = None
    filling: Mapping[str, str] = field(default_factory=dict)
    enumerations: Mapping[str, Sequence[NamedThing]] = field(default_factory=dict)
    thing_sort: str = "Person"
    background: Sequence[str] = ()
    _masks: dict[Statement, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.shape is not None:
            self._masks = _MASKS.setdefault((self.table.name, self.shape), {})

    @property
    def things(self) -> Sequence[NamedThing]:
        """Return the things."""
        return self.ranges["a"]

    @property
    def count(self) -> int:
        """Return the number of worlds."""
        return len(next(iter(self.columns.values())))

    @property
    def everything(self) -> int:
        """Return the set of all worlds."""
        return (1 << self.count) - 1

    def declarations(self, answer_sort: str = "") -> tuple[str, ...]:
        """Return the declarations of the constants, and of the named values that they or an answer may have."""
        sort_of = {thing.value: sort for sort, things in self.enumerations.items() for thing in things}
        first = {constant: column[0] for constant, column in self.columns.items()}
        sorts = {name: sort_of[own] if isinstance(own, str) else sort_of_literal(own) for name, own in first.items()}
        named = {**self.enumerations, self.thing_sort: self.things}
        used = [sort for sort in named if sort in {*sorts.values(), answer_sort}]
        values = (enumeration(sort, tuple(thing.value for thing in named[sort])) for sort in used)
        return (*values, *(text for constant, sort in sorts.items() for text in constants((constant,), sort)))

    def fill(self, letters: str, places: Sequence[int], *, symbols: bool) -> dict[str, str]:
        """Return what templates may say of arguments: their words, or their symbols."""
        filled = dict(self.filling)
        for letter, place in zip(letters, places, strict=True):
            thing = self.ranges[letter][place]
            filled[letter] = thing.symbol if symbols else thing.said
            filled |= {f"{letter}_{key}": value for key, value in thing.more.items()}
        return filled

    def written(self, template: str, letters: str, places: Sequence[int]) -> str:
        """Return a template of a term with its arguments filled in."""
        filled = self.fill(letters, places, symbols=True)
        own = {filled[letter] for letter in letters}

        def repeated(match: re.Match[str]) -> str:
            chosen = [place for place, thing in enumerate(self.things) if match[1] == "x" or thing.symbol not in own]
            return " ".join(self.written(match[2], f"{letters}{match[1]}", (*places, place)) for place in chosen)

        return _EACH.sub(repeated, template).format(**filled)

    def term(self, statement: Statement) -> str:
        """Return a statement in SMT-LIB2."""
        kind = self.table.clues[statement[0]]
        return self.written(kind.term, kind.arguments, statement[1:])

    def sayings(self, statement: Statement) -> list[str]:
        """Return a statement as a clause in each of its forms, without a capital or a full stop."""
        filled = self.fill(self.table.clues[statement[0]].arguments, statement[1:], symbols=False)
        # A word of an argument may have slots of its own.
        return [form.format(**filled).format(**filled) for form in self.forms[statement[0]]]

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        """Return a statement as a clause, in its plainest form where nothing is drawn."""
        return rng.choice(self.sayings(statement)) if rng is not None else self.sayings(statement)[0]

    def column(self, term: str) -> list[Any]:
        """Return the value of a term in each world."""
        # The reader of programs keeps the place of each token, which takes ten times as long.
        open_groups: list[list[Any]] = [[]]
        for word in _TOKEN.findall(term):
            if word == "(":
                open_groups.append([])
            elif word == ")":
                head, *arguments = open_groups.pop()
                open_groups[-1].append(list(map(_operation(head, len(arguments)), *arguments)))
            elif len(open_groups) > 1 and not open_groups[-1]:
                open_groups[-1].append(word)
            else:
                constant = int(word) if word.isdecimal() else word
                open_groups[-1].append(self.columns[word] if word in self.columns else [constant] * self.count)
        return list(open_groups[0][0])

    def mask(self, statement: Statement) -> int:
        """Return the worlds in which a statement holds."""
        if statement not in self._masks:
            self._masks[statement] = mask_of(self.column(self.term(statement)))
        return self._masks[statement]

    def common(self, statements: Iterable[Statement]) -> int:
        """Return the worlds in which all statements hold."""
        worlds = self.everything
        for statement in statements:
            worlds &= self.mask(statement)
        return worlds

    def draw_places(self, letters: str, rng: Random) -> tuple[int, ...]:
        """Return drawn arguments, those of one range all different."""
        places: list[int] = []
        for number, letter in enumerate(letters):
            values = self.ranges[letter]
            taken = {places[earlier] for earlier in range(number) if self.ranges[letters[earlier]] is values}
            places.append(rng.choice([place for place in range(len(values)) if place not in taken]))
        return tuple(places)

    def draw(self, rng: Random) -> Statement:
        """Return a statement that might be a clue, true or not."""
        kinds = self.table.clues.items()
        # This takes a third of the time that `rng.choices` with weights takes.
        name = rng.choice([name for name, kind in kinds if name in self.forms for _ in range(kind.weight)])
        return name, *self.draw_places(self.table.clues[name].arguments, rng)

    def statements(self, name: str) -> Iterator[Statement]:
        """Yield all statements of a kind, those that name one thing twice left out."""
        letters = self.table.clues[name].arguments
        for places in product(*(range(len(self.ranges[letter])) for letter in letters)):
            pairs = list(zip(places, (id(self.ranges[letter]) for letter in letters), strict=True))
            if len(set(pairs)) == len(pairs):
                yield name, *places

    def facts(self) -> list[tuple[Statement, int]]:
        """Return the statements that reasoning may conclude, of equal ones the first, with the worlds of each; those that say most first."""
        key = (self.table.name, self.shape)
        if self.shape is not None and key in _FACTS:
            return _FACTS[key]
        by_mask: dict[int, Statement] = {}
        for name in self.table.facts:
            for statement in self.statements(name) if name in self.forms else ():
                by_mask.setdefault(self.mask(statement), statement)
        found = [(statement, mask) for mask, statement in by_mask.items() if mask and mask != self.everything]
        found.sort(key=lambda fact: fact[1].bit_count())
        return _FACTS.setdefault(key, found) if self.shape is not None else found

    def portrait(self, worlds: int, target: int) -> list[Statement]:
        """Return facts that describe worlds and hold in all of the given ones, as far as only worlds of the target have all of them; else nothing."""
        own = (fact for name in self.table.portrait for fact in self.statements(name))
        known = [fact for fact in own if not worlds & ~self.mask(fact)]
        return [] if self.common(known) & ~target else needed_statements(self, known, target)


def columns_of(things: Sequence[NamedThing], worlds: Iterable[Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Return worlds, each of which has a value of each thing, as columns."""
    return dict(zip(symbols_of(things), zip(*worlds, strict=True), strict=True))


def mask_of(truths: Iterable[bool]) -> int:
    """Return the set of the worlds in which something is true."""
    return int("".join(["1" if true else "0" for true in truths][::-1]), 2)


def _operation(name: str, count: int) -> Callable[..., Any]:
    """Return the function of an operator between a number of arguments; a comparison of several is a chain."""
    compare = _COMPARISONS.get(name)
    if compare is None or count == 2:
        return compare or _OPERATIONS[name]
    return lambda *values: all(map(compare, values, values[1:]))


def settling_statements(language: ClueLanguage, statements: Iterable[Statement], target: int) -> list[Statement] | None:
    """Return statements after which only worlds of the target are left, all of them needed; `None` where there are too few.

    They are tried in their order. A statement that says nothing new, or settles the question by itself, is passed over.
    """
    alive, chosen = language.everything, list[Statement]()
    for statement in statements:
        mask = language.mask(statement)
        if alive & mask == alive or not mask & ~target:
            continue
        alive &= mask
        chosen.append(statement)
        if not alive & ~target:
            return needed_statements(language, chosen, target)
    return None


def needed_statements(
    language: ClueLanguage, statements: Sequence[Statement], target: int, *, given: Iterable[Statement] = ()
) -> list[Statement]:
    """Return those statements that, beside the given ones, leave only worlds of the target, all of them needed; early ones go first."""
    premise, kept = language.common(given), list(statements)
    for candidate in statements:
        others = [other for other in kept if other is not candidate]
        if not premise & language.common(others) & ~target:
            kept = others
    return kept
