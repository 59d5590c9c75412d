"""The re-check of a flawed solution line by line against the correct one: the same words, and numbers that follow the values.

Where one step has another expression, the words of its line may follow the operation, and those of its equation may go.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.labels import FINAL_ANSWER
from harness.text.characters import quoted
from harness.text.nouns import singular_noun, singular_of
from harness.text.numbers import NUMERAL, NumberMention, mentions, read_numeral
from harness.text.operation_words import OPPOSITES, SWAPS
from oracles.certificates.flaw_text import ANSWER_MARK, means
from oracles.certificates.program_edit import EditKind
from oracles.recheck.flaws.source_facts import shows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact
    from oracles.recheck.flaws.flaw_facts import FlawFacts

_WORD = re.compile(r"[^\W\d_]+")
_NUMERAL = re.compile(NUMERAL, re.ASCII)
_ANNOTATION = re.compile(r"<<[^<>]*>>")
_INSTEAD: dict[str, set[str]] = defaultdict(set)
for _swap in (*SWAPS.values(), dict(OPPOSITES), {new: old for old, new in OPPOSITES}):
    for _old, _new in _swap.items():
        _INSTEAD[_old].update(_new.split())
# Signs in words, and replacements of `twice`.
_ALWAYS = frozenset({"x", "times", "time"})
_IRREGULAR = {"equals": "equal"}


def line_problem(facts: FlawFacts) -> str | None:
    """Return the part of a flawed solution's lines that does not follow from the correct one; `None` if all does."""
    return next(_problems(facts), None)


def _problems(facts: FlawFacts) -> Iterator[str]:
    solution, flawed = facts.solution_lines, facts.flawed_lines
    for name, lines in (("solution", solution), ("flawed_solution", flawed)):
        last = lines[-1]
        if not last.startswith(f"{ANSWER_MARK} ") or last != last.strip() or len(mentions(last)) != 1:
            yield f"{name}: expected the last line to be {ANSWER_MARK} and one number, found {quoted(last)}"
    if facts.source.line_problem is not None:
        yield facts.source.line_problem
    yield from _omitted_problems(facts)
    if len(facts.counterparts) != len(flawed):
        yield f"flawed_solution: expected {len(facts.counterparts)} lines, found {len(flawed)}"
        return
    changed = facts.edit is not None and (facts.edit.kind is EditKind.CHANGED or facts.edit.dropped)
    for place, (old, new) in enumerate(zip(facts.counterparts[:-1], flawed[:-1], strict=True)):
        if old == new:
            continue
        label = f"L{place + 1}"
        if changed and label == facts.record.label.line:
            yield from _rewritten_problems(facts, label, old, new)
        else:
            yield from _renumbered_problems(facts, label, old, new)


def _omitted_problems(facts: FlawFacts) -> Iterator[str]:
    """Yield why the line that is left out is not that of the step that is left out: it shows its value."""
    if facts.omitted is None or facts.record.label.line == FINAL_ANSWER:
        return
    value = facts.values[facts.certificate.change.variable]
    if facts.omitted >= len(facts.solution_lines) - 1 or not shows(facts.solution_lines[facts.omitted], value):
        yield f"solution: L{facts.omitted + 1} does not show the step that is left out"


def _renumbered_problems(facts: FlawFacts, label: str, old: str, new: str) -> Iterator[str]:
    """Yield why a line is not the solution's with other values: the same words and signs, each number the same or a new value."""
    before, after = _words(old), _words(new)
    if len(before) != len(after) or not all(map(_same_noun, before, after)):
        odd = next(
            (word for was, word in zip(before, after, strict=False) if not _same_noun(was, word)),
            "another number of words",
        )
        yield f"flawed_solution: {label} has other words than the solution: {quoted(odd)}"
        return
    odd_number = _least_odd(_odd_numbers(facts, old, new))
    if odd_number:
        yield f"flawed_solution: {label} has {odd_number}"
    signs, other_signs = _signs(old), _signs(new)
    if signs != other_signs:
        yield f"flawed_solution: {label} has other signs than the solution: {quoted(other_signs)} for {quoted(signs)}"


def _least_odd(found: Iterator[str]) -> str:
    """Return the empty text if one of several readings finds nothing odd, otherwise what the first one finds."""
    first = next(found)
    return "" if not first or any(not odd for odd in found) else first


def _odd_numbers(facts: FlawFacts, old: str, new: str) -> Iterator[str]:
    """Yield what is wrong with the numbers of a line by each way to read them, empty where nothing is."""
    yield _odd_number(facts, mentions(old), mentions(new))
    yield _odd_number(facts, _numerals(old), _numerals(new))
    own_values, new_values = frozenset(facts.values.values()), frozenset(facts.after.values())
    yield _odd_number(facts, _operands(old, own_values), _operands(new, new_values))


def _odd_number(facts: FlawFacts, numbers: Sequence[NumberMention], others: Sequence[NumberMention]) -> str:
    """Return what is wrong with the numbers of a line, empty where each is what the solution's number becomes."""
    if len(numbers) != len(others):
        return f"{len(others)} numbers, the solution's line {len(numbers)}"
    for was, now in zip(numbers, others, strict=True):
        if was.text != now.text and not _follows(facts, was.readings, now.readings):
            return f"{quoted(now.text)} for {quoted(was.text)}, whose value does not become that"
    return ""


@lru_cache(maxsize=8_192)
def _numerals(text: str) -> list[NumberMention]:
    """Return the numbers of a text, what stands above and below a bar as two: `48/2` may become `48/2.5`."""
    numerals = [
        NumberMention(*match.span(), match[0], (value,))
        for match in _NUMERAL.finditer(text)
        if (value := read_numeral(match[0])) is not None
    ]
    words = [mention for mention in mentions(text) if not any(character.isdigit() for character in mention.text)]
    return sorted([*numerals, *words])


def _operands(text: str, values: frozenset[Exact]) -> list[NumberMention]:
    """Return the numbers of a text, `660/36` as two where both are values, and `55/3` as one."""
    numerals = _numerals(text)
    operands: list[NumberMention] = []
    for mention in mentions(text):
        parts = [part for part in numerals if mention.start <= part.start and part.end <= mention.end]
        divided = "/" in mention.text and all(not values.isdisjoint(part.readings) for part in parts)
        operands += parts if divided else [mention]
    return operands


def _follows(facts: FlawFacts, was: Sequence[Exact], now: Sequence[Exact]) -> bool:
    """Tell whether a number is a value of the correct solution, and another one what this value becomes."""
    if facts.omitted is not None and facts.instead:
        # Readers of a step that is left out read another variable in its place.
        gone, instead = facts.values[facts.certificate.change.variable], facts.after[facts.instead]
        if means(was, gone) and means(now, instead):
            return True
    return any(means(was, before) and means(now, after) for before, after in facts.became)


def _rewritten_problems(facts: FlawFacts, label: str, old: str, new: str) -> Iterator[str]:
    """Yield why a line is not the solution's with another expression."""
    kept = [(equation.start, equation.end) for equation in read_line(old).equations]
    kept += [match.span() for match in _ANNOTATION.finditer(old)]
    own, words = _words(old, kept), _words(new)
    rest = iter(words)
    lost = next((word for word in own if not any(_may_become(word, other) for other in rest)), None)
    if lost is not None:
        yield f"flawed_solution: {label} lacks {quoted(lost)} of the solution's line"
    known = {
        form
        for word in _words(old)
        for form in (*_forms(word), *(form for other in _INSTEAD[word] for form in _forms(other)))
    }
    foreign = next(
        (word for word in words if not any(form in known or form in _ALWAYS for form in _word_parts(word))), None
    )
    if foreign is not None:
        yield f"flawed_solution: {label} has the word {quoted(foreign)}, which the solution's line has not"
    readings = {reading for mention in (*mentions(old), *_numerals(old)) for reading in mention.readings}

    def is_known(number: NumberMention) -> bool:
        return not readings.isdisjoint(number.readings) or any(
            means(number.readings, value) for value in _numbers_of(facts)
        )

    odd = _least_odd(
        next((number.text for number in read(new) if not is_known(number)), "") for read in (mentions, _numerals)
    )
    if odd:
        yield f"flawed_solution: {quoted(odd)} on {label} is no value of the flawed solution"


def _numbers_of(facts: FlawFacts) -> Iterator[Exact]:
    """Yield the values of the flawed solution and the numbers of its new expression, then the same in percent."""
    constants = (
        node.value
        for _, node in (() if facts.after_expression is None else nodes(facts.after_expression))
        if isinstance(node, ir.Const) and not isinstance(node.value, bool | str) and node.value is not None
    )
    values = [*facts.after.values(), *constants]
    yield from values
    yield from (value * 100 for value in values)


@lru_cache(maxsize=8_192)
def _words_of(text: str) -> tuple[tuple[int, int, str], ...]:
    spans = [(mention.start, mention.end) for mention in mentions(text)]
    return tuple(
        (match.start(), match.end(), match[0].lower())
        for match in _WORD.finditer(text)
        if not any(start <= match.start() and match.end() <= end for start, end in spans)
    )


def line_words(line: str) -> tuple[str, ...]:
    """Return the words of a line in lower case, those of its numbers left out."""
    return tuple(word for _, _, word in _words_of(line))


def _words(text: str, but: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Return the words of a text, those of its numbers and of some places left out."""
    return [
        word for start, end, word in _words_of(text) if not any(first <= start and end <= last for first, last in but)
    ]


@lru_cache(maxsize=8_192)
def _signs(text: str) -> str:
    """Return the signs of a text, which are neither words, numbers nor spaces; a minus or a bar belongs to a number."""
    spans = [(mention.start, mention.end) for mention in mentions(text)]
    return "".join(
        sign
        for place, sign in enumerate(text)
        if not sign.isalnum()
        and not sign.isspace()
        and sign not in "-()%$.,/"
        and not any(start <= place < end for start, end in spans)
    )


@lru_cache(maxsize=8_192)
def _forms(word: str) -> frozenset[str]:
    return frozenset(
        {
            word,
            singular_noun(word),
            singular_of(word) or word,
            _IRREGULAR.get(word, word),
            word.removesuffix("s"),
            word.removesuffix("es"),
        }
    )


def _same_noun(word: str, other: str) -> bool:
    return word == other or not _forms(word).isdisjoint(_forms(other))


def _may_become(word: str, other: str) -> bool:
    return any(_same_noun(word, part) or part in _INSTEAD[word] for part in _word_parts(other))


def _word_parts(word: str) -> tuple[str, ...]:
    """Return a word, and the word without a sign of multiplication at its end, as in `litersx45`."""
    return (*_forms(word), word.removesuffix("x")) if len(word) > 1 else (word,)
