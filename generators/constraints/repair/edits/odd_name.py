"""Names with characters that SMT-LIB2 does not allow in a symbol."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import free_name, occurrences
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind

_NAME = re.compile(r"[^\W\d_][\w'’.#-]*")


@edit_kind(
    "odd_name",
    order=140,
    examples=(
        RepairExample(
            "(declare-const café Int)\n(declare-const a' Int)\n(assert (> café a'))\n(check-sat)\n",
            "(declare-const cafe Int)\n(declare-const a_ Int)\n(assert (> cafe a_))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const x_ Int)\n(declare-const x' Int)\n(assert (> x x_ x'))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const x_ Int)\n(declare-const x__2 Int)\n(assert (> x x_ x__2))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const @count Int)\n(assert (> @count 3))\n(check-sat)\n",
            "(declare-const count Int)\n(assert (> count 3))\n(check-sat)\n",
        ),
    ),
)
def odd_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write such a name in plain letters wherever it stands, and like no other name."""
    odd = (atom for _, atom in draft.faulty(Atom, ScriptFaultKind.ODD_ATOM) if atom.kind is AtomKind.ODD)
    for text in dict.fromkeys(atom.text for atom in odd):
        if not _NAME.fullmatch(text.lstrip("@.$?'")):
            continue
        plain = unicodedata.normalize("NFKD", text.lstrip("@.'")).encode("ascii", "ignore").decode()
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", plain)
        if re.match(r"[A-Za-z]", name):
            after, uses, stem = free_name(draft, name), list(occurrences(draft, text)), text.rstrip("'’#")
            # An undeclared `x'` beside a declared `x` may be another constant, or the complement of `x`.
            certain = stem == text or stem not in draft.script.scope.symbols or _is_declared(draft, uses)
            yield from (replacement(atom, after, certain=certain) for atom in uses)


def _is_declared(draft: ProgramDraft, uses: list[Atom]) -> bool:
    paths = (draft.path(atom.at.offset) for atom in uses)
    return any(path and path[0].head.startswith(("declare", "define")) for path in paths)
