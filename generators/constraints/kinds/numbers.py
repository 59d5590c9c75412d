"""Problems about a number of two or three digits with given properties.

The worlds are all such numbers, 90 or 900. The reasoning lists the remaining candidates after each clue.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from generators.constraints.problem.domain import ProblemForm, ProblemSize, by_size
from generators.constraints.problem.draft import DraftAnswer, ProblemDraft, ReasoningStep, constants
from generators.constraints.problem.english import TIMES, layout, listed, number, sentence
from generators.constraints.problem.language import (
    Statement,
    StatementKind,
    WorldLanguage,
    arrangements,
    settling_statements,
)
from generators.constraints.problem.vocabulary import people, words

_CLUES = by_size((2, 3), (3, 4), (3, 5))
_DIGITS = by_size(2, 2, 3)
_NAMES = {2: ("tens", "ones"), 3: ("hundreds", "tens", "ones")}
_PLURAL = {"has": "have", "is": "are", "becomes": "become"}
# The first form of each begins with `the number`, `has`, `is` or `becomes`, so that it can be said of several.
_FORMS = {
    "sum": (
        "the number has digits that add up to {m}",
        "the sum of its digits is {m}",
        "its digits add up to {m}",
    ),
    "two_sum": ("the number has a {a} and a {b} that add up to {m}", "its {a} and its {b} add up to {m}"),
    "ahead": (
        "the number has a {a} that is {m} more than the {b}",
        "its {a} is {m} more than its {b}",
        "its {b} is {m} less than its {a}",
    ),
    "times": ("the number has a {a} that is {m} the {b}", "its {a} is {m} its {b}"),
    "same": ("the number has the same {a} and {b}", "its {a} and its {b} are the same"),
    "larger": (
        "the number has a {a} that is larger than the {b}",
        "its {a} is larger than its {b}",
        "its {b} is smaller than its {a}",
    ),
    "is": ("the number is {m}",),
    "even": ("the number is even",),
    "odd": ("the number is odd",),
    "divisible": (
        "the number is divisible by {m}",
        "the number is a multiple of {m}",
        "it can be divided by {m} without a remainder",
    ),
    "above": ("the number is greater than {m}", "it is more than {m}"),
    "below": ("the number is less than {m}", "it is smaller than {m}"),
    "mirror": (
        "the number becomes {m} {change} when its digits are written in reverse order",
        "with its digits in reverse order, it would be {m} {change}",
    ),
}
MOST_LISTED = 12
"""Candidates that one sentence names."""


def number_puzzle(rng: Random, size: ProblemSize, form: ProblemForm) -> ProblemDraft | None:
    """Draft a problem about the digits of a number; `None` where the draw gives none."""
    language = _Numbers(_DIGITS[size])
    place = rng.randrange(len(language.worlds))
    statements = (language.draw(rng) for _ in range(60))
    true = (statement for statement in statements if language.mask(statement) >> place & 1)
    clues = settling_statements(language, true, 1 << place)
    fewest, most = _CLUES[size]
    if clues is None or not fewest <= len(clues) <= most:
        return None
    impossible = form is ProblemForm.IMPOSSIBLE
    if impossible:
        alive = language.common(clues[1:])
        others = (language.draw(rng) for _ in range(60))
        wrong = next((other for other in others if language.mask(other) and not alive & language.mask(other)), None)
        if wrong is None:
            return None
        clues = [wrong, *clues[1:]]
        if any(not language.common(clue for clue in clues if clue != other) for other in clues):
            return None
    # The clue that leaves the fewest candidates comes first in the reasoning, not in the text.
    order = sorted(clues, key=lambda clue: language.mask(clue).bit_count())
    rng.shuffle(clues)
    steps = _steps(language, order)
    if steps is None:
        return None
    table = words("numbers")
    (person,) = people(rng, 1)
    opening = rng.choice(table["intro"]).format(
        who=person.said, n=number(language.digits), place=rng.choice(table["places"]), lock=rng.choice(table["locks"])
    )
    sentences = [language.say(clue, rng) for clue in clues]
    asking = form is ProblemForm.ANSWER
    question = rng.choice(table["ask" if asking else "can"])
    gold = str(language.worlds[place])
    if form is ProblemForm.POSSIBLE:
        steps[-1] = ReasoningStep(f"{gold} is such a number, so the answer is yes.", (), None)
    return ProblemDraft(
        "number",
        layout(sentence(opening), sentences, question, rng),
        tuple(steps),
        "QF_LIA",
        constants(language.names, "Int"),
        tuple(f"(<= {int(place == 0)} {name} 9)" for place, name in enumerate(language.names)),
        tuple(map(language.term, clues)),
        DraftAnswer("Int", (f"(= answer {language.whole})",), gold) if asking else None,
        satisfiable=not impossible,
        said=tuple(sentences),
    )


def _steps(language: _Numbers, order: Sequence[Statement]) -> list[ReasoningStep] | None:
    """Return the steps that list the candidates; `None` where there are too many to list."""
    alive, waiting, steps, given = language.everything, list[Statement](), list[ReasoningStep](), ""
    digits, whole = f"{number(language.digits)}-digit", language.whole
    for place, clue in enumerate(order):
        alive &= language.mask(clue)
        waiting.append(clue)
        candidates = [value for value, bit in zip(language.worlds, f"{alive:b}"[::-1], strict=False) if bit == "1"]
        if len(candidates) > MOST_LISTED:
            continue
        premises = (*([given] if given else []), *map(language.term, waiting))
        properties = [language.say(clue).removeprefix("the number ") for clue in waiting]
        singular, plural = listed(properties), listed([_plural(phrase) for phrase in properties])
        if not candidates:
            last = f"None of these {singular}" if given else f"No {digits} number {singular}"
            text = f"{last}, so there is no such number, and the answer is no."
            return [*steps, ReasoningStep(text, premises, "false")]
        single, numbers = len(candidates) == 1, listed(list(map(str, candidates)))
        terms = [f"(= {whole} {candidate})" for candidate in candidates]
        given = terms[0] if single else f"(or {' '.join(terms)})"
        if steps:
            text = f"Of these, only {numbers} {singular if single else plural}."
        elif single:
            text = f"The only {digits} number that {singular} is {numbers}."
        else:
            text = f"The {digits} numbers that {plural} are {numbers}."
        steps.append(ReasoningStep(text, premises, given))
        waiting = []
        if single and place == len(order) - 1:
            return [*steps, ReasoningStep(f"So the answer is {numbers}.", (given,), f"(= answer {numbers})")]
    return None


def _plural(phrase: str) -> str:
    """Return a statement about one number in the form for several."""
    verb, _, rest = phrase.partition(" ")
    return f"{_PLURAL[verb]} {rest.replace(' its', ' their')}"


def _digit(world: int, place: int) -> int:
    return int(str(world)[place])


def _sum(names: Sequence[str]) -> str:
    """Return the term for the number with some digits."""
    powers = range(len(names) - 1, -1, -1)
    return f"(+ {' '.join(f'(* {10**power} {name})' if power else name for power, name in zip(powers, names, strict=True))})"


_KINDS = {
    "sum": StatementKind(5, "m", lambda w, m: sum(map(int, str(w))) == m, "(= (+ {names}) {m})"),
    "ahead": StatementKind(4, "abm", lambda w, a, b, m: _digit(w, a) == _digit(w, b) + m, "(= {a} (+ {b} {m}))"),
    "times": StatementKind(3, "abx", lambda w, a, b, x: _digit(w, a) == x * _digit(w, b), "(= {a} (* {x} {b}))"),
    "even": StatementKind(2, "", lambda w: w % 2 == 0, "(= (mod ones 2) 0)"),
    "odd": StatementKind(2, "", lambda w: w % 2 == 1, "(= (mod ones 2) 1)"),
    "divisible": StatementKind(4, "m", lambda w, m: w % m == 0, "(= (mod {whole} {m}) 0)"),
    "above": StatementKind(3, "m", lambda w, m: w > m, "(> {whole} {m})"),
    "below": StatementKind(3, "m", lambda w, m: w < m, "(< {whole} {m})"),
    "mirror": StatementKind(3, "d", lambda w, d: int(str(w)[::-1]) == w + d, "(= {reverse} ({sign} {whole} {size}))"),
    "two_sum": StatementKind(3, "abm", lambda w, a, b, m: _digit(w, a) + _digit(w, b) == m, "(= (+ {a} {b}) {m})"),
    "same": StatementKind(1, "ab", lambda w, a, b: _digit(w, a) == _digit(w, b), "(= {a} {b})"),
    "larger": StatementKind(2, "ab", lambda w, a, b: _digit(w, a) > _digit(w, b), "(> {a} {b})"),
    "is": StatementKind(0, "m", lambda w, m: w == m, "(= {whole} {m})"),
}


class _Numbers(WorldLanguage):
    """Statements about a number with a given number of digits; a world is a number."""

    kinds = _KINDS
    forms = _FORMS

    def __init__(self, digits: int) -> None:
        self.shape = self.digits = digits
        self.worlds = tuple(range(10 ** (digits - 1), 10**digits))
        self.names = _NAMES[digits]
        self.whole = _sum(self.names)

    def symbols(self, letter: str, argument: int) -> dict[str, str]:
        match letter:
            case "a" | "b":
                return {letter: self.names[argument]}
            case "d":
                sign, size = "+" if argument > 0 else "-", str(abs(argument))
                return {"reverse": _sum(self.names[::-1]), "whole": self.whole, "sign": sign, "size": size}
        return {letter: str(argument), "names": " ".join(self.names), "whole": self.whole}

    def values(self, world: int) -> dict[str, str]:
        return dict(zip(self.names, str(world), strict=True))

    def words(self, letter: str, argument: int) -> dict[str, str]:
        match letter:
            case "a" | "b":
                return {letter: f"{self.names[argument]} digit"}
            case "x":
                return {"m": TIMES[argument]}
            case "d":
                return {"m": str(abs(argument)), "change": "more" if argument > 0 else "less"}
        return {letter: str(argument)}

    def portrait(self, world: int) -> list[Statement]:
        return [("is", world)]

    def draw(self, rng: Random) -> Statement:
        kind = self.draw_kind(rng)
        a, b = rng.choice(arrangements(self.digits, 2))
        match kind:
            case "sum":
                return kind, rng.randint(2, 9 * self.digits - 1)
            case "two_sum":
                return ("sum", rng.randint(2, 17)) if self.digits == 2 else (kind, *sorted((a, b)), rng.randint(2, 17))
            case "ahead":
                return kind, a, b, rng.randint(1, 8)
            case "times":
                return kind, a, b, rng.randint(2, 4)
            case "same" | "larger":
                return kind, a, b
            case "divisible":
                return kind, rng.choice((3, 4, 5, 6, 7, 8, 9, 11))
            case "above" | "below":
                return kind, rng.randrange(2, 9) * 10 ** (self.digits - 1)
            case "mirror":
                step = 9 if self.digits == 2 else 99
                return kind, step * rng.choice((-5, -4, -3, -2, -1, 1, 2, 3, 4, 5))
        return (kind,)

    def facts(self) -> Sequence[Statement]:
        return [("is", world) for world in self.worlds]
