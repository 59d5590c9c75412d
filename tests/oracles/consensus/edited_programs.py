"""Programs as inputs and steps, and edits of them that keep what they compute, and by which operations, by construction."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from tests.oracles.equivalence.planted.sketch_rewrites import REWRITES, renamed
from tests.oracles.equivalence.planted.sketches import Sketch, SketchInput, SketchStep

OPERATORS = ("+", "-", "*", "/")
SPELLINGS = ("{}", "{}.0", "0b{:b}", "{}e0", "+{}", "int({})")
KEEPING = ("extracted", "inlined", "inputs shuffled", "reordered")
"""The rewrites of planted pairs that keep the operations, too."""


def program(inputs: Mapping[str, int], steps: Mapping[str, str]) -> Sketch:
    """Return the program of inputs and steps, the last of which is the answer."""
    given = tuple(SketchInput(name, "int", str(value)) for name, value in inputs.items())
    return Sketch(given, tuple(SketchStep(name, text) for name, text in steps.items()))


def written(rng: Random, *, inputs: int = 4, steps: int = 4) -> Sketch:
    """Return a random program whose steps all reach its answer, without a division by what may be zero."""
    given = {f"given{number}": rng.randrange(11, 99) for number in range(inputs)}
    lines: dict[str, str] = {}
    pending = rng.sample(list(given), inputs)
    for number in range(steps):
        left = pending.pop(0)
        constant = not pending or rng.random() > 0.7
        right = str(rng.randrange(2, 10)) if constant else pending.pop(0)
        lines[f"step{number}"] = f"{left} {rng.choice(OPERATORS if constant else OPERATORS[:3])} {right}"
        pending.insert(rng.randrange(len(pending) + 1), f"step{number}")
    while len(pending) > 1:
        lines[f"step{len(lines)}"] = f"{pending.pop(0)} + {pending.pop(0)}"
        pending.append(f"step{len(lines) - 1}")
    return program(given, lines)


def with_other_names(own: Sketch, rng: Random) -> Sketch:
    """Give every input and step another name."""
    names = [f"{rng.choice(['total', 'of', 'rest', 'count'])}_{number}" for number in range(len(own.inputs))]
    return renamed(own, dict(zip((given.name for given in own.inputs), rng.sample(names, len(names)), strict=True)))


def padded(own: Sketch, rng: Random) -> Sketch:
    """Add an input and steps that nothing reads, one of them a number alone, one a condition that never holds."""
    texts = [
        f"{rng.choice(own.inputs).name} {rng.choice(OPERATORS[:3])} {rng.randrange(2, 60)}",
        "42",
        "7 if 2 < 1 else 8",
    ]
    dead = [
        SketchStep(f"dead{rng.randrange(10**6)}", text, "for") for text in rng.choices(texts, k=rng.randrange(1, 9))
    ]
    place, idle = (
        rng.randrange(len(own.steps)),
        SketchInput(f"idle{rng.randrange(10**6)}", "int", str(rng.randrange(101, 199))),
    )
    inputs = rng.sample((*own.inputs, idle), len(own.inputs) + 1)
    return replace(own, inputs=tuple(inputs), steps=(*own.steps[:place], *dead, *own.steps[place:]))


NUMBER = r"(?<![\w.])\d+(?![\w.])"


def respelled(own: Sketch, rng: Random) -> Sketch:
    """Write whole constants of the same value otherwise."""
    texts = (re.sub(NUMBER, lambda found: rng.choice(SPELLINGS).format(int(found[0])), own.text) for own in own.steps)
    return replace(own, steps=tuple(replace(step, text=text) for step, text in zip(own.steps, texts, strict=True)))


EDITS: tuple[Callable[[Sketch, Random], Sketch], ...] = (
    *(lambda own, rng, kind=kind: REWRITES[kind](own, rng) or own for kind in KEEPING),  # type: ignore[misc]  # a default is no argument
    with_other_names,
    padded,
    respelled,
)


def edited(own: Sketch, rng: Random) -> Sketch:
    """Return a program after some edits."""
    for edit in rng.choices(EDITS, k=rng.randrange(1, 10)):
        own = edit(own, rng)
    return own
