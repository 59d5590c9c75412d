"""Which of the flawed solutions that an operator makes are shown, so that few speak for all and stay the same?"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 12
POSITIONS = ("early", "middle", "late")
Record = dict[str, Any]


def sample(flaws: Iterable[Record]) -> list[Record]:
    """Choose up to twelve of an operator's flawed solutions, in the order of their problems and lines.

    Each problem puts forward its flaws in an order of digests; first choices come before second ones, problems in
    another order of digests. The first four of each third of the solution are taken, then whichever come first. What is
    made of further problems takes places, but never brings in a flaw that was not shown; words of a flaw do not matter.
    """
    ordered = _ordered(flaws)
    chosen: list[Record] = []
    for position in POSITIONS:
        chosen += [flaw for flaw in ordered if flaw["position"] == position][: MOST // len(POSITIONS)]
    taken = {id(flaw) for flaw in chosen}
    chosen += [flaw for flaw in ordered if id(flaw) not in taken][: MOST - len(chosen)]
    return sorted(chosen, key=_shown_order)


def _ordered(flaws: Iterable[Record]) -> list[Record]:
    """Return flaws in the order in which they are taken."""
    by_problem: dict[str, list[Record]] = {}
    for flaw in flaws:
        by_problem.setdefault(flaw["problem_id"], []).append(flaw)
    ranked: list[tuple[int, str, Record]] = []
    for problem_id, found in by_problem.items():
        problem = _digest(found[0]["operator"], problem_id)
        ranked += [(choice, problem, flaw) for choice, flaw in enumerate(sorted(found, key=_choice))]
    return [flaw for _, _, flaw in sorted(ranked, key=_rank)]


def _rank(ranked: tuple[int, str, Record]) -> tuple[int, str]:
    choice, problem, _ = ranked
    return choice, problem


def _choice(flaw: Record) -> tuple[str, str]:
    """Return what orders the flaws of a problem: the change, not the words it is told in."""
    change = flaw["mutation"]
    return _digest(flaw["problem_id"], *(change[name] for name in ("line", "variable", "from", "to"))), flaw["flaw_id"]


def _shown_order(flaw: Record) -> tuple[str, bool, int, str, str]:
    change = flaw["mutation"]
    line = change["line"].removeprefix("L")
    number = int(line) if line.isdecimal() else 0
    return flaw["problem_id"], not number, number, change["to"], flaw["flaw_id"]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
