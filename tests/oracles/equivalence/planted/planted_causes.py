"""Random pairs of formalizations that differ for a cause that is known by construction.

Each pair starts from a chain of steps in the style of a word problem: all values of the problem are whole and positive, every
input is used. One side is then changed in a way that has one cause only.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.domain import CauseKind, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NAMES = ("apples", "boxes", "price", "hours", "guests", "miles", "tickets", "rows")
VAGUE = (
    "noted_value",
    "given_amount",
    "stated_figure",
    "listed_item",
    "known_entry",
    "third_thing",
    "spoken_part",
    "chosen_unit",
)
_ROUNDED = (
    "{0} // {1}",
    "math.ceil({0} / {1})",
    "math.floor({0} / {1})",
    "round({0} / {1})",
    "int({0} / {1})",
    "-(-{0} // {1})",
    "{0} // {1} + ({0} % {1} > 0)",
    "({0} // {1} if {0} % {1} == 0 else {0} // {1} + 1)",
)
_NOT_NEGATIVE = ("max({0} - {1}, 0)", "abs({0} - {1})", "({0} - {1} if {0} > {1} else 0)", "max(0, {0} - {1})")


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A step `name = left operator right`, or one whose expression is written out in `text`."""

    name: str
    left: str
    operator: str
    right: str
    text: str | None = None

    def __str__(self) -> str:
        """Return the expression."""
        return self.text or f"{self.left} {self.operator} {self.right}"


@dataclass(frozen=True, slots=True)
class Chain:
    """Inputs with their values, and steps of which each reads the one before; the last step is the answer."""

    inputs: tuple[tuple[str, int], ...]
    steps: tuple[ChainStep, ...]

    def code(self) -> str:
        """Return the parametric formalization."""
        arguments = "".join(f"    {name}: int = {value},\n" for name, value in self.inputs)
        body = "".join(f"    {step.name} = {step}\n" for step in self.steps)
        return f"import math\ndef solve(\n{arguments}):\n{body}    return {self.steps[-1].name}\n"

    def with_step(self, index: int, **changes: str) -> Chain:
        """Return the chain with one step changed."""
        return replace(
            self, steps=(*self.steps[:index], replace(self.steps[index], **changes), *self.steps[index + 1 :])
        )


@dataclass(frozen=True, slots=True)
class CausedPair:
    """Two formalizations that differ for one cause; `likeness` is the similarity of the words of two inputs."""

    left: Response
    right: Response
    cause: CauseKind
    likeness: dict[tuple[str, str], float]

    def similarity(self, left: str, right: str) -> float:
        """Return the similarity of two inputs by their words: 1 for the same words unless it is planted otherwise."""
        planted = {
            (name.replace("_", " "), other.replace("_", " ")): value for (name, other), value in self.likeness.items()
        }
        return planted.get((left, right), 1.0 if left == right else 0.0)


def planted_causes(cause: CauseKind, seed: int, count: int) -> Iterator[CausedPair]:
    """Yield so many pairs that differ for a cause; the same seed gives the same pairs."""
    change = _CHANGES[cause]
    numbers = itertools.count()
    made = 0
    while made < count:
        random = Random(f"{seed}:{cause}:{next(numbers)}")  # reproducible, not secret
        chain = _draw(random)
        pair = None if chain is None else change(chain, random)
        if pair is None:
            continue
        left, right, likeness = pair
        responses = [
            Response(f"{cause}-{made}", name, side.code()) for name, side in (("left", left), ("right", right))
        ]
        if random.random() < 0.5:
            responses.reverse()
            likeness = {(second, first): value for (first, second), value in likeness.items()}
        made += 1
        yield CausedPair(*responses, cause, likeness)


Sides = tuple[Chain, Chain, dict[tuple[str, str], float]]


def _draw(random: Random) -> Chain | None:
    """Draw a chain of distinct inputs whose steps are whole and positive in the problem; `None` where none is found."""
    names = random.sample(NAMES, random.randint(3, 5))
    values = random.sample(range(2, 25), len(names))
    steps: list[ChainStep] = []
    result, known = values[0], names[0]
    for number, (name, value) in enumerate(zip(names[1:], values[1:], strict=True), start=1):
        choices = ["+", "*"] + ["-"] * 2 * (result > value + 1) + ["/"] * 3 * (result % value == 0 and result > value)
        operator = random.choice(choices)
        result = {"+": result + value, "*": result * value, "-": result - value, "/": result // value}[operator]
        steps.append(ChainStep(f"step_{number}", known, operator, name))
        known = f"step_{number}"
    return Chain(tuple(zip(names, values, strict=True)), tuple(steps))


def _places(chain: Chain, operators: str) -> list[int]:
    return [index for index, step in enumerate(chain.steps) if step.operator in operators]


def _rounding(chain: Chain, random: Random) -> Sides | None:
    places = _places(chain, "/")
    if not places:
        return None
    index = random.choice(places)
    step = chain.steps[index]
    return chain, chain.with_step(index, text=random.choice(_ROUNDED).format(step.left, step.right)), {}


def _outside_domain(chain: Chain, random: Random) -> Sides | None:
    places = _places(chain, "-")
    if not places:
        return None
    index = random.choice(places)
    step = chain.steps[index]
    return chain, chain.with_step(index, text=random.choice(_NOT_NEGATIVE).format(step.left, step.right)), {}


def _unused_input(chain: Chain, random: Random) -> Sides | None:
    index = random.randrange(len(chain.steps))
    step = chain.steps[index]
    return chain, chain.with_step(index, right=str(dict(chain.inputs)[step.right])), {}


def _twice(chain: Chain, name: str, again: str, operator: str) -> Chain:
    """Return a chain with a last step that reads one more input."""
    last = chain.steps[-1].name
    return replace(chain, steps=(*chain.steps, ChainStep("last", last, operator, again or name)))


def _duplicate_fact(chain: Chain, random: Random) -> Sides | None:
    name, value = random.choice(chain.inputs)
    again, operator = f"{name}_{random.choice(('again', 'given', '2', 'each_day'))}", random.choice("+*")
    left = _twice(chain, name, "", operator)
    right = _twice(replace(chain, inputs=(*chain.inputs, (again, value))), name, again, operator)
    return left, right, {}


def _alignment(chain: Chain, random: Random) -> Sides | None:
    """Give two inputs one value, and the other side words that speak a little for the wrong assignment."""
    first, second = random.sample(range(len(chain.inputs)), 2)
    value = chain.inputs[first][1]
    inputs = tuple((name, value if place in {first, second} else own) for place, (name, own) in enumerate(chain.inputs))
    left = replace(chain, inputs=inputs)
    names = dict(zip((name for name, _ in inputs), random.sample(VAGUE, len(inputs)), strict=True))
    right = Chain(
        tuple((names[name], own) for name, own in inputs),
        tuple(
            replace(step, left=names.get(step.left, step.left), right=names.get(step.right, step.right))
            for step in chain.steps
        ),
    )
    left_name, right_name = inputs[first][0], inputs[second][0]
    if _symmetric(left, left_name, right_name):
        return None
    return (
        left,
        right,
        {
            (left_name, names[right_name]): 0.68,
            (right_name, names[left_name]): 0.68,
            (left_name, names[left_name]): 0.3,
            (right_name, names[right_name]): 0.3,
        },
    )


def _symmetric(chain: Chain, left_name: str, right_name: str) -> bool:
    """Tell whether exchanging two inputs leaves the answer of a chain as it is, at some other values of them."""
    values = {name: Fraction(number + 29) for number, (name, _) in enumerate(chain.inputs)}
    exchanged = {**values, left_name: values[right_name], right_name: values[left_name]}
    return _answer(chain, values) == _answer(chain, exchanged)


def _answer(chain: Chain, values: dict[str, Fraction]) -> Fraction:
    known = dict(values)
    for step in chain.steps:
        left, right = known[step.left], known[step.right]
        known[step.name] = {"+": left + right, "-": left - right, "*": left * right, "/": left / right}[step.operator]
    return known[chain.steps[-1].name]


def _logic(chain: Chain, random: Random) -> Sides | None:
    return random.choice(
        (_other_operator, _extra_term, _hidden_term, _far_branch, _exchanged, _wrong_reference, _own_only)
    )(chain, random)


def _other_operator(chain: Chain, random: Random) -> Sides | None:
    """Exchange an operator, which most often shows on the problem's own values."""
    index = random.randrange(len(chain.steps))
    operator = random.choice([other for other in "+-*/" if other != chain.steps[index].operator])
    return chain, chain.with_step(index, operator=operator), {}


def _extra_term(chain: Chain, random: Random) -> Sides | None:
    index = random.randrange(len(chain.steps))
    name, _ = random.choice(chain.inputs)
    return chain, chain.with_step(index, text=f"{chain.steps[index]} {random.choice('+-')} {name}"), {}


def _hidden_term(chain: Chain, random: Random) -> Sides | None:
    """Add what is nothing at the problem's own values."""
    index = random.randrange(len(chain.steps))
    (name, value), (other, _) = random.sample(chain.inputs, 2)
    return chain, chain.with_step(index, text=f"{chain.steps[index]} + ({name} - {value}) * {other}"), {}


def _far_branch(chain: Chain, random: Random) -> Sides | None:
    """Change what happens beyond a limit that the problem keeps; the limit is met by whole and positive values."""
    index = random.randrange(len(chain.steps))
    name, value = random.choice(chain.inputs)
    limit = value + random.randint(1, 30)
    step = chain.steps[index]
    wrong = f"{step} + {random.choice(('1', name))}"
    return chain, chain.with_step(index, text=f"({wrong} if {name} > {limit} else {step})"), {}


def _exchanged(chain: Chain, random: Random) -> Sides | None:
    """Give two inputs one value and exchange them where they are read; their names are the same on both sides."""
    first, second = random.sample(range(len(chain.inputs)), 2)
    value = chain.inputs[first][1]
    inputs = tuple((name, value if place in {first, second} else own) for place, (name, own) in enumerate(chain.inputs))
    left = replace(chain, inputs=inputs)
    names = {inputs[first][0]: inputs[second][0], inputs[second][0]: inputs[first][0]}
    steps = tuple(
        replace(step, left=names.get(step.left, step.left), right=names.get(step.right, step.right))
        for step in chain.steps
    )
    return None if _symmetric(left, *names) else (left, replace(left, steps=steps), {})


def _wrong_reference(chain: Chain, random: Random) -> Sides | None:
    """Read another input of equal value in a last step; both sides use both inputs before."""
    (name, value), (other, _) = random.sample(chain.inputs, 2)
    inputs = tuple((name, value if name == other else own) for name, own in chain.inputs)
    left = replace(chain, inputs=inputs)
    operator = random.choice("+*")
    return _twice(left, name, "", operator), _twice(left, other, "", operator), {}


def _own_only(chain: Chain, random: Random) -> Sides | None:
    """Take one less an input for that input, which is the same for a half."""
    name = random.choice(("share", "part_sold", "portion"))
    left = replace(chain, steps=(*chain.steps, ChainStep("last", chain.steps[-1].name, "*", name)))
    right = replace(
        chain,
        steps=(
            *chain.steps,
            ChainStep("last", chain.steps[-1].name, "*", name, f"{chain.steps[-1].name} * (2 - {name})"),
        ),
    )
    inputs = (*chain.inputs, (name, 1))
    return replace(left, inputs=inputs), replace(right, inputs=inputs), {}


_CHANGES: dict[CauseKind, Callable[[Chain, Random], Sides | None]] = {
    CauseKind.LOGIC: _logic,
    CauseKind.ROUNDING: _rounding,
    CauseKind.UNUSED_INPUT: _unused_input,
    CauseKind.DUPLICATE_FACT: _duplicate_fact,
    CauseKind.ALIGNMENT: _alignment,
    CauseKind.OUTSIDE_DOMAIN: _outside_domain,
}
