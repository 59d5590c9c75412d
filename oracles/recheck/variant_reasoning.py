"""The re-check of a variant's reasoning trace: sentences of its class, whose quotes stand in the text and whose numbers are its values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.expression_text import equation_text
from harness.solution.reasoning_phrases import NAME_JOINTS, PHRASES
from harness.text.annotations import without_annotations
from harness.text.names import ABBREVIATIONS
from harness.text.noun_forms import singular_noun
from harness.text.numbers.number_forms import format_value
from harness.text.numbers.number_mentions import mentions
from harness.text.printable_text import quoted
from oracles.variants.smtlib_script import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from harness.constraint_system import ConstraintSystem
    from harness.domain import Exact

_SLOT = re.compile(r"\{(\w+)\}")
_QUOTE = re.compile(r'"([^"]*)"')
_WORD = re.compile(r"[A-Za-z]+")
_STEPS = ("first_step", "step")
_CLAIM = r'("[^"]*"|[^"]{1,600}?)'
_SHAPES = {
    "it_is": "(it is|they are)",
    "claim": _CLAIM,
    "second": _CLAIM,
    "quotes": r'((?:"[^"]*"(?:, | and )?){1,20})',
}
_BODY = {
    ProblemClass.SOLVABLE: ("agreeing", *_STEPS),
    ProblemClass.CONTRADICTORY: (
        "unexplained",
        "given",
        "other_value",
        "twice",
        "beyond",
        "fewer",
        "too_much",
        "over_limit",
        "under_limit",
        *_STEPS,
    ),
    ProblemClass.UNDERSPECIFIED: ("fixed", "cases"),
}
_OPENING = {ProblemClass.SOLVABLE: "solvable", ProblemClass.UNDERSPECIFIED: "missing"}
_CLOSING = {
    ProblemClass.SOLVABLE: "answer",
    ProblemClass.CONTRADICTORY: "contradictory",
    ProblemClass.UNDERSPECIFIED: "underspecified",
}


@dataclass(frozen=True)
class ReasoningTrace:
    """A reasoning trace, the text of the problem that it is about, and what that text says; `models` are those of the record."""

    text: str
    problem: str
    problem_class: ProblemClass
    system: ConstraintSystem
    models: Sequence[Mapping[str, Exact]]
    question: str = ""
    """The problem before it was edited; its words may name what the edited one no longer says."""

    def finding(self) -> str | None:
        """Return what the trace says that is no sentence of its class with the values of the problem; `None` where there is nothing."""
        if self.text != self.text.strip():
            return f"reasoning_trace: expected no space at its ends, found {quoted(self.text)}"
        place = 0
        opening = _OPENING.get(self.problem_class)
        if opening is not None:
            place = max(self._ends(0, [opening]), default=-1)
            if place < 0:
                return f"reasoning_trace: expected it to begin as a {self._class} problem's, found {quoted(self.text)}"
        reached = self._body(place)
        if reached == len(self.text):
            return None
        return f"reasoning_trace: no sentence of a {self._class} problem with its values: {quoted(self.text[max(reached, 0) :])}"

    @property
    def _class(self) -> str:
        return self.problem_class.name.lower()

    def _body(self, place: int) -> int:
        """Return how far the sentences from a place on can be read: to the end where the last one closes the trace."""
        furthest = place
        waiting = [place]
        seen = set(waiting)
        while waiting:
            start = waiting.pop()
            furthest = max(furthest, start)
            if any(end == len(self.text) for end in self._ends(start, [_CLOSING[self.problem_class]])):
                return len(self.text)
            for end in (*self._ends(start, _BODY[self.problem_class]), *self._lines(start)):
                if end not in seen:
                    seen.add(end)
                    waiting.append(end)
        return min(furthest, len(self.text) - 1)

    def _ends(self, start: int, kinds: Sequence[str]) -> Iterator[int]:
        """Yield where a sentence of some kinds that begins at a place may end, behind the space after it."""
        for kind in kinds:
            for phrase in PHRASES[kind]:
                pattern, slots = _pattern(phrase)
                match = pattern.match(self.text, start)
                if match is not None and all(map(self._allows, slots, match.groups())):
                    yield match.end() + self.text.startswith(" ", match.end())

    def _lines(self, start: int) -> Iterator[int]:
        """Yield where a line of the solution that begins at a place ends; its numbers may be those of this problem."""
        for sentence in self._prose:
            match = None if self.text.startswith(sentence, start) else _numbered(sentence).match(self.text, start)
            if match is None and not self.text.startswith(sentence, start):
                continue
            if match is None or all(map(self.value, match.groups())):
                end = start + len(sentence) if match is None else match.end()
                yield end + self.text.startswith(" ", end)

    @cached_property
    def _prose(self) -> tuple[str, ...]:
        """Return the lines of the solution as sentences."""
        lines = filter(None, (without_annotations(step.words).strip() for step in self.system.steps))
        ends = (".", "!", "?")
        return tuple(
            dict.fromkeys(line[:1].upper() + line[1:] + ("" if line.endswith(ends) else ".") for line in lines)
        )

    @cached_property
    def _assignments(self) -> tuple[Mapping[str, Exact], ...]:
        """Return the values that a trace may speak of: the models, or what facts and steps of a contradictory problem give."""
        if self.models:
            return tuple(self.models)
        return (values_of(self.system) or {fact.variable: fact.value for fact in self.system.facts},)

    @cached_property
    def _values(self) -> frozenset[Exact]:
        limits = (
            bound.limit for bound in self.system.bounds if bound.limit is not None and not isinstance(bound.limit, str)
        )
        constants = (
            node.value
            for step in self.system.steps
            for _, node in nodes(step.expression)
            if isinstance(node, ir.Const) and isinstance(node.value, int)
        )
        given = (value for values in self._assignments for value in values.values())
        return frozenset([*given, *(fact.value for fact in self.system.facts), *limits, *constants])

    @cached_property
    def _equations(self) -> tuple[frozenset[str], ...]:
        """Return the steps as equations, for each of the assignments."""
        return tuple(
            frozenset(
                equation_text(step.expression, values, values[step.variable])
                for step in self.system.steps
                if step.variable in values
            )
            for values in self._assignments
        )

    @cached_property
    def _words(self) -> frozenset[str]:
        variables = " ".join(self.system.variables).replace("_", " ").lower().split()
        long = [part for word in variables for part in ABBREVIATIONS.get(word, word).split()]
        words = [*variables, *long, *(word.lower() for word in _WORD.findall(f"{self.problem} {self.question}"))]
        return frozenset({*words, *map(singular_noun, words), *NAME_JOINTS})

    def _allows(self, slot: str, told: str) -> bool:
        return _CHECKS[slot](self, told)

    def name(self, told: str) -> bool:
        """Tell whether a text can be the name of a quantity: it has words of variables and of the problem only."""
        return all(
            word.lower() in self._words or singular_noun(word.lower()) in self._words for word in _WORD.findall(told)
        ) and not _has_digits(told)

    def told(self, told: str) -> bool:
        """Tell whether a text is a step in numbers."""
        return any(told in equations for equations in self._equations)

    def worked(self, told: str) -> bool:
        """Tell whether a text is several steps, all in the numbers of one model."""
        parts = [part for piece in told.split(", ") for part in piece.split(" and ")]
        return any(all(part in equations for part in parts) for equations in self._equations)

    def value(self, told: str) -> bool:
        """Tell whether a text is a number with a value of the problem."""
        if told in {format_value(value) for value in self._values}:
            return True
        numbers = mentions(told)
        return (
            len(numbers) == 1
            and told.strip("$€£") == numbers[0].text
            and not self._values.isdisjoint(numbers[0].readings)
        )

    def values(self, told: str) -> bool:
        """Tell whether a text is several values."""
        return all(self.value(part) for piece in told.split(", ") for part in piece.split(" and "))

    def answer(self, told: str) -> bool:
        """Tell whether a text is an answer of the problem."""
        return told in {
            format_value(values[self.system.answer]) for values in self._assignments if self.system.answer in values
        }

    def claim(self, told: str) -> bool:
        """Tell whether a text is a quote of the problem, or a value of one of its quantities."""
        quote = _QUOTE.fullmatch(told)
        if quote is not None:
            return bool(quote[1].strip()) and quote[1] in self.problem
        value, _, name = told.partition(" for ")
        return self.value(value) and self.name(name)

    def quotes(self, told: str) -> bool:
        """Tell whether a text is quotes of the problem."""
        quotes = _QUOTE.findall(told)
        rest = _QUOTE.sub("", told).replace(",", "").split()
        return (
            bool(quotes) and all(quote.strip() and quote in self.problem for quote in quotes) and rest in ([], ["and"])
        )


def _has_digits(text: str) -> bool:
    """Tell whether a text has a digit."""
    return any(character.isdigit() for character in text)


@cache
def _pattern(phrase: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    parts = _SLOT.split(phrase)
    pattern = "".join(
        _SHAPES.get(part, "(.{1,600}?)") if place % 2 else _literal(part, place) for place, part in enumerate(parts)
    )
    stop = "" if phrase.endswith(".") else r"\."
    return re.compile(f"{pattern}{stop}(?= |$)"), tuple(parts[1::2])


@lru_cache(maxsize=1_024)
def _numbered(sentence: str) -> re.Pattern[str]:
    """Return the pattern of a sentence with any numbers in the places of its numbers, a group for each."""
    parts, place = [], 0
    for mention in mentions(sentence):
        parts += [
            re.escape(sentence[place : mention.start]),
            r"(-?[\w.,/%½¼¾-]{1,40}?(?: ?/ ?[\w.]{1,40})?(?: percent)?)",
        ]
        place = mention.end
    return re.compile("".join([*parts, re.escape(sentence[place:]), "(?= |$)"]))


def _literal(part: str, place: int) -> str:
    """Return the pattern of words, whose first letter is a capital at the beginning of a sentence."""
    if place == 0 and part[:1].islower():
        return re.escape(part[0].upper() + part[1:])
    return re.escape(part)


_CHECKS: dict[str, Callable[[ReasoningTrace, str], bool]] = {
    "name": ReasoningTrace.name,
    "unknown": ReasoningTrace.name,
    "told": ReasoningTrace.told,
    "worked": ReasoningTrace.worked,
    "first_worked": ReasoningTrace.worked,
    "second_worked": ReasoningTrace.worked,
    "value": ReasoningTrace.value,
    "other": ReasoningTrace.value,
    "first": ReasoningTrace.values,
    "second": lambda trace, told: trace.values(told) or trace.claim(told),
    "answer": ReasoningTrace.answer,
    "first_answer": ReasoningTrace.answer,
    "second_answer": ReasoningTrace.answer,
    "claim": ReasoningTrace.claim,
    "quotes": ReasoningTrace.quotes,
    "it_is": lambda trace, told: told == "it is" or len(trace.system.free) > 1,
}
