"""The form in which a number of a question can be written otherwise: `7 dollars` for `$7`, `seven` for `7`."""

from __future__ import annotations

import re
from dataclasses import replace

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.redundant_numbers import other_form
from harness.text.lexicon import word_lists
from harness.text.number_forms import NumberForm, NumberKind

_LISTS = word_lists(__file__)

DOLLARS, PERCENT = " dollars", " percent"
"""What stands after a number in place of the sign before or after it."""
_BEHIND_DOLLARS = re.compile(rf"[.,?!;]|$| (?:{_LISTS.either('behind_dollars')})\b")


def form_otherwise(question: LocatedQuestion, place: NumberPlace) -> NumberForm | None:
    """Return another form for a number: `7 dollars` for `$7`, `40 percent` for `40%`, words for digits; `None` where there is none."""
    plain = place.form.kind is NumberKind.NUMERAL and not place.form.before
    if question.text.endswith("$", 0, place.start):
        follows_well = _BEHIND_DOLLARS.match(question.text, place.end) is not None
        return replace(place.form, after=DOLLARS, money=False) if plain and follows_well else None
    if question.text.endswith("$ ", 0, place.start):
        return None
    if place.form.after == "%" or question.text.startswith("%", place.end):
        return replace(place.form, after=PERCENT) if plain else None
    mention = next((mention for mention in question.mentions if mention.start == place.start), None)
    return None if mention is None else other_form(question.text, mention)
