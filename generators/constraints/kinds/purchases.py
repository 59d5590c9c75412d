"""Problems about the numbers of two kinds of things, given how many there are and a weighted sum.

With `p` of something to each of the first kind and `q > p` to each of the second, `n` in all and `t` of it, there are
`(t - p × n) / (q - p)` of the second kind: two linear equations with the determinant `q - p`. If `t` is above `q × n` or below
`p × n`, one of the numbers would be negative, and there is no solution.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from random import Random
from typing import Any

from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import (
    DraftAnswer,
    ProblemDraft,
    ReasoningStep,
    constants,
    literal,
    needed_steps,
)
from generators.constraints.problem.english import article, capitalized, layout, listed, sentence
from generators.constraints.problem.vocabulary import people, words

_MOST = by_size(20, 60, 200)


def purchase(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about two kinds of things; `None` where the draw gives none."""
    context = rng.choice(words("purchases")["context"])
    p, q = rng.choice(context["prices"]) if "prices" in context else (context["one"][2], context["two"][2])
    a, b = rng.randint(1, _MOST[size]), rng.randint(1, _MOST[size])
    count, total = a + b, p * a + q * b
    impossible = form is ProblemForm.IMPOSSIBLE
    if impossible:
        # More than if all were of the one kind, or less than if all were of the other.
        amount = rng.randint(1, count) * gcd(p, q)
        total = q * count + amount if rng.random() < 0.5 else p * count - amount
    others = [other for other in range(total // q + 1) if (total - q * other) % p == 0 and other != b]
    if total < 1 or not others:
        return None  # the sum alone would say it
    wording = _Wording(context, rng, p, q)
    terms = wording.terms(count, total)
    clues = list(zip((wording.form("counts", n=count), wording.form("sums", t=total)), terms, strict=True))
    steps = _steps(wording, count, total)
    rng.shuffle(clues)
    opening = wording.opening()
    answer = None
    if form is not ProblemForm.ANSWER:
        question = rng.choice(("Is that possible?", "Can that be?"))
        if not impossible:
            text = "These are whole numbers that agree with all of it, so the answer is yes."
            steps.append(ReasoningStep(text, (), None))
    else:
        question, answer, last = _asked(wording, a, b, rng)
        steps = list(needed_steps([*steps, last]))
    return ProblemDraft(
        "purchase",
        layout(opening, [text for text, _ in clues], question, rng),
        tuple(steps),
        constants(wording.names, "Int"),
        tuple(f"(>= {name} 0)" for name in wording.names),
        tuple(term for _, term in clues),
        answer,
        satisfiable=not impossible,
        said=tuple(text for text, _ in clues),
    )


def _times(factor: int, name: str) -> str:
    return name if factor == 1 else f"(* {factor} {name})"


def _steps(wording: _Wording, count: int, total: int) -> list[ReasoningStep]:
    """Return the steps to the number of each kind, or to there being none."""
    p, q = wording.per
    first, second = wording.names
    clues = wording.terms(count, total)
    left, more, unit = total - p * count, q - p, wording.context["unit"]
    (other, others), (single, many) = wording.context["one"][:2], wording.context["two"][:2]
    if not p * count <= total <= q * count:
        kind, each = (many, q) if total > q * count else (others, p)
        compared = "fewer" if total > q * count else "more"
        text = f"Even if all {count} were {kind}, that would be {count} × {each} = {each * count} {unit}, which is {compared} than {total}. So there is no way, and the answer is no."
        return [ReasoningStep(text, clues, "false")]
    text = f"If all {count} were {others}, that would be {count} × {p} = {p * count} {unit}. It is {left} more."
    text += f" Each {single} in place of {article(other)} adds {q} - {p} = {more}"
    b = left // more
    result = f"(= {second} {b})"
    quotient = f"{left} ÷ {more} = {b}" if more > 1 else str(b)
    steps = [ReasoningStep(f"{text}, so the number of {many} is {quotient}.", clues, result)]
    rest = f"That leaves {count} - {b} = {count - b} {others}."
    return [*steps, ReasoningStep(rest, (result, clues[0]), f"(= {first} {count - b})")]


def _asked(wording: _Wording, a: int, b: int, rng: Random) -> tuple[str, DraftAnswer, ReasoningStep]:
    first, second = wording.names
    both = (f"(= {first} {a})", f"(= {second} {b})")
    kinds = [wording.context[key][1] for key in ("one", "two")]
    if rng.random() < 0.2:
        gold, compared = literal(a > b), f"{a} is {'more' if a > b else 'not more'} than {b}"
        text = f"{compared}, so the answer is {'yes' if a > b else 'no'}."
        answer = DraftAnswer("Bool", (f"(= answer (> {first} {second}))",), gold)
        return f"Are there more {kinds[0]} than {kinds[1]}?", answer, ReasoningStep(text, both, f"(= answer {gold})")
    place = rng.randrange(2)
    gold, kind = str((a, b)[place]), kinds[place]
    question = rng.choice(
        (
            f"How many {kind} are there?",
            f"What is the number of {kind}?",
            f"Find the number of {kind}.",
            f"How many of them are {kind}?",
        )
    )
    end = ReasoningStep(f"So the answer is {gold}.", (both[place],), f"(= answer {gold})")
    return question, DraftAnswer("Int", (f"(= answer {wording.names[place]})",), gold), end


class _Wording:
    """The words of one context."""

    def __init__(self, context: Mapping[str, Any], rng: Random, p: int, q: int) -> None:
        self.context, self.rng, self.per = context, rng, (p, q)
        self.names = tuple(context[key][1].replace(" ", "_").replace("-", "_") for key in ("one", "two"))
        self.who = people(rng, 1)[0].said
        self.place = rng.choice(context.get("places", [""]))
        self.things = rng.choice(context.get("things", [""]))
        self.subject = rng.choice(context.get("subjects", [""]))

    def terms(self, count: int, total: int) -> tuple[str, str]:
        """Return the terms for how many there are and for the weighted sum."""
        (first, second), (p, q) = self.names, self.per
        return f"(= (+ {first} {second}) {count})", f"(= (+ {_times(p, first)} {_times(q, second)}) {total})"

    def form(self, key: str, **values: Any) -> str:
        """Return one of the forms of a clue."""
        return str(self.rng.choice(self.context[key])).format(who=self.who, things=self.things, **values)

    def opening(self) -> str:
        """Return the first sentences."""
        kinds = [self.context["one"][1], self.context["two"][1]]
        self.rng.shuffle(kinds)
        form = str(self.rng.choice(self.context["intro"]))
        first = form.format(
            many=listed(kinds),
            who=self.who,
            place=self.place,
            place_capital=capitalized(self.place),
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
