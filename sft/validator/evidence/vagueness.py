"""Evidence from quantities in vague words and in ranges, such as `several` and `more than 5`, by whether the answer needs their values."""

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from harness.text.nouns import FUNCTION_WORDS, is_plural, singular_noun
from harness.text.numbers import mentions
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.problem_text import ProblemText, bare_words, problem_evidence

_WORDS = english("problems")
_VAGUE, _COMPARED, _MEASURED = (_WORDS.pattern(name) for name in ("vague", "compared", "measured"))
_GIVEN, _PURPOSE, _EACH_BEFORE = (_WORDS.pattern(name) for name in ("given", "purpose", "each_before"))
_OUTCOME, _TOTAL = _WORDS.pattern("outcome"), _WORDS.pattern("total")
_COUNT_ASKED, _END_ASKED = _WORDS.pattern("count_asked"), _WORDS.pattern("end_asked")
_SHARED, _TIMED, _RANGE = (_WORDS.pattern(name) for name in ("shared", "timed", "range"))
_RULE, _CONDITION, _CONSEQUENCE = (_WORDS.pattern(name) for name in ("rule", "condition", "consequence"))
_INFINITIVE = _WORDS.pattern("infinitive")
_ELIDED, _OTHER_KIND = _WORDS.words("elided"), _WORDS.words("other_kind")
ROLES = ("basis", "asked", "needed", "compared")
"""Roles of a vague quantity without a value: what a rate or a sum with a number is made of, what is asked for, what the answer needs
otherwise, and a difference. Quantities of other roles leave a problem solvable: they are the unknown, a purpose, or follow from an outcome."""

_finding = partial(ProblemFinding, "vagueness", ProblemClass.UNDERSPECIFIED)


class _Vague(NamedTuple):
    role: str
    start: int
    end: int


def _vague_quantities(problem: ProblemText) -> Iterator[_Vague]:
    """Yield the vague quantities before the question that have a role of `ROLES`, and no value beside them."""
    text = problem.text
    numbered = [(number.mention.start, number.mention.end + 1) for number in problem.numbers]
    for match in _VAGUE.finditer(problem.told):
        if any(left <= match.start() <= right for left, right in numbered) or _is_given_beside(problem, match.end()):
            continue
        role = _role(problem, match)
        if role:
            yield _Vague(role, match.start(), match.end())
    for match in _COMPARED.finditer(problem.told):
        sentence = problem.sentences[problem.sentence_at(match.start())]
        before = " ".join(text[sentence.start : match.start()].split()[-4:])
        after = text[match.end() : sentence.end].split()[:5]
        number_after = mentions(" ".join(after)) and (not match["noun"] or any(map(str.isdigit, "".join(after))))
        stated = mentions(before) or _MEASURED.search(before) or "by" in after or number_after
        if not stated and not _is_given_beside(problem, match.end()):
            yield _Vague("compared", match.start("word"), match.end())


def _role(problem: ProblemText, match: re.Match[str]) -> str:
    """Return the role of a vague quantity, empty if its value is not needed."""
    start, end, text = match.start(), match.end(), problem.text
    behind = bare_words(_clause(text, end, 80))
    noun = next((singular_noun(word) for word in behind[:6] if is_plural(word)), "")
    plain = bool(noun) and any(is_plural(word) and singular_noun(word) == noun for word in behind)
    noun = noun or next((singular_noun(word) for word in behind[:6] if word not in FUNCTION_WORDS), "")
    before = text[max(0, start - 40) : start]
    if _INFINITIVE.search(before) or _settled(problem, start):
        return ""
    if _EACH_BEFORE.search(before):
        return "basis"  # "each box holds some pens"
    if _is_unknown(problem, noun, end):
        return ""
    same = problem.sentence_at(start)
    counted = [
        number
        for number in problem.numbers
        if noun and number.noun == noun and number.mention.start > end and not _OTHER_KIND & set(number.kind)
    ]
    if counted:  # "some pens on Monday and 6 pens on Tuesday", or a later count of the same pens
        return "basis" if any(number.sentence == same for number in counted) else ""
    asked = {singular_noun(word) for word in bare_words(problem.asked)}
    if noun and noun in asked:
        return "asked"
    if any(_SHARED.search(text[max(0, place - 20) : place]) for place in _noun_places(text, noun)):
        return "basis"  # "some pens. Each of the pens costs $3"
    if _PURPOSE.search(before) or (match.group().lower().startswith("some") and not plain):
        return ""
    return "needed"


def _noun_places(text: str, noun: str) -> Iterator[int]:
    place = text.lower().find(noun) if noun else -1
    while place >= 0:
        yield place
        place = text.lower().find(noun, place + 1)


def _clause(text: str, start: int, longest: int) -> str:
    """Return the text from a place to the next end of a clause, at most so many characters."""
    end = min(
        (place for sign in ".;?!" if (place := text.find(sign, start, start + longest)) >= 0), default=start + longest
    )
    return text[start:end]


def _is_unknown(problem: ProblemText, noun: str, end: int) -> bool:
    """Tell whether a vague quantity is the unknown: the question asks for it, and the numbers of the text can give it.

    `He bought a number of pens for $6 at 50 cents each. How many did he buy?` An end that is asked for (`how many are left`) is
    not such an unknown.
    """
    match = _COUNT_ASKED.search(problem.asked)
    if match is None or _END_ASKED.search(problem.asked, match.end()):
        return False
    words = bare_words(problem.asked[match.end() :])[:3]
    if noun not in {singular_noun(word) for word in words} and not (words and words[0] in _ELIDED):
        return False
    rated = any(number.rate for number in problem.numbers) or _SHARED.search(problem.told) is not None
    return rated and len(problem.numbers) > 1 and _TIMED.search(_clause(problem.text, end, 60)) is None


def _settled(problem: ProblemText, start: int) -> bool:
    """Tell whether a sentence from a place on, or a total before it, states an outcome with a number."""
    for number in problem.numbers:
        sentence = problem.sentences[number.sentence]
        if sentence.end <= start and not _TOTAL.search(sentence.text):
            continue
        if number.mention.start < problem.inquiry or sentence.start > problem.inquiry:
            end = min(sentence.end, max(problem.inquiry, number.mention.end))
            if _OUTCOME.search(problem.text[sentence.start : end]):
                return True
    return False


def _is_given_beside(problem: ProblemText, end: int) -> bool:
    """Tell whether the value is beside a vague quantity: `several pens (5, to be exact)`."""
    match = _GIVEN.match(problem.text[end : end + 120])
    return match is not None and bool(mentions(problem.text[end + match.start() : end + match.end() + 30]))


def _is_hypothetical(problem: ProblemText, match: re.Match[str]) -> bool:
    """Tell whether a range belongs to a difference, a wish, a rule or a group: `5 pounds less than 20`, `if you buy more than 5`.

    What the question names is not a quantity of the problem: `how many are under 6`.
    """
    sentence = problem.sentences[problem.sentence_at(match.start())]
    before = problem.text[sentence.start : match.start()]
    if match.group().rstrip(" .,;") in problem.asked or _RULE.search(before):
        return True
    if " than " in match.group() and mentions(before[-24:]):
        return True
    # An "if" with a consequence that is not the question; in "If at least 60 left. How many stayed?" it states a fact.
    condition = _CONDITION.search(before)
    if condition is None or sentence.end > problem.inquiry:
        return False
    return (
        bool(before[: condition.start()].strip())
        or _CONSEQUENCE.search(problem.text[match.end() : sentence.end]) is not None
    )


@problem_evidence("vagueness")
def vagueness(problem: ProblemText) -> Signal[ProblemFinding]:
    """Quantities in vague words and ranges, with no value beside them."""
    quantities = list(_vague_quantities(problem))
    ranges = [match for match in _RANGE.finditer(problem.text) if not _is_hypothetical(problem, match)]
    firm = [
        number
        for number in problem.numbers
        if not any(match.start() <= number.mention.start < match.end() for match in ranges)
    ]
    mostly = bool(ranges) and len(firm) <= len(ranges)
    # A limit in a sentence of its own may be said of a quantity that the rest gives; a range among the numbers is needed.
    beside = any(problem.sentence_at(match.start()) == number.sentence for match in ranges for number in firm)
    features: dict[str, float] = {
        f"vague_{role}": any(quantity.role == role for quantity in quantities) for role in ROLES
    }
    features |= {
        "ranges_mostly": mostly,
        "ranges_beside": beside and not mostly,
        "ranges_apart": bool(ranges) and not beside and not mostly,
    }
    findings = [
        _finding(
            problem.text[max(0, quantity.start - 20) : quantity.end + 30].strip(),
            f'"{problem.text[quantity.start : quantity.end]}" has no value.',
        )
        for quantity in quantities
    ]
    if len(ranges) > 1 or mostly:
        words = ", ".join(match.group() for match in ranges[:3])
        findings.append(
            _finding(words, "These are ranges, not values." if len(ranges) > 1 else "This is a range, not a value.")
        )
    return Signal(features, tuple(findings))
