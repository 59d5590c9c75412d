"""Sentences of a solution that state the value of a quantity, written without the calculation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from generators.flaws.solution.source_solution import FlawSource
from generators.variants.question.allowed_words import words_of
from harness.domain import Exact
from harness.solution.solution_text import LineText, PlacedVariable
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, agree_with_number, is_plural
from harness.text.number_forms import NumberForm
from harness.text.numbers import mentions
from harness.text.sentences import FINITE, sentences_of

_LISTS = word_lists(__file__)

_NEED = re.compile(r"\b(?:need(?:s|ed)?|must|should|requires?|required|(?:has|have|had) to)\b(?!(?: to)? pay\b)")

LONGEST_LINE = 600
FEWEST_WORDS, MOST_WORDS = 4, 22


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence with one number, which stands from `start` to `end`."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class QuantityStatement:
    """A sentence that says the value of a variable, and how the value is written between the words of it."""

    variable: str
    value: Exact
    before: str
    form: NumberForm
    after: str

    @property
    def tells_need(self) -> bool:
        """Tell whether the sentence says what is needed: more may be, whatever the numbers give, for what nobody tells."""
        return _NEED.search(f"{self.before} # {self.after}") is not None

    def write(self, value: Exact, vocabulary: frozenset[str] = frozenset()) -> WrittenSentence | None:
        """Write the sentence with a value, its noun agreeing; `None` where the form cannot say the value."""
        number = self.form.write(value)
        if number is None:
            return None
        scale = self.form.scale
        after = agree_with_number(self.after, self.value * scale, value * scale, vocabulary)
        return WrittenSentence(f"{self.before}{number}{after}", len(self.before), len(self.before) + len(number))


def statements_of(source: FlawSource) -> list[QuantityStatement]:
    """Return the statements of a solution's lines about its steps, without the final one, in order; one for each variable."""
    steps = {entry.variable for entry in source.steps} - {source.final}
    statements: dict[str, QuantityStatement] = {}
    for line in source.text.lines:
        for statement in _statements(line, source):
            if statement.variable in steps:
                statements.setdefault(statement.variable, statement)
    return list(statements.values())


@dataclass(frozen=True, slots=True)
class _Masked:
    """A text in which each number is the sign `#`; `numbers` are what it was, a place of a variable or other words."""

    text: str
    numbers: tuple[PlacedVariable | str, ...]


def _statements(line: LineText, source: FlawSource) -> Iterator[QuantityStatement]:
    masked = _mask(line)
    if masked is None:
        return
    for sentence in sentences_of(masked.text):
        first = masked.text[: sentence.start].count("#")
        numbers = masked.numbers[first : first + sentence.text.count("#")]
        statement = _statement(_Masked(sentence.text, numbers), source)
        if statement is not None:
            yield statement


def _mask(line: LineText) -> _Masked | None:
    """Return a line without its annotations, `None` where it is too long or its signs cannot be told apart."""
    words: list[str] = []
    numbers: list[PlacedVariable | str] = []
    inside = False
    for part in line.parts:
        if isinstance(part, PlacedVariable):
            if not inside:
                words.append("#")
                numbers.append(part)
            continue
        if "#" in part:
            return None
        pieces = re.split(r"(<<|>>)", part)
        for piece in pieces:
            if piece in {"<<", ">>"}:
                inside = piece == "<<"
            elif not inside:
                end = 0
                for mention in mentions(piece):
                    words += [piece[end : mention.start], "#"]
                    numbers.append(mention.text)
                    end = mention.end
                words.append(piece[end:])
    text = "".join(words)
    return _Masked(text, tuple(numbers)) if len(text) <= LONGEST_LINE and text.count("#") == len(numbers) else None


_OPERAND = r"[($]{0,3}#(?:%|st|nd)?(?:[ -]?(?!x\b)[a-z'/]{1,18}\.?){0,4}+\)?"
_OPERATION = r" ?(?:[-+*/×÷–]|(?<![a-z])x(?![a-z])) ?"
_CALCULATION = re.compile(rf"(?P<left>{_OPERAND}(?:{_OPERATION}{_OPERAND}){{1,12}} ?)=(?P<result> ?[$]? ?(?=#))")
_LEAD = re.compile(
    f"(?:(?:{_LISTS.either('lead')})(?:, | )|(?:Now|First|Firstly|Second|Secondly|Third|Thirdly|Again|Overall), |(?:This|That|It|Which) (?:means|meant|shows|implies|follows)(?: that)? |(?:then|so|this means|that means|therefore|thus|hence|now),? )+"
)
_SYMBOL = re.compile(r"[^\w\s$%.,'’#-]|_|\s-|-\s|(?<!['’])\b[b-zB-Z]\b")
_FORBIDDEN = _LISTS.words("forbidden")
_UNSURE_BEFORE = re.compile(rf"\b(?:{_LISTS.either('unsure_before')})\s\$?$", re.IGNORECASE)
_LOOSE_THAT = re.compile(rf"(?:^|\b(?:{_LISTS.either('loose_that')}) )that\b", re.IGNORECASE)


def _statement(sentence: _Masked, source: FlawSource) -> QuantityStatement | None:
    text, numbers = sentence.text, list(sentence.numbers)
    calculation = _CALCULATION.search(text)
    if calculation is not None:
        first = text[: calculation.start()].count("#")
        inner = calculation["left"].count("#")
        del numbers[first : first + inner]
        lead = text[: calculation.start()]
        result = calculation["result"].strip()
        text = f"{lead}{result}{text[calculation.end() :]}"
        reason = re.search(r",? (?:because|since) \$?#(?=\W*$)", text)
        if reason is not None and text.index("#") < reason.start():
            match numbers:
                case [PlacedVariable() as left, PlacedVariable() as right] if left.variable == right.variable:
                    text, numbers = text[: reason.start()] + text[reason.end() :], [left]
    if len(numbers) != 1 or text.count("#") != 1 or not isinstance(numbers[0], PlacedVariable):
        return None
    place = numbers[0]
    trimmed = _trimmed(text)
    if trimmed is None:
        return None
    before, after = trimmed.split("#")
    dollars = before.endswith("$") or place.form.before == "$"
    form = replace(place.form, money=True) if dollars else place.form
    if not dollars and "%" not in form.after and not _tells_unit(before, after):
        return None
    statement = QuantityStatement(place.variable, source.values[place.variable], before, form, after)
    written = statement.write(statement.value)
    if written is None:
        return None
    numbers_read = mentions(written.text)
    if len(numbers_read) != 1 or not (
        written.start <= numbers_read[0].start and numbers_read[0].end <= written.end + 3
    ):
        return None
    return statement if numbers_read[0].readings[0] == statement.value else None


_COUNTED_BEFORE = re.compile(
    r"\b(?:(?:number|population) of|(?:total|(?:amount|increase|decrease) of) (?!number\b|amount\b|population\b)(?P<noun>[a-z]+))\b",
    re.IGNORECASE,
)
_BEHIND_NUMBER = re.compile(r" ?%| (?P<word>[A-Za-z]+)")


def _tells_unit(before: str, after: str) -> bool:
    """Tell whether a sentence says what its number counts: by a noun after it, or as `the number of …` before it."""
    behind = _BEHIND_NUMBER.match(after)
    if behind is not None and (behind["word"] or "").lower() not in FUNCTION_WORDS - {"more", "less", "fewer", "times"}:
        return True
    return any(match["noun"] is None or is_plural(match["noun"].lower()) for match in _COUNTED_BEFORE.finditer(before))


def _trimmed(text: str) -> str | None:
    """Return a sentence with one number, without the words that lead over from what stood before; `None` if it is none."""
    text = " ".join(text.split())
    lead = _LEAD.match(text)
    if lead is not None:
        text = text[lead.end() :]
    text = text[:1].upper() + text[1:].rstrip(" .,!") + "."
    text = text.replace(" .", ".").replace("$ #", "$#")
    before, _, after = text.partition("#")
    after = _without_echo(before, after)
    text = f"{before}#{after}"
    words = words_of(text)
    if not FEWEST_WORDS <= len(words) + 1 <= MOST_WORDS or _SYMBOL.search(text) or text.startswith(("#", "$")):
        return None
    if not _FORBIDDEN.isdisjoint(words) or _UNSURE_BEFORE.search(before) or _LOOSE_THAT.search(text):
        return None
    if after and not re.match(r"[ .,%]", after):
        return None
    subject = words_of(before)
    verbs = [word for word in subject if word in FINITE]
    if not verbs or subject[0] in FINITE or not _agrees(subject, verbs[0]) or _STRANDED.match(text):
        return None
    return text


_STRANDED = re.compile(r"Total (?:in|on|at|there|he|she|they)\b")
_BEHIND_HEADS = _LISTS.words("behind_heads")
_ECHO = re.compile(r" (?P<noun>[a-z]+(?: [a-z]+){0,2})\.")


def _without_echo(before: str, after: str) -> str:
    """Remove the repeated noun after the number, as in `The number of pens is 48 pens`."""
    echo = _ECHO.fullmatch(after)
    if echo is not None and re.match(rf"The (?:[a-z]+ )?number of (?:[a-z]+ )*?{echo['noun']}\b", before):
        return "."
    return after


def _agrees(subject: list[str], verb: str) -> bool:
    """Tell whether `is` and `was` do not follow a plural noun: `The remaining eggs is`."""
    if verb not in {"is", "was"} or subject[0] in {"there", "he", "she"}:
        return True
    place = subject.index(verb)
    head = next((number for number, word in enumerate(subject[:place]) if word in _BEHIND_HEADS), place)
    return head == 0 or not is_plural(subject[head - 1])
