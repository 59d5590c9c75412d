"""Reading a solution in any form into its lines and its final answer, without numbering, annotations and Markdown."""

from dataclasses import replace

from harness.answers.answer_place import concluded_answer
from harness.corpora.labelled_solutions import LONGEST_TEXT, MOST_LINES, split_solution
from harness.equations.line_reader import NOT_READ, column_equations
from harness.text.markup import clean, plain, unnumbered
from sft.samples.items import Item, UnreadLine

MOST_LISTED = 100
"""Unread lines beyond these are counted, not listed."""


def read_item(question: str, solution: str) -> Item:
    """Return the lines of a solution without numbering, annotations and Markdown, so that the form gives no hint.

    Lines keep their number in the text: a line with a number alone is kept as an empty line. At most 20,000 characters of
    either text and 200 lines are read; a line that is cut off by a limit is left out whole, and named in `Item.unread`.
    """
    written, rest = _within_limit(clean(solution))
    worked = split_solution(written, by_name=True)
    columns = column_equations(worked.lines[:MOST_LINES])
    written_lines = [columns.get(place) or line for place, line in enumerate(worked.lines[:MOST_LINES])]
    annotated = tuple(unnumbered(line) for line in written_lines)
    lines = tuple(plain(line) for line in annotated)
    answer = None if worked.answer is None else plain(worked.answer)
    asked = clean(question).strip()
    unread = [UnreadLine(f"L{place + 1}", NOT_READ) for place, equation in columns.items() if not equation]
    unread += _unread(len(worked.lines), sum(1 for line in rest.split("\n") if line.strip()))
    if len(asked) > LONGEST_TEXT:
        unread.append(UnreadLine("question", f"only its first {LONGEST_TEXT:,} characters are read"))
    return Item(asked[:LONGEST_TEXT], lines, annotated, answer, min(worked.before, len(lines)), tuple(unread))


def concluded(item: Item) -> Item:
    """Return an item whose last lines are its final answer where they state nothing else: what follows reads one form of a solution.

    The lines before them keep their numbers.
    """
    found = concluded_answer(item.lines) if item.answer is None else None
    if found is None:
        return item
    before = found.before
    lines, annotated = item.lines[:before], item.annotated[:before]
    return replace(item, lines=lines, annotated=annotated, answer=found.text, before=before)


def _within_limit(text: str) -> tuple[str, str]:
    if len(text) <= LONGEST_TEXT:
        return text, ""
    end = text.rfind("\n", 0, LONGEST_TEXT + 1) + 1
    return text[:end], text[end:]


def _unread(read: int, rest: int) -> list[UnreadLine]:
    """Return the lines beyond the limits: `read` lines are within the limit of characters, `rest` lines are not."""
    reasons = [f"only the first {MOST_LINES} lines are read"] * max(0, read - MOST_LINES)
    reasons += [f"only the first {LONGEST_TEXT:,} characters are read"] * rest
    first = min(read, MOST_LINES) + 1
    unread = [UnreadLine(f"L{number}", reason) for number, reason in enumerate(reasons[:MOST_LISTED], start=first)]
    if more := len(reasons) - len(unread):
        unread[-1] = replace(unread[-1], reason=f"{unread[-1].reason}; {more:,} more lines follow that are not read")
    return unread
