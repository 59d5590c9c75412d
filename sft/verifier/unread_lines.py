"""The lines of a solution that were not read: those beyond a limit, and those with an equation or a relation in no readable form."""

import re
from collections.abc import Iterator

from harness.domain import Exact
from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER
from harness.text.characters import foreign_script
from harness.text.language import unread_language
from harness.text.numbers import LONGEST_NUMERAL, mentions
from harness.text.quantity import read_quantity
from harness.text.tokens import RELATION_COMMANDS, is_arrow, is_operator, is_relation
from oracles.labels.audit.solution_lines import CONTINUED, LineStatement, read_statement
from sft.samples.items import UnreadLine
from sft.verifier.case import Case

MOST_NUMBERS, DEEPEST = 60, 12
"""An expression of more numbers, or of more parentheses, has more tokens than the reader of equations takes."""
LONGEST_READ = 4_000
_NUMERAL = re.compile(r"\d[\d,.]*(?:[ _'’\u00a0\u2009\u202f]\d{3}(?!\d))*")
"""A number, its digits in groups of three or not."""
_NUMBER, _CONTINUED = re.compile(r"\d+"), re.compile(r"\s*=\s*[^\s=]")
_ANNOTATED = re.compile(r"<<[^<>]*>>")
_RELATION_COMMAND = re.compile(rf"\\(?:{'|'.join(sorted(RELATION_COMMANDS, key=len, reverse=True))})(?![A-Za-z])")
_EXCESS = {"too long": "the line is too long", "too many": "the line has too many equations"}
NUMERAL_REASON = f"a number has more than {LONGEST_NUMERAL} digits"
WORDS_REASON = "the final answer is computed in words: no equation gives it"
RELATION_REASON = "a relation between numbers here is not read"


def unread_lines(case: Case, *, any_script: bool = False) -> tuple[UnreadLine, ...]:
    """Return the lines that were not read; those that exceed a limit are marked as `beyond`.

    With `any_script`, a text in a foreign script is no reason: the engine is a model that reads it.
    """
    unread = [
        UnreadLine(f"L{number}", *reason)
        for number, statement in enumerate(case.solution.statements, start=1)
        if (reason := _reason(statement, any_script=any_script)) is not None
    ]
    texts = {FINAL_ANSWER: case.item.answer or "", "question": case.item.question, "L1": "\n".join(case.item.lines)}
    for place, text in texts.items():
        language = "" if any_script else unread_language(text, case.item.question if place != "question" else "")
        if beyond := language or ("" if place == "L1" else _unread_reason(text, any_script=True)):
            unread.append(UnreadLine(place, beyond))
        elif place == FINAL_ANSWER and (unjudged := _unjudged(text)):
            unread.append(UnreadLine(place, unjudged, beyond=False))
    label = _answered_in_words(case)
    if label is not None and label not in {line.line for line in unread}:
        unread.append(UnreadLine(label, WORDS_REASON, beyond=False))
    return (*unread, *case.item.unread)


def _answered_in_words(case: Case) -> str | None:
    """Return the last line that states the final answer, where no equation, and not the question, has its value: it is computed in words."""
    answer, statements = case.item.answer, case.solution.statements
    if answer is not None:
        quantity = read_quantity(answer)
        values: set[Exact] = set() if quantity is None else {quantity.value, -quantity.value}
    else:
        last = mentions(statements[-1].text) if statements else []
        values = set(last[-1].readings) if last else set()
    if not values or not values.isdisjoint(_readings(case.item.question)):
        return None
    stating = None
    for number, statement in enumerate(statements, start=1):
        sides = [side.value for equation in statement.equations for side in (equation.left, equation.right)]
        if not values.isdisjoint(sides):
            return None
        stating = f"L{number}" if not values.isdisjoint(_readings(statement.text)) else stating
    return stating


def _readings(text: str) -> set[Exact]:
    return {reading for mention in mentions(text) for reading in mention.readings}


def _unread_reason(text: str, *, any_script: bool) -> str:
    """Return why a text is not read at all, empty if it is read."""
    if any(sum(map(str.isdigit, match.group())) > LONGEST_NUMERAL for match in _NUMERAL.finditer(text)):
        return NUMERAL_REASON
    return "" if any_script or not foreign_script(text) else unread_language(text)


def _reason(statement: LineStatement, *, any_script: bool) -> tuple[str, bool] | None:
    """Return why a line was not read, and whether it exceeds a limit; `None` if it was read."""
    text, unread = statement.text, statement.unread
    if reason := _unread_reason(text, any_script=any_script):
        return reason, True
    if unread == CONTINUED or (not unread and not statement.equations and _CONTINUED.match(text)):
        return CONTINUED, False
    if not unread:
        return (RELATION_REASON, False) if not statement.false and has_unread_relation(text) else None
    if unread in _EXCESS:
        return _EXCESS[unread], True
    unknown = [equation for equation in statement.equations if equation.truth is Truth.UNKNOWN]
    if any(None in {equation.left.value, equation.right.value} for equation in unknown):
        return unread, True
    if len(_NUMBER.findall(text)) > MOST_NUMBERS or text.count("(") > DEEPEST:
        return "an expression is too long", True
    return f"an equation here is not understood: {unread}", False


def _unjudged(answer: str) -> str:
    """Return why a final answer may state something false: no label names its equations, so none of them is judged."""
    statement = read_statement(answer)
    if statement.false or statement.unread:
        return "an equation in the final answer is not judged"
    return RELATION_REASON if has_unread_relation(answer) else ""


def has_unread_relation(text: str) -> bool:
    """Tell whether a relation between numbers is not in an equation that was read, and is more than an arrow between two of them or an approximation.

    A relation is any character that Unicode names so, or a command of LaTeX. Longer lines than 4,000 characters are not read. Of 7,088
    solutions of people and models, 11 have another relation than equality between numbers.
    """
    if len(text) > LONGEST_READ:
        return False
    equations = read_line(text).equations
    plain = _ANNOTATED.sub(lambda match: " " * len(match.group()), text)
    numbers = [(mention.start, mention.end) for mention in mentions(plain)]
    numbers += [(place, place + 1) for place, character in enumerate(plain) if is_operator(character)]
    return any(
        not any(equation.start <= start < equation.end for equation in equations)
        and any(number_end <= start for _, number_end in numbers)
        and any(number_start >= end for number_start, _ in numbers)
        and not _states_nothing(plain[start:end], plain[:start], plain[end:])
        for start, end in _relations(plain)
    )


def _relations(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the relations of a line; signs beside each other, `!=` or `=>`, are one."""
    start = None
    for place, character in enumerate(f"{text} "):
        if is_relation(character):
            start = place if start is None else start
        elif start is not None:
            yield start - (text[start - 1 : start] in {"!", ":", "/"}), place
            start = None
    yield from (match.span() for match in _RELATION_COMMAND.finditer(text))


def _states_nothing(sign: str, before: str, after: str) -> bool:
    """Tell whether a relation leads from one equation to the next, approximates a number, or names a value; the reader of equations lists other equals signs."""
    approximates = sign == "~" and after[:1].isdigit() and not before.rstrip()[-1:].isdigit()
    leads = is_arrow(sign) and "=" in before and "=" in after
    return approximates or leads or sign == "="
