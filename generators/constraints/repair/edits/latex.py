"""Operators and names as LaTeX, Isabelle and Markdown write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.code_matches import COMMENTS, code_matches
from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_COMMANDS = _LISTS.by_word("commands")
_ISABELLE = _COMMANDS | _LISTS.by_word("isabelle")
_COMMAND = re.compile(r"\\(?:(?P<latex>[A-Za-z]+)(?![A-Za-z])|<(?P<isabelle>[A-Za-z]+)>)")
_QUOTED = re.compile(
    r"\\(?:text|mathrm|mathit|mathtt|texttt|operatorname)\{([\w -]+)\}|\$([A-Za-z_][\w-]*)\$|`([^\W\d][\w-]*)`"
)
_DELIMITER = re.compile(
    r"(?<=[\s(])\\[(\[](?=[\w(\\~-])|(?<=[\w)])\\[)\]](?=[\s)]|$)|\\[()\[\]](?=[\s(]|$)|\$\$?(?=\()|(?<=\))\$\$?"
)
_MATHEMATICS = re.compile(r"(?<=[\s(])\$\$?([^$\n]+)\$\$?(?=[\s).,;]|$)")
_UNDERSCORE = re.compile(r"(?<=\w)\\_(?=\w)")


@edit_kind(
    "latex",
    order=125,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (\\land (\\leq x 3) (\\neq x 2)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (and (<= x 3) (distinct x 2)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const $x$ Int)\n(declare-const `y` Int)\n(assert (> $x$ `y`))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x y))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (\\frac x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (\\frac x 3))\n(check-sat)\n",
        ),
    ),
)
def latex(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the operator or the name itself; a command that is no operator is left."""
    if draft.script.valid:
        return
    for match in code_matches(_COMMAND, draft.text, COMMENTS):
        operator = _COMMANDS.get(match["latex"]) if match["latex"] else _ISABELLE.get(match["isabelle"])
        if operator is not None:
            before, after = draft.text[match.start() - 1 : match.start()], draft.text[match.end() : match.end() + 1]
            lead = " " if before.isalnum() or before == ")" else ""
            tail = " " if after.isalnum() else ""
            yield RepairChange(match.start(), match.end(), f"{lead}{operator}{tail}")
    for match in code_matches(_QUOTED, draft.text, COMMENTS):
        name = re.sub(r"[ -]+", "_", match[1]) if match[1] else match[2] or match[3]
        yield RepairChange(match.start(), match.end(), name)
    for match in code_matches(_MATHEMATICS, draft.text, COMMENTS):
        if len(match[1].split()) > 1:
            yield RepairChange(match.start(), match.start(1), "")
            yield RepairChange(match.end(1), match.end(), "")
    for pattern in (_DELIMITER, _UNDERSCORE):
        for match in code_matches(pattern, draft.text, COMMENTS):
            yield RepairChange(match.start(), match.end(), "_" if pattern is _UNDERSCORE else "")
