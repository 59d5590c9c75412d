"""The lines of a solution that were not read: those beyond a limit, and those with an equation in no readable form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.equations.equation import Truth
from harness.solution.labels import FINAL_ANSWER
from harness.text.characters import foreign_script
from harness.text.numbers import LONGEST_NUMERAL
from oracles.labels.audit.solution_lines import CONTINUED, read_statement
from sft.samples.items import UnreadLine
from sft.verifier.solution.last_value import unbased_last_value
from sft.verifier.solution.unread_statements import unread_statement

if TYPE_CHECKING:
    from oracles.labels.audit.solution_lines import LineStatement
    from sft.verifier.case import Case

MOST_NUMBERS = 60
"""An expression of more numbers has more tokens than the reader of equations takes."""
DEEPEST = 12
_NUMERAL = re.compile(r"\d[\d,.]*(?:[ _'’\u00a0\u2009\u202f]\d{3}(?!\d))*")
"""A number, its digits in groups of three or not."""
_NUMBER = re.compile(r"\d+")
_EXCESS = {"too long": "the line is too long", "too many": "the line has too many equations"}
NUMERAL_REASON = f"a number has more than {LONGEST_NUMERAL} digits"
SCRIPT_REASON = "it is in a script of which no word is read"
_CONTINUED = re.compile(r"\s*=\s*[^\s=]")


def unread_lines(case: Case, *, any_script: bool = False) -> tuple[UnreadLine, ...]:
    """Return the lines that were not read, and a last one whose value comes from none; those that exceed a limit are marked as `beyond`.

    With `any_script`, a text in a foreign script is no reason: the engine is a model that reads it.
    """
    item = case.item
    unread = [
        UnreadLine(f"L{number}", *reason)
        for number, statement in enumerate(case.solution.statements, start=1)
        if (reason := _reason(statement, any_script=any_script)) is not None
    ]
    for place, text in ((FINAL_ANSWER, item.answer or ""), ("question", item.question)):
        if reason_of_text := _beyond(text, any_script=any_script):
            unread.append(UnreadLine(place, reason_of_text))
        elif place == FINAL_ANSWER and (passed_over := _unjudged(text)):
            unread.append(UnreadLine(place, passed_over, beyond=False))
    unbased = unbased_last_value(case)
    if unbased is not None and unbased.line not in {line.line for line in unread}:
        unread.append(unbased)
    return (*unread, *item.unread)


def _beyond(text: str, *, any_script: bool) -> str:
    """Return why a text is not read at all, empty if it is read."""
    if any(sum(map(str.isdigit, match.group())) > LONGEST_NUMERAL for match in _NUMERAL.finditer(text)):
        return NUMERAL_REASON
    return "" if any_script or not foreign_script(text) else SCRIPT_REASON


def _reason(statement: LineStatement, *, any_script: bool) -> tuple[str, bool] | None:
    """Return why a line was not read, and whether it exceeds a limit; `None` if it was read."""
    if reason := _beyond(statement.text, any_script=any_script):
        return reason, True
    if not statement.unread:
        continued = not statement.equations and _CONTINUED.match(statement.text) is not None
        if continued:
            return CONTINUED, False
        passed_over = unread_statement(statement.text)
        return (passed_over, False) if passed_over and not statement.false else None
    if statement.unread == CONTINUED:
        return CONTINUED, False
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


def _unjudged(answer: str) -> str:
    """Return why a final answer may state something false: no label names its equations, so none of them is judged."""
    statement = read_statement(answer)
    return (
        "an equation in the final answer is not judged"
        if statement.false or statement.unread
        else unread_statement(answer)
    )


def beyond_limits(unread: tuple[UnreadLine, ...]) -> str:
    """Return why a solution cannot be judged, naming the first line that exceeds a limit; empty if none does."""
    beyond = [line for line in unread if line.beyond]
    if not beyond:
        return ""
    first = f"{beyond[0].line} was not read: {beyond[0].reason}"
    return first if len(beyond) == 1 else f"{first}; {len(beyond) - 1} more lines were not read"
