"""Commands that are spelt in a way that SMT-LIB2 does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_similarity import is_near_name
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup
from harness.text.lexicon import word_lists

_SPELLINGS = word_lists(__file__).by_word("spellings")


_COMMON = ("assert", "check-sat", "declare-const", "declare-fun", "define-fun", "get-model", "get-value", "set-logic")


def _nearest(name: str) -> str | None:
    """Return the only command that a name of five letters or more is one letter, or one exchange of neighbours, away from."""
    near = [command for command in _COMMON if len(name) > 4 and is_near_name(name, command)]
    return near[0] if len(near) == 1 else None


@edit_kind(
    "command_spelling",
    order=150,
    examples=(
        RepairExample(
            "(declare-var x Int)\n(Assert (> x 3))\n(check_sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-cosnt x Int)\n(asert (> x 3))\n(chek-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare x Int)\n(constraint (> x 3))\n(check)\n(get_model)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-model)\n",
        ),
        RepairExample(
            "(declare - const x Int)\n(define-symbolic y integer?)\n(assert (> x y))\n(check - sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x y))\n(check-sat)\n",
        ),
    ),
)
def command_spelling(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the command there is, unless the program declares a function of that name."""
    last = draft.nodes[-1] if draft.nodes else None
    if isinstance(last, NodeGroup) and draft.faults(ScriptFaultKind.UNCLOSED):
        begun = draft.text[last.at.offset :].strip()
        if len(begun) > 1 and "(check-sat)".startswith(begun):
            yield RepairChange(last.at.offset, len(draft.text), "(check-sat)\n", certain=False, note="the text is cut")
    for node in draft.nodes:
        first = node.items[0] if isinstance(node, NodeGroup) and node.items else None
        parts = [item for item in node.items[:3] if isinstance(item, Atom)] if isinstance(node, NodeGroup) else []
        if len(parts) == 3 and parts[1].text == "-" and (joined := f"{parts[0].text}-{parts[2].text}") in ALLOWED:
            yield RepairChange(parts[0].at.offset, parts[2].end, joined)
            continue
        if not isinstance(first, Atom) or first.text in ALLOWED | REFUSED or first.name in draft.script.scope.symbols:
            continue
        plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", first.text).lower().replace("_", "-").strip(":!,")
        plain = re.sub(r"^[a-z]\w*\.", "", plain)
        known = plain if plain in ALLOWED | REFUSED else _SPELLINGS.get(plain) or _nearest(plain)
        if known is not None:
            yield replacement(first, known)
