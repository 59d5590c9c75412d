"""Numbers of a question that its other words, other numbers or common knowledge give as well, so that none of them can change alone."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from generators.flaws.mutation_operator import summands
from generators.flaws.solution.quantity_units import Quantity
from generators.variants.input_places import NumberPlace
from generators.variants.values.solution_wording import SolutionWording, constants_of
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.program import ir
from harness.solution.trace import VariableRole
from harness.text.lexicon import english
from harness.text.nouns import singular_noun
from harness.text.number_forms import NumberKind
from harness.text.sentences import list_lengths
from harness.text.units import DAYS, FACTS, TIMES, factor
from harness.text.words import plain_words

_LISTS = english("variants")
MOST_LISTED, MOST_TOLD = 10, 6
"""So many things may be listed, and told one by one."""
SMALL_SUM = 9
"""Up to this value, one number of a question may be the sum of two others by chance."""
MOST_NUMBERS = 60
_MINUTES = factor("minute", "hour")
_PAIRS = (("day", "week"), ("month", "year"), ("hour", "day"), ("week", "year"), ("minute", "hour"))
_CYCLES = frozenset({*DAYS["month"], *DAYS["year"], *(factor(small, large) for small, large in _PAIRS)})
_ONE_BY_ONE, _BOTH, _COIN = (_LISTS.pattern(name, r"\b", r"\b") for name in ("one_by_one", "both", "coins"))


def known_reason(subject: VariantSubject, place: NumberPlace) -> str:
    """Return why a number can have no other value than its own, an empty text where it can."""
    text, value, name = subject.question.text, place.value, place.variables[0]
    sentence = subject.question.words_at(place.start, place.end)
    if any(subject.source.trace.by_name[name].role is VariableRole.WORLD_KNOWLEDGE_INPUT for name in place.variables):
        return "the value is common knowledge"
    if subject.units[name].quantity is Quantity.MONEY and _COIN.search(sentence):
        return "a mint decides it"
    following = plain_words(text[place.end : place.end + 30])
    if value in _CYCLES and following and singular_noun(following[0]) in TIMES:
        return "the calendar or the clock gives it"
    words = frozenset(singular_noun(word) for word in plain_words(sentence))
    if any(fact.value == value and any(alternative <= words for alternative in fact.alternatives) for fact in FACTS):
        return "everybody knows it"
    if value.denominator != 1 or not 2 <= value <= MOST_LISTED or subject.units[name].quantity is Quantity.MONEY:
        return ""
    rest = f"{text[: place.start]} {text[place.end :]}"
    if value <= MOST_TOLD and (_ONE_BY_ONE.search(rest) or (value == 2 and _BOTH.search(rest))):
        return "they may be told one by one"
    if value in list_lengths(text):
        return "a list has as many"
    return "the solution has as many terms" if _counts_terms(subject, name, int(value)) else ""


def _counts_terms(subject: VariantSubject, name: str, value: int) -> bool:
    """Tell whether an input is how many summands a step has: the three tests of an average."""
    steps = [subject.source.expression(entry.variable) for entry in subject.source.steps]
    divides = any(isinstance(step, ir.Binary) and step.right == ir.Name(name) for step in steps)
    counts = (len(summands(side)) for step in steps for side in (step, getattr(step, "left", step)))
    return (value > 2 or divides) and value in counts


def determined_inputs(subject: VariantSubject) -> Iterator[str]:
    """Yield the inputs that others of the question may make up or complete, without a step that says so.

    Of a class of 30 with 18 girls and 12 boys none can change alone.
    """
    numbers = [(place.value, place.variables) for place in subject.question.places]
    numbers += [(mention.readings[0], ()) for mention in subject.question.loose]
    if len(numbers) > MOST_NUMBERS:
        yield from (name for _, names in numbers for name in names)
        return
    for some in combinations(sorted(numbers), 3):
        small, middle, large = (value for value, _ in some)
        combined = large > SMALL_SUM and large in {small + middle, small * middle}
        if small != 1 and (combined or (small < 1 and middle > SMALL_SUM and middle == small * large)):
            yield from (name for _, names in some for name in names)


def recovery_reason(subject: VariantSubject, place: NumberPlace) -> str:
    """Return how a reader could still find a place's value after its removal, an empty text where there is no way."""
    question, values = subject.question, subject.values
    own = {place.value, *(values[name] for name in place.variables)}
    known = known_reason(subject, place)
    if known:
        return known
    if _is_repeated(subject, place, own):
        return "the question may say it twice"
    if _is_derivable(subject, place, own) or not {*place.variables}.isdisjoint(determined_inputs(subject)):
        return "other numbers of the question give it"
    depending = {name for variable in place.variables for name in subject.source.trace.descendants(variable)}
    results = {values[name] for name in depending}
    if any(results & set(mention.readings) for mention in question.loose):
        return "the question also states what follows from it"
    return ""


def _is_repeated(subject: VariantSubject, place: NumberPlace, own: set[Exact]) -> bool:
    """Tell whether another number may mean the same: a loose one of its value, or a located one with the same noun."""
    question, span = subject.question, (place.start, place.end)
    equal = (mention for mention in question.mentions if not own.isdisjoint(mention.readings))
    others = (mention for mention in equal if (mention.start, mention.end) != span and mention.readings[0] != 1)
    same_noun = question.surroundings.same_noun
    return any(other in question.loose or same_noun(*span, other.start, other.end) for other in others)


def _is_derivable(subject: VariantSubject, place: NumberPlace, own: set[Exact]) -> bool:
    """Tell whether an unused number of the question and another number give the value by one operation."""
    question, trace = subject.question, subject.source.trace
    unlocated = {subject.values[name] for name in question.unlocated}
    unused = {mention.readings[0] for mention in question.loose} - unlocated - {0, 1}
    depending = {*place.variables, *(name for variable in place.variables for name in trace.descendants(variable))}
    others = {mention.readings[0] for mention in question.mentions if mention.start != place.start}
    others |= {value for name, value in subject.values.items() if name not in depending}
    return any(not own.isdisjoint(results_of(value, other)) for value in unused for other in others)


def results_of(left: Exact, right: Exact) -> set[Exact]:
    """Return the results of one operation on two numbers, in either order."""
    quotients = {Fraction(left) / right, Fraction(right) / left} if left and right else set()
    return {left + right, left - right, right - left, left * right, *quotients}


def fixed_inputs(subject: VariantSubject, wording: SolutionWording) -> frozenset[str]:
    """Return the inputs of a problem that cannot have other values.

    The answer does not depend on them, or a number that cannot be written anew, knowledge, words of the solution, or other numbers of
    the question hold on to them or to what follows from them.
    """
    trace = subject.source.trace
    readings = {reading for mention in subject.question.loose for reading in mention.readings} - {1}
    stated = (name for name, value in subject.values.items() if value in readings)
    stuck = {*hidden_inputs(subject), *wording.held, *stated, *determined_inputs(subject)}
    fixed = {*trace.dead()}
    for name in (entry.variable for entry in subject.source.inputs):
        if not _is_free(subject, name) or not stuck.isdisjoint((name, *trace.descendants(name))):
            fixed.add(name)
    return frozenset(fixed)


def _is_free(subject: VariantSubject, name: str) -> bool:
    """Tell whether a number of the question gives an input alone, can be written anew and is no knowledge."""
    place = subject.question.place_of.get(name)
    if place is None or not place.is_own or place.form.kind is NumberKind.NAMED:
        return False
    whole = place.value == 100 and "%" in place.form.after
    return place.value not in {0, 1} and not whole and not known_reason(subject, place)


def hidden_inputs(subject: VariantSubject) -> Iterator[str]:
    """Yield the inputs from which a number that has no place of its own may have been worked out by the author."""
    source, places = subject.source, subject.question.place_of
    rewritable = {name for name, place in places.items() if place.rewritable}
    unplaced = {entry.value for entry in source.inputs if entry.variable not in rewritable}
    unplaced = (unplaced | constants_of(source)) - {0, 1, 100}
    placed = {entry.variable: entry.value for entry in source.inputs if entry.variable in places}
    for name, value in placed.items():
        made = {*results_of(value, 100), *results_of(value, 1), value, *results_of(value, _MINUTES)}
        made |= {1 - Fraction(value) / 100, 1 + Fraction(value) / 100}
        if not unplaced.isdisjoint(made):
            yield name
    large = {value for value in unplaced if value > 2}
    for (name, value), (other, more) in combinations(placed.items(), 2) if large else ():
        if not large.isdisjoint(results_of(value, more)):
            yield from (name, other)
