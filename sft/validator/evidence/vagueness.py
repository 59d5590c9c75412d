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
_VAGUE, _INFINITIVE, _EACH_BEFORE = (_WORDS.pattern(name) for name in ("vague", "infinitive", "each_before"))
_OUTCOME, _TOTAL = _WORDS.pattern("outcome"), _WORDS.pattern("total")
_COUNT_ASKED, _END_ASKED = _WORDS.pattern("count_asked"), _WORDS.pattern("end_asked")
_SHARED, _TIMED, _RANGE, _RULE = (_WORDS.pattern(name) for name in ("shared", "timed", "range", "rule"))
_OTHER_KIND = _WORDS.words("other_kind")
ROLES = ("basis", "needed")
"""Roles of a vague quantity without a value: what a rate or a sum with a number is made of, and what the answer needs otherwise.
Quantities of other roles leave a problem solvable: they are the unknown, or follow from an outcome."""

_finding = partial(ProblemFinding, "vagueness", ProblemClass.UNDERSPECIFIED)


class _Vague(NamedTuple):
    role: str
    start: int
    end: int


def _vague_quantities(problem: ProblemText) -> Iterator[_Vague]:
    """Yield the vague quantities before the question that have a role of `ROLES`, and no value beside them."""
    numbered = [(number.mention.start, number.mention.end + 1) for number in problem.numbers]
    for match in _VAGUE.finditer(problem.told):
        beside = any(left <= match.start() <= right for left, right in numbered)
        role = "" if beside else _role(problem, match)
        if role:
            yield _Vague(role, match.start(), match.end())


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
    counted = {
        number.sentence
        for number in problem.numbers
        if noun and number.noun == noun and number.mention.start > end and not _OTHER_KIND & set(number.kind)
    }
    if counted:  # "some pens on Monday and 6 pens on Tuesday", or a later count of the same pens
        return "basis" if problem.sentence_at(start) in counted else ""
    asked = bool(noun) and noun in {singular_noun(word) for word in bare_words(problem.asked)}
    return "needed" if asked or plain or not match.group().lower().startswith("some") else ""


def _clause(text: str, start: int, longest: int) -> str:
    """Return the text from a place to the next end of a clause, at most so many characters."""
    places = [text.find(sign, start, start + longest) for sign in ".;?!"]
    return text[start : min((place for place in places if place >= 0), default=start + longest)]


def _is_unknown(problem: ProblemText, noun: str, end: int) -> bool:
    """Tell whether a vague quantity is the unknown: the question asks for it, and the numbers of the text can give it.

    `He bought a number of pens for $6 at 50 cents each. How many did he buy?` An end that is asked for (`how many are left`) is
    not such an unknown.
    """
    match = _COUNT_ASKED.search(problem.asked)
    if match is None or _END_ASKED.search(problem.asked, match.end()):
        return False
    words = bare_words(problem.asked[match.end() :])[:3]
    if noun not in {singular_noun(word) for word in words}:
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


def _is_hypothetical(problem: ProblemText, match: re.Match[str]) -> bool:
    """Tell whether a range belongs to a difference, a wish, a rule or a group: `5 pounds less than 20`, `he wants more than 5`.

    What the question names is not a quantity of the problem: `how many are under 6`.
    """
    sentence = problem.sentences[problem.sentence_at(match.start())]
    before = problem.text[sentence.start : match.start()]
    if match.group().rstrip(" .,;") in problem.asked or _RULE.search(before):
        return True
    return " than " in match.group() and bool(mentions(before[-24:]))


@problem_evidence("vagueness")
def vagueness(problem: ProblemText) -> Signal[ProblemFinding]:
    """Quantities in vague words and ranges, with no value beside them."""
    quantities = list(_vague_quantities(problem))
    ranges = [match for match in _RANGE.finditer(problem.text) if not _is_hypothetical(problem, match)]
    spans = [range(*match.span()) for match in ranges]
    firm = [number for number in problem.numbers if not any(number.mention.start in span for span in spans)]
    mostly = bool(ranges) and len(firm) <= len(ranges)
    # A limit in a sentence of its own may be said of a quantity that the rest gives; a range among the numbers is needed.
    beside = mostly or any(problem.sentence_at(match.start()) == number.sentence for match in ranges for number in firm)
    roles = {quantity.role for quantity in quantities}
    features: dict[str, float] = {f"vague_{role}": role in roles for role in ROLES}
    features |= {"ranges_beside": beside, "ranges_apart": bool(ranges) and not beside}
    findings = []
    for _, start, end in quantities:
        around = problem.text[max(0, start - 20) : end + 30].strip()
        findings.append(_finding(around, f'"{problem.text[start:end]}" has no value.'))
    if len(ranges) > 1 or mostly:
        words = ", ".join(match.group() for match in ranges[:3])
        says = "These are ranges, not values." if len(ranges) > 1 else "This is a range, not a value."
        findings.append(_finding(words, says))
    return Signal(features, tuple(findings))
