"""Which false equations of a text its author claims: not one whose sentence doubts it, and not one that holds by a convention of the text."""

import re
from fractions import Fraction
from functools import lru_cache

from harness.equations.equation import StatedEquation, numbers
from harness.text.lexicon import english
from harness.text.markup import ANNOTATION
from harness.text.nouns import FUNCTION_WORDS
from harness.text.numbers import MULTIPLES
from harness.text.operation_words import SAYING
from harness.text.sentences import FINITE, sentences_of

REJECTED = "the text may reject it"
CONVENTION = "a convention of the text may make it true"
_LISTS = english("claims")
_JOINT, _CLAUSE = _LISTS.pattern("joints"), _LISTS.pattern("clause")
_MARK = re.compile("~~|[?✗✘❌]")
_TURNING = _LISTS.pattern(
    "turning",
    r"(?:^|[.!?;:,—–(]|-\s)\W{0,4}",
    r"(?:\W{0,3}$|\s?[,.:;!?…—]|\s(?=that|this|it|i|we|let|the|no|wait|actually)\b)",
)
_SUPPOSED, _REPORTED, _DENIED = (_LISTS.pattern(name, r"\b", r"\b") for name in ("supposed", "reported", "denied"))
_VERB = _LISTS.pattern("verbs", r"\W*", r"\b")
_STATED = {
    "of": _LISTS.pattern("stated_of", r"\b", r"\sof\W*$"),
    "that": _LISTS.pattern("stated_that", r"\b", r"\sthat\W*$"),
}
_KNOWN = (FINITE | FUNCTION_WORDS | _LISTS.words("known") | set(" ".join(SAYING.values()).split())) - MULTIPLES.keys()
_OWN = _LISTS.pattern("own", r"\b", r"\b")
_CYCLES = {int(modulus): re.compile(cue, re.IGNORECASE) for modulus, cue in _LISTS.mapping("cycles").items()}
_MODULUS = _LISTS.pattern("modulus", r"\b", r"[^.?!\d]{0,30}?(\d{1,6})(?![\d.]\d)")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_DEFINITION = re.compile(
    r"(?<![^\W_])([a-z])\s?(?:[-−–+*×·÷/@^x]|\\times|\\cdot)\s?([a-z])(?![^\W_])(?:\s?=|(?:\s[a-z]{2,12}){1,4})\s?([^.,;?!\n]{1,40})",
    re.IGNORECASE,
)
_LONG_WORD = re.compile(r"[^\W\d_]{3}")


def claim_doubt(equation: StatedEquation, line: str) -> str:
    """Return why the author of a line may not claim a false equation in it, empty where its clause is read as its statement.

    No word of the clause before it may suppose, report or deny it, none of the sentence after it may deny or ask it, and the word right before it has
    to be known. An equation that is an amount in its sentence (`she wants 3*4=13 eggs`) is doubted only by a supposing word right before it, and by
    a denying clause after it.
    """
    if equation.annotation:
        return ""
    prose = ANNOTATION.sub(lambda match: " " * len(match.group()), line)
    sentence = max((each for each in sentences_of(prose) if each.start <= equation.start), key=lambda each: each.start)
    end = max(sentence.end, equation.end)
    before = _JOINT.split(prose[sentence.start : equation.start].rstrip(" $*"))[-1]
    after = prose[equation.end : end]
    words = _WORD.findall(before.lower().replace("’", "'"))
    last = words[-1] if words else ""
    verb = _VERB.match(after)
    counts = verb is None and _counts(equation)
    if last in _STATED and (last == "that" or not counts):
        stated = len(words) == 1 or _STATED[last].search(before) is not None
    else:
        stated = len(last) < 2 or counts or not _KNOWN.isdisjoint(words[-2:]) or before.endswith(":")
    if counts:
        clause = _CLAUSE.search(after)
        before, after = f" {last}", after[clause.start() :] if clause else ""
    words_of_doubt = (_SUPPOSED, _DENIED) if counts else (_SUPPOSED, _DENIED, _REPORTED)
    doubted = [pattern.search(before) for pattern in words_of_doubt]
    doubted += [
        _DENIED.search(after),
        _MARK.search(prose, sentence.start, end),
        _TURNING.search(prose, sentence.start),
        verb,
    ]
    return "" if stated and not any(doubted) else REJECTED


def takes_back(text: str) -> bool:
    """Tell whether a text begins a clause with a word such as `Wait` or `Sorry`, or says that something is wrong."""
    return _TURNING.search(text) is not None or _DENIED.search(text) is not None


def _counts(equation: StatedEquation) -> bool:
    """Tell whether a noun follows the number on the right, `5 eggs` or `5 of the eggs`, so that the equation is an amount of things."""
    unit = next((number.unit for number in numbers(equation.right) if number.unit), "")
    return bool(unit) and (unit == "of" or unit not in FUNCTION_WORDS or unit in FINITE)


def holds_by_convention(equation: StatedEquation, text: str) -> bool:
    """Tell whether an equation may hold by a convention that a problem or a solution states.

    Where numbers start anew at a modulus or on a clock, it holds at that modulus; in a text with digits, signs or rounding of its own none is judged.
    """
    left, right, moduli = equation.left.value, equation.right.value, _moduli_of(text)
    if left is None or right is None or moduli is None:
        return True
    return any((Fraction(left) - right) % modulus == 0 and 0 <= right <= modulus for modulus in moduli)


@lru_cache(maxsize=1_024)
def _moduli_of(text: str) -> frozenset[int] | None:
    """Return the numbers at which a text counts anew, `None` where its digits, signs or rounding are its own."""
    if _OWN.search(text) or any(
        {match[1], match[2]} <= set(_LONG_WORD.split(match[3])[0]) for match in _DEFINITION.finditer(text)
    ):
        return None
    stated = {int(match[1]) for match in _MODULUS.finditer(text)} - {0, 1}
    return frozenset(stated | {modulus for modulus, cue in _CYCLES.items() if cue.search(text)})
