"""Problems about a number of two or three digits with given properties.

The worlds are all such numbers, 90 or 900. The reasoning lists the remaining candidates after each clue.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from generators.constraints.problem.domain import ProblemForm, ProblemSize
from generators.constraints.problem.draft import DraftAnswer, ProblemDraft, ReasoningStep, constants
from generators.constraints.problem.english import draw_form, layout, listed, number, sentence
from generators.constraints.problem.language import (
    Statement,
    WorldLanguage,
    arrangements,
    settling_statements,
    weighted,
    worlds_where,
)
from generators.constraints.problem.vocabulary import people, words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

_CLUES = {ProblemSize.SMALL: (2, 3), ProblemSize.MEDIUM: (3, 4), ProblemSize.LARGE: (3, 5)}
_DIGITS = {ProblemSize.SMALL: 2, ProblemSize.MEDIUM: 2, ProblemSize.LARGE: 3}
_WEIGHTS = {
    "sum": 5,
    "ahead": 4,
    "times": 3,
    "even": 2,
    "odd": 2,
    "divisible": 4,
    "above": 3,
    "below": 3,
    "mirror": 3,
    "two_sum": 3,
    "same": 1,
    "larger": 2,
}
_DRAWN = weighted(_WEIGHTS)
_NAMES = {2: ("tens", "ones"), 3: ("hundreds", "tens", "ones")}
_PLURAL = {"has": "have", "is": "are", "becomes": "become"}
_TIMES = {2: "twice", 3: "three times", 4: "four times"}
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
    """Draft a problem about the digits of a number; `None` where what was drawn makes none."""
    language = _Numbers(_DIGITS[size])
    place = rng.randrange(len(language.worlds))
    statements = (language.draw(rng) for _ in range(60))
    clues = settling_statements(language, (one for one in statements if language.mask(one) >> place & 1), 1 << place)
    fewest, most = _CLUES[size]
    if clues is None or not fewest <= len(clues) <= most:
        return None
    impossible = form is ProblemForm.IMPOSSIBLE
    if impossible:
        alive = language.common(clues[1:])
        others = (language.draw(rng) for _ in range(60))
        wrong = next((one for one in others if language.mask(one) and not alive & language.mask(one)), None)
        if wrong is None:
            return None
        clues = [wrong, *clues[1:]]
        if any(not language.common(one for one in clues if one != other) for other in clues):
            return None
    # The one that leaves the fewest candidates comes first in the reasoning, not in the text.
    order = sorted(clues, key=lambda one: language.mask(one).bit_count())
    rng.shuffle(clues)
    steps = _steps(language, order)
    if steps is None:
        return None
    table = words("numbers")
    (person,) = people(rng, 1)
    opening = rng.choice(table["intro"]).format(
        who=person.said, n=number(language.digits), place=rng.choice(table["places"]), lock=rng.choice(table["locks"])
    )
    said = [language.say(one, rng) for one in clues]
    asking = form is ProblemForm.ANSWER
    question = rng.choice(table["ask" if asking else "can"])
    gold = str(language.worlds[place])
    if form is ProblemForm.POSSIBLE:
        steps[-1] = ReasoningStep(f"{gold} is such a number, so the answer is yes.", (), None)
    return ProblemDraft(
        "number",
        layout(sentence(opening), said, question, rng),
        tuple(steps),
        "QF_LIA",
        constants(language.names, "Int"),
        language.background,
        tuple(map(language.term, clues)),
        DraftAnswer("Int", (f"(= answer {language.whole})",), gold) if asking else None,
        satisfiable=not impossible,
    )


def _steps(language: _Numbers, order: Sequence[Statement]) -> list[ReasoningStep] | None:
    """Return the steps that list the candidates; `None` where there are too many to list."""
    alive, waiting, steps, given = language.everything, list[Statement](), list[ReasoningStep](), ""
    digits = f"{number(language.digits)}-digit"
    for place, clue in enumerate(order):
        alive &= language.mask(clue)
        waiting.append(clue)
        found = [value for value, bit in zip(language.worlds, f"{alive:b}"[::-1], strict=False) if bit == "1"]
        if len(found) > MOST_LISTED:
            continue
        premises = (*([given] if given else []), *map(language.term, waiting))
        one = listed([language.say(clue).removeprefix("the number ") for clue in waiting])
        several = listed([_plural(language.say(clue).removeprefix("the number ")) for clue in waiting])
        whole, told = language.whole, listed([str(one) for one in found]) if found else ""
        if not found:
            last = f"None of these {one}" if given else f"No {digits} number {one}"
            return [
                *steps,
                ReasoningStep(f"{last}, so there is no such number, and the answer is no.", premises, "false"),
            ]
        given = (
            f"(= {whole} {found[0]})" if len(found) == 1 else f"(or {' '.join(f'(= {whole} {one})' for one in found)})"
        )
        if steps:
            text = f"Of these, only {told} {one if len(found) == 1 else several}."
        elif len(found) == 1:
            text = f"The only {digits} number that {one} is {told}."
        else:
            text = f"The {digits} numbers that {several} are {told}."
        steps.append(ReasoningStep(text, premises, given))
        waiting = []
        if len(found) == 1 and place == len(order) - 1:
            steps.append(ReasoningStep(f"So the answer is {told}.", (given,), f"(= answer {told})"))
            return steps
    return None


def _plural(said: str) -> str:
    """Return what is said of one number as it is said of several."""
    verb, _, rest = said.partition(" ")
    return f"{_PLURAL[verb]} {rest.replace(' its', ' their')}"


class _Numbers(WorldLanguage):
    """Statements about a number of so many digits; a world is a number."""

    def __init__(self, digits: int) -> None:
        super().__init__()
        self.digits = digits
        self.worlds = tuple(range(10 ** (digits - 1), 10**digits))
        self.names = _NAMES[digits]

    @property
    def whole(self) -> str:
        """Return the term for the number."""
        weighted = [
            f"(* {10**power} {name})" if power else name
            for power, name in zip(range(self.digits - 1, -1, -1), self.names, strict=True)
        ]
        return f"(+ {' '.join(weighted)})"

    @property
    def background(self) -> tuple[str, ...]:
        """Return what holds for all digits."""
        return tuple(f"(<= {int(place == 0)} {name} 9)" for place, name in enumerate(self.names))

    def holds(self, statement: Statement, world: int) -> bool:
        digits = [int(digit) for digit in str(world)]
        match statement:
            case "sum", many:
                return bool(sum(digits) == many)
            case "ahead", a, b, many:
                return bool(digits[a] == digits[b] + many)
            case "times", a, b, many:
                return bool(digits[a] == many * digits[b])
            case "same", a, b:
                return bool(digits[a] == digits[b])
            case "larger", a, b:
                return bool(digits[a] > digits[b])
            case (("even" | "odd") as kind,):
                return bool((world % 2 == 0) == (kind == "even"))
            case "divisible", by:
                return bool(world % by == 0)
            case "is", value:
                return bool(world == value)
            case "above", bound:
                return bool(world > bound)
            case "below", bound:
                return bool(world < bound)
            case "mirror", many:
                return bool(int(str(world)[::-1]) == world + many)
            case "two_sum", a, b, many:
                return bool(digits[a] + digits[b] == many)
        raise ValueError(statement)

    def mask(self, statement: Statement) -> int:
        return _mask(self.digits, statement)

    def term(self, statement: Statement) -> str:
        name, whole = self.names, self.whole
        match statement:
            case "sum", many:
                return f"(= (+ {' '.join(name)}) {many})"
            case "ahead", a, b, many:
                return f"(= {name[a]} (+ {name[b]} {many}))"
            case "times", a, b, many:
                return f"(= {name[a]} (* {many} {name[b]}))"
            case "same", a, b:
                return f"(= {name[a]} {name[b]})"
            case "larger", a, b:
                return f"(> {name[a]} {name[b]})"
            case (("even" | "odd") as kind,):
                return f"(= (mod {name[-1]} 2) {int(kind == 'odd')})"
            case "divisible", by:
                return f"(= (mod {whole} {by}) 0)"
            case "is", value:
                return f"(= {whole} {value})"
            case "above", bound:
                return f"(> {whole} {bound})"
            case "below", bound:
                return f"(< {whole} {bound})"
            case "mirror", many:
                turned = _Numbers(self.digits)
                turned.names = name[::-1]
                amount = f"(+ {whole} {many})" if many > 0 else f"(- {whole} {-many})"
                return f"(= {turned.whole} {amount})"
            case "two_sum", a, b, many:
                return f"(= (+ {name[a]} {name[b]}) {many})"
        raise ValueError(statement)

    def values(self, world: int) -> dict[str, str]:
        return dict(zip(self.names, str(world), strict=True))

    def say(self, statement: Statement, rng: Random | None = None) -> str:
        kind, *arguments = statement
        values: dict[str, object] = {}
        if kind in {"ahead", "times", "same", "larger", "two_sum"}:
            values = {"a": f"{self.names[arguments[0]]} digit", "b": f"{self.names[arguments[1]]} digit"}
        if arguments:
            amount = arguments[-1]
            values["m"] = _TIMES[amount] if kind == "times" else abs(amount)
            values["change"] = "more" if amount > 0 else "less"
        return draw_form(_FORMS[kind], rng).format(**values)

    def portrait(self, world: int) -> list[Statement]:
        return [("is", world)]

    def draw(self, rng: Random) -> Statement:
        kind = rng.choice(_DRAWN)
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


@cache
def _mask(digits: int, statement: Statement) -> int:
    meant = _Numbers(digits)
    return worlds_where(meant.worlds, lambda world: meant.holds(statement, world))
