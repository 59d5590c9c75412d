"""The overlap of the words that tell inputs of equal value apart: `hours_saturday` and `sat`, `week_1` and `first_week`."""

from collections.abc import Sequence

from harness.domain import Parameter
from harness.text.lexicon import english
from harness.text.names import is_initials, name_parts, without_ordinal_endings
from harness.text.nouns import singular_noun
from harness.text.numbers import ORDINALS, UNITS

# The similarity of two words: the same word, its first three letters, its first two, its initial, an abbreviation.
SAME, BEGINNING, SHORT_BEGINNING, INITIAL, ABBREVIATION = 1.0, 0.9, 0.7, 0.3, 0.6
_LEAST_BEGINNING = 3
_LISTS = english("word_overlap")
_EMPTY = _LISTS.words("empty")
_SYNONYMS: dict[str, str] = _LISTS.mapping("synonyms")
_NUMBERS = {word: str(number) for number, word in enumerate(ORDINALS, start=1)} | {
    word: str(number) for word, number in UNITS.items()
}


def word_overlaps(left: Sequence[Parameter], right: Sequence[Parameter]) -> list[list[float]]:
    """Return for each input of the left and each of the right how far the words that tell them apart overlap, 0 to 1.

    A word that all inputs of one side have says nothing about which is which, and is left out. Numbers in names count
    where they number all inputs of either side. Two inputs of one name overlap fully.
    """
    sides = [_parameter_words(parameter) for parameter in left], [_parameter_words(parameter) for parameter in right]
    numbered = all(len(words) > 1 and all(map(_has_number, words)) for words in sides)
    first, second = (_telling_words(words, numbered=numbered) for words in sides)
    return [
        [
            SAME if parameter.name.lower() == other.name.lower() else _overlap(words, others)
            for other, others in zip(right, second, strict=True)
        ]
        for parameter, words in zip(left, first, strict=True)
    ]


def is_terse(parameter: Parameter) -> bool:
    """Tell whether a name is made of initials and numbers only, without a comment: its embedding means nothing."""
    return not parameter.comment and is_initials(parameter.name)


def shares_word(left: Parameter, right: Parameter) -> bool:
    """Tell whether two inputs have a word or number in common, or words that begin alike: `off_1` and `leave_first` do."""
    return bool(_parameter_words(left) & _parameter_words(right)) or word_overlaps([left], [right])[0][0] > 0


def words_of_text(text: str) -> frozenset[str]:
    """Return the words of a name or a text that say something, in the singular; `push-ups` is one word, as `pushups`."""
    words = frozenset(_normal_word(word) for word in name_parts(text.replace("-", "").lower()))
    return frozenset(word for word in words - _EMPTY if not word.isdigit())


def _has_number(words: frozenset[str]) -> bool:
    return any(word.isdigit() for word in words)


def _telling_words(inputs: Sequence[frozenset[str]], *, numbered: bool) -> list[frozenset[str]]:
    shared = frozenset.intersection(*inputs) if len(inputs) > 1 else frozenset[str]()
    return [frozenset(word for word in own - shared if numbered or not word.isdigit()) for own in inputs]


def _parameter_words(parameter: Parameter) -> frozenset[str]:
    """Return the words of the name, numbers included, and those of the comment; its numbers speak of the value."""
    name = [_normal_word(word) for word in name_parts(without_ordinal_endings(parameter.name))]
    comment = [_normal_word(word) for word in name_parts(parameter.comment)]
    kept = [word for word in name if len(word) == 1 or word not in _EMPTY]
    kept += [word for word in comment if word not in _EMPTY and not word.isdigit()]
    return frozenset(kept or name)


def _normal_word(word: str) -> str:
    single = singular_noun(word) if len(word) > _LEAST_BEGINNING else word
    return _NUMBERS.get(word) or _SYNONYMS.get(word, _SYNONYMS.get(single, single))


def _overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the share of the words of the poorer side that the richer side has, each as far as they match."""
    poor, rich = sorted((left, right), key=lambda words: (len(words), sorted(words)))
    if not poor:
        return 0.0
    return round(sum(max(_word_similarity(word, other) for other in rich) for word in poor) / len(poor), 4)


def _word_similarity(left: str, right: str) -> float:
    if left == right:
        return SAME
    short, long = sorted((left, right), key=len)
    if short.isdigit() or long.isdigit() or short[0] != long[0]:
        return 0.0
    if long.startswith(short):
        return BEGINNING if len(short) >= _LEAST_BEGINNING else SHORT_BEGINNING if len(short) > 1 else INITIAL
    letters = iter(long)
    # `wk` is a week and `hr` an hour, but `pc` is no pack.
    whole = len(short) >= _LEAST_BEGINNING or (len(short) > 1 and short[-1] == long[-1])
    abbreviates = whole and len(long) > len(short) + 1 and all(letter in letters for letter in short)
    return ABBREVIATION if abbreviates else 0.0
