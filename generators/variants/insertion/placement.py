"""The place of a question where a statement of a result can be put in: all that it mentions is known there and unchanged."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.input_places import LocatedQuestion, asks, clause_around, is_exact
from generators.variants.insertion.quantity_statements import QuantityStatement, statements_of
from generators.variants.variant_operator import DiscardedVariant, VariantDiscard
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.text.lexicon import english
from harness.text.names import capital_words, proper_names
from harness.text.nouns import FUNCTION_WORDS, stem
from harness.text.numbers import NumberMention
from harness.text.sentences import FINITE, Sentence
from harness.text.units import MEASURES, TIMES, WEEKDAYS, factor
from harness.text.words import hyphenated_words

_LISTS = english("variants")
_PAIRS = (("day", "week"), ("month", "year"), ("hour", "day"), ("minute", "hour"))
KNOWN_TO_ALL: frozenset[Exact] = frozenset({*(factor(small, large) for small, large in _PAIRS), 100})
"""Numbers that a problem may use without stating: days of a week, months, hours, minutes, percents."""
_UNITS = TIMES | MEASURES
_COMMON = FUNCTION_WORDS | FINITE | _UNITS | {f"{unit}s" for unit in _UNITS} | _LISTS.words("common")
_OPEN_LIST, _INCOME, _INTENDED = (_LISTS.pattern(name, r"\b", r"\b") for name in ("open_list", "income", "intended"))
COMPARED_BACK = _LISTS.pattern("compared_back", r"\b")
"""A comparison with something that it does not name: `costs $2 less`."""
_ALL, _COMPARING, _HAVING = (_LISTS.words(name) for name in ("everything", "comparing", "having"))
_FAMILIES = [frozenset(family.split()) for family in _LISTS.ordered("pronoun_families")]
_ASKED = {stem(stated): stem(asked) for stated, asked in _LISTS.mapping("asked_as").items()}
_PERIODS = {stem(word) for word in TIMES | _ALL | {day.lower() for day in WEEKDAYS}}


def placed_statements(subject: VariantSubject) -> list[QuantityStatement | DiscardedVariant]:
    """Return the statements that the solution makes of its intermediate results, in order, or why one has no place, of no operator yet."""
    known = {stem(word) for word in hyphenated_words(subject.question.text)}
    return [_placement(subject, statement, known) for statement in statements_of(subject.source).values()]


def _placement(
    subject: VariantSubject, statement: QuantityStatement, known: set[str]
) -> QuantityStatement | DiscardedVariant:
    question, name, text = subject.question, statement.variable, f"{statement.before}{statement.after}"
    strange = _strange_words(text, question.text, known)
    if strange:
        return DiscardedVariant("", name, VariantDiscard.GRAMMAR, strange[0])
    given = _mentions_of(subject, name)
    told = _completing(question, given) if given else None
    if given is None or told is None:
        return DiscardedVariant("", name, VariantDiscard.UNLOCATED)
    if _may_be_more(subject, name, given, hyphenated_words(text)) or COMPARED_BACK.search(text):
        return DiscardedVariant("", name, VariantDiscard.OPEN, text)
    if not _can_follow(question, told, hyphenated_words(text), given):
        return DiscardedVariant("", name, VariantDiscard.NO_PLACE, text)
    timeless = _spans_time(subject, name) and _PERIODS.isdisjoint(map(stem, hyphenated_words(text)))
    if timeless or _is_already_stated(question, text, given):
        return DiscardedVariant("", name, VariantDiscard.STALE, text)
    return replace(statement, end=told.end)


def _may_be_more(
    subject: VariantSubject, variable: str, given: Sequence[Sequence[NumberMention]], statement: Sequence[str]
) -> bool:
    """Tell whether a statement of a result may be heard of something else, or of more than the question says.

    So may what rests on a number that is not said exactly, an income, a payment or a price that a later step changes, what somebody only intends, a sum of a list left open or of unnamed things,
    and a sum of three or more that does not say that it is one.
    """
    trace, question = subject.source.trace, subject.question
    sums: dict[str, int] = {}
    for name in (step.variable for step in subject.source.steps):
        if variable in {name, *trace.descendants(name)}:
            parts = [node for _, node in nodes(subject.source.expression(name)) if isinstance(node, ir.Binary)]
            sums[name] = sum(part.operator == "+" for part in parts)
    words = " ".join(question.words_at(mention.start, mention.end) for meant in given for mention in meant)
    unit = subject.units[variable]
    income = _INCOME.search(f"{words} {subject.line_of(variable)}") is not None
    paid = unit.quantity is Quantity.MONEY and (income or _is_changed_later(subject, variable))
    inexact = any(not is_exact(question, mention.start, mention.end) for meant in given for mention in meant)
    unsaid_sum = sums[variable] > 1 and _ALL.isdisjoint(statement)
    open_sum = any(sums.values()) and (_OPEN_LIST.search(words) is not None or not unit.noun)
    return paid or inexact or unsaid_sum or open_sum or _INTENDED.search(words) is not None


def _is_changed_later(subject: VariantSubject, variable: str) -> bool:
    """Tell whether a later step takes something from an amount, or adds what follows from it, as a discount and a tax do."""
    following = {variable, *subject.source.trace.descendants(variable)}
    for step in subject.source.steps:
        match step.expression:
            case ir.Binary("-", ir.Name(left), _) if left == variable:
                return True
            case ir.Binary("+" | "*", ir.Name(left), ir.Name(right)) if variable in {left, right}:
                kinds = {subject.units[name].quantity for name in (left, right)}
                if {left, right} <= following or Quantity.SHARE in kinds:
                    return True
    return False


def _strange_words(words: str, text: str, known: set[str]) -> list[str]:
    """Return the words of a statement that are neither common nor of its problem, and its names that the problem does not have."""
    unknown = [word for word in hyphenated_words(words) if word not in _COMMON and stem(word) not in known]
    return [*unknown, *sorted(capital_words(words[1:]) - capital_words(text))]


def _mentions_of(subject: VariantSubject, variable: str) -> list[list[NumberMention]] | None:
    """Return the numbers of the question that may give each input below a variable; `None` where one of them is nowhere given.

    World knowledge, such as the seven days of a week, need not be given.
    """
    question, trace, given = subject.question, subject.source.trace, []
    for entry in subject.source.inputs:
        if variable not in trace.descendants(entry.variable):
            continue
        meant = [mention for mention in question.mentions if entry.value in mention.readings]
        place = question.place_of.get(entry.variable)
        if place is not None:
            meant = [mention for mention in meant if mention.start < place.end and place.start < mention.end]
        if meant:
            given.append(meant)
        elif entry.value not in KNOWN_TO_ALL:
            return None
    return given


def _completing(question: LocatedQuestion, given: Sequence[Sequence[NumberMention]]) -> Sentence | None:
    """Return the sentence that completes what is given; `None` where no sentence before what is asked does."""
    told, last = [sentence for sentence in question.sentences if not asks(sentence)], []
    for meant in given:
        starts = [mention.start for mention in meant]
        last += [[part for part in told if any(part.start <= start < part.end for start in starts)][-1:]]
    completing = [holding[0] for holding in last if holding]
    if len(completing) < len(given):
        return None
    latest = max(completing, key=lambda sentence: sentence.start)
    return latest if latest.text.endswith((".", "!")) else None


def _can_follow(
    question: LocatedQuestion, sentence: Sentence, statement: list[str], given: Sequence[Sequence[NumberMention]]
) -> bool:
    """Tell whether a statement of what is given can stand after a sentence, and is then about nothing else.

    Where that sentence counts something else after what the statement is about, or the statement says what somebody has
    by then, a word of it must be about its own numbers only. A statement of a total, or of what is left, must be about all
    numbers so far.
    """
    own = {mention.start for meant in given for mention in meant}
    told = [mention for mention in question.mentions if mention.start < sentence.end]
    others = [mention for mention in told if mention.start not in own]
    if not _ALL.isdisjoint(statement) and others:
        return False
    last = max((mention.start for mention in told if mention.start in own), default=0)
    counted_after = any(other.start > max(last, sentence.start) for other in others)
    if counted_after or (others and not _HAVING.isdisjoint(statement)):
        said = _clause_stems(question, (mention for mention in told if mention.start in own))
        elsewhere = _clause_stems(question, others)
        if {stem(word) for word in statement if word not in _COMMON}.isdisjoint(said - elsewhere):
            return False
    return _pronouns_are_clear(question, sentence, statement)


def _pronouns_are_clear(question: LocatedQuestion, sentence: Sentence, statement: list[str]) -> bool:
    """Tell whether each pronoun of a statement follows a name, or goes on with a pronoun of the sentence before."""
    before, names = hyphenated_words(sentence.text), proper_names(question.text)
    for place, word in enumerate(statement):
        family = next((family for family in _FAMILIES if word in family), None)
        if family is not None and names.isdisjoint(statement[:place]) and family.isdisjoint(before):
            known = not family.isdisjoint(hyphenated_words(question.text)) and word not in _FAMILIES[-1]
            return known and len(names) < 2
    return True


def _clause_stems(question: LocatedQuestion, mentions: Iterable[NumberMention]) -> set[str]:
    clauses = (question.text[slice(*clause_around(question.text, one.start, one.end))] for one in mentions)
    return {stem(word) for clause in clauses for word in hyphenated_words(clause)}


def _is_already_stated(question: LocatedQuestion, statement: str, given: Sequence[Sequence[NumberMention]]) -> bool:
    """Tell whether a clause of the question says the same words with a number of its own, or asks for them.

    The statement would be heard as that: `She spends 35 minutes cooking` in a week as another number, where the problem says that
    she spends five minutes cooking a day. So would `Ted plants 100 seeds` in the morning where `Ted plants 20 seeds fewer than Mike`
    later; a comparison that gives the statement says no other number.
    """
    words = [stem(word) for word in hyphenated_words(statement) if word not in FUNCTION_WORDS]
    meant, own = {*words}, {mention.start for mentions in given for mention in mentions}
    comparing = {stem(word) for word in _COMPARING}
    for mention in question.mentions:
        first, last = clause_around(question.text, mention.start, mention.end)
        clause = [stem(word) for word in hyphenated_words(question.text[first:last])]
        following = iter(clause)
        in_order = own.isdisjoint(range(first, last)) and all(word in following for word in words)
        if in_order or (meant.issubset(clause) and comparing.isdisjoint(clause)):
            return True
    asked, questions = {_ASKED.get(word, word) for word in meant}, filter(asks, question.sentences)
    return any(asked <= {stem(word) for word in hyphenated_words(sentence.text)} for sentence in questions)


def _spans_time(subject: VariantSubject, variable: str) -> bool:
    """Tell whether a variable is worked out by multiplying with a length of time: it is then what comes of a whole period."""
    expression = subject.source.expression(variable)
    every = [node for _, node in nodes(expression)]
    times = any(isinstance(node, ir.Binary) and node.operator == "*" for node in every)
    known = any(isinstance(node, ir.Const) and node.value in KNOWN_TO_ALL for node in every)
    return times and (known or any(subject.units[name].noun in TIMES for name in ir.names_in_order(expression)))
