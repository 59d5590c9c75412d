"""Checks of edited lines against a candidate's: lines that are missing, new or changed too early, numbers, equations and words."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from harness.answers.gold_answer import read_gold
from harness.corpora.labelled_solutions import LONGEST_TEXT, MOST_LINES
from harness.equations.equation import Truth
from harness.equations.line_reader import LONGEST_LINE, read_line
from harness.solution.labels import FINAL_ANSWER
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from oracles.labels.audit.explanation import LONGEST_EXPLANATION
from oracles.labels.audit.paired_lines import LinePair
from oracles.labels.edits.candidate import labels_beside
from oracles.labels.edits.findings import EXPLANATION, EditFinding, EditFindingKind, finding
from oracles.proofs.flaw_text import ANSWER_MARK

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oracles.labels.edits.candidate import ReviewCandidate

# Characters that no keyboard writes: control characters, halves of pairs, and marks that change the direction of a
# text.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\uffff]")
# Characters that no answer with its unit contains.
_ODD = re.compile(r"[^\w\s#$€£%.,/'-]")
MOST_GAPS = 40
MOST_SHOWN = 8


def form_findings(subject: ReviewCandidate, lines: Sequence[str], explanation: str) -> Iterator[EditFinding]:
    """Yield forbidden content of a text: control characters that the candidate lacks, and text beyond the limits."""
    if len(lines) > MOST_LINES:
        message = f"{len(lines):,} lines; at most {MOST_LINES} are read."
        yield finding(EditFindingKind.TOO_LONG, FINAL_ANSWER, f"{len(lines):,} lines", message)
        return
    texts = zip(labels_beside(subject.lines, lines), lines, strict=True)
    for label, text, most, own in (
        *((label, text, LONGEST_LINE, subject.lines) for label, text in texts),
        (EXPLANATION, explanation, LONGEST_EXPLANATION, (subject.explanation,)),
    ):
        if len(text) > most:
            yield _too_long(label, len(text), most)
        control = next((match for match in _CONTROL.finditer(text) if not any(match[0] in line for line in own)), None)
        if control is not None:
            code = f"U+{ord(control[0]):04X}"
            what = "a line break, which would make two lines" if code == "U+000A" else f"the invisible character {code}"
            yield finding(EditFindingKind.CONTROL_CHARACTER, label, code, f"There is {what}.", span=control.span())
    total = sum(map(len, lines)) + len(lines)
    if total > LONGEST_TEXT and all(len(line) <= LONGEST_LINE for line in lines):
        yield _too_long(FINAL_ANSWER, total, LONGEST_TEXT)


def _too_long(where: str, count: int, most: int) -> EditFinding:
    message = f"{count:,} characters; at most {most:,} are read."
    return finding(EditFindingKind.TOO_LONG, where, f"{count:,} characters", message)


def line_findings(subject: ReviewCandidate, lines: Sequence[str]) -> Iterator[EditFinding]:
    """Yield lines that are missing or new, then what each of the others has that the candidate's line does not have."""
    labels = labels_beside(subject.lines, lines)
    pairs = [LinePair(new, lines[new], own, subject.lines[own]) for own, new in _places(subject.lines, lines)]
    both, known = {pair.own for pair in pairs}, {pair.place for pair in pairs}
    for place, text in enumerate(subject.lines):
        if place not in both:
            message = f"The candidate's {subject.labels[place]} is missing: {_brief(text)}"
            yield finding(EditFindingKind.REMOVED_LINE, subject.labels[place], text, message)
    for place, text in enumerate(lines):
        if place not in known:
            message = "The candidate has no such line."
            yield finding(EditFindingKind.ADDED_LINE, labels[place], text, message, span=(0, len(text)))
    for pair in pairs:
        yield from _pair_findings(subject, pair, labels[pair.place])


def _places(own: Sequence[str], lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return which line of the candidate is which of the edited text.

    Of texts of different length, the lines of one gap are new or gone: the gap after which most characters are the same.
    """
    count = min(len(own), len(lines))
    front = [(place, place) for place in range(count)]
    back = [(len(own) - count + place, len(lines) - count + place) for place in range(count)]
    if len(own) == len(lines) or count > MOST_GAPS:
        return front
    same = [
        [SequenceMatcher(None, own[first], lines[second], autojunk=False).quick_ratio() for first, second in pairs]
        for pairs in (front, back)
    ]
    gap = max(range(count + 1), key=lambda place: sum(same[0][:place]) + sum(same[1][place:]))
    return [*front[:gap], *back[gap:]]


def _pair_findings(subject: ReviewCandidate, pair: LinePair, label: str) -> Iterator[EditFinding]:
    """Yield the objections to one line; a line that must not differ at all, or must differ, has only that one."""
    labelled = pair.own == subject.place
    if pair.changed and not pair.text.strip() and pair.was.strip():
        message = f"The line is empty; it was {_brief(pair.was)}"
        yield finding(EditFindingKind.REMOVED_LINE, label, pair.was, message)
    elif pair.changed and labelled and _plain(pair.text) == _plain(subject.counterpart):
        message = "This is the line of the correct solution: the error is gone."
        yield finding(EditFindingKind.SAME_AS_CORRECT, label, pair.text, message)
    elif pair.own == len(subject.lines) - 1:
        yield from _answer_findings(pair, label)
    else:
        if pair.changed:
            numbers = list(_number_findings(subject, pair, label))
            yield from numbers
            yield from _equation_findings(subject, pair, label, same_numbers=not numbers)
        for word in sorted(subject.stale_words) if labelled else ():
            for match in re.finditer(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", pair.text, re.IGNORECASE):
                message = f"The words still say {match[0]!r}, which belongs to the correct solution."
                yield finding(EditFindingKind.STALE_WORD, label, match[0], message, span=match.span(), unknown=True)


def _answer_findings(pair: LinePair, label: str) -> Iterator[EditFinding]:
    """Yield the objections to the last line, which must give the answer that the steps lead to, and nothing else."""
    text, due = pair.text, pair.was
    if text == due:
        return
    given, own = (read_gold(line.removeprefix(ANSWER_MARK)) for line in (text, due))
    same = (
        given is not None
        and own is not None
        and (given.value, given.quantity.percent) == (own.value, own.quantity.percent)
    )
    alone = len(mentions(text)) <= len(mentions(due)) and set(_ODD.findall(text)) <= set(due)
    if not (text.startswith(ANSWER_MARK) and same and alone):
        message = f"The last line gives the final answer that the steps lead to, and nothing else: {due}"
        yield finding(EditFindingKind.ANSWER, label, text, message)


def _number_findings(subject: ReviewCandidate, pair: LinePair, label: str) -> Iterator[EditFinding]:
    """Yield the numbers that the person changed, lost or added, in digits, in words or as fractions; the words are theirs.

    Where the candidate itself says that a number word of its line is out of date, that one may go, or become a number
    that the line works with.
    """
    lost, added = pair.unmatched_numbers
    leaving = [number for number in lost if pair.own == subject.place and number.text.casefold() in subject.stale_words]
    lost = [number for number in lost if number not in leaving]
    for number in added[:MOST_SHOWN]:
        if leaving and number.readings[0] in subject.computed_from:
            leaving.pop()
            continue
        kind, message = EditFindingKind.ADDED_NUMBER, "is one number more than the candidate's line has."
        if lost:
            message = (
                f"stands where the candidate has {lost.pop(0).text!r}; numbers come from the computation and stay."
            )
            kind = EditFindingKind.CHANGED_NUMBER
        span = number.start, number.end
        yield finding(kind, label, number.text, f"{number.text!r} {message}", span=span)
    for number in lost[:MOST_SHOWN]:
        message = f"The candidate's line says {number.text!r} here; numbers come from the computation and stay."
        yield finding(EditFindingKind.LOST_NUMBER, label, number.text, message)


def _equation_findings(
    subject: ReviewCandidate, pair: LinePair, label: str, *, same_numbers: bool
) -> Iterator[EditFinding]:
    """Yield equations that are false where none may be, that changed, that are gone, or that can no longer be read.

    A change of a number is reported for the number alone: `same_numbers` says that none changed.
    """
    own, new = read_line(pair.was), read_line(pair.text)
    unread = [
        [(passage.start, passage.end) for passage in reading.unread if passage.claims]
        + [(equation.start, equation.end) for equation in reading.equations if equation.truth is Truth.UNKNOWN]
        for reading in (own, new)
    ]
    if len(unread[1]) > len(unread[0]):
        text, message = pair.text[slice(*unread[1][-1])].strip(), "It is not known whether this equation holds."
        yield finding(EditFindingKind.UNREAD_EQUATION, label, text, message, span=unread[1][-1], unknown=True)
    if subject.computational and pair.own == subject.place and own.false and not new.false:
        stated = pair.other.written(own.false[0]).strip()
        message = f"The error is gone: the line has to state the false equation {stated}."
        yield finding(EditFindingKind.NO_FALSE_EQUATION, label, stated, message)
        return
    for equation, repeated in pair.added_equations:
        text, span = pair.line.written(equation).strip(), (equation.start, equation.end)
        if equation.truth is Truth.FALSE:
            value = equation.left.value
            due = "" if value is None else f": {pair.line.calculation(equation)} is {format_value(value)}"
            message = f"This equation is false{due}."
            yield finding(EditFindingKind.FALSE_EQUATION, label, text, message, span=span)
        elif same_numbers and not repeated:
            message = "The candidate's line states no such equation; what is computed stays."
            yield finding(EditFindingKind.CHANGED_EQUATION, label, text, message, span=span)
    for equation in pair.lost_equations if same_numbers else ():
        stated = pair.other.written(equation).strip()
        message = f"The line does not state {stated} any more, which it has to be judged by."
        yield finding(EditFindingKind.LOST_EQUATION, label, stated, message)


def _plain(text: str) -> str:
    """Return a line without spaces, capitals and the full stop at its end."""
    return "".join(text.split()).rstrip(".").casefold()


def _brief(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}…"
