"""Problems about ages, costs, distances or times that are given relative to each other and by one total or value.

The program is triangular by construction. Each clue but the last gives one amount as `factor × earlier amount + difference`, so
that every amount is such a function of the first. The last clue gives one amount, or the sum of all, in which the factor of the first
amount is above zero, so that exactly one number satisfies it, and this number determines all others. If all amounts are whole
and that number would not be, no solution exists.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import DraftAnswer, ProblemDraft, ReasoningStep, constants, needed_steps
from generators.constraints.problem.english import TIMES, capitalized, layout, sentence
from generators.constraints.problem.vocabulary import NamedThing, names_of, people, symbols_of, things_of, words
from harness.text.nouns import listed

_COUNTS: dict[ProblemSize, tuple[int, ...]] = by_size((2, 2, 3), (3,), (4, 5))


@dataclass(frozen=True, slots=True)
class _Relation:
    """The amount of `own` is `factor` times that of `other`, plus `difference`; one of the two is trivial."""

    own: int
    other: int
    factor: int
    difference: Fraction


@dataclass(frozen=True, slots=True)
class _Amounts:
    """The amounts of one context in words and terms; `shape` has each as a relation to the first one, itself included."""

    context: Mapping[str, Any]
    things: Sequence[NamedThing]
    relations: Sequence[_Relation]
    shape: Sequence[_Relation]
    values: Sequence[Fraction]
    filling: Mapping[str, str]
    rng: Random

    def say(self, key: str, *, plain: bool = False, **slots: Any) -> str:
        form = self.context[key][0] if plain else self.rng.choice(self.context[key])
        return str(form).format(**{**self.filling, **slots})

    def of(self, place: int) -> str:
        return str(self.context["of"]).format(a=self.things[place].said)

    def clause(self, relation: _Relation, *, plain: bool = False) -> str:
        own, other = self.things[relation.own].said, self.things[relation.other].said
        if relation.factor != 1:
            return self.say("times", plain=plain, a=own, b=other, m=TIMES[relation.factor])
        if relation.difference < 0:
            own, other = other, own
        return self.say("plus", plain=plain, a=own, b=other, d=_figures(abs(relation.difference)))

    def literal(self, value: Fraction) -> str:
        text = f"{float(abs(value)):.1f}" if self.context.get("real") else str(abs(value).numerator)
        return f"(- {text})" if value < 0 else text

    def term(self, relation: _Relation) -> str:
        """Return as a term that an amount is a multiple of another plus a difference."""
        symbol, difference = self.things[relation.other].symbol, relation.difference
        multiple = symbol if relation.factor == 1 else f"(* {self.literal(Fraction(relation.factor))} {symbol})"
        if difference:
            multiple = f"({'+' if difference > 0 else '-'} {multiple} {self.literal(abs(difference))})"
        return f"(= {self.things[relation.own].symbol} {multiple})"

    def equals(self, place: int) -> str:
        return f"(= {self.things[place].symbol} {self.literal(self.values[place])})"

    def sums(self, total: Fraction) -> str:
        return f"(= (+ {' '.join(symbols_of(self.things))}) {self.literal(total)})"

    def solved(self, total: Fraction) -> list[ReasoningStep]:
        """Return the steps from the total to the first amount, or to there being none."""
        terms = list(map(self.term, self.shape[1:]))
        conclusion = terms[0] if len(terms) == 1 else f"(and {' '.join(terms)})"
        first = listed([f"{self.of(own.own)} is {_expression(own.factor, own.difference)}" for own in self.shape[1:]])
        premises = tuple(map(self.term, self.relations))
        steps = [ReasoningStep(f"Call {self.of(0)} x; then {first}.", premises, conclusion)]
        factor, shift = sum(own.factor for own in self.shape), sum((own.difference for own in self.shape), Fraction(0))
        left, known = total - shift, (conclusion, self.sums(total))
        text = f"All together that is {_expression(factor, shift)} = {_figures(total)}"
        text += f", so {factor}x = {_figures(left)}" if shift else ""
        if left != factor * self.values[0]:
            text += f". But {_figures(left)} is not divisible by {factor}."
            last = "So there is no solution in whole numbers, and the answer is no."
            return [*steps, ReasoningStep(text, known, "false"), ReasoningStep(last, known, "false")]
        text += f", {'and' if shift else 'so'} x = {_figures(left / factor)}."
        return [*steps, ReasoningStep(text, known, self.equals(0))]

    def followed(self, known: int) -> list[ReasoningStep]:
        """Return the steps from an amount that is known to all others, one after the other."""
        steps, reached, waiting = list[ReasoningStep](), {known}, list(self.relations)
        while waiting:
            relation = next(other for other in waiting if not reached.isdisjoint((other.own, other.other)))
            waiting.remove(relation)
            forward = relation.other in reached
            source, goal = (relation.other, relation.own) if forward else (relation.own, relation.other)
            amount, sign = _figures(self.values[source]), "+" if (relation.difference > 0) == forward else "-"
            result = f"{amount} {sign} {_figures(abs(relation.difference))}"
            if relation.factor != 1:
                result = f"{relation.factor} × {amount}" if forward else f"{amount} ÷ {relation.factor}"
            clause = sentence(self.clause(relation, plain=True))[:-1]
            text = f"{clause}, so {self.of(goal)} is {result} = {_figures(self.values[goal])}."
            steps.append(ReasoningStep(text, (self.equals(source), self.term(relation)), self.equals(goal)))
            reached.add(goal)
        return steps

    def question(self, given: int | None) -> tuple[str, DraftAnswer, ReasoningStep] | None:
        """Return the question, its answer and the last step; `None` where the relations alone say the answer."""
        values, symbols, places = self.values, symbols_of(self.things), list(range(len(self.values)))
        kind = self.rng.choice(("value", "value", "difference") if given is None else ("value", "total", "difference"))
        if kind == "value":
            places = [self.rng.choice([place for place in places if place != given])]
            result, tie, text = values[places[0]], symbols[places[0]], ""
        elif kind == "total":
            result, tie = sum(values, Fraction(0)), f"(+ {' '.join(symbols)})"
            text = f"{' + '.join(map(_figures, values))} = "
        else:
            places = a, b = sorted(self.rng.sample(places, 2), key=values.__getitem__, reverse=True)
            if self.shape[a].factor == self.shape[b].factor:
                return None
            result, tie = values[a] - values[b], f"(- {symbols[a]} {symbols[b]})"
            text = f"{_figures(values[a])} - {_figures(values[b])} = "
        names: dict[str, Any] = {key: self.things[place].said for key, place in zip("ab", places, strict=False)}
        asked, gold = self.say("ask" if kind == "value" else f"ask_{kind}", **names), self.literal(result)
        last = f"So the answer is {text}{_figures(result)}."
        step = ReasoningStep(last, tuple(map(self.equals, places)), f"(= answer {gold})")
        return asked, DraftAnswer("Real" if self.context.get("real") else "Int", (f"(= answer {tie})",), gold), step


def _figures(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def _expression(factor: int, shift: Fraction) -> str:
    """Return a multiple of x plus a difference, in a text."""
    multiple = "x" if factor == 1 else f"{factor}x"
    return multiple if not shift else f"{multiple} {'+' if shift > 0 else '-'} {_figures(abs(shift))}"


def _amount_problem(kind: str, domain: str, rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    own, impossible, answer = _amounts(domain, rng, size), form is ProblemForm.IMPOSSIBLE, None
    if own is None:
        return None
    real, factor = bool(own.context.get("real")), sum(relation.factor for relation in own.shape)
    if impossible and (real or factor <= 2):
        return None
    total = sum(own.values, Fraction(0)) + (rng.randint(1, factor - 1) if impossible else 0)
    # A value of another one than the first has to be led back, which is more to think about than one of the first.
    given = rng.randrange(1, len(own.values)) if form is ProblemForm.ANSWER and rng.random() < 0.3 else None
    if given is None:
        closing, steps = (own.say("total", t=_figures(total)), own.sums(total)), own.solved(total)
    else:
        said = own.say("value", a=own.things[given].said, v=_figures(own.values[given]))
        closing, steps = (said, own.equals(given)), []
    clues = [*((own.clause(relation), own.term(relation)) for relation in own.relations), closing]
    rng.shuffle(clues)
    steps += [] if impossible else own.followed(given or 0)
    opening = sentence(own.say("intro", relatives=rng.choice(words("relations")["relatives"])))
    if form is ProblemForm.ANSWER:
        asked = own.question(given)
        if asked is None:
            return None
        question, answer, last = asked
        steps = list(needed_steps([*steps, last]))
        # A clue that the answer does not need would not be one.
        if {term for _, term in clues} - {premise for step in steps for premise in step.premises}:
            return None
    else:
        question = rng.choice(("Is that possible?", "Can that be?", "Is there a solution?"))
        question = question if real else f"All numbers are whole. {question}"
        if not impossible:
            steps.append(ReasoningStep("That agrees with everything that is said, so the answer is yes.", (), None))
    declarations = constants(symbols_of(own.things), "Real" if real else "Int")
    clauses, terms = (tuple(part) for part in zip(*clues, strict=True))
    text, possible = layout(opening, clauses, question, rng), not impossible
    return ProblemDraft(kind, text, tuple(steps), declarations, (), terms, answer, satisfiable=possible, said=clauses)


ages = partial(_amount_problem, "ages", "puzzles")
distances = partial(_amount_problem, "distances", "relationships")
amounts = partial(_amount_problem, "amounts", "resources")
times = partial(_amount_problem, "times", "scheduling")
"""The kinds of problems by their contexts: ages and points, heights and distances, costs and stocks, how long things take."""


def _amounts(domain: str, rng: Random, size: ProblemSize) -> _Amounts | None:
    """Draw amounts of a domain; `None` where they are not all different and within the bounds of their context."""
    context = rng.choice([known for known in words("relations")["context"] if known["domain"] == domain])
    things = things_of(rng, rng.choice(_COUNTS[size]), context)
    grain = Fraction(1, 2) if context.get("real") else Fraction(1)
    least, most = int(context["least"] / grain), int(context["most"] / grain)
    first = rng.randint(least, max(least, most // 2 if "times" in context else most)) * grain
    # A difference of one would ask for other words.
    differences = [steps * grain for steps in range(1, max(2, (most - least) // 6) + 1) if steps * grain != 1]
    relations, shape = list[_Relation](), [_Relation(0, 0, 1, Fraction(0))]
    for place in range(1, len(things)):
        other = rng.randrange(place)
        if "times" in context and rng.random() < 0.5:
            relation = _Relation(place, other, rng.randint(2, 4), Fraction(0))
        else:
            relation = _Relation(place, other, 1, rng.choice((1, -1)) * rng.choice(differences))
        relations.append(relation)
        factor, difference = shape[other].factor * relation.factor, shape[other].difference * relation.factor
        shape.append(_Relation(place, 0, factor, difference + relation.difference))
    values = [own.factor * first + own.difference for own in shape]
    if min(values) < context["least"] or max(values) > context["most"] or len(set(values)) < len(things):
        return None
    names = {thing.said for thing in things}
    who = next(person.said for person in people(rng, len(names) + 1) if person.said not in names)
    place_of = rng.choice(context.get("places", [""]))
    capitals = {"place_capital": capitalized(place_of), "place_lower": place_of[:1].lower() + place_of[1:]}
    filling = {"names": names_of(things), "place": place_of, "who": who, **capitals}
    return _Amounts(context, things, relations, shape, values, filling, rng)
