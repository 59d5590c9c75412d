"""How does a language of small worlds become a problem: a hidden world, clues that settle a question, and the steps to it?"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from generators.constraints.deduction import infer
from generators.constraints.draft import Answer, Draft, Step
from generators.constraints.english import contradicted, laid_out, reasoned
from generators.constraints.language import needed, settling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from random import Random

    from generators.constraints.deduction import Inference
    from generators.constraints.language import Language, Statement, World

FEASIBILITY = 0.1
"""The share of problems that ask whether it can be done at all; in half of these, it cannot."""
DRAWN = 100
"""Statements that are tried as clues of one hidden world."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the sentence, the answer's sort and ties, its literal in each world, and how a literal reads."""

    text: str
    sort: str
    ties: tuple[str, ...]
    value: Callable[[World], str]
    read: Callable[[str], str] = str
    logic: str = ""
    declarations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds the clues: the opening, how it is asked whether it can be done, and the head of the program."""

    kind: str
    opening: str
    can: str
    logic: str
    declarations: tuple[str, ...]
    background: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many clues a problem has, and how many steps its reasoning at most."""

    fewest: int
    most: int
    steps: int


def pose(language: Language, frame: Frame, question: Question, bounds: Bounds, rng: Random) -> Draft | None:
    """Return a problem of a language, `None` where what was drawn does not make one.

    A share of `FEASIBILITY` asks whether it can be done, instead of the question.
    """
    place = rng.randrange(len(language.worlds))
    drawn = (language.draw(rng) for _ in range(DRAWN))
    true = (one for one in drawn if language.mask(one) >> place & 1)
    if rng.random() < FEASIBILITY:
        if rng.random() < 0.5:
            return _possible(language, frame, bounds, rng, true, place)
        return _impossible(language, frame, bounds, rng, true)
    hidden = language.worlds[place]
    gold = question.value(hidden)
    target = language.where(lambda world: question.value(world) == gold)
    clues = _clues(language, true, target, bounds, rng)
    inferences = infer(language, clues, target, most=bounds.steps) if clues else None
    if not clues or inferences is None:
        return None
    said = _said(language, clues, rng)
    steps = _steps(language, inferences, said, rng)
    concluded = [*clues, *(one.fact for one in inferences if one.fact is not None)]
    facts = needed(language, concluded, target)
    answer = f"the answer is {question.read(gold)}"
    premises = [said.get(fact) or language.say(fact) for fact in facts]
    told = f"So {answer}." if facts == concluded[-1:] else reasoned(premises, answer, rng)
    steps.append(Step(told, tuple(map(language.term, facts)), f"(= answer {gold})"))
    return Draft(
        frame.kind,
        laid_out(frame.opening, list(said.values()), question.text, rng),
        tuple(steps),
        question.logic or frame.logic,
        (*frame.declarations, *question.declarations),
        frame.background,
        tuple(map(language.term, clues)),
        Answer(question.sort, question.ties, gold),
    )


def _clues(
    language: Language, true: Iterator[Statement], target: int, bounds: Bounds, rng: Random
) -> list[Statement] | None:
    clues = settling(language, true, target)
    if clues is None or not bounds.fewest <= len(clues) <= bounds.most:
        return None
    rng.shuffle(clues)
    return clues


def _possible(
    language: Language, frame: Frame, bounds: Bounds, rng: Random, true: Iterator[Statement], place: int
) -> Draft | None:
    clues = _clues(language, true, 1 << place, bounds, rng)
    inferences = infer(language, clues, 1 << place, most=bounds.steps) if clues else None
    if not clues or inferences is None:
        return None
    said = _said(language, clues, rng)
    end = f"So {language.describe(language.worlds[place])}. That agrees with everything that is said, so the answer is yes."
    steps = (*_steps(language, inferences, said, rng), Step(end, (), None))
    return _asking_whether(language, frame, said, steps, rng, satisfiable=True)


def _impossible(
    language: Language, frame: Frame, bounds: Bounds, rng: Random, true: Iterator[Statement]
) -> Draft | None:
    clues = list(islice(true, bounds.most - 1))
    alive = language.common(clues)
    wrong = next((one for one in (language.draw(rng) for _ in range(DRAWN)) if not alive & language.mask(one)), None)
    if wrong is None:
        return None
    core = needed(language, [*clues, wrong], 0)
    if len(core) < min(bounds.fewest, 3):
        return None
    rng.shuffle(core)
    inferences = infer(language, core, 0, most=bounds.steps)
    if inferences is None:
        return None
    said = _said(language, core, rng)
    end = Step("So there is no way, and the answer is no.", tuple(map(language.term, core)), "false")
    steps = (*_steps(language, inferences, said, rng), end)
    return _asking_whether(language, frame, said, steps, rng, satisfiable=False)


def _asking_whether(
    language: Language,
    frame: Frame,
    said: Mapping[Statement, str],
    steps: tuple[Step, ...],
    rng: Random,
    *,
    satisfiable: bool,
) -> Draft:
    text = laid_out(frame.opening, list(said.values()), frame.can, rng)
    terms = tuple(map(language.term, said))
    return Draft(frame.kind, text, steps, frame.logic, frame.declarations, frame.background, terms, None, satisfiable)


def _said(language: Language, clues: Sequence[Statement], rng: Random) -> dict[Statement, str]:
    return {one: language.say(one, rng) for one in clues}


def _steps(
    language: Language, inferences: Sequence[Inference], said: Mapping[Statement, str], rng: Random
) -> list[Step]:
    steps: list[Step] = []
    for one in inferences:
        used = (*one.known, *one.clues)
        premises = [said.get(premise) or language.say(premise) for premise in used]
        terms = tuple(map(language.term, used))
        if one.fact is None:
            steps.append(Step(contradicted(premises, rng), terms, "false"))
        else:
            steps.append(Step(reasoned(premises, language.say(one.fact), rng), terms, language.term(one.fact)))
    return steps
