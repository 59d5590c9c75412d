"""Problems about the end of each step of a project that starts when the steps it depends on are done.

The program is triangular by construction: each step depends only on earlier steps, so that its end is a function of theirs.
"""

from __future__ import annotations

from random import Random

from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import (
    DraftAnswer,
    ProblemDraft,
    ReasoningStep,
    constants,
    drafted,
    literal,
    needed_steps,
)
from generators.constraints.problem.english import counted, listed, sentence
from generators.constraints.problem.vocabulary import people, words

_WHY = ("{name} begins at {begin} o'clock", "{name} begins when {ends}, so at {begin} o'clock")


def project(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about steps that wait for each other; `None` where the draw gives none."""
    table = words("projects")
    setting = rng.choice(table["setting"])
    names = rng.sample(setting["steps"], rng.choice(by_size((3, 4), (4, 5), (6, 7))[size]))
    start, last = rng.randint(6, 10), names[-1]
    lengths = [rng.randint(1, 5 if size is ProblemSize.SMALL else 4) for _ in names]
    waits = _waits(len(names), rng)
    ends, clues, steps = list[int](), list[tuple[str, str]](), list[ReasoningStep]()
    for name, length, others in zip(names, lengths, waits, strict=True):
        awaited, begin = [names[other] for other in others], max((ends[other] for other in others), default=start)
        latest = str(start) if not awaited else awaited[0]
        if len(awaited) > 1:
            latest = "(ite (>= {0} {1}) {0} {1})".format(*awaited)
        term = f"(= {name} (+ {latest} {length}))"
        clue = rng.choice(table[("free", "after", "after_both")[len(awaited)]])
        clues.append((clue.format(name=name, others=listed(awaited or [""]), start=start), term))
        known = tuple(f"(= {names[other]} {ends[other]})" for other in others)
        done = listed([f"{names[other]} is done at {ends[other]} o'clock" for other in others] or [""])
        why = sentence(_WHY[bool(awaited)].format(name=name, begin=begin, ends=done))[:-1]
        ends.append(begin + length)
        text = f"{why}, and it is done at {begin} + {length} = {ends[-1]} o'clock."
        steps.append(ReasoningStep(text, (*known, term), f"(= {name} {ends[-1]})"))
    if max(ends) > 24 or not any(len(others) > 1 for others in waits) or _is_redundant(waits):
        return None
    end, answer = ends[-1], None
    reached = f"(= {last} {end})"
    if form is ProblemForm.ANSWER:
        question, answer, text = _question(last, end, lengths[-1], start, rng)
        closing = ReasoningStep(text, (reached,), f"(= answer {answer.gold})")
        steps = list(needed_steps([*steps, closing]))
    else:
        possible = form is ProblemForm.POSSIBLE
        hour = end + (rng.choice((0, 1)) if possible else -1)
        clues.append((f"{last} has to be done by {hour} o'clock", f"(<= {last} {hour})"))
        question = rng.choice(("Is that possible?", "Can it be done in time?"))
        text = f"So {last} is {'' if possible else 'not '}done by {hour} o'clock, and the answer is {'yes' if possible else 'no'}."
        closing = ReasoningStep(text, () if possible else (reached, clues[-1][1]), None if possible else "false")
        steps = [*needed_steps([*steps, ReasoningStep("", (reached,), None)])[:-1], closing]
    if len(steps) <= len(names):
        return None
    times = [f"{name} ({counted(length, 'hour', 'hours')})" for name, length in zip(names, lengths, strict=True)]
    intro = rng.choice(table["intro"]).format(
        who=people(rng, 1)[0].said, what=rng.choice(setting["what"]), times=listed(times)
    )
    opening = f"{sentence(intro)} {table['rule'].format(start=start)}"
    satisfiable = form is not ProblemForm.IMPOSSIBLE
    rng.shuffle(clues)
    declarations = constants(tuple(names), "Int")
    return drafted("project", opening, clues, question, steps, declarations, rng, answer, satisfiable=satisfiable)


def _waits(count: int, rng: Random) -> list[tuple[int, ...]]:
    """Draw which steps each one waits for, two at most; each but the last is waited for."""
    waits: list[set[int]] = [set() for _ in range(count)]
    for place in reversed(range(count - 1)):
        later = [other for other in range(place + 1, count) if len(waits[other]) < 2]
        waits[rng.choice(later)].add(place)
    return [tuple(sorted(others)) for others in waits]


def _is_redundant(waits: list[tuple[int, ...]]) -> bool:
    """Tell whether a step waits directly for a step that it already waits for through another."""
    before: list[set[int]] = []
    for others in waits:
        before.append(set(others).union(*(before[other] for other in others)))
    return any(first in before[second] for others in waits for first in others for second in others)


def _question(last: str, end: int, length: int, start: int, rng: Random) -> tuple[str, DraftAnswer, str]:
    """Return the question about the last step, which rests on all others, its answer and the last sentence."""
    kind = rng.choice(("end", "end", "begin", "whole", "by"))
    if kind == "by":
        hour = end + rng.choice((-1, 0, 0, 1))
        text = f"{sentence(last)[:-1]} is done at {end} o'clock, so the answer is {'yes' if end <= hour else 'no'}."
        answer = DraftAnswer("Bool", (f"(= answer (<= {last} {hour}))",), literal(end <= hour))
        return f"Is {last} done by {hour} o'clock at the latest?", answer, text
    question, tie, gold = {
        "end": (f"At what hour is {last} done?", last, end),
        "begin": (f"At what hour does {last} begin?", f"(- {last} {length})", end - length),
        "whole": (f"How many hours are there from the start until {last} is done?", f"(- {last} {start})", end - start),
    }[kind]
    return question, DraftAnswer("Int", (f"(= answer {tie})",), str(gold)), f"So the answer is {gold}."
