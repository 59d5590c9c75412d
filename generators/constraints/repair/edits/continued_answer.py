"""Answers that were cut off and went on in the next turn of a chat."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.script import read_script

_ASKED = re.compile(
    r"(?<!\n)\n++(?:\*\*)?(?:User|Human|You|Me)(?:\*\*)?[ \t]*+:[^\n()]*+\n++(?:\*\*)?(?:Assistant|AI|Bot|Model|ChatGPT|Claude|Gemini)(?:\*\*)?[ \t]*+:[ \t]*+\n?",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?<!\n)\n++[^\n()]*\b(?:cut off|truncated|incomplete|interrupted|too long|length limit)\b[^\n()]*+(?:\n++[^\n()]++)?+\n*+(?=\(\s*(?:set-logic|declare-|define-))",
    re.IGNORECASE,
)
_NOTE = "the answer went on where it was cut off"


@edit_kind(
    "continued_answer",
    order=8,
    examples=(
        RepairExample(
            "(declare-const total Int)\n(assert (> to\n\nUser: continue\n\nAssistant: tal 3))\n(check-sat)\n",
            "(declare-const total Int)\n(assert (> total 3))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x\n\nUser: go on\n\nAssistant: (assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x\n\nMy answer was cut off. Again:\n\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def continued_answer(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Join the parts; a line that the second part begins again, and a program that it gives again, are left out of the first."""
    if draft.script.valid:
        return
    again = _AGAIN.search(draft.text)
    if again is not None:
        yield RepairChange(0, again.end(), "", certain=False, note="the program is given again")
        return
    match = _ASKED.search(draft.text)
    if match is None or draft.text.count("(", 0, match.start()) <= draft.text.count(")", 0, match.start()):
        return
    before, after = draft.text[: match.start()], draft.text[match.end() :]
    line = before.rfind("\n") + 1
    begun = before[line:].rstrip()
    starts = [
        (line, match.end(), ""),
        (match.start(), match.end(), ""),
        (match.start(), match.end(), " "),
        (match.start(), match.end(), "\n"),
    ]
    if after.startswith(begun) and begun:
        start, end, put = starts[0]
    else:
        start, end, put = min(
            starts[1:],
            key=lambda start: len(read_script(draft.text[: start[0]] + start[2] + draft.text[start[1] :]).faults),
        )
    yield RepairChange(start, end, put, certain=False, note=_NOTE)
