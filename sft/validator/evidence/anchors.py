"""Evidence from quantities that are only compared, rated or named, where the answer needs an amount."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, is_plural, singular_noun
from harness.text.numbers import mentions
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence
from sft.validator.problem_text import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.validator.problem_text import ProblemNumber, ProblemText

_LISTS = word_lists(__file__)

_HIGHER = rf"(?:{_LISTS.either('comparative')})"
_NO_HOLDER = re.compile(rf"\b(?:{_LISTS.either('no_holder')})\b[^,]*$", re.IGNORECASE)
_DIFFERENCE = re.compile(rf"^ ?%?(?: (?!and\b|or\b|but\b|is\b)[\w'’-]+){{0,3}}? {_HIGHER}\b", re.IGNORECASE)
_FACTOR = re.compile(
    r"^ ?(?:times|percent|%|as (?:many|much|long|old|far|big|tall|heavy))\b|^ ?%",
    re.IGNORECASE,
)
_ASKED_RELATION = re.compile(
    rf"^how (?:many|much)(?: [\w'’-]+){{0,3}}? (?:{_HIGHER}|times)\b|^how much {_HIGHER}\b|\b(?:{_LISTS.either('asked_relation')})\b|\b{_HIGHER}\b.{{0,60}}\bthan\b",
    re.IGNORECASE,
)
_ASKED_RATE = re.compile(
    r"\b(?:each|every|per|apiece|an hour|a day|a week|a month|a year|rate|speed|average)\b", re.IGNORECASE
)
_HELD = re.compile(rf"\b(?:{_LISTS.either('holding')}) (?=[a-z])", re.IGNORECASE)
_DONE = re.compile(rf"\b(?:{_LISTS.either('doing')}) (?=[a-z])", re.IGNORECASE)
_BARE_UNIT = re.compile(
    rf"\b(?:{_LISTS.either('before_unit')}) (?P<unit>{_LISTS.either('unit')})\b(?! ago\b| later\b| old enough\b)",
    re.IGNORECASE,
)
_BARE_ITEM = re.compile(r"(?:, (?:and )?| and )(?P<item>[a-z-]+(?: [a-z-]+){0,4}?)(?=, | and )")
MOST_BARE = 2


def is_relative(problem: ProblemText, number: ProblemNumber) -> bool:
    """Tell whether a number only compares two quantities: `3 more than`, `twice`, `40% of`."""
    behind = problem.text[number.mention.end : number.mention.end + 60]
    words = number.mention.text.lower()
    if (
        number.percent
        or (0 < number.value < 1 and not number.money)
        or (not words[:1].isdigit() and words in _MULTIPLES)
    ):
        return True
    return _FACTOR.match(behind) is not None or _DIFFERENCE.match(behind) is not None


_UMBRELLAS = _LISTS.words("umbrella")
_LABELLED = re.compile(r",? [A-Z]\b|:")


def _is_bare_item(problem: ProblemText, match: re.Match[str]) -> bool:
    """Tell whether a list gives numbers for other items than for this one: `3 pots of basil, pots of rosemary and 6 pots of thyme`."""
    words = words_of(match["item"])
    plain = not any(word in FUNCTION_WORDS or word in _DETERMINERS for word in words) and any(map(is_plural, words))
    if not plain or mentions(match["item"]):
        return False
    sentence = problem.sentences[problem.sentence_at(match.start())]
    before = problem.text[sentence.start : match.start("item")]
    behind = problem.text[match.end("item") : sentence.end]
    near = re.split(r",| and ", before.rstrip(" ,").removesuffix(" and"))[-1]
    return bool(mentions(near)) and any(mention.start < 8 for mention in mentions(behind))


def _is_factor(problem: ProblemText, number: ProblemNumber) -> bool:
    words = number.mention.text.lower()
    return (
        number.percent
        or words in _MULTIPLES
        or _FACTOR.match(problem.text[number.mention.end : number.mention.end + 20]) is not None
    )


_MULTIPLES = _LISTS.words("multiple")
_KNOWN_WHOLE = re.compile(r"\b(?:day|week|month|year|hour|decade|century|dozen)\b", re.IGNORECASE)


def _bare_nouns(problem: ProblemText, verbs: re.Pattern[str]) -> Iterator[str]:
    """Yield plural nouns right after some verbs, without a number or a determiner: `The school has classrooms`."""
    for match in verbs.finditer(problem.told):
        clause = re.split(r"[.,;:?!]", problem.told[: match.start()])[-1]
        behind = problem.told[match.end() : match.end() + 24]
        if (
            mentions(clause)
            or _NO_HOLDER.search(clause)
            or re.match(r"\S*\d", behind)
            or any(mention.start < 3 for mention in mentions(behind))
        ):
            continue  # "80 percent have puppies" counts those who have them
        words = words_of(re.split(r"[.,;:?!(]", problem.told[match.end() : match.end() + 60])[0])[:3]
        for place, word in enumerate(words):
            if word in FUNCTION_WORDS or word in _DETERMINERS:
                break
            if is_plural(word):
                if singular_noun(word) in _UMBRELLAS or _LABELLED.match(
                    behind[behind.lower().find(word) + len(word) :]
                ):
                    break
                yield singular_noun(word)
                break
            if place == 2:
                break


_DETERMINERS = _LISTS.words("determiner")


@problem_evidence("anchored")
def anchored(case: ProblemCase) -> Signal[ProblemFinding]:
    """Whether the numbers give an amount to start from, and which nouns stand where a number is expected."""
    problem = case.problem
    asked = problem.asked
    relative = [number for number in problem.numbers if is_relative(problem, number)]
    absolute = [number for number in problem.numbers if number not in relative]
    rates = [number for number in absolute if number.rate]
    asks_relation = _ASKED_RELATION.search(asked) is not None
    floating = bool(relative) and not absolute and not asks_relation and bool(asked)
    differences = [number for number in relative if number.value.denominator == 1 and not _is_factor(problem, number)]
    # A difference and a ratio of one pair give both quantities; a day or a week is an amount without a number.
    mixed = bool(differences) and len(differences) < len(relative)
    again = len(differences) > 1 and re.search(r"\bnow\b", problem.told, re.IGNORECASE) is not None
    afloat = floating and not mixed and not again and _KNOWN_WHOLE.search(problem.text) is None
    only_rates = bool(rates) and len(rates) == len(absolute) and _ASKED_RATE.search(asked) is None and bool(asked)
    wanted = {singular_noun(word) for word in words_of(asked)}
    counted = {number.noun for number in problem.numbers}
    held, done = list(_bare_nouns(problem, _HELD)), list(_bare_nouns(problem, _DONE))
    # "Tim has cans of soda. Jeff takes 6 cans": what is changed has no amount to begin with.
    changed = [noun for noun in held if noun in counted]
    held, done = [noun for noun in held if noun not in counted], [noun for noun in done if noun not in counted]
    listed = [match for match in _BARE_ITEM.finditer(problem.told) if _is_bare_item(problem, match)]
    units = list(_BARE_UNIT.finditer(problem.told))
    findings = []
    if afloat:
        findings.append(
            ProblemFinding(
                "anchored", ProblemClass.UNDERSPECIFIED, asked, "Quantities are only compared; none is given."
            )
        )
    findings += [
        ProblemFinding("anchored", ProblemClass.UNDERSPECIFIED, noun, f'The number of "{noun}" is not given.')
        for noun in held[:1]
        if noun in wanted
    ]
    findings += [
        ProblemFinding("anchored", ProblemClass.UNDERSPECIFIED, match.group(), f'"{match.group()}" lacks a number.')
        for match in units[:1]
    ]
    features = {
        "afloat": afloat,
        "afloat_mixed": floating and mixed,
        "one_absolute": len(absolute) == 1,
        "only_rates": only_rates,
        "bare_held": min(MOST_BARE, len(held)),
        "bare_held_asked": any(noun in wanted for noun in held),
        "bare_done": min(MOST_BARE, len(done)),
        "bare_done_asked": any(noun in wanted for noun in done),
        "bare_changed": min(MOST_BARE, len(changed)),
        "bare_listed": min(MOST_BARE, len(listed)),
        "bare_unit": min(MOST_BARE, len(units)),
    }
    return Signal(features, tuple(findings))
