r"""Where a reply gives its answer: after `ANSWER:`, in a box, after `####`, in bold, or as the last number of its last line."""

import enum
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from harness.reply import BLOCK_TAGS, answer_part
from harness.text.characters import seen
from harness.text.doubts import is_denied
from harness.text.lexicon import english
from harness.text.markup import NAMED_ANSWER, STATED_ANSWER
from harness.text.nouns import FUNCTION_WORDS
from harness.text.numbers import mentions, read_words
from harness.text.quantity import CURRENCIES, read_quantity
from harness.text.tokens import COMPARISONS, OPERATORS, STARTS, Token, TokenKind, tokenise
from harness.text.units import singular_unit, sizes

LONGEST_REPLY, LONGEST_LINE = 200_000, 1_000
"""Characters of the end of a reply, and of a line on either side of an answer, that are looked at."""
Span = tuple[int, int]


class AnswerPlace(enum.StrEnum):
    r"""The places of an answer in a reply; of several answers at such places the last one counts.

    `LINE` is a line `ANSWER: 22`, `BOX` is `\boxed{22}`, `MARK` is `#### 22`, `BOLD` is `**22**`, `LAST` is the last number of the
    last line, and `AUTO` the first of these that the reply has, in this order.
    """

    LINE = "line"
    BOX = "box"
    MARK = "mark"
    BOLD = "bold"
    LAST = "last"
    AUTO = "auto"


_BOX = re.compile(r"\\boxed\s?\{")
_MARK = re.compile(r"####[ \t]*([^\n]*)")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_TAGS = re.compile(rf"</?(?:{'|'.join(BLOCK_TAGS)})>", re.IGNORECASE)
_SIGNS = english("answers").words("signs_of_numbers")
_MATHEMATICS = (OPERATORS | STARTS | {TokenKind.OPAQUE}) - {TokenKind.LPAR}
_BETWEEN = english("answers").words("beside_numbers") | {*",;()[]{}"}
"""What may stand between two numbers of one piece."""
_ENCLOSING = (("**", "**"), ("\\(", "\\)"), ("\\[", "\\]"), ("$", "$"))
"""The signs of emphasis and of formulas, before and after what they enclose."""
_GLUED = re.compile(r"[^\s\\{}$()\[\]*_`\"'“”.,;:!?=]*")
"""What is written in one with a number, such as the second sign of `5%%`."""


def given_answer(reply: str, place: AnswerPlace) -> str | None:
    """Return the text of the answer that a reply gives at a place, after its thoughts; `None` where it gives none there."""
    text = answer_part(reply[-LONGEST_REPLY:])
    places = list(_FOUND) if place is AnswerPlace.AUTO else [place]
    return next((found for each in places if (found := _FOUND[each](text))), None)


def _answer_line(text: str) -> str:
    replies = [match["answer"] for match in NAMED_ANSWER.finditer(text)]
    return replies[-1].rstrip(" \t\r*_`.").lstrip(" \t*_`") if replies else ""


def _box(text: str) -> str:
    boxes: list[tuple[Span, str]] = []
    for match in list(_BOX.finditer(text))[-2:]:
        depths = accumulate(({"{": 1, "}": -1}.get(each, 0) for each in text[match.end() :]), initial=1)
        end = match.end() + next((place for place, depth in enumerate(depths) if not depth), 0)
        boxes.append(((match.start(), end), text[match.end() : end - 1].strip()))
    return _marked(text, boxes)


def _bold(text: str) -> str:
    return _marked(text, [(match.span(), match[1].strip()) for match in _BOLD.finditer(text)][-2:])


def _marked(text: str, answers: Sequence[tuple[Span, str]]) -> str:
    r"""Return the last answer between marks with all that is one piece of mathematics with it: `-\boxed{4}`, `**42** million`, `**3** or **4**`.

    `answers` are the spans of the last marks, and what stands between them. The same answer twice is no second answer.
    """
    if not answers or not any(map(str.isnumeric, answers[-1][1])):
        return answers[-1][1] if answers else ""
    (start, end), answer = answers[-1]
    line = text.rfind("\n", 0, start) + 1
    before, at = "", max(line, start - LONGEST_LINE)
    for (left, right), other in answers[:-1]:
        if left >= at:
            before, at = before + text[at:left] + (" " if other == answer else other), right
    before, after = _unenclosed(before + text[at:start], text[end:].partition("\n")[0][:LONGEST_LINE])
    # Of two numbers without a sign between them, neither is the answer; `\boxed{21}st` gives its mark.
    before += " " * before[-1:].isdigit()
    whole = f"{before}{answer}{' ' * after[:1].isalnum()}{after}"
    return whole[slice(*_piece(whole, len(before), len(before) + len(answer)))]


def _unenclosed(before: str, after: str) -> tuple[str, str]:
    """Return what stands before and after an answer without the signs of emphasis and of formulas that enclose it."""
    while pair := next((pair for pair in _ENCLOSING if before.endswith(pair[0]) and after.startswith(pair[1])), None):
        before, after = before.removesuffix(pair[0]), after.removeprefix(pair[1])
    return before, after


def _piece(line: str, start: int, end: int) -> Span:
    """Return where the largest piece of mathematics is that a span of a line stands in: numbers, signs and units without other words between them.

    A reader takes it whole or not at all: what is cut out of `3,5`, `2:3`, `10 20`, `3 or 4`, `2(4)` or `5 feet 6 inches` would be another number.
    """
    tokens = tokenise(line)
    inside = [place for place, token in enumerate(tokens) if token.start < end and start < token.end]
    if not inside:
        return start, end
    first, last = inside[0], inside[-1]
    while first and _goes_on(tokens[first - 1]):
        first -= 1
    while first < inside[0] and (not _is_mathematics(tokens[first]) or _is_dash(tokens, first)):
        first += 1
    while (
        tokens[last + 1 :]
        and _goes_on(tokens[last + 1])
        and not (tokens[last + 1].text == "(" and tokens[last + 1].spaced)
        and not _describes(tokens[last + 1 : last + 4])
    ):
        last += 1
    while last > inside[-1] and (tokens[last].text in _SIGNS or not _is_mathematics(tokens[last])):
        last -= 1
    start, end = min(start, tokens[first].start), max(end, tokens[last].end)
    if first < inside[0] and first and _is_doubtful(*tokens[first - 1 : first + 2]):
        start = tokens[first - 1].start
    unit, following = (*tokens[last + 1 : last + 3], None, None)[:2]
    if unit is not None and unit.kind is TokenKind.WORD and (not unit.spaced or sizes(singular_unit(unit.text))):
        # `12 in all` is no length; `12 in` at the end and `5 feet 6 in` are.
        second = any(token.kind is TokenKind.NUMBER for token in tokens[first : inside[0]])
        ends = following is None or following.kind is not TokenKind.WORD
        end = unit.end if unit.text not in FUNCTION_WORDS or second or ends else end
    end += len(_GLUED.match(line, end)[0])  # type: ignore[index]  # it matches everywhere
    opened = sum(map(line[start:end].count, "({[")) - sum(map(line[start:end].count, ")}]"))
    while opened > 0 and line[end : end + 1] in {*")}]"}:
        opened, end = opened - 1, end + 1
    # A dollar sign before a piece is a part of it, except where one behind it ends a formula.
    if line.startswith(("$", " $"), end):
        start += line.startswith("$", start)
    elif start and line[start - 1] in CURRENCIES and line[start] not in CURRENCIES:
        start -= 2 if line[: start - 1].endswith("\\") else 1
    return start, end


def _is_mathematics(token: Token) -> bool:
    named = token.kind is TokenKind.WORD and (token.text in _SIGNS or read_words(token.text) is not None)
    return named or token.kind in _MATHEMATICS or token.text in COMPARISONS


def _goes_on(token: Token) -> bool:
    """Tell whether a token is mathematics or may stand in it: a mark, a joint such as `or`, a unit, the letter of `5e-3`."""
    letter = token.kind is TokenKind.WORD and not token.spaced and len(token.text) == 1
    unit = token.text not in FUNCTION_WORDS and bool(sizes(singular_unit(token.text)))
    return letter or unit or _is_mathematics(token) or token.text in _BETWEEN


def _describes(tokens: Sequence[Token]) -> bool:
    """Tell whether tokens begin with a number that a hyphen makes a word of: in `3 30-minute shows` it says which ones are counted."""
    number, *word = tokens
    joined = [token.kind for token in word if not token.spaced] == [TokenKind.WORD, TokenKind.WORD]
    return number.kind is TokenKind.NUMBER and number.spaced and joined and word[0].text == "-"


def _is_dash(tokens: Sequence[Token], place: int) -> bool:
    """Tell whether a sign is the bullet of a line or the hyphen of a word: `- 42`, `Answer-42`."""
    sign, after = tokens[place : place + 2]
    word = tokens[place - 1] if place else None
    hyphen = word is not None and word.kind is TokenKind.WORD and len(word.text) > 1 and sign.kind is TokenKind.MINUS
    tight = not sign.spaced and not after.spaced
    return (hyphen and tight) or (sign.kind in OPERATORS and place == 0 and after.spaced)


def _is_doubtful(before: Token, sign: Token, after: Token) -> bool:
    """Tell whether a sign after other words may join them with the number: `cost – 5`, `x-5`, `x+5`; in `cost -5` it is a minus."""
    if sign.kind is TokenKind.MINUS and (sign.text == "–" or after.spaced):
        return True
    joins = sign.kind not in {TokenKind.PLUS, TokenKind.MINUS} or after.spaced or not sign.spaced
    return sign.kind in OPERATORS and before.kind is TokenKind.WORD and joins


@dataclass(frozen=True, slots=True)
class ConcludedAnswer:
    """The text of the answer that a solution ends in, and how many lines stand before those that only state it."""

    text: str
    before: int


def concluded_answer(lines: Sequence[str]) -> ConcludedAnswer | None:
    r"""Return the answer in the last line, `None` where that is not one quantity: `\boxed{5}`, `The answer is 5.`, `{"answer": 5}`, `5`, or `Answer` over `5`."""
    written = [(place, line) for place, line in enumerate(lines) if line.strip(" \t\\[]$")]
    if len(written) < 2:
        return None
    (above, heading), (place, last) = written[-2:]
    box, stated = _box(last[-LONGEST_LINE:]), STATED_ANSWER.search(last[:LONGEST_LINE])
    if box:
        rest = box
    elif stated is not None:
        rest = last[stated.end() :].partition("</")[0].strip(" \t*_:=>\"'`")
    else:
        named = STATED_ANSWER.search(heading[-LONGEST_LINE:])
        rest, place = last.strip(), above if named and not heading[named.end() :].strip(" \t*_:") else place
    rest = rest[: rest.rfind("}")].rstrip(" \"'") if rest.count("}") > rest.count("{") else rest
    if read_quantity(rest) is None:
        return None
    return ConcludedAnswer(rest, place + 1 if box and "=" in last else place)


def _last_number(text: str) -> str:
    """Return the last number of the last line with all that is one piece with it; of `6*12=72` the right side is meant.

    A number that a bound stands before, or that its sentence asks, supposes or denies, is none: the line is returned, which is not read.
    """
    lines = [line for line in _TAGS.sub("\n", text).splitlines() if any(map(str.isalnum, line))]
    line = seen(lines[-1][-LONGEST_LINE:]) if lines else ""
    numbers = mentions(line)
    if not numbers:
        # A numeral that is not read is an answer that is not read.
        return line if any(map(str.isnumeric, line)) else ""
    start, end = numbers[-1].start, numbers[-1].end
    start, end = _piece(line, start, end)
    return line if is_denied(line, start, end) else line[start:end]


_FOUND: dict[AnswerPlace, Callable[[str], str]] = {
    AnswerPlace.LINE: _answer_line,
    AnswerPlace.BOX: _box,
    AnswerPlace.MARK: lambda text: next(reversed(_MARK.findall(text)), "").strip(),
    AnswerPlace.BOLD: _bold,
    AnswerPlace.LAST: _last_number,
}
