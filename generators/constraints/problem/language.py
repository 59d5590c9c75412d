"""The language of statements about a small world, and the selection of statements that settle a question.

A `WorldLanguage` lists all its worlds. The meaning of a statement is given twice: `holds` in Python, which checks every
statement against every world, and `term` in SMT-LIB2. If all worlds that satisfy the clues give one answer, that answer is
unique. This is an exhaustive proof that does not use the program. The tests compare `holds` with `term`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

from generators.constraints.problem.english import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random

Statement = tuple[Any, ...]
"""A kind of statement and its arguments: `("before", 0, 2)`."""
World = Any


class WorldLanguage(ABC):
    """Statements about one arrangement of things; sets of worlds are integers with a bit for each."""

    worlds: tuple[World, ...]

    def __init__(self) -> None:
        self._masks: dict[Statement, int] = {}

    @abstractmethod
    def holds(self, statement: Statement, world: World) -> bool:
        """Tell whether a statement is true in a world."""

    @abstractmethod
    def term(self, statement: Statement) -> str:
        """Return a statement in SMT-LIB2."""

    @abstractmethod
    def values(self, world: World) -> dict[str, str]:
        """Return the literals that the program's constants have in a world."""

    @abstractmethod
    def say(self, statement: Statement, rng: Random | None = None) -> str:
        """Return a statement as a clause, without a capital or a full stop; in its plainest form where nothing is drawn."""

    @abstractmethod
    def portrait(self, world: World) -> list[Statement]:
        """Return facts that only this world has all of."""

    def describe(self, world: World) -> str:
        """Return a whole world as a clause: `it can be that Ana is first and Ben is last`."""
        return f"it can be that {listed([self.say(fact) for fact in self.portrait(world)])}"

    @abstractmethod
    def draw(self, rng: Random) -> Statement:
        """Return a statement that might be a clue, true or not."""

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
        found = self._masks.get(statement)
        if found is None:
            found = self._masks[statement] = worlds_where(self.worlds, lambda world: self.holds(statement, world))
        return found

    def common(self, statements: Iterable[Statement]) -> int:
        """Return the worlds in which all statements hold."""
        found = self.everything
        for statement in statements:
            found &= self.mask(statement)
        return found


def weighted(weights: Mapping[str, int]) -> tuple[str, ...]:
    """Return names as often as their weights say, to draw from: a third of the time that weights take."""
    return tuple(name for name, weight in weights.items() for _ in range(weight))


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
    """Return statements after which only worlds of the target are left, none of which can be left out; `None` where there are too few.

    They are tried in their order; one that says nothing new, or settles the question by itself, is passed over.
    """
    alive, chosen = language.everything, list[Statement]()
    for statement in statements:
        mask = language.mask(statement)
        less = alive & mask
        if less == alive or not mask & ~target:
            continue
        alive = less
        chosen.append(statement)
        if not alive & ~target:
            return needed_statements(language, chosen, target)
    return None


def needed_statements(
    language: WorldLanguage, statements: Sequence[Statement], target: int, *, given: Iterable[Statement] = ()
) -> list[Statement]:
    """Return of statements that leave only worlds of the target, beside those given, some none of which can be left out; early ones go first."""
    premise = language.common(given)
    kept = [(statement, language.mask(statement)) for statement in statements]
    for one in list(kept):
        left = premise
        for other in kept:
            if other is not one:
                left &= other[1]
        if not left & ~target:
            kept.remove(one)
    return [statement for statement, _ in kept]
