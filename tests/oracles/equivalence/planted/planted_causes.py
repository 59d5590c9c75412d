"""Random pairs of formalizations that differ for a cause that is known by construction.

Each pair starts from a chain of steps in the style of a word problem: all values of the problem are whole and positive, every
input is used. One step of one side is then written in a way that has one cause only.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from harness.domain import CauseKind
from tests.cases import texts

NAMES = ("apples", "boxes", "price", "hours", "guests", "miles", "tickets", "rows")
VAGUE = ("noted_value", "given_amount", "stated_figure", "listed_item", "known_entry")
ANOTHER_STEP = {
    CauseKind.ROUNDING: (
        *texts("""{0} // {1} | math.ceil({0} / {1}) | math.floor({0} / {1}) | round({0} / {1}) | int({0} / {1})
-(-{0} // {1}) | {0} // {1} + ({0} % {1} > 0) | ({0} // {1} if {0} % {1} == 0 else {0} // {1} + 1)"""),
    ),
    CauseKind.OUTSIDE_DOMAIN: (
        "max({0} - {1}, 0)",
        "abs({0} - {1})",
        "({0} - {1} if {0} > {1} else 0)",
        "max(0, {0} - {1})",
    ),
    CauseKind.UNUSED_INPUT: ("{0} {operator} {own}",),
    CauseKind.LOGIC: (
        "{0} {another} {1}",
        "{step} + {name}",
        "{step} - {name}",
        "{step} + ({name} - {value}) * {other}",  # nothing at the problem's own values
        "{0} {operator} (2 * {own} - {1})",  # as above
        "({step} + {name} if {name} > {limit} else {step})",  # beyond a limit that the problem keeps
    ),
}
"""How a step `{0} {operator} {1}`, the input at its right having the value `own`, is written on the other side."""
ONLY_OF = {CauseKind.ROUNDING: "/", CauseKind.OUTSIDE_DOMAIN: "-"}
"""The operator of the steps that a cause is planted in, where it is one only."""


@dataclass(frozen=True, slots=True)
class CausedPair:
    """Two formalizations that differ for one cause; `likeness` is the similarity of the words of two inputs."""

    left: str
    right: str
    likeness: dict[tuple[str, str], float]

    def similarity(self, left: str, right: str) -> float:
        """Return the similarity of two inputs by their words: 1 for the same words unless it is planted otherwise."""
        planted = self.likeness.get((left.replace(" ", "_"), right.replace(" ", "_")))
        return float(left == right) if planted is None else planted

    def reversed(self) -> CausedPair:
        """Return the pair with its sides exchanged."""
        return CausedPair(
            self.right, self.left, {(right, left): value for (left, right), value in self.likeness.items()}
        )


def planted_causes(cause: CauseKind, seed: int, count: int) -> Iterator[CausedPair]:
    """Yield so many pairs that differ for a cause; the same seed gives the same pairs."""
    drawn = (_caused(cause, Random(f"{seed}:{cause}:{number}")) for number in itertools.count())
    pairs = itertools.islice((pair for pair in drawn if pair is not None), count)
    return (pair if place % 2 else pair.reversed() for place, pair in enumerate(pairs))


def _caused(cause: CauseKind, random: Random) -> CausedPair | None:
    """Return a pair of a random chain, or `None` where the chain has no place for the cause."""
    inputs, steps = _chain(random)
    texts = list(map(" ".join, steps))
    name, other = random.sample(list(inputs), 2)
    last = f"step_{len(steps)}"
    if cause is CauseKind.DUPLICATE_FACT:
        again, operator = f"{name}_{random.choice(('again', 'given', '2', 'each_day'))}", random.choice("+*")
        right = _code({**inputs, again: inputs[name]}, [*texts, f"{last} {operator} {again}"])
        return CausedPair(_code(inputs, [*texts, f"{last} {operator} {name}"]), right, {})
    if cause is CauseKind.ALIGNMENT:  # two inputs of one value, whose words speak a little for the wrong assignment
        left = _code({**inputs, other: inputs[name]}, [*texts, f"{last} * {name} + {other}"])
        names = dict(zip(inputs, random.sample(VAGUE, len(inputs)), strict=True))
        right = re.sub("|".join(names), lambda match: names[match[0]], left)
        wrong, own = ((name, other), (other, name)), ((name, name), (other, other))
        likeness = {(one, names[two]): value for pairs, value in ((wrong, 0.68), (own, 0.3)) for one, two in pairs}
        return CausedPair(left, right, likeness)
    places = [place for place, step in enumerate(steps) if step[1] == ONLY_OF.get(cause, step[1])]
    if not places:
        return None
    place = random.choice(places)
    before, operator, right_name = steps[place]
    changed = random.choice(ANOTHER_STEP[cause]).format(
        before,
        right_name,
        operator=operator,
        own=inputs[right_name],
        step=texts[place],
        another=random.choice([sign for sign in "+-*/" if sign != operator]),
        name=name,
        value=inputs[name],
        other=other,
        limit=inputs[name] + random.randint(1, 30),
    )
    return CausedPair(_code(inputs, texts), _code(inputs, [*texts[:place], changed, *texts[place + 1 :]]), {})


def _chain(random: Random) -> tuple[dict[str, int], list[tuple[str, str, str]]]:
    """Draw distinct inputs, and steps of left side, operator and input, each of which reads the one before."""
    names = random.sample(NAMES, random.randint(3, 5))
    inputs = dict(zip(names, random.sample(range(2, 25), len(names)), strict=True))
    result, known, steps = inputs[names[0]], names[0], []
    for number, name in enumerate(names[1:], start=1):
        value = inputs[name]
        choices = ["+", "*"] + ["-"] * 2 * (result > value + 1) + ["/"] * 3 * (result % value == 0 and result > value)
        operator = random.choice(choices)
        result = {"+": result + value, "*": result * value, "-": result - value, "/": result // value}[operator]
        steps.append((known, operator, name))
        known = f"step_{number}"
    return inputs, steps


def _code(inputs: dict[str, int], steps: list[str]) -> str:
    """Return the parametric formalization whose last step is the answer."""
    arguments = ", ".join(f"{name}: int = {value}" for name, value in inputs.items())
    body = "".join(f"    step_{number} = {step}\n" for number, step in enumerate(steps, start=1))
    return f"import math\ndef solve({arguments}):\n{body}    return step_{len(steps)}\n"
