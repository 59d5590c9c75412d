"""The assignment of inputs to numbers of the question, by one score of the words around numbers and of names and comments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.domain import Exact
from harness.solution.trace import TraceEntry
from harness.text.number_forms import NumberNotation, is_part, is_quantity, number_notation
from harness.text.numbers import MULTIPLES, NumberMention, mentions
from harness.text.words import FARTHEST, LIGHT, WordContext, content_words, without_s, word_context

STOPS = frozenset([".", "?", "!", ";"])
LONGEST_COMMENT = 2_000
DECISIVE = 1.5
"""The margin by which the words must favour one number over another."""
ENOUGH = 2.5
"""The least support of the words for a number that an input may mean."""
_UNTOLD, _UNLIKE = -8.0, 4.0
"""The likeness to a number of which the comment of an input says nothing, and what it loses by a dollar sign or as a part alone."""


@dataclass(frozen=True)
class InputDescription:
    """What is known of an input: the words of its name and comment, and the number with its surroundings where the comment has it.

    `head` are the words for what it counts.
    """

    words: frozenset[str]
    head: frozenset[str]
    anchors: tuple[tuple[NumberMention, tuple[str, ...], tuple[str, ...]], ...] = ()


def input_description(entry: TraceEntry) -> InputDescription:
    """Read the name and the comment of an input."""
    comment = entry.comment[:LONGEST_COMMENT]
    named = [without_s(word) for word in entry.variable.lower().split("_") if word and not word.isdigit()]
    around = word_context(comment)
    anchors = tuple(
        (mention, around.before(mention.start), around.after(mention.end))
        for mention in mentions(comment)
        if number_notation(comment, mention, entry.value) is not None
    )
    words = content_words(f"{comment} {' '.join(named)}")
    head = frozenset(named[: named.index("per")] if "per" in named else named) - LIGHT
    return InputDescription(words, head, anchors)


@dataclass(frozen=True, slots=True)
class NumberLikeness:
    """The likeness of an input and a number; `quoted` where its whole comment stands around that number."""

    score: float
    quoted: bool


def number_likeness(question: WordContext, mention: NumberMention, told: InputDescription) -> NumberLikeness:
    """Return the likeness of an input and a number of the question, by their words."""
    before, after = question.before(mention.start), question.after(mention.end)
    best, quoted = _UNTOLD if told.anchors else 0.0, False
    for anchor, left, right in told.anchors:
        lefts, rights = _run(before, left), _run(after, right)
        same = anchor.text.lower() == mention.text.lower()
        whole = lefts == min(len(left), FARTHEST) and rights == min(len(right), FARTHEST)
        quoted = quoted or (whole and same and len(left) + len(right) > 0)
        score = 2 * (lefts + rights) + (0 if not same else 1 if anchor.text.isalnum() else ENOUGH)
        unlike = left[:1] != before[:1] and "$" in {*left[:1], *before[:1]}
        best = max(best, score - (_UNLIKE if unlike or is_part(anchor) != is_part(mention) else 0))
    sides = [_same_sentence(before), _same_sentence(after)]
    distances = [distance for side in sides for distance, word in enumerate(side) if word in told.words]
    near = sum(1.0 if distance < 6 else 0.3 for distance in distances)
    in_sentence = len(told.head.intersection([*sides[0], *sides[1]]))
    return NumberLikeness(best + near + (not told.head.isdisjoint(counted(after))) + in_sentence, quoted)


def _run(words: Sequence[str], others: Sequence[str]) -> int:
    """Return how many words are the same from the start."""
    differing = (place for place, pair in enumerate(zip(words, others, strict=False)) if pair[0] != pair[1])
    return next(differing, min(len(words), len(others)))


def _same_sentence(words: Sequence[str]) -> Sequence[str]:
    return words[: next((place for place, word in enumerate(words) if word in STOPS), len(words))]


def counted(after: Sequence[str]) -> frozenset[str]:
    """Return the first one or two words of weight after a number, up to the next number or sign."""
    found: list[str] = []
    for word in after[:4]:
        if not word.isalpha() or len(found) == 2:
            break
        found += [] if word in LIGHT else [word]
    return frozenset(found)


def is_like_known(question: WordContext, mention: NumberMention, entry: TraceEntry) -> bool:
    """Tell whether a number of the question can be what a solution calls world knowledge: `half` as the divisor 2, or what it quotes."""
    named = is_part(mention) or mention.text.lower() in MULTIPLES
    return named or number_likeness(question, mention, input_description(entry)).quoted


def numbers_of_inputs(
    text: str, found: Sequence[NumberMention], around: WordContext, entries: Sequence[TraceEntry]
) -> dict[str, tuple[int, NumberNotation]]:
    """Return for each input that is found which of the numbers of a question gives it, and how it is written there.

    An input takes the number that is decisively likelier than all others. Inputs of one value share a number only where each of them
    quotes it; those of different values, such as 2 and 3, can share `2/3`.
    """
    quantities = [number for number, mention in enumerate(found) if is_quantity(text, mention)]
    located: dict[str, tuple[int, NumberNotation]] = {}
    takers: dict[tuple[int, Exact], dict[str, bool]] = {}
    for entry in entries:
        read = {number: number_notation(text, found[number], entry.value) for number in quantities}
        notations = {number: notation for number, notation in read.items() if notation is not None}
        described = input_description(entry)
        likenesses = {number: number_likeness(around, found[number], described) for number in notations}
        number = _decisive(likenesses) if likenesses else None
        if number is not None:
            located[entry.variable] = number, notations[number]
            takers.setdefault((number, entry.value), {})[entry.variable] = likenesses[number].quoted
    shared = (quoted for quoted in takers.values() if len(quoted) > 1)
    rivals = {name for quoted in shared for name, quotes in quoted.items() if not quotes}
    return {name: place for name, place in located.items() if name not in rivals}


def _decisive(scores: Mapping[int, NumberLikeness]) -> int | None:
    """Return the number that the words favour, `None` where they do not tell."""
    best, *others = sorted(scores, key=lambda number: (-scores[number].score, number))
    decisive = not others or scores[others[0]].score <= scores[best].score - DECISIVE
    return best if decisive and scores[best].score >= ENOUGH else None
