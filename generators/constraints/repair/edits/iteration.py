"""Formulas for each of several names: loops of programming languages, and quantifiers over a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind

_NAMES = r"[\[({'(]*+\s*+(?P<names>[A-Za-z_]\w*(?:\s*+[,\s]\s*+[A-Za-z_]\w*)+)\s*+[\])}]*+"
_LINE = re.compile(
    rf"(?m)^(?P<indent>[ \t]*+)for(?: each| all| every|each)?\s+\(?(?P<variable>[A-Za-z_]\w*)\s+(?:in|of|∈)\s+{_NAMES}\s*(?::|\{{|do|,)[ \t]*+"
    r"(?:(?P<same>\S[^\n]*)|\n(?P<body>(?:(?P=indent)[ \t]+\S[^\n]*(?:\n|\Z))+))"
)
_FORM = re.compile(
    r"\(\s*+(?P<word>forall|for-?each|for-?all|for|dolist|every|∀)\s++\(?+\s*+(?P<variable>[A-Za-z_]\w*+)\s*+(?:in|of|∈|:)?+\s*+"
    r"[\[({'](?:list\s)?\s*+(?P<names>[A-Za-z_]\w*+(?:(?:\s*+,\s*+|\s++)[A-Za-z_]\w*+)++)\s*+[\])}]\s*+\)?+\s*+[.:,]?+\s*+(?=\()"
)
_LONGEST = 2_000
_NOTE = "written out for each name"


@edit_kind(
    "iteration",
    order=94,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\nfor v in [x, y]:\n    (assert (<= 1 v 4))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (<= 1 x 4))\n(assert (<= 1 y 4))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (forall (v in [x, y]) (<= 1 v 4)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (and (<= 1 x 4) (<= 1 y 4)))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(foreach (v (x y)) (assert (<= 1 v 4)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (<= 1 x 4))\n(assert (<= 1 y 4))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def iteration(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the body of a loop once for each name; what is not indented under it is no part of it."""
    if draft.script.valid:
        return
    for match in _LINE.finditer(draft.text):
        names = re.findall(r"[A-Za-z_]\w*", match["names"])
        lines = [match["same"]] if match["same"] else (match["body"] or "").splitlines()
        body = [line.strip().removesuffix("}").rstrip() for line in lines]
        if match["variable"] in names or len(match[0]) > _LONGEST:
            continue
        written = [_put(line, match["variable"], name) for name in names for line in body if line]
        after = "".join(f"{line}\n" for line in written)
        end = match.end() if match["body"] else match.end() + draft.text.startswith("\n", match.end())
        yield RepairChange(match.start(), end, after, certain=False, note=_NOTE)
    for match in _FORM.finditer(draft.text):
        body_end, end = _closed(draft.text, match.end()), 0
        if body_end is None or len(match[0]) > _LONGEST:
            continue
        closing = re.match(r"\s*\)", draft.text[body_end : body_end + 40])
        names = re.findall(r"[A-Za-z_]\w*", match["names"])
        if closing is None or match["variable"] in names:
            continue
        end = body_end + closing.end()
        written = [_put(draft.text[match.end() : body_end], match["variable"], name) for name in names]
        commands = written[0].startswith("(assert")
        after = "\n".join(written) if commands else f"(and {' '.join(written)})"
        yield RepairChange(match.start(), end, after, certain=False, note=_NOTE)


def _put(text: str, variable: str, name: str) -> str:
    return re.sub(rf"(?<![\w.-]){re.escape(variable)}(?![\w-])", name, text)


def _closed(text: str, start: int) -> int | None:
    """Return the offset after the parenthesis that closes the one at an offset; `None` where none does."""
    depth = 0
    for place in range(start, min(len(text), start + _LONGEST)):
        depth += (text[place] == "(") - (text[place] == ")")
        if depth == 0:
            return place + 1
    return None
