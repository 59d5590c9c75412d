"""The replacement of one number of a question by another, in its own notation or another one."""

import re
from dataclasses import replace

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.question_edit import QuestionEdit
from harness.domain import Exact
from harness.text.nouns import ends_phrase
from harness.text.number_forms import PLAIN, NumberForm, NumberKind, numbers_at
from harness.text.numbers import NumberMention

LONGEST_WORDS = 100
"""The largest number that is usual in words."""
DOLLARS, PERCENT = " dollars", " percent"
"""What stands after a number in place of the sign before or after it."""
_ARTICLE = re.compile(r"\b([Aa]n?) \$?$")


def number_edit(text: str, place: NumberPlace, value: Exact, form: NumberForm | None = None) -> QuestionEdit | None:
    """Return the edit that lets a place of a text say a value in its form or another one.

    `None` where the form cannot say the value, or where an article or a noun would have to agree with it.
    """
    form = place.form if form is None else form
    written = form.write(value) if place.rewritable and value > 0 and 1 not in {value, place.value} else None
    if written is None or not article_agrees(text[max(0, place.start - 5) : place.start], written):
        return None
    start = place.start - (form.after == DOLLARS and not place.form.after)
    end = place.end + (form.after == PERCENT and not place.form.after)
    return QuestionEdit(start, end, text[start:end], written)


def article_agrees(before: str, written: str) -> bool:
    """Tell whether an article at the end of some words agrees with a number after it; `one` begins with no vowel when read aloud."""
    article = _ARTICLE.search(before)
    text = written.lstrip("$").lower()
    digits = re.match(r"\d[\d,]*", text)
    number = int(digits[0].replace(",", "")) if digits else 0
    while number >= 1000:
        number //= 1000
    vowel = text[:1] in set("aeiou") and not text.startswith("one")
    eight = number in {8, 11, 18} or 80 <= number < 90 or 800 <= number < 900
    return article is None or article[1].lower().endswith("n") == (eight if digits else vowel)


def other_form(text: str, mention: NumberMention) -> NumberForm | None:
    """Return the form that says a number in words where digits stand, in digits where words do; `None` where neither does well."""
    value = mention.readings[0]
    forms = [number.form for number in numbers_at(text, mention.start, value) if number.end == mention.end]
    begins = text[max(0, mention.start - 2) : mention.start].strip() in {"", ".", "?", "!"}
    if not forms or begins:
        return None
    if forms[0].kind is NumberKind.WORDS:
        return PLAIN
    return NumberForm(NumberKind.WORDS) if forms[0].kind is NumberKind.NUMERAL and value <= LONGEST_WORDS else None


def form_otherwise(question: LocatedQuestion, place: NumberPlace) -> NumberForm | None:
    """Return another form for a number: `7 dollars` for `$7`, `40 percent` for `40%`, words for digits; `None` where there is none."""
    plain = place.form.kind is NumberKind.NUMERAL and not place.form.before
    if question.text.endswith("$", 0, place.start):
        clear = plain and ends_phrase(question.text, place.end)
        return replace(place.form, after=DOLLARS, money=False) if clear else None
    if place.form.after == "%" or question.text.startswith("%", place.end):
        return replace(place.form, after=PERCENT) if plain else None
    mention = next((mention for mention in question.mentions if mention.start == place.start), None)
    return None if mention is None else other_form(question.text, mention)
