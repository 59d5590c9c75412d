"""Code fences around the program in the answer of a language model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from generators.constraints.repair.edit_kind import AmbiguousError, ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.faults import ScriptFaultKind

_THOUGHTS = re.compile(
    r"\A(?:(?!</?(?:think|thinking|thought|thoughts|reasoning|scratchpad|analysis)>).)*+"
    r"(?:<(think|thinking|thought|thoughts|reasoning|scratchpad|analysis)>)?+"
    r"(?:(?!</?(?:think|thinking|thought|thoughts|reasoning|scratchpad|analysis)>).)*+"
    r"</(?:think|thinking|thought|thoughts|reasoning|scratchpad|analysis)>\s*",
    re.DOTALL | re.IGNORECASE,
)
"""The reasoning of a model before its answer."""
_FENCE = re.compile(r"(?m)^[ \t]*+(?:```|~~~)[ \t]*+([\w.+-]*+)[ \t]*+\r?$\n?")
_CHECK = re.compile(r"\(\s*check", re.IGNORECASE)
_ASSERTED = re.compile(r"\(\s*assert", re.IGNORECASE)
_PROGRAM = re.compile(r"\(\s*(?:assert|declare|define|check)", re.IGNORECASE)


@edit_kind(
    "fence",
    order=100,
    examples=(
        RepairExample(
            "Here is the program.\n```smt2\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n```\nIt is satisfiable.\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "```\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "<think>Is x (declare-const x Bool)? No.</think>\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "First:\n```\n(declare-const x Int)\n```\nand then\n```\n(assert (> x 3))\n(check-sat)\n```\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
    ),
)
def fence(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Keep what stands between fences and holds commands; of several blocks all, unless they repeat each other.

    The reasoning before a whole program is left out with the drafts in it.
    """
    thoughts = _THOUGHTS.match(draft.text)
    rest = draft.text[thoughts.end() :] if thoughts else ""
    if thoughts and not draft.script.valid and _CHECK.search(rest) and _ASSERTED.search(rest):
        yield RepairChange(0, thoughts.end(), "")
        return
    marks = list(_FENCE.finditer(draft.text))
    if not marks or not draft.faults(
        ScriptFaultKind.STRAY_TEXT, ScriptFaultKind.UNTERMINATED, ScriptFaultKind.ODD_ATOM
    ):
        return
    ends = [*(mark.start() for mark in marks[1:]), len(draft.text)]
    blocks = [(mark.end(), end) for mark, end in zip(marks[::2], ends[::2], strict=False)]
    kept = [block for block in blocks if _PROGRAM.search(draft.text, *block)]
    whole = [block for block in kept if re.search(r"\(\s*check", draft.text[slice(*block)])]
    if len(whole) > 1 and len({" ".join(draft.text[slice(*block)].split()) for block in whole}) > 1:
        raise AmbiguousError(f"{len(whole)} programs between fences")
    chosen = whole[-1:] if len(whole) > 1 else kept
    outside = list(pairwise([0, *(offset for block in chosen for offset in block), len(draft.text)]))[::2]
    for start, end in outside if chosen else []:
        if start < end:
            more = len(whole) < 2 and _PROGRAM.search(draft.text, start, end)
            note = "there are commands outside, too" if more else ""
            yield RepairChange(start, end, "", not note, note)
