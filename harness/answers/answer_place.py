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
from harness.text.nouns import FUNCTION_WORDS
from harness.text.numbers import mentions
from harness.text.quantity import read_quantity
from harness.text.units import singular_unit, sizes

LONGEST_REPLY, LONGEST_LINE = 200_000, 1_000
"""Characters of the end of a reply, and of its last line, that are looked at."""


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


_WORDS = english("answers")
_LINE = _WORDS.pattern("named", r"(?:(?<![^\n])|(?<=[.!?]))[ \t*_>#-]*+", r"[ \t*_]*[:：][ \t*_]*(?P<reply>[^\n]*)")
_STATED = _WORDS.pattern("stated")
_BOUND = _WORDS.pattern("bounds", r"(?<![A-Za-z])", r" \Z")
_BOX = re.compile(r"\\boxed\s?\{")
_MARK = re.compile(r"####[ \t]*([^\n]*)")
_WORD = re.compile(r" ?([A-Za-z]+)")
_SIGN = re.compile(r"(?<![A-Za-z])([A-Za-z]++) \Z|(?<=\S )([-−–]) \Z|(−) \Z")
_JOINTS = re.compile(r"[\s,-]+")
_TAGS = re.compile(rf"</?(?:{'|'.join(BLOCK_TAGS)})>", re.IGNORECASE)
_BESIDE, _SIGNS = _WORDS.words("beside_numbers"), _WORDS.words("signs_of_numbers")
_AROUND = "*_`\"'“”.,;:!?"
_CUT, _GOES_ON = re.compile(r"(?:\d[.,]?|[±<≤≥√]\s?|[~≈/^])\Z"), re.compile(r"[-+*/^×·÷]?\d")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")


def given_answer(reply: str, place: AnswerPlace) -> str | None:
    """Return the text of the answer that a reply gives at a place, after its thoughts; `None` where it gives none there."""
    text = answer_part(reply[-LONGEST_REPLY:])
    places = list(_FOUND) if place is AnswerPlace.AUTO else [place]
    return next((found for each in places if (found := _FOUND[each](text))), None)


def _answer_line(text: str) -> str:
    replies = [match["reply"] for match in _LINE.finditer(text)]
    return replies[-1].rstrip(" \t\r*_`.").lstrip(" \t*_`") if replies else ""


def _box(text: str) -> str:
    boxes: list[tuple[int, int, str]] = []
    for match in list(_BOX.finditer(text))[-2:]:
        depths = accumulate(({"{": 1, "}": -1}.get(each, 0) for each in text[match.end() :]), initial=1)
        end = match.end() + next((place for place, depth in enumerate(depths) if not depth), 0)
        boxes.append((match.start(), end, text[match.end() : end - 1].strip()))
    return _marked(text, boxes)


def _marked(text: str, answers: Sequence[tuple[int, int, str]]) -> str:
    r"""Return the last answer between marks with what goes on beyond them: `-\boxed{4}`, `**42** million`; of `**3** or **4**` and `\boxed{4}2` the text.

    `answers` are the start and the end of the marks, and what stands between them.
    """
    if not answers:
        return ""
    start, end, answer = answers[-1]
    line, after = text.rfind("\n", 0, start) + 1, text[end:].partition("\n")[0].removeprefix("\\")[:LONGEST_LINE]
    if not any(map(str.isnumeric, answer)):
        return answer
    between = text[answers[-2][1] : start] if answers[1:] and line < answers[-2][1] <= start else "apart"
    joined = {word.strip("$\\()") for word in _JOINTS.split(between.lower())} <= _BESIDE | {""}
    # `**Cost:** **42**` and the same answer twice are no two answers.
    joined = joined and answers[-2][2] != answer and read_quantity(answers[-2][2]) is not None
    sign, before = text[max(line, start - 1) : start], text[max(line, start - 2) : max(line, start - 1)]
    sign = "" if sign not in {*"-−–"} or before.isalpha() else sign
    # A dash after a word may be a minus or none.
    joined = (
        joined or (before.isdigit() and bool(sign)) or (sign == "–" and text[line : start - 1].rstrip()[-1:].isalpha())
    )
    if joined or _CUT.search(text, line, start) or _GOES_ON.match(after):
        return text[line:end] + after
    longer = mentions(f"1{after}")[0].end - 1
    return sign + answer + after[:longer]


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
    box, stated = _box(last[-LONGEST_LINE:]), _STATED.search(last[:LONGEST_LINE])
    if box:
        rest = box
    elif stated is not None:
        rest = last[stated.end() :].partition("</")[0].strip(" \t*_:=>\"'`")
    else:
        named = _STATED.search(heading[-LONGEST_LINE:])
        rest, place = last.strip(), above if named and not heading[named.end() :].strip(" \t*_:") else place
    rest = rest[: rest.rfind("}")].rstrip(" \"'") if rest.count("}") > rest.count("{") else rest
    if read_quantity(rest) is None:
        return None
    return ConcludedAnswer(rest, place + 1 if box and "=" in last else place)


def _last_number(text: str) -> str:
    """Return the last number of the last line with all that is written in one piece with it, numbers beside it and in its unit included.

    `3,5`, `2:3`, `10 20`, `3 or 4`, `1.2 × 10^3`, `.5`, `75 cents` and `5 feet 6 inches` are one piece: what is cut out of them would be another number. Of
    `6*12=72` the right side is meant. A number that a bound stands before, or that its sentence asks, supposes or denies, is none: the line is returned, which is not read.
    """
    lines = [line for line in _TAGS.sub("\n", text).splitlines() if any(map(str.isalnum, line))]
    line = seen(lines[-1][-LONGEST_LINE:]) if lines else ""
    numbers = mentions(line)
    if not numbers:
        # A numeral that is not read is an answer that is not read.
        return line if any(map(str.isnumeric, line)) else ""
    start, end = numbers[-1].start, numbers[-1].end
    after = _WORD.match(line, end)
    for before in reversed(numbers[:-1]):
        between = line[before.end : start].strip()
        words = (word.lstrip("\\") for word in _JOINTS.split(between.lower()))
        named = [word for word in words if word and word not in _BESIDE]
        own, other = (sizes(singular_unit(word)) for word in ("".join(named), "" if after is None else after[1]))
        beside = ":" not in between and not any(map(str.isalnum, "".join(named)))
        if not beside and own.keys().isdisjoint(other):
            break
        start = before.start
    if after is not None and sizes(singular_unit(after[1])):
        # `12 in all` is no length; `12 in` at the end and `5 feet 6 in` are.
        is_unit = (
            after[1].lower() not in FUNCTION_WORDS or start < numbers[-1].start or not _WORD.match(line, after.end())
        )
        end = max(end, after.end() if is_unit else end)
    if _BOUND.search(line, 0, start) or is_denied(line, start, end):
        return line
    sign = _SIGN.search(line, 0, start)
    start = start if sign is None or (sign[1] and sign[1].lower() not in _SIGNS) else sign.start()
    while start and not line[start - 1].isspace():
        start -= 1
    while end < len(line) and not line[end].isspace():
        end += 1
    return line[start:end].replace("$$", "").rpartition("=")[2].rstrip(_AROUND).lstrip(_AROUND.replace(".", ""))


_FOUND: dict[AnswerPlace, Callable[[str], str]] = {
    AnswerPlace.LINE: _answer_line,
    AnswerPlace.BOX: _box,
    AnswerPlace.MARK: lambda text: next(reversed(_MARK.findall(text)), "").strip(),
    AnswerPlace.BOLD: lambda text: _marked(text, [(*match.span(), match[1].strip()) for match in _BOLD.finditer(text)]),
    AnswerPlace.LAST: _last_number,
}
