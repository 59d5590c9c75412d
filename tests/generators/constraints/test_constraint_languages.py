"""Tests of the languages of clues: worlds, statements and descriptions, compared with an evaluator that is independent of them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from generators.constraints.problem.domain import DOMAINS, ProblemForm, ProblemSize
from generators.constraints.problem.draft import literal
from tests.generators.constraints.smt_evaluation import evaluated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.constraints.problem.clue_language import ClueLanguage

KINDS = {kind.__name__: kind for domain in DOMAINS for kind in domain.kinds}
WITH_CLUES = sorted(name for name, kind in KINDS.items() if "pose" in kind.__globals__)
MOST_WORLDS = 100
DRAWN = 40
EACH = pytest.mark.parametrize("name", WITH_CLUES)


class _Caught(Exception):
    """Test helper: a language taken out of the making of a problem."""

    def __init__(self, language: ClueLanguage) -> None:
        self.language = language


def language_of(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> ClueLanguage:
    """Return a language of few worlds that a kind of problem is stated in."""

    def caught(_: str, language: ClueLanguage, *_others: Any, **_slots: Any) -> None:
        raise _Caught(language)

    kind, rng = KINDS[name], Random(seed)
    monkeypatch.setitem(kind.__globals__, "pose", caught)
    while True:
        try:
            kind(rng, rng.choice((ProblemSize.SMALL, ProblemSize.MEDIUM)), ProblemForm.ANSWER)
        except _Caught as found:
            if found.language.count <= MOST_WORLDS:
                return found.language


def worlds_of(language: ClueLanguage) -> list[Mapping[str, str]]:
    """Return the literal of each constant in each world."""
    rows = zip(*language.columns.values(), strict=True)
    literals = ([value if isinstance(value, str) else literal(value) for value in row] for row in rows)
    return [dict(zip(language.columns, row, strict=True)) for row in literals]


@EACH
def test_statements_hold_where_their_terms_are_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each world, a statement holds just if its term is true of the values that the constants have there."""
    language, rng = language_of(name, 1, monkeypatch), Random(1)
    facts = [fact for fact, _ in language.facts()]
    for statement in {language.draw(rng) for _ in range(DRAWN)} | set(rng.choices(facts, k=20)):
        truths = [evaluated(language.term(statement), world) for world in worlds_of(language)]
        assert [bool(language.mask(statement) >> place & 1) for place in range(len(truths))] == truths, statement


@EACH
def test_worlds_are_what_the_program_allows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a program assumes in every case holds in each world, and no two worlds give the constants the same values."""
    language = language_of(name, 7, monkeypatch)
    worlds = worlds_of(language)
    assert all(evaluated(term, world) for world in worlds for term in language.background)
    assert len({tuple(world.items()) for world in worlds}) == len(worlds)


@EACH
def test_a_portrait_is_of_one_world(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The facts that describe a world hold in it and in no other."""
    language = language_of(name, 3, monkeypatch)
    for place in range(language.count):
        assert language.common(language.portrait(place)) == 1 << place
