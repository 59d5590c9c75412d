"""Random pairs of formalizations that are known to be equivalent or known to differ.

The truth about a pair is known by construction, and never by the evaluator, the normal forms or the solvers that the pairs test.
"""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from string import Template
from typing import Any

from harness.domain import Response
from tests.cases import lines_beside
from tests.oracles.equivalence.planted.sketch_faults import admits, disguised, draw_fault, parts_at, witness_of
from tests.oracles.equivalence.planted.sketch_rewrites import REWRITES, renamed
from tests.oracles.equivalence.planted.sketches import Point, Sketch, draw_sketch

SCOPE_SHARE = 0.15
SCOPE_CASES: dict[str, dict[str, Any]] = {case["name"]: case for case in lines_beside(__file__, "scope_cases.jsonl")}
"""Bodies of `solve(a, b, c)` about names, scopes, shared values and loops, which no tree holds, each with another of the same values and
a third that parts at the witness. `k` is a small number above one, `far` a large one; `before` stands above the first body."""


@dataclass(frozen=True, slots=True)
class PlantedPair:
    """Two formalizations with a known relation.

    `kind` names what was planted. `names` maps each input of the left to the right one of the same meaning. `witness`
    is a point of the domain, by left name, on which the two part; `None` where they are equal everywhere. `solvers` are
    the two as functions `solve` of their inputs, for Python.
    """

    left: Response
    right: Response
    kind: str
    names: Mapping[str, str]
    witness: Mapping[str, Fraction] | None
    solvers: tuple[str, str]

    def similarity(self, left: str, right: str) -> float:
        """Return 1 for the texts of inputs that mean the same, else 0."""
        meant = {name.replace("_", " "): other.replace("_", " ") for name, other in self.names.items()}
        return 1.0 if meant.get(left) == right else 0.0


@dataclass(frozen=True, slots=True)
class _Rewritten:
    sketch: Sketch
    kinds: tuple[str, ...]
    names: Mapping[str, str]


def planted_faults(seed: int | str, count: int) -> Iterator[PlantedPair]:
    """Yield pairs of which one side has a fault, with a point of the domain that tells them apart.

    A fault is a change of one operator, operand, constant or loop, or a change that shows only far away, at fractions, at
    a boundary, in one branch, for one combination of values, or by a name or a shared value. Where such values are found,
    the defaults are chosen so that both sides agree on them. One side may be rewritten besides.
    """
    return itertools.islice(filter(None, (_fault(f"{seed}:fault", number) for number in itertools.count())), count)


def planted_rewrites(seed: int | str, count: int) -> Iterator[PlantedPair]:
    """Yield pairs of which one side was rewritten, in one to four ways, into one that is equal for all inputs."""
    return itertools.islice(filter(None, (_rewrite(f"{seed}:rewrite", number) for number in itertools.count())), count)


def _fault(seed: str, number: int) -> PlantedPair | None:
    random = Random(f"{seed}:{number}")  # reproducible, not secret
    if random.random() < SCOPE_SHARE:
        return _scope_pair(number, random, equal=False)
    fault = draw_fault(draw_sketch(random), random)
    witness = None if fault is None else witness_of(fault, random)
    if fault is None or witness is None:
        return None
    fault = disguised(fault, random)
    if not (admits(fault.base, witness) and parts_at(fault.base, fault.changed, witness)):
        witness = witness_of(fault, random)
    if witness is None:
        return None
    rewritten = _rewritten(fault.changed, random, random.choice((0, 0, 1, 2)))
    return _pair(number, fault.base, rewritten, fault.kind, witness)


def _rewrite(seed: str, number: int) -> PlantedPair | None:
    random = Random(f"{seed}:{number}")  # reproducible, not secret
    if random.random() < SCOPE_SHARE:
        return _scope_pair(number, random, equal=True)
    sketch = draw_sketch(random)
    rewritten = _rewritten(sketch, random, random.randint(1, 4))
    kind = "+".join(sorted(set(rewritten.kinds)))
    return _pair(number, sketch, rewritten, kind, None) if rewritten.kinds else None


def _rewritten(sketch: Sketch, random: Random, ways: int) -> _Rewritten:
    kinds: list[str] = []
    names = {given.name: given.name for given in sketch.inputs}
    for _ in range(ways):
        kind = random.choice(sorted(REWRITES))
        result = REWRITES[kind](sketch, random)
        if result is not None and result != sketch:
            sketch = result
            kinds.append(kind)
    if ways and random.random() < 0.3:
        names = {name: f"the_{name}_given" for name in names}
        sketch = renamed(sketch, names)
        kinds.append("renamed")
    return _Rewritten(sketch, tuple(kinds), names)


def _pair(number: int, base: Sketch, rewritten: _Rewritten, kind: str, witness: Point | None) -> PlantedPair:
    sides = base, rewritten.sketch
    left, right = (
        Response(f"planted-{number}", name, side.code(), side.dialect)
        for name, side in zip(("left", "right"), sides, strict=True)
    )
    solvers = base.solver(), replace(rewritten.sketch, dialect="parametric").solver()
    return PlantedPair(left, right, kind, rewritten.names, witness, solvers)


def _scope_pair(number: int, random: Random, *, equal: bool) -> PlantedPair:
    """Draw a case with its numbers, as a pair that is equal or as one that parts."""
    k, far = random.choice((2, 3, 5)), random.randint(5_000, 50_000)
    numbers = {"k": k, "k1": k + 1, "k2": k + 2, "k3": k + 3, "far": far, "far1": far + 1}
    kind = random.choice(sorted(SCOPE_CASES))
    case = SCOPE_CASES[kind]
    values = {"a": random.choice((1, 2, 6)), "b": random.choice((3, 4, 10)), "c": random.choice(("2.0", "7.5"))}
    sides = [
        _scope_text(Template(case.get("before", "")).substitute(numbers), case["body"], values, numbers),
        _scope_text("", case["same" if equal else "other"], values, numbers),
    ]
    if random.random() < 0.5:
        sides.reverse()
    moved = {name: Template(value).substitute(numbers) for name, value in case["witness"].items()}
    witness = {name: Fraction(value) for name, value in {**values, **moved}.items()}
    left, right = (
        Response(f"planted-{number}", name, side) for name, side in zip(("left", "right"), sides, strict=True)
    )
    names = {name: name for name in "abc"}
    return PlantedPair(left, right, f"scope: {kind}", names, None if equal else witness, (left.text, right.text))


def _scope_text(before: str, body: str, values: Mapping[str, object], numbers: Mapping[str, int]) -> str:
    text = Template(body).substitute(numbers)
    lines = text.splitlines() if "return" in text else [f"return {text}"]
    head = "def solve(a: int = {a}, b: int = {b}, c: float = {c}):".format(**values)
    return "\n".join([*([before] if before else []), head, *(f"    {line}" for line in lines)]) + "\n"
