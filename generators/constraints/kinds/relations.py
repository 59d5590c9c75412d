"""Problems about ages, costs, distances or times that are given relative to each other and by one total or value.

The program is triangular by construction. Each clue but the last gives one amount as `factor × earlier amount + difference`, so
that every amount is such a function of the first. The last clue gives a sum of some amounts. The factor of the first amount in
that sum is above zero, so that exactly one number satisfies it, and this number determines all others. If all amounts are whole
and that number would not be, no solution exists.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from generators.constraints.problem.domain import ProblemForm, ProblemSize
from generators.constraints.problem.draft import DraftAnswer, ProblemDraft, ReasoningStep, constants, needed_steps
from generators.constraints.problem.english import layout, listed, sentence
from generators.constraints.problem.vocabulary import people, things_of, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from generators.constraints.problem.vocabulary import NamedThing

_COUNTS = {ProblemSize.SMALL: (2, 2, 3), ProblemSize.MEDIUM: (3,), ProblemSize.LARGE: (4, 5)}
_TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}
_RELATIVES = ("siblings", "cousins", "neighbours", "colleagues", "friends", "classmates")


def ages(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a puzzle about ages, collections or points; `None` where what was drawn makes none."""
    return _drafted("ages", "puzzles", rng, size, form)


def distances(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about heights and distances; `None` where what was drawn makes none."""
    return _drafted("distances", "relationships", rng, size, form)


def amounts(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about costs, mixtures and stocks; `None` where what was drawn makes none."""
    return _drafted("amounts", "resources", rng, size, form)


def times(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about how long things take; `None` where what was drawn makes none."""
    return _drafted("times", "scheduling", rng, size, form)


@dataclass(frozen=True, slots=True)
class _Relation:
    """The amount of `own` is `factor` times that of `other`, plus `difference`; one of the two is trivial."""

    own: int
    other: int
    factor: int
    difference: Fraction


def _drafted(kind: str, domain: str, rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    context = rng.choice([one for one in words("relations")["context"] if one["domain"] == domain])
    count = rng.choice(_COUNTS[size])
    things = things_of(rng, count, context)
    grain = Fraction(1, 2) if context.get("real") else Fraction(1)
    least, most = int(context["least"] / grain), int(context["most"] / grain)
    first = rng.randint(least, max(least, most // 2 if "times" in context else most)) * grain
    relations = [_relation(one, context, grain, rng) for one in range(1, count)]
    # Each amount as a multiple of the first and a difference.
    shape = [(1, Fraction(0))]
    for one in relations:
        factor, difference = shape[one.other]
        shape.append((factor * one.factor, difference * one.factor + one.difference))
    values = [factor * first + difference for factor, difference in shape]
    if min(values) < context["least"] or max(values) > context["most"] or len(set(values)) < count:
        return None
    telling = _Telling(context, things, rng)
    whole = not context.get("real")
    if form is ProblemForm.IMPOSSIBLE and not (whole and sum(factor for factor, _ in shape) > 2):
        return None
    return _posed(kind, telling, relations, shape, values, form)


def _relation(own: int, context: Mapping[str, Any], grain: Fraction, rng: Random) -> _Relation:
    other = rng.randrange(own)
    if "times" in context and rng.random() < 0.5:
        return _Relation(own, other, rng.randint(2, 4), Fraction(0))
    largest = max(2, int((context["most"] - context["least"]) / grain) // 6)
    # A difference of one would ask for other words.
    amount = rng.choice([steps * grain for steps in range(1, largest + 1) if steps * grain != 1])
    return _Relation(own, other, 1, rng.choice((1, -1)) * amount)


def _posed(  # noqa: PLR0917  # what a problem is made of
    kind: str,
    telling: _Telling,
    relations: Sequence[_Relation],
    shape: Sequence[tuple[int, Fraction]],
    values: Sequence[Fraction],
    form: ProblemForm,
) -> ProblemDraft | None:
    rng, count, impossible = telling.rng, len(values), form is ProblemForm.IMPOSSIBLE
    factor = sum(one for one, _ in shape)
    shift = sum((one for _, one in shape), Fraction(0))
    # A value of another one than the first has to be led back, which is more to think about than one of the first.
    by_value = form is ProblemForm.ANSWER and rng.random() < 0.3
    place = rng.randrange(1, count)
    total = sum(values, Fraction(0)) + (rng.randint(1, factor - 1) if impossible else 0)
    closing = telling.value(place, values[place]) if by_value else telling.total(total)
    closing_term = telling.equals(place, values[place]) if by_value else telling.sums(total)
    said = [(telling.relation(one), telling.term(one)) for one in relations]
    steps: list[ReasoningStep] = []
    order = _led_back(relations, place) if by_value else list(relations)
    if not by_value:
        steps += telling.solved(relations, shape, factor, shift, total, impossible=impossible)
    if not impossible:
        known = {place} if by_value else {0}
        steps += telling.followed(order, known, values, closing_term)
    clues = [*said, (closing, closing_term)]
    rng.shuffle(clues)
    opening, question, answer = telling.opening(), "", None
    if form is not ProblemForm.ANSWER:
        question = rng.choice(("Is that possible?", "Can that be?", "Is there a solution?"))
        question = question if telling.real else f"All numbers are whole. {question}"
        if not impossible:
            steps.append(ReasoningStep("That agrees with everything that is said, so the answer is yes.", (), None))
    else:
        asked = telling.asked(values, [factor for factor, _ in shape], place if by_value else None)
        if asked is None:
            return None
        question, answer, last = asked
        steps = list(needed_steps([*steps, last]))
        # A clue that the answer does not need would not be one.
        if {closing_term, *(term for _, term in said)} - {one for step in steps for one in step.premises}:
            return None
    return ProblemDraft(
        kind,
        layout(opening, [text for text, _ in clues], question, rng),
        tuple(steps),
        "QF_LRA" if telling.real else "QF_LIA",
        constants(telling.symbols, telling.sort),
        (),
        tuple(term for _, term in clues),
        answer,
        satisfiable=not impossible,
    )


def _led_back(relations: Sequence[_Relation], place: int) -> list[_Relation]:
    """Return the relations in an order in which each has one amount that is known, from one that is given."""
    known, waiting, order = {place}, list(relations), list[_Relation]()
    while waiting:
        following = next(one for one in waiting if {one.own, one.other} & known)
        waiting.remove(following)
        known |= {following.own, following.other}
        order.append(following)
    return order


class _Telling:
    """The words and terms for amounts in one context."""

    def __init__(self, context: Mapping[str, Any], things: Sequence[NamedThing], rng: Random) -> None:
        self.context, self.things, self.rng = context, things, rng
        self.real = bool(context.get("real"))
        self.sort = "Real" if self.real else "Int"
        self.symbols = tuple(one.symbol for one in things)
        self.place = rng.choice(context.get("places", [""]))
        self.who = people(rng, 1)[0].said
        if self.who in {one.said for one in things}:
            self.who = "Robin"

    def _form(self, form: str, **values: Any) -> str:
        names = listed([one.said for one in self.things])
        return form.format(names=names, place=self.place, **{"who": self.who, **values})

    def opening(self) -> str:
        """Return the first sentence."""
        place = self.place[:1].upper() + self.place[1:]
        lower = self.place[:1].lower() + self.place[1:]
        form = self.rng.choice(self.context["intro"])
        return sentence(
            self._form(
                form, place_capital=place, place_lower=lower, who=self.who, relatives=self.rng.choice(_RELATIVES)
            )
        )

    def amount(self, value: Fraction) -> str:
        """Return an amount in a text."""
        return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"

    def literal(self, value: Fraction) -> str:
        """Return an amount in a program."""
        text = f"{float(abs(value)):.1f}" if self.real else str(abs(value).numerator)
        return f"(- {text})" if value < 0 else text

    def relation(self, one: _Relation, *, plain: bool = False) -> str:
        """Return a relation as a clause."""
        own, other = self.things[one.own].said, self.things[one.other].said
        if one.factor != 1:
            form = self.context["times"][0] if plain else self.rng.choice(self.context["times"])
            return self._form(form, a=own, b=other, m=_TIMES[one.factor])
        if one.difference < 0:
            own, other = other, own
        form = self.context["plus"][0] if plain else self.rng.choice(self.context["plus"])
        amount = self.amount(abs(one.difference))
        units = {
            f"{unit}s": unit if amount == "1" else f"{unit}s" for unit in ("year", "point", "metre", "dollar", "minute")
        }
        return self._form(form, a=own, b=other, d=amount, **units)

    def term(self, one: _Relation) -> str:
        """Return a relation as a term."""
        own, other = self.symbols[one.own], self.symbols[one.other]
        if one.factor != 1:
            return f"(= {own} (* {self.literal(Fraction(one.factor))} {other}))"
        sign = "+" if one.difference > 0 else "-"
        return f"(= {own} ({sign} {other} {self.literal(abs(one.difference))}))"

    def value(self, place: int, value: Fraction) -> str:
        """Return what an amount is, as a clause."""
        return self._form(self.rng.choice(self.context["value"]), a=self.things[place].said, v=self.amount(value))

    def equals(self, place: int, value: Fraction) -> str:
        """Return what an amount is, as a term."""
        return f"(= {self.symbols[place]} {self.literal(value)})"

    def total(self, total: Fraction) -> str:
        """Return what the sum of all is, as a clause."""
        return self._form(self.rng.choice(self.context["total"]), t=self.amount(total))

    def sums(self, total: Fraction) -> str:
        """Return what the sum of all is, as a term."""
        return f"(= (+ {' '.join(self.symbols)}) {self.literal(total)})"

    def _of(self, place: int) -> str:
        return str(self.context["of"]).format(a=self.things[place].said)

    def solved(
        self,
        relations: Sequence[_Relation],
        shape: Sequence[tuple[int, Fraction]],
        factor: int,
        shift: Fraction,
        total: Fraction,
        *,
        impossible: bool,
    ) -> list[ReasoningStep]:
        """Return the steps from the total to the first amount."""
        unknown, symbol = "x", self.symbols[0]
        texts, terms = [], []
        for place, (times, difference) in enumerate(shape[1:], start=1):
            texts.append(f"{self._of(place)} is {self._linear(times, difference, unknown)}")
            terms.append(f"(= {self.symbols[place]} {self._linear_term(times, difference, symbol)})")
        first = f"Call {self._of(0)} {unknown}; then {listed(texts)}."
        conclusion = terms[0] if len(terms) == 1 else f"(and {' '.join(terms)})"
        steps = [ReasoningStep(first, tuple(map(self.term, relations)), conclusion)]
        whole = f"all together that is {self._linear(factor, shift, unknown)} = {self.amount(total)}"
        left = total - shift
        premises = (conclusion, self.sums(total))
        if impossible:
            shifted = f", so {factor}{unknown} = {self.amount(left)}" if shift else ""
            text = f"{sentence(whole)[:-1]}{shifted}. But {self.amount(left)} is not divisible by {factor}."
            steps.append(ReasoningStep(text, premises, "false"))
            return [
                *steps,
                ReasoningStep("So there is no solution in whole numbers, and the answer is no.", premises, "false"),
            ]
        shifted = f", so {factor}{unknown} = {self.amount(left)}, and" if shift else ", so"
        text = f"{sentence(whole)[:-1]}{shifted} {unknown} = {self.amount(left / factor)}."
        return [*steps, ReasoningStep(text, premises, self.equals(0, left / factor))]

    def _linear(self, factor: int, shift: Fraction, unknown: str) -> str:
        times = unknown if factor == 1 else f"{factor}{unknown}"
        return times if not shift else f"{times} {'+' if shift > 0 else '-'} {self.amount(abs(shift))}"

    def _linear_term(self, factor: int, shift: Fraction, symbol: str) -> str:
        times = symbol if factor == 1 else f"(* {self.literal(Fraction(factor))} {symbol})"
        return times if not shift else f"({'+' if shift > 0 else '-'} {times} {self.literal(abs(shift))})"

    def followed(
        self, order: Sequence[_Relation], known: set[int], values: Sequence[Fraction], closing: str
    ) -> list[ReasoningStep]:
        """Return the steps that give one amount after the other."""
        steps = []
        given = {
            place: closing if self.equals(place, values[place]) == closing else self.equals(place, values[place])
            for place in known
        }
        for one in order:
            source, goal = (one.other, one.own) if one.other in given else (one.own, one.other)
            amount, found = self.amount(values[source]), self.amount(values[goal])
            if one.factor != 1:
                sum_told = f"{one.factor} × {amount}" if goal == one.own else f"{amount} ÷ {one.factor}"
            else:
                more = (one.difference > 0) == (goal == one.own)
                sum_told = f"{amount} {'+' if more else '-'} {self.amount(abs(one.difference))}"
            text = f"{sentence(self.relation(one, plain=True))[:-1]}, so {self._of(goal)} is {sum_told} = {found}."
            steps.append(ReasoningStep(text, (given[source], self.term(one)), self.equals(goal, values[goal])))
            given[goal] = self.equals(goal, values[goal])
        return steps

    def asked(
        self, values: Sequence[Fraction], factors: Sequence[int], told: int | None
    ) -> tuple[str, DraftAnswer, ReasoningStep] | None:
        """Return the question, its answer and the last step; `None` where the relations alone say the answer."""
        kind = self.rng.choice(("value", "value", "difference") if told is None else ("value", "total", "difference"))
        every = range(len(values))
        if kind == "value":
            places = [self.rng.choice([place for place in every if place != told])]
            found, tie, said = values[places[0]], self.symbols[places[0]], self.amount(values[places[0]])
        elif kind == "total":
            places, found = list(every), sum(values, Fraction(0))
            tie = f"(+ {' '.join(self.symbols)})"
            said = f"{' + '.join(map(self.amount, values))} = {self.amount(found)}"
        else:
            places = sorted(self.rng.sample(every, 2), key=values.__getitem__, reverse=True)
            a, b = places
            if factors[a] == factors[b]:
                return None
            found, tie = values[a] - values[b], f"(- {self.symbols[a]} {self.symbols[b]})"
            said = f"{self.amount(values[a])} - {self.amount(values[b])} = {self.amount(found)}"
        form = self.rng.choice(self.context["ask" if kind == "value" else f"ask_{kind}"])
        names = {key: self.things[place].said for key, place in zip("ab", places, strict=False)}
        gold = self.literal(found)
        premises = tuple(self.equals(place, values[place]) for place in places)
        last = ReasoningStep(f"So the answer is {said}.", premises, f"(= answer {gold})")
        return self._form(form, **names), DraftAnswer(self.sort, (f"(= answer {tie})",), gold), last
