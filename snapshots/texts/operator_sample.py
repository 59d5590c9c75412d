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

    The flaws of each problem are ordered by a digest of the change, not of its words. The first flaws of all problems
    come before the second ones; problems are ordered by another digest. The first four of each third of the solution are
    chosen, then the first of the rest. Flaws of further problems may replace shown flaws, but never add a flaw of an
    earlier problem.
    """
    ordered = _ordered(flaws, _choice)
    chosen: list[Record] = []
    for position in POSITIONS:
        chosen += [flaw for flaw in ordered if flaw["position"] == position][: MOST // len(POSITIONS)]
    taken = {id(flaw) for flaw in chosen}
    chosen += [flaw for flaw in ordered if id(flaw) not in taken][: MOST - len(chosen)]
    return sorted(chosen, key=_shown_order)


def sample_variants(variants: Iterable[Record]) -> list[Record]:
    """Choose up to ten of an operator's variants, each with its near-twins after it, in the order of their problems.

    They are chosen as flawed solutions are, by the place and the old text of the edits.
    """
    records = list(variants)
    alone = [record for record in records if record["twin_of"] is None]
    chosen = sorted(_ordered(alone, _edit_choice)[:MOST_VARIANTS], key=_edit_order)
    twins: dict[str, list[Record]] = {}
    for record in records:
        twins.setdefault(record["twin_of"], []).append(record)
    return [shown for record in chosen for shown in (record, *twins.get(record["variant_id"], ()))]


def _edit_choice(variant: Record) -> tuple[str, str]:
    """Return the key by which the variants of a problem are ordered: the edited text, then the new text."""
    edits = [f"{edit['span']} {edit['before']}" for edit in variant["edits"]]
    return _digest(variant["problem_id"], *edits), _digest(variant["modified_problem_text"])


def _edit_order(variant: Record) -> tuple[str, list[list[int]], str]:
    return variant["problem_id"], [edit["span"] for edit in variant["edits"]], variant["modified_problem_text"]


def _ordered(flaws: Iterable[Record], choice_of: Callable[[Record], tuple[str, str]]) -> list[Record]:
    """Return flaws in the order in which they are chosen."""
    by_problem: dict[str, list[Record]] = {}
    for flaw in flaws:
        by_problem.setdefault(flaw["problem_id"], []).append(flaw)
    ranked: list[tuple[int, str, Record]] = []
    for problem_id, records in by_problem.items():
        problem = _digest(records[0]["operator"], problem_id)
        ranked += [(choice, problem, flaw) for choice, flaw in enumerate(sorted(records, key=choice_of))]
    return [flaw for _, _, flaw in sorted(ranked, key=_rank)]


def _rank(ranked: tuple[int, str, Record]) -> tuple[int, str]:
    choice, problem, _ = ranked
    return choice, problem


def _choice(flaw: Record) -> tuple[str, str]:
    """Return the key by which the flaws of a problem are ordered: the change, not its words."""
    change = flaw["mutation"]
    return _digest(flaw["problem_id"], *(change[name] for name in ("line", "variable", "from", "to"))), flaw["flaw_id"]


def _shown_order(flaw: Record) -> tuple[str, bool, int, str, str]:
    change = flaw["mutation"]
    line = change["line"].removeprefix("L")
    number = int(line) if line.isdecimal() else 0
    return flaw["problem_id"], not number, number, change["to"], flaw["flaw_id"]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
