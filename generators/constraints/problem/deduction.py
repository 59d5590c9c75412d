"""The deduction of the answer from the clues, each step checked against every world of the language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from generators.constraints.problem.clue_language import ClueLanguage, Statement, needed_statements

MOST_CLUES = 2
"""Clues that a reader has to hold in mind at once in one step."""


@dataclass(frozen=True, slots=True)
class Inference:
    """From clues and from what was concluded before follows a fact; without one, that they cannot all be true."""

    clues: tuple[Statement, ...]
    known: tuple[Statement, ...]
    fact: Statement | None


@dataclass(frozen=True, slots=True)
class _Conclusion:
    """A fact, by the numbers of the clues that give it, with the worlds in which it holds."""

    used: tuple[int, ...]
    fact: Statement | None
    mask: int


def infer(
    language: ClueLanguage, clues: Sequence[Statement], target: int, *, goals: Sequence[Statement] = (), most: int
) -> list[Inference] | None:
    """Return the steps until all goals are concluded and only worlds of the target are left; a target of 0 is a contradiction.

    Each takes as few clues as can be, and of the facts that then follow one that says most; each is needed. A clue that is a fact itself
    is known from the beginning. `None` where a step would need more than `MOST_CLUES` clues, or there would be more than `most` steps.
    """
    everything = language.everything
    masks = [language.mask(clue) for clue in clues]
    # Those that say most come first, so that the first found is nearly the best.
    facts = [(fact, mask, everything & ~mask) for fact, mask in language.facts()]
    listed = {mask for _, mask, _ in facts}
    concluded = [clue for clue, mask in zip(clues, masks, strict=True) if mask in listed]
    known = language.common(concluded)
    open_goals = [(goal, language.mask(goal)) for goal in goals if goal not in concluded]
    steps: list[Inference] = []
    while open_goals or known & ~target or not target:
        facts = [fact for fact in facts if known & fact[2]]
        reached = next(((goal, mask) for goal, mask in open_goals if not known & ~mask), None)
        step = _next(facts, masks, known) if reached is None else _Conclusion((), *reached)
        if step is None or len(steps) == 2 * most:
            return None
        used = tuple(clues[place] for place in step.used)
        steps.append(Inference(used, tuple(needed_statements(language, concluded, step.mask, given=used)), step.fact))
        if step.fact is None:
            break
        known &= step.mask
        concluded.append(step.fact)
        open_goals = [goal for goal in open_goals if goal[0] != step.fact]
    wanted = goals or (needed_statements(language, concluded, target) if target else ())
    steps = _needed(steps, wanted)
    return steps if len(steps) <= most else None


def _needed(steps: Sequence[Inference], wanted: Sequence[Statement]) -> list[Inference]:
    """Return the steps that lead to what is wanted, or to a contradiction."""
    used, kept = set(wanted), list[Inference]()
    for step in reversed(steps):
        if step.fact is None or step.fact in used:
            kept.append(step)
            used.update(step.known)
    return kept[::-1]


def _next(facts: Sequence[tuple[Statement, int, int]], masks: Sequence[int], known: int) -> _Conclusion | None:
    """Return the next step, a contradiction where there is one; `None` where nothing more follows.

    `facts` come with the worlds in which they hold and those in which they do not.
    """
    for count in range(1, MOST_CLUES + 1):
        best: _Conclusion | None = None
        fewest = known.bit_count()
        for used in combinations(range(len(masks)), count):
            left = known
            for place in used:
                left &= masks[place]
            if not left:
                return _Conclusion(used, None, 0)
            if left == known:
                continue
            for fact, mask, rest in facts:
                if not left & rest:
                    if (size := (known & mask).bit_count()) < fewest:
                        best, fewest = _Conclusion(used, fact, mask), size
                    break
        if best is not None:
            return best
    return None
