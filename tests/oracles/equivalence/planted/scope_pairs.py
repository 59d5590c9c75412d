"""Pairs of formalizations about names, scopes, shared values and loops, written out because no tree holds them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from tests.oracles.equivalence.planted.sketches import Point

INPUTS = "a: int = {a}, b: int = {b}, c: float = {c}"


@dataclass(frozen=True, slots=True)
class ScopeCase:
    """A body of `solve(a, b, c)`, another with the same values, a third that parts at the `witness`.

    Each body is a text of statements, or an expression to return. `before` stands above the function, on the side of the
    first body only.
    """

    body: str
    same: str
    other: str
    witness: Mapping[str, int | str]
    before: str = ""


def scope_cases(k: int, far: int) -> dict[str, ScopeCase]:
    """Return the cases by name; `k` is a small number above one, `far` a large one."""
    box = f"box = [{k}]"
    return {
        "side effect in a loop": ScopeCase(
            "t = 0\nfor i in range(a):\n    t += step(b)\nreturn t",
            f"b * (a * {k} + a * (a + 1) // 2)",
            f"a * b * {k + 1}",
            {"a": 2},
            f"{box}\ndef step(x):\n    box[0] = box[0] + 1\n    return x * box[0]",
        ),
        "changed list in a loop": ScopeCase(
            "t = 0\nfor i in range(a):\n    t += b * box[0]\n    box[0] = box[0] + 1\nreturn t",
            f"b * (a * {k} + a * (a - 1) // 2)",
            f"a * b * {k}",
            {"a": 2},
            box,
        ),
        "list that grows in a helper": ScopeCase(
            "t = 0\nfor i in range(a):\n    t += note(b)\nreturn t",
            "a * (a + 1) // 2",
            "a",
            {"a": 2},
            "log = []\ndef note(x):\n    log.append(x)\n    return len(log)",
        ),
        "helper in a loop": ScopeCase(
            "t = 0\nfor i in range(a):\n    t += share(b, i)\nreturn t",
            f"a * b * {k} + a * (a - 1) // 2",
            f"a * b * {k} + a * (a + 1) // 2",
            {"a": 2},
            f"def share(x, y):\n    z = x * {k}\n    return z + y",
        ),
        "name read before its assignment": ScopeCase(
            f"if b > {far}:\n    t = late + a\nelse:\n    t = a\nlate = b\nreturn t + late",
            f"if b > {far}:\n    t = later + a\nelse:\n    t = a\nlater = b\nreturn t + later",
            f"late = b\nif b > {far}:\n    t = late + a\nelse:\n    t = a\nreturn t + late",
            {"b": far + 1},
        ),
        "name that a branch leaves unassigned": ScopeCase(
            f"if a < {far}:\n    x = b\nreturn x + a",
            f"if not a >= {far}:\n    y = b\nreturn a + y",
            "x = b\nreturn x + a",
            {"a": far},
        ),
        "loop variable that is an input": ScopeCase(
            "t = 0\nfor a in range(b):\n    t += a\nreturn t + a",
            "t = 0\nfor i in range(b):\n    t += i\nreturn t + b - 1",
            "t = 0\nfor i in range(b):\n    t += i\nreturn t + a",
            {"a": 1, "b": 7},
        ),
        "comprehension variable that is an input": ScopeCase(
            "return sum([a * 2 for a in range(b)]) + a",
            "b * (b - 1) + a",
            "b * (b - 1) + b - 1",
            {"a": 1, "b": 7},
        ),
        "mutable default": ScopeCase(
            "add(a) + add(b)",
            "2 * a + b",
            "a + b",
            {},
            "def add(x, kept=[]):\n    kept.append(x)\n    return sum(kept)",
        ),
        "shared list": ScopeCase(
            f"first = [a, b]\nsecond = first\nsecond[0] = second[0] + {k}\nreturn sum(first)",
            f"a + b + {k}",
            "a + b",
            {},
        ),
        "copied list": ScopeCase(
            f"first = [a, b]\nsecond = list(first)\nsecond[0] = second[0] + {k}\nreturn sum(first)",
            "a + b",
            f"a + b + {k}",
            {},
        ),
        "shared list that grows far away": ScopeCase(
            f"first = [a, b]\nsecond = first\nif a > {far}:\n    second.append({k})\nreturn sum(first)",
            f"a + b + {k} * (a > {far})",
            "a + b",
            {"a": far + 1},
        ),
        "late binding": ScopeCase(
            f"k = {k}\nitems = (x * k for x in [a, b])\nk = {k + 3}\nreturn sum(items)",
            f"{k + 3} * (a + b)",
            f"{k} * (a + b)",
            {},
        ),
        "early binding": ScopeCase(
            f"k = {k}\nitems = [x * k for x in [a, b]]\nk = {k + 3}\nreturn sum(items)",
            f"{k} * (a + b)",
            f"{k + 3} * (a + b)",
            {},
        ),
        "default of the definition": ScopeCase(
            "times(a) + b",
            f"{k} * a + b",
            f"{k + 3} * a + b",
            {},
            f"k = {k}\ndef times(x, m=k):\n    return x * m\nk = {k + 3}",
        ),
        "global of the call": ScopeCase(
            "times(a) + b",
            f"{k + 3} * a + b",
            f"{k} * a + b",
            {},
            f"k = {k}\ndef times(x):\n    return x * k\nk = {k + 3}",
        ),
        "argument that hides a global": ScopeCase(
            "times(a, b)", "a * b", f"a * {k}", {"b": k + 1}, f"m = {k}\ndef times(x, m):\n    return x * m"
        ),
        "side effect far away": ScopeCase(
            "step(a) + step(b)",
            f"a + b + 2 * (a > {far}) + (b > {far})",
            "a + b",
            {"a": far + 1},
            f"box = [0]\ndef step(x):\n    if x > {far}:\n        box[0] = box[0] + 1\n    return x + box[0]",
        ),
        "loop that ends early": ScopeCase(
            f"t = 0\nfor i in range(a):\n    if i >= {k}:\n        break\n    t += b\nreturn t",
            f"min(a, {k}) * b",
            "a * b",
            {"a": k + 1},
        ),
        "round that is left out": ScopeCase(
            f"t = 0\nfor i in range({k + 2}):\n    if i == 1:\n        continue\n    t += a\nreturn t + b",
            f"{k + 1} * a + b",
            f"{k + 2} * a + b",
            {},
        ),
        "index out of range far away": ScopeCase(
            f"[a, b][0 if a < {far} else 5]",
            f"if a < {far}:\n    return a\nreturn 1 / (b - b)",
            "a",
            {"a": far},
        ),
        "division in a loop of no rounds": ScopeCase(
            f"t = 0\nfor i in range(a - {k}):\n    t += c / (b - 2)\nreturn t",
            f"0 if a <= {k} else (a - {k}) * c / (b - 2)",
            f"max(a - {k}, 0) * c / (b - 2)",
            {"a": 1, "b": 2},
        ),
        "nested loops": ScopeCase(
            f"t = 0\nfor i in range(a):\n    for j in range(b):\n        t += {k}\nreturn t",
            f"a * b * {k}",
            f"a * b * {k} + (1 if b > 800 else 0)",
            {"a": 1, "b": 801},
        ),
        "triangle": ScopeCase(
            f"t = 0\nfor i in range(a):\n    for j in range(i + 1):\n        t += {k}\nreturn t",
            f"a * (a + 1) * {k} / 2",
            f"a * (a - 1) * {k} / 2",
            {},
        ),
        "accumulation of an accumulation": ScopeCase(
            "t = x = 0\nfor i in range(a):\n    x += b\n    t += x\nreturn t",
            "b * a * (a + 1) // 2",
            "b * a * (a - 1) // 2 + b",
            {"a": 2},
        ),
        "while of a step": ScopeCase(
            f"n, t = a, 0\nwhile n > 0:\n    n -= {k}\n    t += b\nreturn t",
            f"-(-a // {k}) * b",
            f"a // {k} * b",
            {"a": k + 1},
        ),
        "while of a fractional value": ScopeCase(
            f"x, t = c, 0\nwhile x >= {k}:\n    x = x - {k}\n    t = t + a\nreturn t + x",
            f"c // {k} * a + c % {k}",
            f"(c - c % {k} + {k}) // {k} * a + c % {k}",
            {},
        ),
        "swap": ScopeCase("a, b = b, a\nreturn a - b", "b - a", "a - b", {"a": 1, "b": 5}),
        "two names of one value": ScopeCase("x = y = a\nx += b\nreturn x * y", "(a + b) * a", "(a + b) ** 2", {}),
        "floor of a fraction": ScopeCase(f"c * {k} // {k}", f"math.floor(c * {k} / {k})", "c", {"c": "1/4"}),
        "decimal places": ScopeCase("round(c, 1)", "round(c * 10) / 10", "round(c, 2)", {"c": "1/4"}),
        "remainders": ScopeCase(
            f"(a - b) % {k}", f"(a % {k} - b % {k}) % {k}", f"a % {k} - b % {k}", {"a": k, "b": k + 1}
        ),
        "truncation": ScopeCase(
            f"int((a - b) / {k})",
            f"(a - b) // {k} if a >= b else -((b - a) // {k})",
            f"(a - b) // {k}",
            {"a": 1, "b": 2},
        ),
        "early return": ScopeCase(
            f"if a > {far}:\n    return b\nreturn a + b", f"b + (0 if a > {far} else a)", "a + b", {"a": far + 1}
        ),
        "choice in a loop": ScopeCase(
            f"t = 0\nfor x in [a, b]:\n    if x > {k}:\n        t += x\nreturn t",
            f"(a > {k}) * a + (b > {k}) * b",
            f"(a >= {k}) * a + (b >= {k}) * b",
            {"a": k, "b": 1},
        ),
        "dictionary": ScopeCase(
            f"parts = {{'x': a, 'y': b}}\nparts['x'] = parts['x'] + {k}\nreturn sum(parts.values())",
            f"a + b + {k}",
            "a + b",
            {},
        ),
        "two results": ScopeCase(
            "p, q = halves(a)\nreturn p + q",
            "a",
            "2 * (a // 2)",
            {"a": 3},
            "def halves(x):\n    return x // 2, x - x // 2",
        ),
        "two names that move together": ScopeCase(
            "x, y = a, b\nfor i in range(4):\n    x, y = y, x + y\nreturn x",
            "2 * a + 3 * b",
            "3 * a + 2 * b",
            {"a": 1, "b": 2},
        ),
        "a square as a sum of odd numbers": ScopeCase(
            "sum(2 * i + 1 for i in range(a))", "a ** 2", "a * a + (1 if a == 97 else 0)", {"a": 97}
        ),
        "sum over a shifted range": ScopeCase(
            f"sum(range({k}, a + {k}))", f"a * {k} + a * (a - 1) // 2", f"a * {k} + a * (a + 1) // 2", {}
        ),
        "comparison of comparisons": ScopeCase(
            f"a + b * ((a > {k}) == (b > {k}))",
            f"a + (b if (a > {k} and b > {k}) or (a <= {k} and b <= {k}) else 0)",
            "a + b",
            {"a": k, "b": k + 1},
        ),
        "power of a difference that vanishes": ScopeCase(
            f"(a - b) ** -1 * (a - b) * {k}", f"{k} * (a - b) / (a - b)", f"{k}", {"a": 4, "b": 4}
        ),
    }


@dataclass(frozen=True, slots=True)
class ScopeDraw:
    """Two formalizations about scopes with the name of their case, and the point where they part, if any."""

    kind: str
    left: str
    right: str
    witness: Point | None


def draw_scope_pair(random: Random, *, equal: bool) -> ScopeDraw:
    """Draw a case with its numbers, as a pair that is equal or as one that parts."""
    cases = scope_cases(random.choice((2, 3, 5)), random.randint(5_000, 50_000))
    kind = random.choice(sorted(cases))
    case = cases[kind]
    values = {"a": random.choice((1, 2, 6)), "b": random.choice((3, 4, 10)), "c": random.choice(("2.0", "7.5"))}
    point = {name: Fraction(value) for name, value in values.items()}
    witness = {**point, **{name: Fraction(value) for name, value in case.witness.items()}}
    left = _text(case.body, values, case.before)
    right = _text(case.same if equal else case.other, values, "")
    if random.random() < 0.5:
        left, right = right, left
    return ScopeDraw(kind, left, right, None if equal else witness)


def _text(body: str, values: Mapping[str, object], before: str) -> str:
    lines = body.splitlines() if "return" in body else [f"return {body}"]
    return (
        "\n".join(
            [
                *([before] if before else []),
                f"def solve({INPUTS.format(**values)}):",
                *(f"    {line}" for line in lines),
            ]
        )
        + "\n"
    )
