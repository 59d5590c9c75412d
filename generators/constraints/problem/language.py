"""The language of statements about a small world, and the selection of statements that settle a question.

A `WorldLanguage` lists all its worlds. The meaning of a statement is given twice: in Python, which checks every statement against
every world, and in SMT-LIB2. If all worlds that satisfy the clues give one answer, that answer is unique. This is an exhaustive
proof that does not use the program. The tests compare `holds` with `term`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from random import Random
from typing import Any

from generators.constraints.problem.draft import literal
from generators.constraints.problem.english import draw_form, listed
from generators.constraints.problem.vocabulary import NamedThing

Statement = tuple[Any, ...]
"""A kind of statement and its arguments: `("before", 0, 2)`."""
World = Any


@dataclass(frozen=True, slots=True)
class StatementKind:
    """A kind of statement: how often it is drawn as a clue, its arguments, and its meaning in Python and in SMT-LIB2.

    `arguments` has one letter for each argument; `a`, `b` and `c` stand for things by their number. `holds` takes a world and the
    arguments. `term` is filled with `WorldLanguage.symbols`; it is empty where the language has its own way to write the term.
    """

    weight: int
    arguments: str
    holds: Callable[..., bool]
    term: str = ""


class WorldLanguage(ABC):
    """Statements about one arrangement of things; sets of worlds are integers with a bit for each.

    `shape` is all that the worlds, and the statements that hold in each of them, depend on. `forms` are the sentences for each kind of
    statement, the plainest first.
    """

    shape: Hashable
    worlds: tuple[World, ...]
    things: Sequence[NamedThing]
    kinds: Mapping[str, StatementKind]
    forms: Mapping[str, Sequence[str]]

    def holds(self, statement: Statement, world: World) -> bool:
        """Tell whether a statement is true in a world."""
        kind, *arguments = statement
        return bool(self.kinds[kind].holds(world, *arguments))

    def term(self, statement: Statement) -> str:
        """Return a statement in SMT-LIB2."""
        kind, *arguments = statement
        return self.kinds[kind].term.format(**_filled(self.symbols, self.kinds[kind].arguments, arguments))

    def symbols(self, letter: str, argument: Any) -> dict[str, str]:
        """Return what terms may say of an argument: under its letter, the symbol of a thing or the number."""
        return {letter: self.things[argument].symbol if letter in "abc" else str(argument)}

    def values(self, world: World) -> dict[str, str]:
        """Return the literals that the program's constants have in a world."""
        return {thing.symbol: literal(value) for thing, value in zip(self.things, world, strict=True)}

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        """Return a statement as a clause, without a capital or a full stop; in its plainest form where nothing is drawn."""
        kind, *arguments = statement
        words = _filled(self.words, self.kinds[kind].arguments, arguments)
        return str(draw_form(self.forms[kind], rng)).format(**words)

    def sayings(self, statement: Statement) -> list[str]:
        """Return a statement as a clause in each of its forms."""
        kind, *arguments = statement
        words = _filled(self.words, self.kinds[kind].arguments, arguments)
        return [form.format(**words) for form in self.forms[kind]]

    def words(self, letter: str, argument: Any) -> dict[str, str]:
        """Return what sentences may say of an argument: under its letter, the words for a thing or the number."""
        return {letter: self.things[argument].said if letter in "abc" else str(argument)}

    @abstractmethod
    def portrait(self, world: World) -> list[Statement]:
        """Return facts that only this world has all of."""

    def describe(self, world: World) -> str:
        """Return a whole world as a clause: `it can be that Ana is first and Ben is last`."""
        return f"it can be that {listed([self.say(fact) for fact in self.portrait(world)])}"

    def in_order(self, world: World) -> str:
        """Return the things in the order of their numbers in a world."""
        return listed([self.things[place].said for place in sorted(range(len(world)), key=world.__getitem__)])

    @abstractmethod
    def draw(self, rng: Random) -> Statement:
        """Return a statement that might be a clue, true or not."""

    def draw_kind(self, rng: Random) -> str:
        """Return a kind of statement, each as often as its weight says."""
        return rng.choice(self._kinds_by_weight)

    @cached_property
    def _kinds_by_weight(self) -> tuple[str, ...]:
        # Drawing from this takes a third of the time that `rng.choices` with weights takes.
        return tuple(name for name, kind in self.kinds.items() for _ in range(kind.weight))

    @abstractmethod
    def facts(self) -> Sequence[Statement]:
        """Return the statements that reasoning may conclude, those that say most first."""

    @property
    def everything(self) -> int:
        """Return the set of all worlds."""
        return (1 << len(self.worlds)) - 1

    def where(self, holds: Callable[[World], bool]) -> int:
        """Return the worlds in which something holds."""
        return worlds_where(self.worlds, holds)

    def mask(self, statement: Statement) -> int:
        """Return the worlds in which a statement holds."""
        key = (type(self), self.shape, statement)
        if key not in _MASKS:
            _MASKS[key] = worlds_where(self.worlds, lambda world: self.holds(statement, world))
        return _MASKS[key]

    def common(self, statements: Iterable[Statement]) -> int:
        """Return the worlds in which all statements hold."""
        worlds = self.everything
        for statement in statements:
            worlds &= self.mask(statement)
        return worlds


_MASKS: dict[tuple[type, Hashable, Statement], int] = {}


def _filled(fill: Callable[[str, Any], dict[str, str]], letters: str, arguments: Sequence[Any]) -> dict[str, str]:
    """Return the values of a template's slots: those of `fill` for each argument."""
    parts: dict[str, str] = {}
    for letter, argument in zip(letters, arguments, strict=True):
        parts |= fill(letter, argument)
    return parts


@cache
def arrangements(count: int, several: int) -> tuple[tuple[int, ...], ...]:
    """Return all ways to draw several different numbers below a count, in order."""
    return tuple(permutations(range(count), several))


def worlds_where(worlds: Sequence[World], holds: Callable[[World], bool]) -> int:
    """Return the set of the worlds in which something holds."""
    return int("".join(["1" if holds(world) else "0" for world in reversed(worlds)]), 2)


def settling_statements(
    language: WorldLanguage, statements: Iterable[Statement], target: int
) -> list[Statement] | None:
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
    language: WorldLanguage, statements: Sequence[Statement], target: int, *, given: Iterable[Statement] = ()
) -> list[Statement]:
    """Return those statements that, beside the given ones, leave only worlds of the target, all of them needed; early ones go first."""
    premise = language.common(given)
    kept = [(statement, language.mask(statement)) for statement in statements]
    for candidate in list(kept):
        left = premise
        for other in kept:
            if other is not candidate:
                left &= other[1]
        if not left & ~target:
            kept.remove(candidate)
    return [statement for statement, _ in kept]
