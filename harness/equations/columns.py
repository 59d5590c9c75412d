"""Sums written under each other: the numbers of a column, a rule, and the result under it."""

import re
from collections.abc import Sequence

NOT_READ = "a column of numbers over a rule is not read as one sum"
_NUMBER = re.compile(r"(?P<sign>[-−–+*×x÷/]?)\s*+(?P<number>[$€£]?\d[\d,]*+(?:\.\d+)?)", re.ASCII)
_RULE = re.compile(r"[-=_–—─]{2,}")


def column_equations(lines: Sequence[str]) -> dict[int, str]:
    """Return the equation that each number under a rule states, by the place of its line; empty where the column is not read as one sum.

    Each number below the first has its sign, or the last one has a plus for all. A column is ambiguous with another number above, and a product
    with a number below, since long multiplication has several rules.
    """
    found = [_NUMBER.fullmatch(line.strip()) for line in lines]
    equations: dict[int, str] = {}
    for place in range(2, len(lines) - 1):
        start = place
        while start and found[start - 1] is not None:
            start -= 1
        column, result = [match for match in found[start:place] if match is not None], found[place + 1]
        if _RULE.fullmatch(lines[place].strip()) is None or len(column) < 2 or result is None:
            continue
        signs = [match["sign"] for match in column]
        if signs[-1] == "+" and not any(signs[:-1]):
            signs[1:] = ["+"] * (len(signs) - 1)
        below = found[place + 2] if place + 2 < len(lines) else None
        product = below is not None and not {*signs[1:]} <= {"+", "-", "−", "–"}
        sums = "".join(f" {sign} {match['number']}" for sign, match in zip(signs[1:], column[1:], strict=True))
        read = not signs[0] and all(signs[1:]) and not result["sign"] and not product
        equations[place + 1] = f"{column[0]['number']}{sums} = {result['number']}".replace("x", "×") if read else ""
    return equations
