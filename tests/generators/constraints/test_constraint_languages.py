"""Tests of constraint statements: each one means the same in Python and in SMT-LIB2, for all values."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from generators.constraints.kinds import numbers
from generators.constraints.problem.domain import DOMAINS, ProblemForm, ProblemSize
from tests.generators.constraints.smt_evaluation import evaluated

if TYPE_CHECKING:
    from generators.constraints.problem.language import WorldLanguage

KINDS = {kind.__name__: kind for domain in DOMAINS for kind in domain.kinds}
POSED = [
    "choice", "comparison", "duties", "grid", "groups", "jobs", "liars", "row", "shares", "slots", "table",
]  # fmt: skip
MOST_WORLDS = 81
DRAWN = 40


class _Caught(Exception):
    """Test helper: a language taken out of the making of a problem."""

    def __init__(self, language: WorldLanguage, background: tuple[str, ...]) -> None:
        self.language, self.background = language, background


def language_of(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> _Caught:
    """Return the language that a kind of problem is posed in, with what the program assumes."""

    def caught(language: WorldLanguage, frame: Any, *_: Any) -> None:
        raise _Caught(language, frame.background)

    kind = KINDS[name]
    monkeypatch.setitem(kind.__globals__, "draft_problem", caught)
    rng = Random(seed)
    while True:
        try:
            kind(rng, rng.choice((ProblemSize.SMALL, ProblemSize.MEDIUM)), ProblemForm.ANSWER)
        except _Caught as found:
            if len(found.language.worlds) <= MOST_WORLDS:
                return found


def test_every_kind_that_is_posed_is_tested() -> None:
    """A kind of problem whose clues are drawn from a language is among those whose statements are compared."""
    assert sorted(name for name, kind in KINDS.items() if "draft_problem" in kind.__globals__) == POSED


@pytest.mark.parametrize("name", POSED)
def test_statements_mean_what_their_terms_mean(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each world, a statement holds just if its term is true of the values that the constants have there."""
    language = language_of(name, 1, monkeypatch).language
    rng = Random(1)
    drawn = {language.draw(rng) for _ in range(DRAWN)} | set(rng.choices(list(language.facts()), k=20))
    for statement in drawn:
        mask, term = language.mask(statement), language.term(statement)
        for place, world in enumerate(language.worlds):
            assert language.holds(statement, world) == bool(mask >> place & 1), statement
            assert evaluated(term, language.values(world)) is language.holds(statement, world), (statement, world)


@pytest.mark.parametrize("name", POSED)
def test_worlds_are_what_the_program_allows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program assumes in every case holds in each world, and no two worlds give the constants the same values."""
    found = language_of(name, 7, monkeypatch)
    values = [found.language.values(world) for world in found.language.worlds]
    for value in values:
        assert all(evaluated(term, value) for term in found.background)
    assert len({tuple(value.items()) for value in values}) == len(values)


@pytest.mark.parametrize("digits", [2, 3])
def test_statements_about_numbers(digits: int) -> None:
    """A statement about the digits of a number is true in Python exactly if it is true in SMT-LIB2."""
    language, rng = numbers._Numbers(digits), Random(digits)
    worlds = rng.sample(language.worlds, 40)
    for statement in {language.draw(rng) for _ in range(DRAWN)}:
        for world in worlds:
            assert evaluated(language.term(statement), language.values(world)) is language.holds(statement, world)


def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a term and its statement differ, some world tells them apart."""
    language = language_of("row", 0, monkeypatch).language
    wrong = language.term(("before", 1, 0))
    assert any(
        evaluated(wrong, language.values(world)) is not language.holds(("before", 0, 1), world)
        for world in language.worlds
    )


@pytest.mark.parametrize("name", POSED)
def test_a_portrait_is_of_one_world(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The facts that describe a world hold in it and in no other, and reasoning can conclude each."""
    language = language_of(name, 3, monkeypatch).language
    facts = set(language.facts())
    for place, world in enumerate(language.worlds):
        portrait = language.portrait(world)
        assert language.common(portrait) == 1 << place
        assert facts.issuperset(portrait)
