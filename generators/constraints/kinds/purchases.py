"""Problems about the numbers of two kinds of things, given how many there are and a weighted sum.

With `p` of something to each of the first kind and `q > p` to each of the second, `n` in all and `t` of it, there are
`(t - p × n) / (q - p)` of the second kind: two linear equations with the determinant `q - p`. If `t` is above `q × n` or below
`p × n`, one of the numbers would be negative, and there is no solution.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from generators.constraints.problem.domain import ProblemForm, ProblemSize
from generators.constraints.problem.draft import (
    DraftAnswer,
    ProblemDraft,
    ReasoningStep,
    constants,
    literal,
    needed_steps,
)
from generators.constraints.problem.english import article, layout, listed, sentence
from generators.constraints.problem.vocabulary import people, words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

_MOST = {ProblemSize.SMALL: 20, ProblemSize.MEDIUM: 60, ProblemSize.LARGE: 200}


def purchase(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about two kinds of things; `None` where what was drawn makes none."""
    context = rng.choice(words("purchases")["context"])
    p, q = rng.choice(context["prices"]) if "prices" in context else (context["one"][2], context["two"][2])
    a, b = rng.randint(1, _MOST[size]), rng.randint(1, _MOST[size])
    count, total = a + b, p * a + q * b
    impossible = form is ProblemForm.IMPOSSIBLE
    if impossible:
        # More than if all were of the one kind, or less than if all were of the other.
        amount = rng.randint(1, count) * gcd(p, q)
        total = q * count + amount if rng.random() < 0.5 else p * count - amount
    others = [one for one in range(total // q + 1) if (total - q * one) % p == 0 and one != b]
    if total < 1 or not others:
        return None  # the sum alone would say it
    said = _Words(context, rng, p, q)
    first, second = said.names
    number_clue = (said.form("counts", n=count), f"(= (+ {first} {second}) {count})")
    sum_clue = (said.form("sums", t=total), f"(= (+ {_times(p, first)} {_times(q, second)}) {total})")
    background = (f"(>= {first} 0)", f"(>= {second} 0)")
    steps = _steps(said, count, total)
    clues = [number_clue, sum_clue]
    rng.shuffle(clues)
    opening = said.opening()
    answer = None
    if form is not ProblemForm.ANSWER:
        question = rng.choice(("Is that possible?", "Can that be?"))
        if not impossible:
            steps.append(
                ReasoningStep("These are whole numbers that agree with all of it, so the answer is yes.", (), None)
            )
    else:
        question, answer, last = _asked(said, a, b, rng)
        steps = list(needed_steps([*steps, last]))
    return ProblemDraft(
        "purchase",
        layout(opening, [text for text, _ in clues], question, rng),
        tuple(steps),
        "QF_LIA",
        constants(said.names, "Int"),
        background,
        tuple(term for _, term in clues),
        answer,
        satisfiable=not impossible,
    )


def _times(factor: int, name: str) -> str:
    return name if factor == 1 else f"(* {factor} {name})"


def _steps(said: _Words, count: int, total: int) -> list[ReasoningStep]:
    """Return the steps to the number of each kind, or to there being none."""
    p, q = said.per
    first, second = said.names
    clues = (f"(= (+ {first} {second}) {count})", f"(= (+ {_times(p, first)} {_times(q, second)}) {total})")
    left, more, unit = total - p * count, q - p, said.context["unit"]
    one, many = said.context["two"][:2]
    if not p * count <= total <= q * count:
        kind, each = (said.context["two"][1], q) if total > q * count else (said.context["one"][1], p)
        compared = "fewer" if total > q * count else "more"
        text = f"Even if all {count} were {kind}, that would be {count} × {each} = {each * count} {unit}, which is {compared} than {total}. So there is no way, and the answer is no."
        return [ReasoningStep(text, clues, "false")]
    told = f"If all {count} were {said.context['one'][1]}, that would be {count} × {p} = {p * count} {unit}. It is {left} more."
    told += f" Each {one} in place of {article(said.context['one'][0])} adds {q} - {p} = {more}"
    b = left // more
    found = f"(= {second} {b})"
    sum_told = f"{left} ÷ {more} = {b}" if more > 1 else str(b)
    steps = [ReasoningStep(f"{told}, so the number of {many} is {sum_told}.", clues, found)]
    rest = f"That leaves {count} - {b} = {count - b} {said.context['one'][1]}."
    return [*steps, ReasoningStep(rest, (found, clues[0]), f"(= {first} {count - b})")]


def _asked(said: _Words, a: int, b: int, rng: Random) -> tuple[str, DraftAnswer, ReasoningStep]:
    first, second = said.names
    both = (f"(= {first} {a})", f"(= {second} {b})")
    one, two = said.context["one"][1], said.context["two"][1]
    if rng.random() < 0.2:
        question = f"Are there more {one} than {two}?"
        gold, compared = literal(a > b), f"{a} is {'more' if a > b else 'not more'} than {b}"
        end = ReasoningStep(
            f"{compared[0].upper()}{compared[1:]}, so the answer is {'yes' if a > b else 'no'}.",
            both,
            f"(= answer {gold})",
        )
        return question, DraftAnswer("Bool", (f"(= answer (> {first} {second}))",), gold), end
    place = rng.randrange(2)
    gold, name = (str(a), first) if place == 0 else (str(b), second)
    question = rng.choice(
        (
            f"How many {(one, two)[place]} are there?",
            f"What is the number of {(one, two)[place]}?",
            f"Find the number of {(one, two)[place]}.",
            f"How many of them are {(one, two)[place]}?",
        )
    )
    end = ReasoningStep(f"So the answer is {gold}.", (both[place],), f"(= answer {gold})")
    return question, DraftAnswer("Int", (f"(= answer {name})",), gold), end


class _Words:
    """The words of one context."""

    def __init__(self, context: Mapping[str, Any], rng: Random, p: int, q: int) -> None:
        self.context, self.rng, self.per = context, rng, (p, q)
        self.names = tuple(context[key][1].replace(" ", "_").replace("-", "_") for key in ("one", "two"))
        self.who = people(rng, 1)[0].said
        self.place = rng.choice(context.get("places", [""]))
        self.things = rng.choice(context.get("things", [""]))
        self.subject = rng.choice(context.get("subjects", [""]))

    def form(self, key: str, **values: Any) -> str:
        """Return one of the forms of a clue."""
        return str(self.rng.choice(self.context[key])).format(who=self.who, things=self.things, **values)

    def opening(self) -> str:
        """Return the first sentences."""
        kinds = [self.context["one"][1], self.context["two"][1]]
        self.rng.shuffle(kinds)
        form = str(self.rng.choice(self.context["intro"]))
        place = self.place
        first = form.format(
            many=listed(kinds),
            who=self.who,
            place=place,
            place_capital=place[:1].upper() + place[1:],
            things=self.things,
            things_capital=self.things.capitalize(),
            subject=self.subject,
        )
        p, q = self.per
        facts = str(self.context["facts"]).format(p=p, q=q)
        for unit in ("dollar", "kilogram", "point"):
            if p == 1:
                facts = facts.replace(f" 1 {unit}s", f" 1 {unit}")
        return f"{sentence(first)} {facts}"
