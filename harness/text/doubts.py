"""The words by which a text supposes, reports, denies or takes back what it says, and its own conventions of counting."""

import re
from functools import lru_cache

from harness.text.lexicon import english
from harness.text.nouns import FUNCTION_WORDS
from harness.text.numbers import MULTIPLES
from harness.text.operation_words import SAYING
from harness.text.sentences import FINITE, sentences_of
from harness.text.words import words_of

_LISTS = english("doubts")
_JOINT, _CLAUSE = _LISTS.pattern("joints"), _LISTS.pattern("clause")
_MARK = re.compile("~~|[?✗✘❌]")
_TURNING = _LISTS.pattern(
    "turning",
    r"(?:^|[.!?;:,—–(]|-\s)\W{0,4}",
    r"(?:\W{0,3}$|\s?[,.:;!?…—]|\s(?=(?:that|this|it|i|we|let|the|no|wait|actually)\b))",
)
_SUPPOSED, _REPORTED, _DENIED = (_LISTS.pattern(name, r"\b", r"\b") for name in ("supposed", "reported", "denied"))
_NEGATED = _LISTS.pattern("negated", r"\b", r"\b")
_BOUND = _LISTS.pattern("bounds", r"(?<![A-Za-z])", r" \Z")
_VERB = _LISTS.pattern("verbs", r"\W*", r"\b")
_STATED = {
    "of": _LISTS.pattern("stated_of", r"\b", r"\sof\W*$"),
    "that": _LISTS.pattern("stated_that", r"\b", r"\sthat\W*$"),
}
_KNOWN = (FINITE | FUNCTION_WORDS | _LISTS.words("known") | set(" ".join(SAYING.values()).split())) - MULTIPLES.keys()
_OWN = _LISTS.pattern("own", r"\b", r"\b")
_CYCLES = {int(modulus): re.compile(cue, re.IGNORECASE) for modulus, cue in _LISTS.mapping("cycles").items()}
_MODULUS = _LISTS.pattern("modulus", r"\b", r"[^.?!\d]{0,30}?(\d{1,6})(?![\d.]\d)")
_DEFINITION = re.compile(
    r"(?<![^\W_])([a-z])\s?(?:[-−–+*×·÷/@^x]|\\times|\\cdot)\s?([a-z])(?![^\W_])(?:\s?=|(?:\s[a-z]{2,12}){1,4})\s?([^.,;?!\n]{1,40})",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"[^\W\d_]{3}")


def is_doubted(prose: str, start: int, end: int, unit: str) -> bool:
    """Tell whether the sentence around a statement, from `start` to `end`, does not say that it is so; `unit` is the word after its last number.

    No word of the clause before it may suppose, report or deny it, none of the rest of its sentence may deny or ask it, no later clause may begin with a word
    that takes back, and the word right before it has to be known. A statement that is an amount in its sentence (`she wants 3*4=13 eggs`) is doubted only by a supposing word right before it, and by
    a denying clause after it.
    """
    sentence = max((each for each in sentences_of(prose) if each.start <= start), key=lambda each: each.start)
    end_of_sentence = max(sentence.end, end)
    before = _JOINT.split(prose[sentence.start : start].rstrip(" $*"))[-1]
    after = prose[end:end_of_sentence]
    words = [word for word in words_of(before.lower().replace("’", "'")) if not word[0].isdigit()]
    last = words[-1] if words else ""
    verb = _VERB.match(after)
    counts = verb is None and bool(unit) and (unit == "of" or unit not in FUNCTION_WORDS or unit in FINITE)
    if last in _STATED and (last == "that" or not counts):
        stated = len(words) == 1 or _STATED[last].search(before) is not None
    else:
        stated = len(last) < 2 or counts or not _KNOWN.isdisjoint(words[-2:]) or before.endswith(":")
    if counts:
        clause = _CLAUSE.search(after)
        before, after = f" {last}", after[clause.start() :] if clause else ""
    doubting = (_SUPPOSED, _DENIED) if counts else (_SUPPOSED, _DENIED, _REPORTED)
    marked = _MARK.search(prose, sentence.start, end_of_sentence) or _TURNING.search(prose, sentence.start)
    return not stated or bool(verb or marked or _DENIED.search(after) or any(each.search(before) for each in doubting))


def is_denied(text: str, start: int, end: int) -> bool:
    """Tell whether the sentence of a number asks it or denies it after it, its clause supposes or denies it before it, or a bound stands before it."""
    sentence = max((each for each in sentences_of(text) if each.start <= start), key=lambda each: each.start)
    before, after = _JOINT.split(text[sentence.start : start])[-1], text[end : max(sentence.end, end)]
    doubting = (_SUPPOSED, _NEGATED, _BOUND)
    return "?" in after or any(each.search(before) for each in doubting) or bool(_DENIED.search(after))


def takes_back(text: str) -> bool:
    """Tell whether a text begins a clause with a word such as `Wait` or `Sorry`, or says that something is wrong."""
    return _TURNING.search(text) is not None or _DENIED.search(text) is not None


@lru_cache(maxsize=1_024)
def counting_moduli(text: str) -> frozenset[int] | None:
    """Return the numbers at which a text counts anew, `None` where its digits, signs or rounding are its own."""
    definitions = _DEFINITION.finditer(text)
    if _OWN.search(text) or any({each[1], each[2]} <= set(_LONG_WORD.split(each[3])[0]) for each in definitions):
        return None
    stated = {int(match[1]) for match in _MODULUS.finditer(text)} - {0, 1}
    return frozenset(stated | {modulus for modulus, cue in _CYCLES.items() if cue.search(text)})
