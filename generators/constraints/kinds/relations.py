"""Problems about ages, costs, distances or times that are given relative to each other and by one total or value.

The program is triangular by construction. Each clue but the last gives one amount as `factor × earlier amount + difference`, so
that every amount is such a function of the first. The last clue gives a sum of some amounts. The factor of the first amount in
that sum is above zero, so that exactly one number satisfies it, and this number determines all others. If all amounts are whole
and that number would not be, no solution exists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import (
    DraftAnswer,
    ProblemDraft,
    ReasoningStep,
    constants,
    drafted,
    needed_steps,
)
from generators.constraints.problem.english import TIMES, capitalized, listed, sentence
from generators.constraints.problem.vocabulary import NamedThing, names_of, people, symbols_of, things_of, words

_COUNTS: dict[ProblemSize, tuple[int, ...]] = by_size((2, 2, 3), (3,), (4, 5))
_RELATIVES = ("siblings", "cousins", "neighbours", "colleagues", "friends", "classmates")
_UNITS = ("year", "point", "metre", "dollar", "minute")
_UNKNOWN = "x"


def ages(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a puzzle about ages, collections or points; `None` where the draw gives none."""
    return _draft("ages", "puzzles", rng, size, form)


def distances(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about heights and distances; `None` where the draw gives none."""
    return _draft("distances", "relationships", rng, size, form)


def amounts(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about costs, mixtures and stocks; `None` where the draw gives none."""
    return _draft("amounts", "resources", rng, size, form)


def times(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about how long things take; `None` where the draw gives none."""
    return _draft("times", "scheduling", rng, size, form)


@dataclass(frozen=True, slots=True)
class _Relation:
    """The amount of `own` is `factor` times that of `other`, plus `difference`; one of the two is trivial."""

    own: int
    other: int
    factor: int
    difference: Fraction


def _draft(kind: str, domain: str, rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    context = rng.choice([known for known in words("relations")["context"] if known["domain"] == domain])
    count = rng.choice(_COUNTS[size])
    things = things_of(rng, count, context)
    grain = Fraction(1, 2) if context.get("real") else Fraction(1)
    least, most = int(context["least"] / grain), int(context["most"] / grain)
    first = rng.randint(least, max(least, most // 2 if "times" in context else most)) * grain
    relations = [_relation(place, context, grain, rng) for place in range(1, count)]
    # Each amount as a multiple of the first and a difference.
    shape = [(1, Fraction(0))]
    for relation in relations:
        factor, difference = shape[relation.other]
        shape.append((factor * relation.factor, difference * relation.factor + relation.difference))
    values = [factor * first + difference for factor, difference in shape]
    if min(values) < context["least"] or max(values) > context["most"] or len(set(values)) < count:
        return None
    narration = _Narration(context, things, relations, shape, values, rng)
    if form is ProblemForm.IMPOSSIBLE and (narration.real or narration.factor <= 2):
        return None
    return _problem(kind, narration, form)


def _relation(own: int, context: Mapping[str, Any], grain: Fraction, rng: Random) -> _Relation:
    other = rng.randrange(own)
    if "times" in context and rng.random() < 0.5:
        return _Relation(own, other, rng.randint(2, 4), Fraction(0))
    largest = max(2, int((context["most"] - context["least"]) / grain) // 6)
    # A difference of one would ask for other words.
    amount = rng.choice([steps * grain for steps in range(1, largest + 1) if steps * grain != 1])
    return _Relation(own, other, 1, rng.choice((1, -1)) * amount)


def _problem(kind: str, narration: _Narration, form: ProblemForm) -> ProblemDraft | None:
    rng, impossible = narration.rng, form is ProblemForm.IMPOSSIBLE
    # A value of another one than the first has to be led back, which is more to think about than one of the first.
    by_value = form is ProblemForm.ANSWER and rng.random() < 0.3
    place = rng.randrange(1, len(narration.values))
    total = sum(narration.values, Fraction(0)) + (rng.randint(1, narration.factor - 1) if impossible else 0)
    if by_value:
        closing = (narration.value(place), narration.equals(place))
    else:
        closing = (narration.total(total), narration.sums(total))
    clues = [*((narration.clause(relation), narration.term(relation)) for relation in narration.relations), closing]
    steps = [] if by_value else narration.solved(total, impossible=impossible)
    if not impossible:
        steps += narration.followed(place if by_value else 0)
    rng.shuffle(clues)
    opening, question, answer = narration.opening(), "", None
    if form is not ProblemForm.ANSWER:
        question = rng.choice(("Is that possible?", "Can that be?", "Is there a solution?"))
        question = question if narration.real else f"All numbers are whole. {question}"
        if not impossible:
            steps.append(ReasoningStep("That agrees with everything that is said, so the answer is yes.", (), None))
    else:
        asked = narration.asked(place if by_value else None)
        if asked is None:
            return None
        question, answer, last = asked
        steps = list(needed_steps([*steps, last]))
        # A clue that the answer does not need would not be one.
        if {term for _, term in clues} - {premise for step in steps for premise in step.premises}:
            return None
    declarations = constants(narration.symbols, narration.sort)
    return drafted(kind, opening, clues, question, steps, declarations, rng, answer, satisfiable=not impossible)


class _Narration:
    """The amounts of one context in words and terms; `shape` has each as a multiple of the first and a difference."""

    def __init__(  # noqa: PLR0917  # what amounts are told by
        self,
        context: Mapping[str, Any],
        things: Sequence[NamedThing],
        relations: Sequence[_Relation],
        shape: Sequence[tuple[int, Fraction]],
        values: Sequence[Fraction],
        rng: Random,
    ) -> None:
        self.context, self.things, self.rng = context, things, rng
        self.relations, self.shape, self.values = relations, shape, values
        self.factor = sum(factor for factor, _ in shape)
        self.real = bool(context.get("real"))
        self.sort = "Real" if self.real else "Int"
        self.symbols = symbols_of(things)
        self.place = rng.choice(context.get("places", [""]))
        self.who = people(rng, 1)[0].said
        if self.who in {thing.said for thing in things}:
            self.who = "Robin"

    def _form(self, form: str, **values: Any) -> str:
        return form.format(names=names_of(self.things), place=self.place, **{"who": self.who, **values})

    def opening(self) -> str:
        """Return the first sentence."""
        place = self.place[:1].lower() + self.place[1:]
        form, relatives = self.rng.choice(self.context["intro"]), self.rng.choice(_RELATIVES)
        capital = capitalized(self.place)
        return sentence(self._form(form, place_capital=capital, place_lower=place, relatives=relatives))

    def amount(self, value: Fraction) -> str:
        """Return an amount in a text."""
        return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"

    def literal(self, value: Fraction) -> str:
        """Return an amount in a program."""
        text = f"{float(abs(value)):.1f}" if self.real else str(abs(value).numerator)
        return f"(- {text})" if value < 0 else text

    def clause(self, relation: _Relation, *, plain: bool = False) -> str:
        """Return a relation as a clause, in its first form if plain."""
        own, other = self.things[relation.own].said, self.things[relation.other].said
        forms = self.context["plus" if relation.factor == 1 else "times"]
        form = forms[0] if plain else self.rng.choice(forms)
        if relation.factor != 1:
            return self._form(form, a=own, b=other, m=TIMES[relation.factor])
        if relation.difference < 0:
            own, other = other, own
        amount = self.amount(abs(relation.difference))
        units = {f"{unit}s": unit if amount == "1" else f"{unit}s" for unit in _UNITS}
        return self._form(form, a=own, b=other, d=amount, **units)

    def term(self, relation: _Relation) -> str:
        """Return a relation as a term."""
        own, other = self.symbols[relation.own], self.symbols[relation.other]
        return f"(= {own} {self._linear_term(relation.factor, relation.difference, other)})"

    def value(self, place: int) -> str:
        """Return the value of an amount, as a clause."""
        form = self.rng.choice(self.context["value"])
        return self._form(form, a=self.things[place].said, v=self.amount(self.values[place]))

    def equals(self, place: int) -> str:
        """Return the value of an amount, as a term."""
        return f"(= {self.symbols[place]} {self.literal(self.values[place])})"

    def total(self, total: Fraction) -> str:
        """Return the sum of all, as a clause."""
        return self._form(self.rng.choice(self.context["total"]), t=self.amount(total))

    def sums(self, total: Fraction) -> str:
        """Return the sum of all, as a term."""
        return f"(= (+ {' '.join(self.symbols)}) {self.literal(total)})"

    def _of(self, place: int) -> str:
        return str(self.context["of"]).format(a=self.things[place].said)

    def solved(self, total: Fraction, *, impossible: bool) -> list[ReasoningStep]:
        """Return the steps from the total to the first amount, or to there being none."""
        factor, shift = self.factor, sum((difference for _, difference in self.shape), Fraction(0))
        texts, terms = [], []
        for place, (times, difference) in enumerate(self.shape[1:], start=1):
            texts.append(f"{self._of(place)} is {self._linear(times, difference)}")
            terms.append(f"(= {self.symbols[place]} {self._linear_term(times, difference, self.symbols[0])})")
        conclusion = terms[0] if len(terms) == 1 else f"(and {' '.join(terms)})"
        first = f"Call {self._of(0)} {_UNKNOWN}; then {listed(texts)}."
        steps = [ReasoningStep(first, tuple(map(self.term, self.relations)), conclusion)]
        whole = f"All together that is {self._linear(factor, shift)} = {self.amount(total)}"
        left = total - shift
        premises = (conclusion, self.sums(total))
        shifted = f", so {factor}{_UNKNOWN} = {self.amount(left)}" if shift else ""
        if impossible:
            text = f"{whole}{shifted}. But {self.amount(left)} is not divisible by {factor}."
            last = "So there is no solution in whole numbers, and the answer is no."
            return [*steps, ReasoningStep(text, premises, "false"), ReasoningStep(last, premises, "false")]
        text = f"{whole}{shifted}, {'and' if shift else 'so'} {_UNKNOWN} = {self.amount(left / factor)}."
        return [*steps, ReasoningStep(text, premises, self.equals(0))]

    def _linear(self, factor: int, shift: Fraction) -> str:
        times = _UNKNOWN if factor == 1 else f"{factor}{_UNKNOWN}"
        return times if not shift else f"{times} {'+' if shift > 0 else '-'} {self.amount(abs(shift))}"

    def _linear_term(self, factor: int, shift: Fraction, symbol: str) -> str:
        times = symbol if factor == 1 else f"(* {self.literal(Fraction(factor))} {symbol})"
        return times if not shift else f"({'+' if shift > 0 else '-'} {times} {self.literal(abs(shift))})"

    def followed(self, known: int) -> list[ReasoningStep]:
        """Return the steps from an amount that is known to all others, one after the other."""
        steps = []
        reached, waiting = {known}, list(self.relations)
        while waiting:
            relation = next(
                candidate for candidate in waiting if not reached.isdisjoint((candidate.own, candidate.other))
            )
            waiting.remove(relation)
            forward = relation.other in reached
            source, goal = (relation.other, relation.own) if forward else (relation.own, relation.other)
            amount = self.amount(self.values[source])
            if relation.factor != 1:
                result = f"{relation.factor} × {amount}" if forward else f"{amount} ÷ {relation.factor}"
            else:
                sign = "+" if (relation.difference > 0) == forward else "-"
                result = f"{amount} {sign} {self.amount(abs(relation.difference))}"
            clause = sentence(self.clause(relation, plain=True))[:-1]
            text = f"{clause}, so {self._of(goal)} is {result} = {self.amount(self.values[goal])}."
            steps.append(ReasoningStep(text, (self.equals(source), self.term(relation)), self.equals(goal)))
            reached.add(goal)
        return steps

    def asked(self, given: int | None) -> tuple[str, DraftAnswer, ReasoningStep] | None:
        """Return the question, its answer and the last step; `None` where the relations alone say the answer."""
        values, places = self.values, list(range(len(self.values)))
        kind = self.rng.choice(("value", "value", "difference") if given is None else ("value", "total", "difference"))
        if kind == "value":
            places = [self.rng.choice([place for place in places if place != given])]
            result, tie, text = values[places[0]], self.symbols[places[0]], ""
        elif kind == "total":
            result, tie = sum(values, Fraction(0)), f"(+ {' '.join(self.symbols)})"
            text = f"{' + '.join(map(self.amount, values))} = "
        else:
            places = a, b = sorted(self.rng.sample(places, 2), key=values.__getitem__, reverse=True)
            if self.shape[a][0] == self.shape[b][0]:
                return None
            result, tie = values[a] - values[b], f"(- {self.symbols[a]} {self.symbols[b]})"
            text = f"{self.amount(values[a])} - {self.amount(values[b])} = "
        form = self.rng.choice(self.context["ask" if kind == "value" else f"ask_{kind}"])
        names = {key: self.things[place].said for key, place in zip("ab", places, strict=False)}
        gold = self.literal(result)
        last = f"So the answer is {text}{self.amount(result)}."
        step = ReasoningStep(last, tuple(map(self.equals, places)), f"(= answer {gold})")
        return self._form(form, **names), DraftAnswer(self.sort, (f"(= answer {tie})",), gold), step
