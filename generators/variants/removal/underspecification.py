"""The constraints that an edited question still states, and values that show that its answer is open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import EditedQuestion
from generators.variants.question.vague_context import dollar_sign
from generators.variants.removal.dispensable_statements import QuestionStatement, owner_of
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintSystem, Fact
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import propagate
from harness.text.nouns import phrase_at
from harness.text.sentences import sentences_of
from harness.text.units import TIMES

_MORE_THAN = re.compile(r"(?: [a-z-]+){0,4} than (?!(?:he|she|they|it)\b)[a-zA-Z]+")
_WHAT_IS_LEFT = re.compile(r"\b(?:change|left|remain(?:s|ed|ing)?)\b[^.?!]*\?")
_TOTAL = re.compile(r"\b(?:total|in all|altogether|all together|combined)\b", re.IGNORECASE)
_EXCEPTION = re.compile(r"\b(?:except|but|only|instead|others?|another|more|less|fewer)\b", re.IGNORECASE)
_PARTS = ((1, 2), (1, 4), (1, 3), (3, 4), (2, 3), (1, 5), (2, 5), (1, 6), (1, 8), (1, 10), (1, 7), (1, 9), (1, 12))
_PERCENTAGES = (10, 20, 25, 50, 40, 75, 5, 30, 60, 80, 15)


def system_without(
    subject: VariantSubject,
    edited: EditedQuestion,
    gone: frozenset[str],
    restated: Mapping[str, tuple[int, int]] | None = None,
) -> ConstraintSystem | None:
    """Return what an edited text states: the constraints without the facts about the `gone` variables.

    `restated` are the spans in the edited text of values that an edit rewrites. `None` if an edit touched another fact.
    """
    facts: list[Fact] = []
    sentences = sentences_of(edited.text)
    for fact in subject.system.facts:
        if fact.variable in gone:
            continue
        if fact.span is None:
            facts.append(fact)
            continue
        span = (restated or {}).get(fact.variable) or edited.moved(*fact.span)
        if span is None:
            return None
        words = next((sentence.text for sentence in sentences if sentence.start <= span[0] < sentence.end), fact.words)
        facts.append(replace(fact, span=span, words=words))
    system = replace(subject.system, facts=tuple(facts))
    known = {*system.variables}
    bounds = [bound for bound in system.bounds if bound.variable in known]
    bounds = [bound for bound in bounds if not isinstance(bound.limit, str) or bound.limit in known]
    return replace(system, bounds=tuple(bounds))


def witnesses(
    subject: VariantSubject, system: ConstraintSystem, places: Sequence[NumberPlace]
) -> tuple[Mapping[str, Exact], ...]:
    """Return values of the free variables, the problem's own and others nearby, that give different answers.

    One of the places must matter: the answer changes with its value, whichever of its variables the text there gives. Nothing
    is returned where none does, or where no other values lie within all bounds.
    """
    own = {name: subject.values[name] for name in system.free}
    values = _completed(system, own)
    if not own or values is None or values[system.answer] != subject.values[system.answer]:
        return ()
    for place in places:
        if own.keys() >= {*place.variables}:
            others = [_other(subject, system, own, place, names) for names in _choices(place)]
            if None not in others and others[0] is not None:
                return own, others[0]
    return ()


def _choices(place: NumberPlace) -> Iterator[tuple[str, ...]]:
    """Yield the variables of a place together, and each alone, since the number may be meant for one of them only."""
    if place.rewritable or len(place.variables) == 1:
        yield place.variables
    if len(place.variables) > 1:
        yield from ((name,) for name in place.variables)


def _other(
    subject: VariantSubject,
    system: ConstraintSystem,
    own: Mapping[str, Exact],
    place: NumberPlace,
    names: tuple[str, ...],
) -> Mapping[str, Exact] | None:
    """Return values of the free variables with others for some, preferably such that all that was whole stays whole."""
    answer = subject.values[system.answer]
    spare: Mapping[str, Exact] | None = None
    for value in alternatives(subject, place, names[0]):
        free = {**own, **dict.fromkeys(names, value)}
        values = _completed(system, free)
        if values is None or values[system.answer] == answer or not _sensible(subject, values):
            continue
        if all(values[name].denominator == 1 for name in values if subject.values[name].denominator == 1):
            return free
        spare = spare or free
    return spare


def _completed(system: ConstraintSystem, free: Mapping[str, Exact]) -> Mapping[str, Exact] | None:
    try:
        values = system.complete(free)
    except (Refusal, ProgramError):
        return None
    return values if system.violated(values) is None else None


def _sensible(subject: VariantSubject, values: Mapping[str, Exact]) -> bool:
    """Tell whether no value became negative or zero that was not so in the problem."""
    return all(value > 0 or subject.values[name] <= 0 for name, value in values.items())


def alternatives(subject: VariantSubject, place: NumberPlace, name: str) -> Iterator[Exact]:
    """Yield other values that a variable of a place could as well have, the most likely first, none of them negative."""
    value = subject.values[name]
    percent = "%" in place.form.after or "percent" in place.form.after
    if 0 < value < 1 or (subject.units[name].quantity is Quantity.SHARE and value < 1):
        hundredths = [Fraction(percentage, 100) for percentage in _PERCENTAGES] if place.form.scale == 100 else []
        yield from (part for part in (*hundredths, *(Fraction(*part) for part in _PARTS)) if part != value)
    elif percent:
        scale = 1 if place.form.scale == 1 else 100
        yield from (Fraction(percentage, scale) for percentage in _PERCENTAGES if percentage != value)
    elif value.denominator == 1:
        yield from _wholes(int(value))
    else:
        part = Fraction(1, value.denominator)
        changes = (Fraction(1), Fraction(-1), Fraction(2), part, -part, Fraction(5))
        yield from (value + change for change in changes if value + change > 0)


def _wholes(value: int) -> Iterator[int]:
    size = next((size for size in (1000, 100, 10, 5) if value % size == 0 and value > size), 1)
    steps = chain.from_iterable((value + step * size, value - step * size) for step in range(1, 9))
    multiples = (value * factor for factor in (2, 3, 4, 5, 7, 13))
    near = (value + 1, value - 1, value + 6, value + 12)
    least = min(value, 2)
    yield from dict.fromkeys(
        number for number in (*steps, *multiples, *near) if number >= least and number > 0 and number != value
    )


def leaves_sum(subject: VariantSubject, gone: Sequence[NumberPlace]) -> bool:
    """Tell whether a total is asked for, and the rest has two amounts of its unit that no step adds: a reader may add them.

    `He has 130 ounces of milk and 60 ounces of syrup. How many ounces will he drink in total?`, once nobody tells what a glass takes.
    """
    question, unit = subject.question, subject.units[subject.system.answer]
    if not any(_TOTAL.search(sentence.text) for sentence in question.sentences if sentence.asks):
        return False
    amounts = [
        place
        for place in question.places
        if place not in gone
        and not _compares(subject, place)
        and any(subject.units[name] == unit for name in place.variables)
    ]
    names = {name for place in amounts for name in place.variables}
    added = any(
        isinstance(node, ir.Binary) and node.operator == "+" and not names.isdisjoint(ir.names_in_order(node))
        for step in subject.system.steps
        for _, node in nodes(step.expression)
    )
    return len(amounts) > 1 and not added


def is_missed(
    subject: VariantSubject, place: NumberPlace, statement: QuestionStatement, gone: Sequence[NumberPlace]
) -> bool:
    """Tell whether a reader of a question without a statement must ask for the value of a place in it.

    `gone` are all places of the statement.
    """
    factor = is_factor(subject, place, gone) and not is_repetition_count(subject, place)
    return statement.missed(factor=factor) or is_base_of_rest(subject, place, statement, gone)


def is_base_of_rest(
    subject: VariantSubject, place: NumberPlace, statement: QuestionStatement, gone: Sequence[NumberPlace]
) -> bool:
    """Tell whether numbers of the rest are taken from, are shares of, or compare with a value that the rest still mentions."""
    if _EXCEPTION.search(statement.words) or not _is_spoken_of(subject, place, statement):
        return False
    if is_repetition_count(subject, place) and _answers_for_one(subject, place, gone):
        return False
    return is_missed_base(subject, place, gone) and not leaves_answer(subject, place, gone)


def _answers_for_one(subject: VariantSubject, place: NumberPlace, gone: Sequence[NumberPlace]) -> bool:
    """Tell whether the value for one thing is still added to or compared with other remaining numbers, and gives an answer.

    `Each kid waits 2 minutes for the swings and 15 seconds for the slide` has an answer of its own even without the
    number of kids. `gone` are all places that are no longer there, this one among them.
    """
    left = {name for other in subject.question.places if other not in gone for name in other.variables}
    reached = set(place.variables)
    rests = {name: {name} & left for name in subject.values}
    combined = False
    for step in subject.system.steps:
        read = list(ir.names_in_order(step.expression))
        rests[step.variable] = set().union(*(rests[name] for name in read))
        for _, node in nodes(step.expression):
            match node:
                case ir.Binary("+" | "-", first, second):
                    sides = [
                        set().union(*(rests[name] for name in ir.names_in_order(side))) for side in (first, second)
                    ]
                    product = not reached.isdisjoint(ir.names_in_order(node))
                    combined = combined or (product and all(sides) and sides[0] != sides[1])
        reached |= set() if reached.isdisjoint(read) else {step.variable}
    if not combined:
        return False
    try:
        values = propagate(subject.source.trace, place.variables[0], 1).values
    except (Refusal, ProgramError):
        return False
    return all(value >= 0 or subject.values[name] < 0 for name, value in values.items())


def _is_spoken_of(subject: VariantSubject, place: NumberPlace, statement: QuestionStatement) -> bool:
    """Tell whether the rest of a question still mentions what a number counts, or the subject of its statement."""
    text = subject.question.text
    phrase = None if dollar_sign(text, place.start) else phrase_at(text, place.end)
    if phrase is not None and phrase.noun not in TIMES:
        return re.search(rf"\b{re.escape(phrase.noun)}", statement.rest) is not None
    if phrase is None and _WHAT_IS_LEFT.search(statement.behind):
        return True
    owner = owner_of(statement.words)
    return bool(owner) and re.search(rf"\b{re.escape(owner)}", statement.rest) is not None


def is_factor(subject: VariantSubject, place: NumberPlace, gone: Sequence[NumberPlace]) -> bool:
    """Tell whether a step multiplies or divides by the value of a place, and the rest gives no answer of its own.

    `gone` are all places that are no longer there, this one among them.

    The rest would where a term of a sum goes and leaves no trace. It does not where all that is left needs the value, or where
    another number of the question is left with no use: `4 cakes`, without `each makes 6 slices`.
    """
    multiplies = any(
        isinstance(node, ir.Binary) and node.operator in {"*", "/"} and ir.Name(name) in {node.left, node.right}
        for step in subject.system.steps
        for _, node in nodes(step.expression)
        for name in place.variables
    )
    return multiplies and not leaves_answer(subject, place, gone)


def is_missed_base(subject: VariantSubject, place: NumberPlace, gone: Sequence[NumberPlace]) -> bool:
    """Tell whether a step takes from, multiplies or compares with the value of a place, or with a result of it alone.

    A removed term of a sum leaves no trace: the rest has a sum, too. A reader asks for the quantity that a number of
    the text is taken from, is a share of, or exceeds.
    """
    lost = {name for other in gone for name in other.variables}
    own = set(place.variables)
    for step in subject.system.steps:
        read = set(ir.names_in_order(step.expression))
        if own.isdisjoint(read):
            continue
        if read <= own | lost:
            own.add(step.variable)
        else:
            needing = [node for _, node in nodes(step.expression) if _needs(subject, node, own, own | lost)]
            factor = all(isinstance(node, ir.Binary) and node.operator in {"*", "/"} for node in needing)
            if needing and not (factor and _is_term(subject, step.variable)):
                return True
    return False


def _is_term(subject: VariantSubject, variable: str) -> bool:
    """Tell whether a value is only added to others or taken from them, so that it leaves no trace where it goes."""
    reading = [
        node
        for step in subject.system.steps
        for _, node in nodes(step.expression)
        if isinstance(node, ir.Binary) and ir.Name(variable) in {node.left, node.right}
    ]
    terms = [node.operator == "+" or (node.operator == "-" and node.right == ir.Name(variable)) for node in reading]
    return bool(terms) and all(terms)


def _needs(subject: VariantSubject, node: object, own: set[str], lost: set[str]) -> bool:
    """Tell whether an operation of a lost value and another one gives nothing without the lost value."""
    match node:
        case ir.Binary("*" | "/", ir.Name(left), ir.Name(right)):
            return (left in own) != (right in own) and not {left, right} <= lost
        case ir.Binary("-", ir.Name(left), right):
            return left in own and not lost.issuperset(ir.names_in_order(right))
        case ir.Binary("+", ir.Name(left), ir.Name(right)) | ir.Binary("-", ir.Name(right), ir.Name(left)):
            other = right if left in own else left
            compared = subject.question.place_of.get(other)
            return other not in lost and compared is not None and _compares(subject, compared)
    return False


def _compares(subject: VariantSubject, place: NumberPlace) -> bool:
    """Tell whether a number says by how much one thing exceeds another, `5 more games than`."""
    sentence = subject.question.sentence_at(place.start)
    behind = "" if sentence is None else sentence.text[place.end - sentence.start :]
    return _MORE_THAN.match(behind) is not None


def is_repetition_count(subject: VariantSubject, place: NumberPlace) -> bool:
    """Tell whether the value of a place only multiplies something of the same kind: without `2 flights a day` there is one."""
    units = subject.units
    for step in subject.system.steps:
        match step.expression:
            case ir.Binary("*", ir.Name(name), ir.Name(other)) if name in place.variables or other in place.variables:
                alike, product_unit = units[other if name in place.variables else name], units[step.variable]
                if alike.noun and alike.noun == product_unit.noun and alike.quantity is product_unit.quantity:
                    return True
    return False


def leaves_answer(subject: VariantSubject, place: NumberPlace, gone: Sequence[NumberPlace]) -> bool:
    """Tell whether the rest of a solution would still work out something without the value of a place, and all of its numbers."""
    trace, answer = subject.source.trace, subject.system.answer
    readers = {entry.variable for entry in trace.entries if not {*place.variables}.isdisjoint(entry.reads)}
    reaching = {answer} - readers
    for entry in reversed(trace.entries):
        if entry.variable in reaching:
            reaching.update(name for name in entry.reads if name not in readers)
    others = [other for other in subject.question.places if other not in gone]
    used = [other for other in others if not reaching.isdisjoint(other.variables)]
    needed = [other for other in others if any(_reaches(subject, name) for name in other.variables)]
    return bool(used) and len(used) == len(needed)


def _reaches(subject: VariantSubject, name: str) -> bool:
    return subject.system.answer in subject.source.trace.descendants(name)
