"""The stable sample of an operator's flawed solutions or variants that its snapshot shows."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MOST = 12
MOST_VARIANTS = 10
POSITIONS = ("early", "middle", "late")
Record = dict[str, Any]


def sample(flaws: Iterable[Record]) -> list[Record]:
    """Choose up to twelve of an operator's flawed solutions, in the order of their problems and lines.

    Each problem puts forward its flaws in an order of digests; first choices come before second ones, problems in
    another order of digests. The first four of each third of the solution are taken, then whichever come first. What is
    made of further problems takes places, but never brings in a flaw that was not shown; words of a flaw do not matter.
    """
    ordered = _ordered(flaws, _choice)
    chosen: list[Record] = []
    for position in POSITIONS:
        chosen += [flaw for flaw in ordered if flaw["position"] == position][: MOST // len(POSITIONS)]
    taken = {id(flaw) for flaw in chosen}
    chosen += [flaw for flaw in ordered if id(flaw) not in taken][: MOST - len(chosen)]
    return sorted(chosen, key=_shown_order)


def sample_variants(variants: Iterable[Record]) -> list[Record]:
    """Choose up to ten of an operator's variants, each with its near-twins behind it, in the order of their problems.

    They are taken as flawed solutions are; the place of an edit and what stood there decide, not what stands there now.
    """
    found = list(variants)
    alone = [one for one in found if one["twin_of"] is None]
    chosen = sorted(_ordered(alone, _edit_choice)[:MOST_VARIANTS], key=_edit_order)
    twins: dict[str, list[Record]] = {}
    for one in found:
        twins.setdefault(one["twin_of"], []).append(one)
    return [shown for one in chosen for shown in (one, *twins.get(one["variant_id"], ()))]


def _edit_choice(variant: Record) -> tuple[str, str]:
    """Return what orders the variants of a problem: what was edited, then how."""
    edits = [f"{edit['span']} {edit['before']}" for edit in variant["edits"]]
    return _digest(variant["problem_id"], *edits), _digest(variant["modified_problem_text"])


def _edit_order(variant: Record) -> tuple[str, list[list[int]], str]:
    return variant["problem_id"], [edit["span"] for edit in variant["edits"]], variant["modified_problem_text"]


def _ordered(flaws: Iterable[Record], choice_of: Callable[[Record], tuple[str, str]]) -> list[Record]:
    """Return flaws in the order in which they are taken."""
    by_problem: dict[str, list[Record]] = {}
    for flaw in flaws:
        by_problem.setdefault(flaw["problem_id"], []).append(flaw)
    ranked: list[tuple[int, str, Record]] = []
    for problem_id, found in by_problem.items():
        problem = _digest(found[0]["operator"], problem_id)
        ranked += [(choice, problem, flaw) for choice, flaw in enumerate(sorted(found, key=choice_of))]
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
