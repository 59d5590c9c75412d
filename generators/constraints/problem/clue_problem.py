"""The maker of problems of every small world: a hidden world, clues that settle a question, and the reasoning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from generators.constraints.problem.clue_language import (
    ClueLanguage,
    Statement,
    mask_of,
    needed_statements,
    settling_statements,
)
from generators.constraints.problem.deduction import Inference, infer
from generators.constraints.problem.domain import ProblemForm
from generators.constraints.problem.draft import DraftAnswer, ProblemDraft, ReasoningStep, literal, sort_of_literal
from generators.constraints.problem.english import (
    capitalized,
    contradiction_sentence,
    inference_sentence,
    layout,
    number,
    sentence,
)
from generators.constraints.problem.vocabulary import names_of

DRAWN = 100
"""Statements that are tried as clues of one hidden world."""
KEPT_NOES = 0.65
"""The share of questions with the answer no that are kept: what is drawn is false more often than true."""


def pose(  # noqa: PLR0917  # what a problem is made of
    kind: str,
    language: ClueLanguage,
    setting: Mapping[str, Any],
    form: ProblemForm,
    rng: Random,
    bounds: tuple[int, int, int],
    *,
    opening: str = "",
    can: Sequence[str] = (),
    **slots: Any,
) -> ProblemDraft | None:
    """Return a problem of a language, `None` where what was drawn does not make one.

    A setting has openings (`intro`), perhaps `places`, and questions whether a solution exists (`can`); `slots` fill them, of a list a value is
    drawn. The `bounds` are the least and the most clues and the most steps of reasoning.
    """
    if not opening:
        if "place" not in slots and "places" in setting:
            slots["place"] = rng.choice(setting["places"])
        intro = rng.choice(setting["intro"])
        slots = {name: rng.choice(slot) if isinstance(slot, list) else slot for name, slot in slots.items()}
        names = {"names": names_of(language.things), "n": number(len(language.things))}
        slots = {**names, "place_capital": capitalized(slots.get("place", "")), **slots}
        opening = sentence(" ".join(intro.format(**slots).split()))
    if "size" in slots:
        opening += f" {rng.choice(setting['size']).format(s=slots['size'])}"
    problem = _ClueProblem(language, kind, opening, rng.choice(can or setting["can"]).format(**slots), *bounds, rng)
    world = rng.randrange(language.count)
    drawn = (language.draw(rng) for _ in range(DRAWN))
    true = (statement for statement in drawn if language.mask(statement) >> world & 1)
    match form:
        case ProblemForm.POSSIBLE:
            return problem.possible(world, true)
        case ProblemForm.IMPOSSIBLE:
            return problem.impossible(true)
    question = problem.question(world)
    return None if question.said == "no" and rng.random() > KEPT_NOES else problem.asking(question, true)


@dataclass(frozen=True, slots=True)
class _Question:
    """A question: its text, the term of its answer, the sort, the answer in the hidden world, and the worlds with that answer."""

    text: str
    term: str
    sort: str
    gold: str
    said: str
    target: int


@dataclass(frozen=True, slots=True)
class _ClueProblem:
    """A problem in the making: its language, its opening, the question whether a solution exists, and the bounds of its clues and steps."""

    language: ClueLanguage
    kind: str
    opening: str
    can: str
    fewest: int
    most: int
    longest: int
    rng: Random

    def question(self, world: int) -> _Question:
        """Draw a question."""
        language, rng = self.language, self.rng
        kinds = {name: kind for name, kind in language.table.questions.items() if name in language.forms}
        (name,) = rng.choices(list(kinds), [kind.weight for kind in kinds.values()])
        letters, places = kinds[name].arguments, language.draw_places(kinds[name].arguments, rng)
        filled = language.fill(letters, places, symbols=False)
        text = rng.choice(language.forms[name]).format(**filled).format(**filled)
        named, things = dict(language.enumerations), language.things
        if kinds[name].claim:
            pairs = zip(letters, places, strict=True)
            own = {place for letter, place in pairs if language.ranges[letter] is things}
            *others, last = [place for place in range(len(things)) if place not in own]
            named[language.thing_sort], term = things, things[last].value
            for place in reversed(others):
                claim = language.written(kinds[name].claim, f"{letters}x", (*places, place))
                term = f"(ite {claim} {things[place].value} {term})"
        else:
            term = language.written(kinds[name].term, letters, places)
        values = language.column(term)
        gold, target = values[world], mask_of(value == values[world] for value in values)
        for sort, thing in ((sort, thing) for sort, known in named.items() for thing in known):
            if thing.value == gold:
                return _Question(text, term, sort, gold, thing.said, target)
        said = ("yes" if gold else "no") if isinstance(gold, bool) else literal(gold)
        return _Question(text, term, sort_of_literal(gold), literal(gold), said, target)

    def asking(self, question: _Question, true: Iterator[Statement]) -> ProblemDraft | None:
        """Ask a question that the clues settle."""
        language, target = self.language, question.target
        clues = self._clues(true, target)
        if clues is None:
            return None
        alive = language.common(clues)
        # Of the facts that answer the question by themselves, the one that says least is the most to the point.
        single = (fact for fact, mask in reversed(language.facts()) if not alive & ~mask and not mask & ~target)
        goals = list(islice(single, 1)) or self._parts_of_answer(alive, target)
        inferences = infer(language, clues, target, goals=goals, most=self.longest)
        if inferences is None:
            return None
        clauses = {clue: language.say(clue, self.rng) for clue in clues}
        steps = self._steps(inferences, clauses)
        concluded = [*clues, *(inference.fact for inference in inferences if inference.fact is not None)]
        facts = goals or needed_statements(language, concluded, target)
        answer = f"the answer is {question.said}"
        premises = [clauses.get(fact) or language.say(fact) for fact in facts]
        last = f"So {answer}." if facts == concluded[-1:] else inference_sentence(premises, answer, self.rng)
        steps.append(ReasoningStep(last, tuple(map(language.term, facts)), f"(= answer {question.gold})"))
        draft_answer = DraftAnswer(question.sort, (f"(= answer {question.term})",), question.gold)
        return self._draft(clauses, steps, question.text, answer=draft_answer)

    def _parts_of_answer(self, alive: int, target: int) -> list[Statement]:
        """Return what the clues leave of the description of a world, where that answers the question; else nothing."""
        language = self.language
        own = (fact for name in language.table.portrait for fact in language.statements(name))
        known = [fact for fact in own if not alive & ~language.mask(fact)]
        return [] if language.common(known) & ~target else needed_statements(language, known, target)

    def possible(self, world: int, true: Iterator[Statement]) -> ProblemDraft | None:
        """Ask whether it can be done, where it can in one way."""
        language = self.language
        clues, goals = self._clues(true, 1 << world) or [], language.portrait(world)
        inferences = infer(language, clues, 1 << world, goals=goals, most=self.longest + len(goals)) if clues else None
        if inferences is None:
            return None
        clauses = {clue: language.say(clue, self.rng) for clue in clues}
        text = f"So {language.describe(world)}. That agrees with everything that is said, and the answer is yes."
        return self._draft(clauses, [*self._steps(inferences, clauses), ReasoningStep(text, (), None)], self.can)

    def impossible(self, true: Iterator[Statement]) -> ProblemDraft | None:
        """Ask whether it can be done, where it cannot, and could without any one of the clues."""
        language, rng = self.language, self.rng
        clues = list(islice(true, self.most - 1))
        alive = language.common(clues)
        drawn = (language.draw(rng) for _ in range(DRAWN))
        wrong = next((other for other in drawn if language.mask(other) and not alive & language.mask(other)), None)
        core = [] if wrong is None else needed_statements(language, [*clues, wrong], 0)
        plain = len(core) == 2 and (
            core[0][0] == core[1][0] or language.mask(core[0]) ^ language.mask(core[1]) == language.everything
        )
        if plain or len(core) < max(2, min(self.fewest, 3)):
            return None
        rng.shuffle(core)
        inferences = infer(language, core, 0, most=self.longest)
        if inferences is None:
            return None
        clauses = {clue: language.say(clue, rng) for clue in core}
        end = ReasoningStep("So there is no way, and the answer is no.", tuple(map(language.term, core)), "false")
        return self._draft(clauses, [*self._steps(inferences, clauses), end], self.can, satisfiable=False)

    def _clues(self, true: Iterator[Statement], target: int) -> list[Statement] | None:
        clues = settling_statements(self.language, true, target)
        if clues is None or not self.fewest <= len(clues) <= self.most:
            return None
        self.rng.shuffle(clues)
        return clues

    def _steps(self, inferences: Sequence[Inference], clauses: Mapping[Statement, str]) -> list[ReasoningStep]:
        language, steps = self.language, list[ReasoningStep]()
        for inference in inferences:
            used, fact = (*inference.known, *inference.clues), inference.fact
            premises = [clauses.get(premise) or language.say(premise) for premise in used]
            if fact is None:
                text, conclusion = contradiction_sentence(premises, self.rng), "false"
            else:
                text, conclusion = inference_sentence(premises, language.say(fact), self.rng), language.term(fact)
            steps.append(ReasoningStep(text, tuple(map(language.term, used)), conclusion))
        return steps

    def _draft(
        self,
        clauses: Mapping[Statement, str],
        steps: Sequence[ReasoningStep],
        question: str,
        *,
        answer: DraftAnswer | None = None,
        satisfiable: bool = True,
    ) -> ProblemDraft:
        return ProblemDraft(
            self.kind,
            layout(self.opening, list(clauses.values()), question, self.rng),
            tuple(steps),
            self.language.declarations(answer.sort if answer else ""),
            tuple(self.language.background),
            tuple(map(self.language.term, clauses)),
            answer,
            satisfiable=satisfiable,
            said=tuple(clauses.values()),
        )
