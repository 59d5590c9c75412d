"""A question with its numbers, the inputs of the solution that they give, and the clauses that state them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from generators.formalizations.number_assignment import is_like_known, numbers_of_inputs
from harness.domain import Exact
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.lexicon import english
from harness.text.nouns import phrase_at
from harness.text.number_forms import NumberForm, NumberKind, NumberNotation
from harness.text.numbers import NumberMention, mentions
from harness.text.sentences import Sentence, sentences_of
from harness.text.words import WordContext, plain_words, word_context

MOST_NUMBERS = 400
"""In a text with more numbers no input is looked for."""
_LISTS = english("variants")
_CLAUSE_END = _LISTS.pattern("clause_joint", r"[,;:](?=\s)\s*|\s(?=", r"\s)")
_CONDITION = _LISTS.pattern("condition", r"\b", r"\b")
_ASKING = _LISTS.pattern("asking", r"\b", r"\b")
_ASKS = _LISTS.pattern("asks", r"\b", r"\b")
UNSURE_BEFORE = _LISTS.pattern("unsure_before", r"\b", r"\s\$?$")
"""What stands before a number that is not said by itself: `more than 12`, `up to 12`."""
_INEXACT = _LISTS.words("inexact")
"""Words around a number that is not said exactly: `at least 12`, `12 boxes or more`."""


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """A number of the question and the inputs it gives; it stands from `start` to `end`, written in a form.

    A place that is not `rewritable` can be removed, not written anew: `half` where the input is the divisor 2, `2/3` where
    the inputs are 2 and 3. There `value` is what the number plainly says, and the inputs have values of their own.
    """

    variables: tuple[str, ...]
    value: Exact
    start: int
    end: int
    form: NumberForm
    rewritable: bool = True

    @property
    def is_own(self) -> bool:
        """Tell whether it gives one input alone, exactly, and can be written anew."""
        return self.rewritable and len(self.variables) == 1 and not self.form.rounded


@dataclass(frozen=True)
class LocatedQuestion:
    """The text of a question, its numbers, and which inputs of the solution they give.

    `places` are the numbers that give an input, in order; `unlocated` are the other inputs.
    """

    text: str
    mentions: tuple[NumberMention, ...]
    places: tuple[NumberPlace, ...]
    unlocated: frozenset[str]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Return the sentences in order."""
        return sentences_of(self.text)

    @cached_property
    def place_of(self) -> Mapping[str, NumberPlace]:
        """Return the places by variable."""
        return {name: place for place in self.places for name in place.variables}

    @cached_property
    def loose(self) -> tuple[NumberMention, ...]:
        """Return the numbers that give no input."""
        covered = {offset for place in self.places for offset in range(place.start, place.end)}
        return tuple(mention for mention in self.mentions if covered.isdisjoint(range(mention.start, mention.end)))

    @cached_property
    def surroundings(self) -> WordContext:
        """Return the text by its words."""
        return word_context(self.text)

    def sentence_at(self, place: int) -> Sentence | None:
        """Return the sentence that a character stands in."""
        return next((sentence for sentence in self.sentences if sentence.start <= place < sentence.end), None)

    def words_at(self, start: int, end: int) -> str:
        """Return the sentence that a span stands in, the span itself where it stands in none."""
        sentence = self.sentence_at(start)
        return self.text[start:end] if sentence is None else sentence.text


def read_question(text: str, inputs: Iterable[TraceEntry]) -> LocatedQuestion:
    """Locate the inputs of a solution in the question.

    An input is located where a number of the question has its value and the words around it are those of the input's name
    and comment, decisively more so than around any other number of that value.
    """
    numbers = tuple(mentions(text))
    entries = tuple(inputs)
    if len(numbers) > MOST_NUMBERS:
        return LocatedQuestion(text, numbers, (), frozenset(entry.variable for entry in entries))
    around = word_context(text)
    given = [entry for entry in entries if entry.role is not VariableRole.WORLD_KNOWLEDGE_INPUT]
    located = numbers_of_inputs(text, numbers, around, given)
    taken = {number for number, _ in located.values()}
    known = [entry for entry in entries if entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT]
    others = numbers_of_inputs(text, numbers, around, known)
    for entry in known:
        name = entry.variable
        if name in others and others[name][0] not in taken and is_like_known(around, numbers[others[name][0]], entry):
            located[name] = others[name]
    unlocated = frozenset(entry.variable for entry in entries) - located.keys()
    return LocatedQuestion(text, numbers, _places(text, numbers, located, entries), unlocated)


def _places(
    text: str,
    found: Sequence[NumberMention],
    located: Mapping[str, tuple[int, NumberNotation]],
    entries: Sequence[TraceEntry],
) -> tuple[NumberPlace, ...]:
    names: dict[int, list[str]] = {}
    for entry in entries:
        if entry.variable in located:
            names.setdefault(located[entry.variable][0], []).append(entry.variable)
    values = {entry.variable: entry.value for entry in entries}
    places = []
    for number in sorted(names):
        mention, variables = found[number], tuple(names[number])
        first = located[variables[0]][1]
        if first.form is not None and all(located[name][1] == first for name in variables):
            places.append(NumberPlace(variables, values[variables[0]], first.start, first.end, first.form))
            continue
        value = values[variables[0]] if len({values[name] for name in variables}) == 1 else mention.readings[0]
        fixed = NumberForm(NumberKind.NAMED, named=text[mention.start : mention.end])
        places.append(NumberPlace(variables, value, mention.start, mention.end, fixed, rewritable=False))
    return tuple(places)


def clause_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the clause begins and ends that a number of a text stands in, without the mark at its end.

    A word such as `and` with numbers on one side only joins no clauses: `Ann and Tom have 5 pens`, `5 rows of parsley and rosemary`.
    """
    sentence = next((part for part in sentences_of(text) if part.start <= start < part.end), None)
    if sentence is None:
        return start, end
    first, last = sentence.start, sentence.end - sentence.text.endswith((".", "?", "!"))
    numbers = mentions(sentence.text)
    before = sentence.start + min((number.end for number in numbers), default=0)
    after = sentence.start + max((number.start for number in numbers), default=0)
    for match in _CLAUSE_END.finditer(text, sentence.start, sentence.end):
        if match[0].isspace() and not before <= match.start() < after:
            continue
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            last = match.start()
            break
    return first, last


def asks(sentence: Sentence) -> bool:
    """Tell whether a sentence asks for something, be it in its second half."""
    return sentence.asks or _ASKS.search(sentence.text) is not None


def states_number(question: LocatedQuestion, place: NumberPlace) -> bool:
    """Tell whether the sentence of a number states it, be it as a condition of what is asked, and does not ask about it."""
    sentence = question.sentence_at(place.start)
    if sentence is None or not sentence.asks:
        return sentence is not None
    conditions = [match.start() for match in _CONDITION.finditer(question.text, sentence.start, sentence.end)]
    asking = [match.start() for match in _ASKING.finditer(question.text, sentence.start, sentence.end)]
    asked = max((start for start in asking if start < place.start), default=-1)
    return any(asked < start < place.start for start in conditions) or (asked < 0 < len(asking))


def is_exact(question: LocatedQuestion, start: int, end: int) -> bool:
    """Tell whether the words before a number and after what it counts leave it exact."""
    text, sentence, phrase = question.text, question.sentence_at(start), phrase_at(question.text, end)
    if sentence is None or UNSURE_BEFORE.search(text, sentence.start, start) is not None:
        return False
    before = plain_words(text[sentence.start : start])
    after = plain_words(text[end if phrase is None else phrase.end : sentence.end])
    return _INEXACT.isdisjoint([*before[-2:], *after[:2]])
