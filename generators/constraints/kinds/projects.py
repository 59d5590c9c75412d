"""Problems about the end of each step of a project that starts when the steps it depends on are done.

The program is triangular by construction: each step depends only on earlier steps, so that its end is a function of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import (
    DraftAnswer,
    ProblemDraft,
    ReasoningStep,
    constants,
    literal,
    needed_steps,
)
from generators.constraints.problem.english import counted, layout, listed, sentence
from generators.constraints.problem.vocabulary import people, words

_COUNTS = by_size((3, 4), (4, 5), (6, 7))


def project(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about steps that wait for each other; `None` where the draw gives none."""
    setting = rng.choice(words("projects")["setting"])
    names = rng.sample(setting["steps"], rng.choice(_COUNTS[size]))
    start = rng.randint(6, 10)
    lengths = [rng.randint(1, 5 if size is ProblemSize.SMALL else 4) for _ in names]
    waits = _waits(len(names), rng)
    ends: list[int] = []
    for length, others in zip(lengths, waits, strict=True):
        ends.append(max((ends[other] for other in others), default=start) + length)
    if max(ends) > 24 or not any(len(others) > 1 for others in waits) or _is_redundant(waits):
        return None
    who = people(rng, 1)[0].said
    times = listed(
        [f"{name} ({counted(length, 'hour', 'hours')})" for name, length in zip(names, lengths, strict=True)]
    )
    opening = _opening(who, rng.choice(setting["what"]), times, start, rng)
    terms, clues = [], []
    for place, others in enumerate(waits):
        awaited = [names[other] for other in others]
        begin = _latest(awaited) if awaited else str(start)
        terms.append(f"(= {names[place]} (+ {begin} {lengths[place]}))")
        clues.append(_clue(names[place], awaited, start, rng))
    order = list(range(len(names)))
    rng.shuffle(order)
    steps = _steps(names, lengths, waits, ends, terms)
    if form is ProblemForm.ANSWER:
        question, answer, last = _asked(names, lengths, ends, start, rng)
    else:
        hour = ends[-1] + (rng.choice((0, 1)) if form is ProblemForm.POSSIBLE else -1)
        terms.append(f"(<= {names[-1]} {hour})")
        clues.append(f"{names[-1]} has to be done by {hour} o'clock")
        order.append(len(names))
        question, answer = rng.choice(("Is that possible?", "Can it be done in time?")), None
        last = _in_time(names[-1], ends[-1], hour)
        rng.shuffle(order)
    kept = needed_steps([*steps, replace(last, premises=(f"(= {names[-1]} {ends[-1]})",))])
    steps = [*kept[:-1], last]
    if len(steps) <= len(names):
        return None
    return ProblemDraft(
        "project",
        layout(opening, [clues[place] for place in order], question, rng),
        tuple(steps),
        constants(tuple(names), "Int"),
        (),
        tuple(terms[place] for place in order),
        answer,
        satisfiable=form is not ProblemForm.IMPOSSIBLE,
        said=tuple(clues[place] for place in order),
    )


def _in_time(name: str, end: int, hour: int) -> ReasoningStep:
    """Return the step that compares an end with the hour by which it has to be."""
    if end > hour:
        text = f"So {name} is not done by {hour} o'clock, and the answer is no."
        return ReasoningStep(text, (f"(= {name} {end})", f"(<= {name} {hour})"), "false")
    return ReasoningStep(f"So {name} is done by {hour} o'clock, and the answer is yes.", (), None)


def _waits(count: int, rng: Random) -> list[tuple[int, ...]]:
    """Draw which steps each one waits for, two at most; each but the last is waited for."""
    waits: list[set[int]] = [set() for _ in range(count)]
    for place in reversed(range(count - 1)):
        later = [other for other in range(place + 1, count) if len(waits[other]) < 2]
        waits[rng.choice(later)].add(place)
    return [tuple(sorted(others)) for others in waits]


def _is_redundant(waits: Sequence[tuple[int, ...]]) -> bool:
    """Tell whether a step waits directly for a step that it already waits for through another."""
    before: list[set[int]] = []
    for others in waits:
        before.append(set(others).union(*(before[other] for other in others)))
    return any(first in before[second] for others in waits for first in others for second in others)


def _opening(who: str, what: str, times: str, start: int, rng: Random) -> str:
    forms = (
        f"{who} is in charge of {what}. The steps are {times}.",
        f"For {what}, {who} has listed the steps with their times: {times}.",
        f"{what} takes several steps: {times}. {who} writes down how they depend on each other.",
    )
    first = sentence(rng.choice(forms))
    return f"{first} Steps can go on at the same time, and each begins as early as it can, the first ones at {start} o'clock."


def _clue(name: str, others: Sequence[str], start: int, rng: Random) -> str:
    if not others:
        return rng.choice((f"{name} can begin at {start} o'clock at once", f"{name} waits for nothing else"))
    if len(others) == 1:
        return rng.choice((f"{name} can begin when {others[0]} is done", f"{name} has to wait for {others[0]} only"))
    both = listed(others)
    return rng.choice((f"{name} can begin when both {both} are done", f"{name} has to wait for {both}"))


def _latest(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    first, second = names
    return f"(ite (>= {first} {second}) {first} {second})"


def _steps(
    names: Sequence[str],
    lengths: Sequence[int],
    waits: Sequence[tuple[int, ...]],
    ends: Sequence[int],
    terms: Sequence[str],
) -> list[ReasoningStep]:
    steps = []
    for place, others in enumerate(waits):
        known = tuple(f"(= {names[other]} {ends[other]})" for other in others)
        begin = ends[place] - lengths[place]
        if not others:
            why = f"{names[place]} begins at {begin} o'clock"
        elif len(others) == 1:
            why = f"{names[place]} begins when {names[others[0]]} is done, at {begin} o'clock"
        else:
            awaited = listed([f"{names[other]} (done at {ends[other]} o'clock)" for other in others])
            why = f"{names[place]} waits for {awaited}, so it begins at {begin} o'clock"
        text = f"{why}, and it is done at {begin} + {lengths[place]} = {ends[place]} o'clock"
        steps.append(ReasoningStep(sentence(text), (*known, terms[place]), f"(= {names[place]} {ends[place]})"))
    return steps


def _asked(
    names: Sequence[str], lengths: Sequence[int], ends: Sequence[int], start: int, rng: Random
) -> tuple[str, DraftAnswer, ReasoningStep]:
    """Return the question about the last step, which rests on all others, its answer and the last sentence."""
    last, end = names[-1], ends[-1]
    known = (f"(= {last} {end})",)
    match rng.choice(("end", "end", "begin", "whole", "by")):
        case "end":
            question, tie, gold = f"At what hour is {last} done?", f"(= answer {last})", end
        case "begin":
            question, tie = f"At what hour does {last} begin?", f"(= answer (- {last} {lengths[-1]}))"
            gold = end - lengths[-1]
        case "whole":
            question = f"How many hours are there from the start until {last} is done?"
            tie, gold = f"(= answer (- {last} {start}))", end - start
        case _:
            hour = end + rng.choice((-1, 0, 0, 1))
            value = literal(end <= hour)
            text = f"{sentence(last)[:-1]} is done at {end} o'clock, so the answer is {'yes' if end <= hour else 'no'}."
            answer = DraftAnswer("Bool", (f"(= answer (<= {last} {hour}))",), value)
            question = f"Is {last} done by {hour} o'clock at the latest?"
            return question, answer, ReasoningStep(text, known, f"(= answer {value})")
    step = ReasoningStep(f"So the answer is {gold}.", known, f"(= answer {gold})")
    return question, DraftAnswer("Int", (tie,), str(gold)), step
