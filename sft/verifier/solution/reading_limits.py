"""The lines of a solution that were not read: those beyond a limit, and those with an equation in no readable form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.equations.equation import Truth
from harness.solution.labels import FINAL_ANSWER
from harness.text.numbers.number_mentions import LONGEST_NUMERAL
from sft.samples.items import UnreadLine

if TYPE_CHECKING:
    from oracles.labels.audit.solution_lines import LineStatement
    from sft.verifier.case import Case

MOST_NUMBERS = 60
"""An expression of more numbers has more tokens than the reader of equations takes."""
DEEPEST = 12
_TOO_LONG = re.compile(rf"[\d,.]{{{LONGEST_NUMERAL + 1},}}")
_NUMBER = re.compile(r"\d+")
_EXCESS = {"too long": "the line is too long", "too many": "the line has too many equations"}
NUMERAL_REASON = f"a number has more than {LONGEST_NUMERAL} digits"


def unread_lines(case: Case) -> tuple[UnreadLine, ...]:
    """Return the lines that were not read, in order; those that exceed a limit are marked as `beyond`."""
    item = case.item
    unread = [
        UnreadLine(f"L{number}", *reason)
        for number, statement in enumerate(case.solution.statements, start=1)
        if (reason := _reason(statement)) is not None
    ]
    if item.answer is not None and _digits_exceed(item.answer):
        unread.append(UnreadLine(FINAL_ANSWER, NUMERAL_REASON))
    if _digits_exceed(item.question):
        unread.append(UnreadLine("question", NUMERAL_REASON))
    return (*unread, *item.unread)


def _digits_exceed(text: str) -> bool:
    return any(sum(map(str.isdigit, match.group())) > LONGEST_NUMERAL for match in _TOO_LONG.finditer(text))


def _reason(statement: LineStatement) -> tuple[str, bool] | None:
    """Return why a line was not read, and whether it exceeds a limit; `None` if it was read."""
    if _digits_exceed(statement.text):
        return NUMERAL_REASON, True
    if not statement.unread:
        return None
    if statement.unread in _EXCESS:
        return _EXCESS[statement.unread], True
    undecided = any(
        equation.truth is Truth.UNKNOWN and None in {equation.left.value, equation.right.value}
        for equation in statement.equations
    )
    if undecided:
        return statement.unread, True
    if len(_NUMBER.findall(statement.text)) > MOST_NUMBERS or statement.text.count("(") > DEEPEST:
        return "an expression is too long", True
    return f"an equation here is not understood: {statement.unread}", False


def beyond_limits(unread: tuple[UnreadLine, ...]) -> str:
    """Return why a solution cannot be judged, naming the first line that exceeds a limit; empty if none does."""
    beyond = [line for line in unread if line.beyond]
    if not beyond:
        return ""
    first = f"{beyond[0].line} was not read: {beyond[0].reason}"
    return first if len(beyond) == 1 else f"{first}; {len(beyond) - 1} more lines were not read"
