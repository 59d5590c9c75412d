"""The re-check of a variant's reasoning trace: sentences of its class, whose quotes stand in the text and whose numbers are its values."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.equations.equation import Truth
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.expression_text import worked_equation
from harness.solution.phrases.reasoning_phrases import NAME_JOINTS, PHRASES
from harness.text.characters import quoted
from harness.text.markup import without_annotations
from harness.text.names import ABBREVIATIONS
from harness.text.nouns import singular_noun
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from oracles.recheck.variants.missing_names import LostNumber, MissingNames
from oracles.recheck.variants.reasoning_relations import SentenceNumbers
from oracles.variants.smtlib_script import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from harness.constraint_system import ConstraintSystem
    from harness.domain import Exact

_SLOT = re.compile(r"\{(\w+)\}")
_QUOTE = re.compile(r'"([^"]*)"')
_WORD = re.compile(r"[A-Za-z]+")
_STOP = re.compile(r"\.(?= |$)")
_STEPS = ("first_step", "step")
_CLAIM = r'("[^"]*"|[^"]{1,600}?)'
_SHAPES = {
    "it_is": "(it is|they are)",
    "side": "(more|less)",
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
        "wrong_order",
        *_STEPS,
    ),
    ProblemClass.UNDERSPECIFIED: ("fixed", "cases"),
}
_CLASHES = frozenset(_BODY[ProblemClass.CONTRADICTORY]) - {"given", *_STEPS}
"""The sentences that name the clash; a trace has one of them."""
_HALVES = frozenset({("other_value", 1), ("other_value", 2)})
"""The two sentences that stand around the steps: that a claim does not fit, and what it should be."""
_OPENING = {ProblemClass.SOLVABLE: "solvable", ProblemClass.UNDERSPECIFIED: "missing"}
_CLOSING = {
    ProblemClass.SOLVABLE: "answer",
    ProblemClass.CONTRADICTORY: "contradictory",
    ProblemClass.UNDERSPECIFIED: "underspecified",
}


@dataclass(frozen=True, slots=True)
class _Told:
    """The content of a trace up to a place: sentences by kind and part, the variables of steps, and the place of the last step."""

    place: int
    said: frozenset[tuple[str, int]] = frozenset()
    steps: frozenset[str] = frozenset()
    last: int = -1

    def with_step(self, end: int, place: int, variables: Sequence[str]) -> _Told:
        return _Told(end, self.said, self.steps.union(variables), place)


@dataclass(frozen=True)
class ReasoningTrace:
    """A reasoning trace, the text of its problem, and the system of that text; `models` are those of the record."""

    text: str
    problem: str
    problem_class: ProblemClass
    system: ConstraintSystem
    models: Sequence[Mapping[str, Exact]]
    lost: tuple[LostNumber, ...] = ()
    """The numbers that the problem lost by its edits."""
    solution: str | None = None
    """The solution of a solvable problem."""
    core: tuple[str, ...] = ()
    """The names of the constraints of a contradictory problem that clash."""

    def finding(self) -> str | None:
        """Return the part of the trace that is no sentence of its class with the values of the problem; `None` if there is none."""
        if self.text != self.text.strip():
            return f"reasoning_trace: expected no space at its ends, found {quoted(self.text)}"
        place = 0
        opening = _OPENING.get(self.problem_class)
        if opening is not None:
            place = max((end for end, _ in self._ends(0, [opening])), default=-1)
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
        """Return how far the sentences from a place on can be read: to the end where the last one closes a complete trace."""
        furthest = place
        waiting = [_Told(place)]
        seen = set(waiting)
        while waiting:
            told = waiting.pop()
            furthest = max(furthest, told.place)
            closed = any(end == len(self.text) for end, _ in self._ends(told.place, [_CLOSING[self.problem_class]]))
            if closed and self._is_complete(told):
                return len(self.text)
            for after in self._sentences(told):
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return min(furthest, len(self.text) - 1)

    def _sentences(self, told: _Told) -> Iterator[_Told]:
        """Yield the content with one more sentence: steps stand in their order, and everything else stands once."""
        for end, (kind, phrase, step) in self._ends(told.place, _BODY[self.problem_class]):
            if kind not in _STEPS:
                # Two sentences of this kind may stand around the steps.
                part = PHRASES[kind].index(phrase) if kind == "other_value" else 0
                late = kind == "given" and bool(told.steps)
                if (kind, part) not in told.said and not late:
                    yield replace(told, place=end, said=told.said | {(kind, part)})
                continue
            for place in self._places(step):
                if place > told.last:
                    yield told.with_step(end, place, [self.system.steps[place].variable])
        for end, sentence in self._lines(told.place):
            place = -1 if self.solution is None else self._solution_lines.index(sentence)
            if not told.steps.issuperset(self._prose[sentence]) and place >= told.last:
                yield told.with_step(end, place, self._prose[sentence])

    def _is_complete(self, told: _Told) -> bool:
        """Tell whether a trace has all sentences that its class requires."""
        match self.problem_class:
            case ProblemClass.SOLVABLE:
                agrees = ("agreeing", 0) in told.said
                complete = told.steps >= self._numbers.needed
                return complete and (agrees or not self._numbers.has_agreeing_facts)
            case ProblemClass.CONTRADICTORY:
                clashes = {(kind, part) for kind, part in told.said if kind in _CLASHES}
                if {kind for kind, _ in clashes} != {"unexplained"} and not told.steps >= self._clashing_steps:
                    return False
                return clashes == _HALVES or (len(clashes) == 1 and clashes.isdisjoint(_HALVES))
            case ProblemClass.UNDERSPECIFIED:
                return ("cases", 0) in told.said and (("fixed", 0) in told.said) is bool(self._numbers.fixed)

    @cached_property
    def _clashing_steps(self) -> frozenset[str]:
        steps = {step.name: step.variable for step in self.system.steps}
        return frozenset(steps[name] for name in self.core if name in steps)

    def _places(self, equation: str) -> Iterator[int]:
        """Yield the places of the steps that an equation tells."""
        for place, step in enumerate(self.system.steps):
            if any(
                step.variable in values and equation == worked_equation(step.expression, values, values[step.variable])
                for values in self._assignments
            ):
                yield place

    @cached_property
    def _solution_lines(self) -> tuple[str, ...]:
        return tuple(map(_sentence, (self.solution or "").split("\n")))

    def _ends(self, start: int, kinds: Sequence[str]) -> Iterator[tuple[int, tuple[str, str, str]]]:
        """Yield where a sentence of some kinds that begins at a place may end, with the space after it, its kind, its phrase and the step that it tells."""
        for kind in kinds:
            for phrase in PHRASES[kind]:
                pattern, slots = _pattern(phrase)
                match = pattern.match(self.text, start)  # after `Ms.` a sentence goes on
                while match is not None and not all(map(self._allows, slots, match.groups())):
                    stop = _STOP.search(self.text, match.end())
                    match = None if stop is None else pattern.fullmatch(self.text, start, stop.end())
                if match is None:
                    continue
                told = dict(zip(slots, match.groups(), strict=True))
                if self._numbers.hold(kind, phrase, told):
                    yield match.end() + self.text.startswith(" ", match.end()), (kind, phrase, told.get("told", ""))

    @cached_property
    def _numbers(self) -> SentenceNumbers:
        return SentenceNumbers(self.system, self.models, self._assignments[0])

    def _lines(self, start: int) -> Iterator[tuple[int, str]]:
        """Yield where a line of the solution that begins at a place ends, and that line as the solution has it.

        A solvable problem has its own solution; a contradictory one has that of the problem before it was edited, whose numbers may
        be those of this problem.
        """
        for sentence, variables in self._prose.items():
            if self.text.startswith(sentence, start):
                end = start + len(sentence)
            elif self.solution is None and (match := _numbered(sentence).match(self.text, start)) is not None:
                end = match.end()
                if not all(map(self.value, match.groups())) or not self._tells(self.text[start:end], variables):
                    continue
            else:
                continue
            yield end + self.text.startswith(" ", end), sentence

    def _tells(self, line: str, variables: Sequence[str]) -> bool:
        """Tell whether a line has no false equation, and shows the value of one of the steps that it tells."""
        if any(equation.truth is Truth.FALSE for equation in read_line(line).equations):
            return False
        readings = {reading for mention in mentions(line) for reading in mention.readings}
        values = self._assignments[0]
        # The sign of a number may stand apart from it.
        return any(abs(values[name]) in readings for name in variables if name in values)

    @cached_property
    def _prose(self) -> Mapping[str, list[str]]:
        """Return the lines of the solution as sentences, each with the variables of the steps that it tells."""
        told: dict[str, list[str]] = {}
        for step in self.system.steps:
            if step.words.strip():
                told.setdefault(_sentence(step.words), []).append(step.variable)
        return told

    @cached_property
    def _assignments(self) -> tuple[Mapping[str, Exact], ...]:
        """Return the values that a trace may mention: the models, or the values of facts and steps of a contradictory problem."""
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
        given = [value for values in self._assignments for value in values.values()]
        return frozenset([*given, *(fact.value for fact in self.system.facts), *limits, *constants])

    @cached_property
    def _equations(self) -> tuple[frozenset[str], ...]:
        """Return the steps as equations, for each of the assignments."""
        return tuple(
            frozenset(
                worked_equation(step.expression, values, values[step.variable])
                for step in self.system.steps
                if step.variable in values
            )
            for values in self._assignments
        )

    @cached_property
    def _words(self) -> frozenset[str]:
        words = " ".join(self.system.variables).replace("_", " ").lower().split()
        words += [part for word in words for part in ABBREVIATIONS.get(word, word).split()]
        words += [word.lower() for word in _WORD.findall(self.problem)]
        return frozenset({*words, *map(singular_noun, words), *NAME_JOINTS})

    def _allows(self, slot: str, told: str) -> bool:
        return _CHECKS[slot](self, told)

    def name(self, told: str) -> bool:
        """Tell whether a text can be the name of a quantity: it has words of variables and of the problem only."""
        return all(
            word.lower() in self._words or singular_noun(word.lower()) in self._words for word in _WORD.findall(told)
        ) and not any(map(str.isdigit, told))

    def unknown(self, told: str) -> bool:
        """Tell whether a text names the open quantities of an underspecified problem, as the numbers that it lost say."""
        values = tuple((name, self.models[0][name]) for name in self._numbers.open_quantities)
        return MissingNames(values, self.lost, self.problem).allows(told)

    def told(self, told: str) -> bool:
        """Tell whether a text is a step in numbers."""
        return any(told in equations for equations in self._equations)

    def worked(self, told: str) -> bool:
        """Tell whether a text begins and ends with a step in the numbers of one model; its sentence says which steps stand in it."""
        steps = (tuple(equations) for equations in self._equations)
        return any(told.startswith(equations) and told.endswith(equations) for equations in steps)

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
        asked = self.system.answer
        return told in {format_value(values[asked]) for values in self._assignments if asked in values}

    def claim(self, told: str) -> bool:
        """Tell whether a text is a quote of the problem, or a value of one of its quantities."""
        if (quote := _QUOTE.fullmatch(told)) is not None:
            return self._is_quote(quote[1])
        value, _, name = told.partition(" for ")
        return self.value(value) and self.name(name)

    def quotes(self, told: str) -> bool:
        """Tell whether a text is quotes of the problem."""
        quotes = _QUOTE.findall(told)
        rest = _QUOTE.sub("", told).replace(",", "").split()
        return bool(quotes) and all(map(self._is_quote, quotes)) and rest in ([], ["and"])

    def _is_quote(self, words: str) -> bool:
        """Tell whether words stand in the problem, from the beginning of a word to the end of one."""
        return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", self.problem) is not None and words == words.strip() != ""


def _sentence(line: str) -> str:
    """Return a line of a solution as a sentence, without its annotations."""
    line = without_annotations(line).strip()
    return line[:1].upper() + line[1:] + ("" if line.endswith((".", "!", "?")) else ".")


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
    "unknown": ReasoningTrace.unknown,
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
    "side": lambda trace, _: trace.problem_class is ProblemClass.CONTRADICTORY,
    "it_is": lambda trace, told: told == "it is" or len(trace.system.free) > 1,
}
