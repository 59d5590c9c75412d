"""A question with its numbers, the inputs of the solution that they give, and the inputs that could not be located."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from generators.formalizations.number_assignment import assign, input_description, is_like_known, number_likeness
from harness.domain import Exact
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.number_forms import NumberForm, NumberKind, NumberNotation, written_number
from harness.text.numbers import NumberMention, mentions
from harness.text.sentences import Sentence, sentences_of
from harness.text.words import WordContext, word_context

MOST_NUMBERS = 400
"""In a text with more numbers no input is looked for."""


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

    def write(self, value: Exact) -> str | None:
        """Write another value as this one is written; `None` where that form cannot say it."""
        if not self.rewritable:
            return self.form.named if value == self.value else None
        return self.form.write(value)


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
        spans = [(place.start, place.end) for place in self.places]
        return tuple(
            mention
            for mention in self.mentions
            if not any(start < mention.end and mention.start < end for start, end in spans)
        )

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
    located = _written_inputs(text, numbers, around, given)
    taken = {number for number, _ in located.values()}
    known = [entry for entry in entries if entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT]
    others = _written_inputs(text, numbers, around, known)
    for entry in known:
        name = entry.variable
        if name in others and others[name][0] not in taken and is_like_known(around, numbers[others[name][0]], entry):
            located[name] = others[name]
    unlocated = frozenset(entry.variable for entry in entries) - located.keys()
    return LocatedQuestion(text, numbers, _places(text, numbers, located, entries), unlocated)


def _written_inputs(
    text: str, found: Sequence[NumberMention], around: WordContext, entries: Sequence[TraceEntry]
) -> dict[str, tuple[int, NumberNotation]]:
    """Return for each entry that is found which number gives it, and how it is written there."""
    candidates: dict[str, dict[int, NumberNotation]] = {}
    likenesses = {}
    for entry in entries:
        numbers = {
            number: written
            for number, mention in enumerate(found)
            if (written := written_number(text, mention, entry.value)) is not None
        }
        if numbers:
            description = input_description(entry)
            candidates[entry.variable] = numbers
            likenesses[entry.variable] = {
                number: number_likeness(around, found[number], description) for number in numbers
            }
    assigned = assign(likenesses, {entry.variable: entry.value for entry in entries})
    return {name: (number, candidates[name][number]) for name, number in assigned.items() if number is not None}


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
