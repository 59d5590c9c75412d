"""Sentences that state the value of a quantity: those of a solution, without the calculation, and clauses of the question said again."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from generators.flaws.solution.source_solution import FlawSource
from generators.variants.input_places import UNSURE_BEFORE, LocatedQuestion, NumberPlace, asks, clause_around, is_exact
from harness.domain import Exact
from harness.solution.solution_text import LineText, PlacedVariable
from harness.text.lexicon import english
from harness.text.names import OPENING_WORDS, is_named, lowered
from harness.text.nouns import FUNCTION_WORDS
from harness.text.number_forms import NumberForm
from harness.text.numbers import mentions
from harness.text.sentences import FINITE, Sentence, sentences_of
from harness.text.words import hyphenated_words, plain_words

_LISTS = english("variants")
LONGEST_LINE = 600
FEWEST_WORDS, MOST_WORDS = 4, 22
_ANNOTATION = re.compile(r"(<<|>>)")
_OPERAND = r"[($]{0,3}#(?:%|st|nd)?(?:[ -]?(?!x\b)[a-z'/]{1,18}\.?){0,4}+\)?"
_OPERATION = r" ?(?:[-+*/×÷–]|(?<![a-z])x(?![a-z])) ?"
_CALCULATION = re.compile(rf"(?P<left>{_OPERAND}(?:{_OPERATION}{_OPERAND}){{1,12}} ?)=(?P<result> ?[$]? ?(?=#))")
_SYMBOL = re.compile(r"[^\w\s$%.,'’#-]|_|\s-|-\s|(?<!['’])\b[b-zB-Z]\b")
_LEAD = _LISTS.pattern("lead", "(?:", ",? )+")
_NEED = _LISTS.pattern("tells_need", r"\b", r"\b")
_COUNTED_BEFORE = _LISTS.pattern("counted_before", r"\b", r"\b")
_FORBIDDEN = _LISTS.words("forbidden")
_COMPARING = _LISTS.words("comparing")
MOST_WORDS_AGAIN, FEWEST_WORDS_AGAIN = 18, 3
_CLEAR = "To be clear, "
_BOUNDARY = re.compile(_LISTS.either("clause_boundary"))
_STRANGE = re.compile(r"[\"“”()\[\]:;?!/_=+*#]|\.\s|\n")
_UNCERTAIN = _LISTS.words("uncertain")


@dataclass(frozen=True, slots=True)
class QuantityStatement:
    """A sentence that says the value of a variable, how the value is written between the words of it, and where in the question it can stand, if anywhere."""

    variable: str
    value: Exact
    before: str
    form: NumberForm
    after: str
    end: int = -1

    def number(self, value: Exact) -> str | None:
        """Write another value in its place; `None` where the form cannot say it, or the noun would have to agree."""
        return None if 1 in {value, self.value} else self.form.write(value)


def statements_of(source: FlawSource) -> dict[str, QuantityStatement]:
    """Return the statements of a solution's lines about its steps, without the final one, in order, by variable."""
    steps = {entry.variable for entry in source.steps} - {source.final}
    statements: dict[str, QuantityStatement] = {}
    for line in source.text.lines:
        for statement in _statements(line, source):
            if statement.variable in steps:
                statements.setdefault(statement.variable, statement)
    return statements


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
        for piece in _ANNOTATION.split(part):
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


def _statement(sentence: _Masked, source: FlawSource) -> QuantityStatement | None:
    text, numbers = sentence.text, list(sentence.numbers)
    calculation = _CALCULATION.search(text)
    if calculation is not None:
        first = text[: calculation.start()].count("#")
        del numbers[first : first + calculation["left"].count("#")]
        text = f"{text[: calculation.start()]}{calculation['result'].strip()}{text[calculation.end() :]}"
    trimmed = _bare_sentence(text)
    if trimmed is None or len(numbers) != 1 or not isinstance(numbers[0], PlacedVariable):
        return None
    place = numbers[0]
    before, after = trimmed.split("#")
    dollars = before.endswith("$") or place.form.before == "$"
    form = replace(place.form, money=True) if dollars else place.form
    if not dollars and "%" not in form.after and not _tells_unit(before, after):
        return None
    statement = QuantityStatement(place.variable, source.values[place.variable], before, form, after)
    written = statement.number(statement.value) or ""
    readings = [(mention.readings[0], mention.start) for mention in mentions(f"{before}{written}{after}")]
    is_read = len(readings) == 1 and readings[0][0] == statement.value
    return statement if written and is_read and 0 <= readings[0][1] - len(before) < len(written) else None


def _tells_unit(before: str, after: str) -> bool:
    """Tell whether a sentence says what its number counts: by a noun after it, or as `the number of …` before it."""
    follows = after[:1] == " " and after[1:2].isascii() and after[1:2].isalpha()
    word = plain_words(after)[0] if follows else "of"
    counted = after.startswith(("%", " %")) or word not in FUNCTION_WORDS - _COMPARING
    return counted or _COUNTED_BEFORE.search(before) is not None


def _bare_sentence(text: str) -> str | None:
    """Return a sentence with one number, without the words that lead over from what stood before; `None` if it is none."""
    text = " ".join(text.split())
    lead = _LEAD.match(text)
    text = text if lead is None else text[lead.end() :]
    text = f"{text[:1].upper()}{text[1:].rstrip(' .,!')}.".replace(" .", ".").replace("$ #", "$#")
    before, _, after = text.partition("#")
    words, subject = hyphenated_words(text), hyphenated_words(before)
    if not FEWEST_WORDS <= len(words) + 1 <= MOST_WORDS or _SYMBOL.search(text) or text.count("#") != 1:
        return None
    # Of what is needed there may be more, whatever the numbers give.
    unsure = UNSURE_BEFORE.search(before) or _NEED.search(text) or not _FORBIDDEN.isdisjoint(words)
    if unsure or (after and after[0] not in " .,%"):
        return None
    return text if subject and subject[0] not in FINITE and not FINITE.isdisjoint(subject) else None


def restatement(question: LocatedQuestion, place: NumberPlace, variable: str) -> QuantityStatement | None:
    """Return the sentence that says again what a clause beside others says with a number.

    `None` where the clause is long, has many numbers, or says nothing on its own, and where the number is not exact.
    """
    sentence = question.sentence_at(place.start)
    exact = place.rewritable and not place.form.rounded and is_exact(question, place.start, place.end)
    if sentence is None or not exact or asks(sentence) or not sentence.text.endswith("."):
        return None
    start, end, bounds = place.start - sentence.start, place.end - sentence.start, _boundaries(sentence.text)
    first = max((stop for _, stop in bounds if stop <= start), default=0)
    last = min((begin for begin, _ in bounds if begin >= end), default=len(sentence.text) - 1)
    before, after = sentence.text[first:start], sentence.text[end:last]
    words = lowered(before, question.text)
    if not bounds or words is None or not _stands_alone(before, after, question):
        return None
    return QuantityStatement(variable, place.value, f"{_CLEAR}{words}", place.form, f"{after}.", sentence.end)


def _boundaries(text: str) -> list[tuple[int, int]]:
    """Return where clauses meet: the clause that ends at an `and` has a verb, unlike `on Tuesday and Wednesday she works`, and after it is a subject with another."""
    boundaries: list[tuple[int, int]] = []
    matches = list(_BOUNDARY.finditer(text))
    for number, match in enumerate(matches):
        start = max(boundaries[-1][1] if boundaries else 0, clause_around(text, match.start() - 1, match.start())[0])
        end = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        sides = (text[start : match.start()], text[match.end() : end])
        if all(not FINITE.isdisjoint(hyphenated_words(words)) for words in sides):
            boundaries.append((match.start(), match.end()))
    return boundaries


def is_one_clause(sentence: Sentence) -> bool:
    """Tell whether a sentence is a short statement of one clause, without signs."""
    text = sentence.text
    plain = text.endswith(".") and "." not in text[:-1] and _STRANGE.search(text) is None
    return plain and not asks(sentence) and not _boundaries(text) and len(hyphenated_words(text)) <= MOST_WORDS_AGAIN


def _stands_alone(before: str, after: str, question: LocatedQuestion) -> bool:
    """Tell whether a clause around a number has a subject and a verb, no sign, no guess, and at most one more number, and that not in a list."""
    text = f"{before}{after}"
    words, subject = hyphenated_words(f"{before} {after}"), hyphenated_words(before)
    others = len(mentions(before)) + len(mentions(after))
    short = FEWEST_WORDS_AGAIN <= len(words) < MOST_WORDS_AGAIN and after[:1] in {"", " ", ",", "%"}
    if not short or _STRANGE.search(text) or others > ("," not in text):
        return False
    if not _UNCERTAIN.isdisjoint(words) or FINITE.isdisjoint(subject) or subject[0] in FINITE:
        return False
    return is_named(subject[0], question.text) or subject[0] in OPENING_WORDS
