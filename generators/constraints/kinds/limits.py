"""Problems about the greatest number that can be made or bought, or the smallest that is needed.

What `n` pieces need grows with `n`, so that there is one greatest number for which the supply is enough, or one smallest
number that is enough. The program states that the answer fits and that the next number does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import DraftAnswer, ProblemDraft, ReasoningStep, constants
from generators.constraints.problem.english import article, layout, listed, sentence
from generators.constraints.problem.vocabulary import people, words

_SCALE = by_size(1, 3, 8)


@dataclass(frozen=True, slots=True)
class _Supply:
    """What pieces need or give: a fixed amount and one for `each`, the amount that there is or has to be, and the word for it."""

    fixed: int
    each: int
    amount: int
    word: str

    def linear(self, number: str) -> str:
        """Return the term for the need of a number of pieces."""
        product = f"(* {self.each} {number})"
        return f"(+ {self.fixed} {product})" if self.fixed else product

    def need(self, number: int) -> str:
        """Return the calculation of the need of a number of pieces."""
        fixed = f"{self.fixed} + " if self.fixed else ""
        return f"{fixed}{number} × {self.each} = {self.fixed + number * self.each} {self.word}"


@dataclass(frozen=True, slots=True)
class _Limit:
    """A problem: its opening and clues, what is asked, the wish for a number, and what has to suffice; `least` of something that gives."""

    opening: str
    clues: Sequence[str]
    ask: str
    wish: str
    supplies: Sequence[_Supply]
    least: bool = False


def limit(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about a greatest or smallest number; `None` where the draw gives none."""
    drawn = rng.choice((_making, _making, _budget, _covering))(rng, size)
    step, sign, beyond = (-1, ">=", "<") if drawn.least else (1, "<=", ">")
    bests = [
        (supply.amount - supply.fixed + drawn.least * (supply.each - 1)) // supply.each for supply in drawn.supplies
    ]
    best = min(bests)
    if bests.count(best) > 1:
        return None
    compared = "has to be at least" if drawn.least else "can be at most"
    if form is not ProblemForm.ANSWER:
        return _feasibility(drawn, best + step * (form is ProblemForm.IMPOSSIBLE), sign, compared, form, rng)
    terms = [f"({sign} {supply.linear('answer')} {supply.amount})" for supply in drawn.supplies]
    other = f"({'-' if drawn.least else '+'} answer 1)"
    refused = [f"({beyond} {supply.linear(other)} {supply.amount})" for supply in drawn.supplies]
    tie = refused[0] if len(refused) == 1 else f"(or {' '.join(refused)})"
    steps = []
    for supply, own, term in zip(drawn.supplies, bests, terms, strict=True):
        text = f"{own} would be {supply.need(own)}, and {own + step} would be {supply.need(own + step)}, but it {compared} {supply.amount}."
        steps.append(ReasoningStep(text, (term,), f"({sign} answer {own})"))
    bound = f"({sign} answer {best})"
    steps.append(ReasoningStep(f"So the answer is {best}.", (bound, tie), f"(= answer {best})"))
    text = layout(drawn.opening, drawn.clues, drawn.ask, rng)
    return ProblemDraft("limit", text, tuple(steps), (), (), tuple(terms), DraftAnswer("Int", (tie,), str(best)))


def _feasibility(  # noqa: PLR0917  # what a question is made of
    drawn: _Limit, number: int, sign: str, compared: str, form: ProblemForm, rng: Random
) -> ProblemDraft:
    """Return the question whether a number fits."""
    possible, given, steps = form is ProblemForm.POSSIBLE, f"(= number {number})", list[ReasoningStep]()
    terms = [f"({sign} {supply.linear('number')} {supply.amount})" for supply in drawn.supplies]
    for supply, term in zip(drawn.supplies, terms, strict=True):
        missing = supply.amount - supply.fixed - number * supply.each
        text = f"{number} would be {supply.need(number)}, and it {compared} {supply.amount}."
        steps.append(ReasoningStep(text, (given,), term))
        if (missing > 0) if drawn.least else (missing < 0):
            steps = [ReasoningStep(f"{text} So the answer is no.", (given, term), "false")]
            break
    if possible:
        steps.append(ReasoningStep("That is enough, so the answer is yes.", (), None))
    text = layout(drawn.opening, [*drawn.clues, drawn.wish.format(n=number)], "Is that possible?", rng)
    declarations = constants(("number",), "Int")
    return ProblemDraft("limit", text, tuple(steps), declarations, (), (*terms, given), None, satisfiable=possible)


def _making(rng: Random, size: ProblemSize) -> _Limit:
    """Return how many can be made of several things, the scarcest of which decides."""
    setting, who = rng.choice(words("limits")["making"]), people(rng, 1)[0].said
    many, (single, several) = rng.choice(setting["many"]), setting["piece"]
    supplies = []
    for _, _, word in rng.sample(setting["needs"], by_size(2, 3, 4)[size]):
        each = rng.randint(2, 6)
        supplies.append(_Supply(0, each, rng.randint(2 * each + 1, 10 * each * _SCALE[size]), word))
    if single != "tray":
        single, several = f"of these {many}", many
    slots = {
        "who": who,
        "many": many,
        "single": single,
        "needs": listed([f"{supply.each} {supply.word}" for supply in supplies]),
        "have": listed([f"{supply.amount} {supply.word}" for supply in supplies]),
    }
    tray = "tray_needs" if single == "tray" else "needs"
    clues = [rng.choice(words("limits")[key]).format(**slots) for key in (tray, "stock")]
    intro, ask = (rng.choice(setting[key]).format(**slots) for key in ("intro", "ask"))
    return _Limit(sentence(intro), clues, ask, f"{{n}} {several} are wanted", supplies)


def _budget(rng: Random, size: ProblemSize) -> _Limit:
    """Return how many can be paid for beside a fixed price."""
    setting, who = rng.choice(words("limits")["budget"]), people(rng, 1)[0].said
    thing, unit, units = rng.choice(setting["thing"])
    fixed, each = rng.randint(3, 25), rng.randint(2, 12)
    budget = fixed + rng.randint(2 * each, 15 * each * _SCALE[size])
    slots = {"who": who, "thing": thing, "unit": unit, "units": units, "fixed": fixed, "each": each, "budget": budget}
    dollars = dict.fromkeys(("dollars_fixed", "dollars_each"), "dollars")
    intro, clue, ask = (rng.choice(setting[key]).format(**slots, **dollars) for key in ("intro", "limit", "ask"))
    wish = setting["wish"].format(who=who, units=units, n="{n}")
    return _Limit(sentence(intro), [clue], ask, wish, [_Supply(fixed, each, budget, "dollars")])


def _covering(rng: Random, size: ProblemSize) -> _Limit:
    """Return how many containers are needed."""
    (setting,), who = words("limits")["covering"], people(rng, 1)[0].said
    things, many, single = rng.choice(setting["thing"])
    each = rng.randint(3, 12) * (1 if size is ProblemSize.SMALL else rng.randint(1, 3))
    count = rng.randint(2 * each + 1, 12 * each * _SCALE[size])
    taken = 0 if size is ProblemSize.SMALL and rng.random() < 0.5 else rng.randint(2, each)
    slots = {"n": count, "things": things, "each": each, "one": single, "many": many, "who": who, "taken": taken}
    intro, clue, ask = (
        rng.choice(setting[key]).format(a_one=article(single), **slots) for key in ("intro", "taken", "ask")
    )
    supplies = [_Supply(taken, each, count, f"places for {things}")]
    return _Limit(sentence(intro), [clue] if taken else [], ask, f"the number of {many} is {{n}}", supplies, least=True)
