"""Random pairs of formalizations with two inputs of equal value, whose roles one side exchanges, or not.

A pair tells in names of two styles what two authors may call the same two quantities; comments, order and the formula are
drawn. `swapped` pairs have the roles of the two quantities exchanged in one formula, and are inequivalent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from harness.domain import Response
from tests.cases import lines_beside, texts

QUANTITIES = [[(first, second) for first, second in line] for line in lines_beside(__file__, "quantities.jsonl")]
"""Two quantities a line, by the pairs of names that authors give them."""
COMMENTS = ("the problem says {words}", "{words}", "{value} {words}", "given: {words}")
# In the two quantities, asymmetric for all others.
FORMULAS = (
    *texts("""{a} * 3 + {b} * 5 | {a} * rate + {b} | ({a} + extra) * rate + {b} * 2 | rate * {a} - {b}
{a} * {a} + extra * {b} | (rate * {a} + extra) / {b} | {a} + extra - {b} + rate | {a} // 2 + {b} * rate
max({a} * rate, {b}) + extra | ({a} + 1) * rate * {b}"""),
)


@dataclass(frozen=True, slots=True)
class PlantedSwap:
    """Two formalizations of one formula; `swapped` says whether the right one exchanges the two quantities in it."""

    left: Response
    right: Response
    swapped: bool


def planted_swaps(seed: int, count: int, *, swapped: bool) -> Iterator[PlantedSwap]:
    """Yield pairs, the same ones but for the exchange with `swapped` and without."""
    for number in range(count):
        random = Random(f"{seed}:swap:{number}")  # reproducible, not secret
        styles = random.choice(QUANTITIES)
        names = random.choice(styles), random.choice(styles)
        value = Fraction(random.choice((2, 3, 4, 5, 6, 8, 10, 12, 20, 30)))
        rate, extra = random.sample([other for other in (7, 9, 11, 13, 15, 50) if other != value], 2)
        formula = random.choice(FORMULAS)
        orders = random.random() < 0.2, random.random() < 0.2
        commented = random.random() < 0.5, random.random() < 0.5
        sides = []
        for side in (0, 1):
            twin = names[side]
            roles = twin[::-1] if swapped and side else twin
            inputs = [
                _input(name, word, value, random, comment=commented[side])
                for name, word in zip(twin, styles[0], strict=True)
            ]
            inputs = inputs[::-1] if orders[side] else inputs
            inputs += [f"    rate: int = {rate},", f"    extra: int = {extra},"]
            body = formula.format(a=roles[0], b=roles[1])
            code = "\n".join(["def solve(", *inputs, "):", f"    return {body}", ""])
            sides.append(Response(f"swap-{number}", ("left", "right")[side], code))
        yield PlantedSwap(sides[0], sides[1], swapped)


def _input(name: str, meaning: str, value: Fraction, random: Random, *, comment: bool) -> str:
    """Return the line of a parameter; a comment says in words what the quantity is."""
    kind, literal = random.choice((("int", str(value)), ("int", str(value)), ("float", f"{value}.0")))
    words = random.choice(COMMENTS).format(words=meaning.replace("_", " "), value=value)
    return f"    {name}: {kind} = {literal},{f'  # {words}' if comment else ''}"
