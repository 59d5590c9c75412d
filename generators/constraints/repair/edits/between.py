"""Bounds that a word applies to a number, as in `(between x 1 7)`."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup

_WORDS = frozenset({"between", "in-range", "inrange", "within", "is-between", "isbetween", "range", "bounded", "clamp"})
_NOTE = "the bounds may be excluded"


@edit_kind(
    "between",
    order=394,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (in-range x 1 7))\n(assert (between 2 x 9))\n(assert (x between 3 and 8))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (<= 1 x 7))\n(assert (<= 2 x 9))\n(assert (<= 3 x 8))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def between(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the bounds: the number is what alone is none of three arguments, else the first; its bounds may be excluded."""
    for _, head in draft.faulty(Atom, ScriptFaultKind.UNDECLARED):
        path = draft.path(head.at.offset)
        group = path[-1] if path else None
        if group is not None and _is_between(group):
            term, _, low, _, high = map(draft.source, group.items)
            yield replacement(group, f"(<= {low} {term} {high})", certain=False, note=_NOTE)
            continue
        if group is None or group.items[0] is not head or head.text.lower().replace("_", "-") not in _WORDS:
            continue
        if len(group.items) == 4:
            text = f"(<= {' '.join(map(draft.source, _placed(group)))})"
            yield replacement(group, text, certain=False, note=_NOTE)


def _is_between(group: NodeGroup) -> bool:
    """Tell whether this is `(x between 1 and 7)`."""
    words = [item.text.lower() if isinstance(item, Atom) else "" for item in group.items]
    return len(words) == 5 and words[1] == "between" and words[3] == "and"


def _placed(group: NodeGroup) -> tuple[Node, Node, Node]:
    first, second, third = group.arguments
    if _is_number(first) and not _is_number(second):
        return first, second, third
    return second, first, third


def _is_number(node: Node) -> bool:
    return isinstance(node, Atom) and node.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}
