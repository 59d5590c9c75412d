"""The maker of problems of every small world: a hidden world, clues that settle a question, and the reasoning.

Each step of the reasoning is checked against every world of the language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from random import Random
from typing import Any

from generators.constraints.problem.clue_language import (
    ClueLanguage,
    Statement,
    mask_of,
    needed_statements,
    settling_statements,
)
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
from harness.text.nouns import listed

DRAWN = 100
"""Statements that are tried as clues of one hidden world."""
MOST_CLUES = 2
"""Clues that a reader has to hold in mind at once in one step."""
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
        """Return the draft of a problem whose clues settle its question; `None` where no draw gives one."""
        language, target = self.language, question.target
        clues = self._clues(true, target)
        if clues is None:
            return None
        alive = language.common(clues)
        # Of the facts that answer the question by themselves, the one that says least is the most to the point.
        single = (fact for fact, mask in reversed(language.facts()) if not alive & ~mask and not mask & ~target)
        goals = list(islice(single, 1)) or language.portrait(alive, target)
        inferences = _infer(language, clues, target, goals=goals, most=self.longest)
        if inferences is None:
            return None
        clauses = {clue: language.say(clue, self.rng) for clue in clues}
        steps = self._reasoning(inferences, clauses)
        concluded = [*clues, *(inference.conclusion for inference in inferences if inference.conclusion is not None)]
        facts = goals or needed_statements(language, concluded, target)
        answer = f"the answer is {question.said}"
        premises = [clauses.get(fact) or language.say(fact) for fact in facts]
        last = f"So {answer}." if facts == concluded[-1:] else inference_sentence(premises, answer, self.rng)
        steps.append(ReasoningStep(last, tuple(map(language.term, facts)), f"(= answer {question.gold})"))
        draft_answer = DraftAnswer(question.sort, (f"(= answer {question.term})",), question.gold)
        return self._draft(clauses, steps, question.text, answer=draft_answer)

    def possible(self, world: int, true: Iterator[Statement]) -> ProblemDraft | None:
        """Return the draft of a problem that asks whether it can be done, where it can in one way; `None` where no draw gives one."""
        language = self.language
        clues, goals = self._clues(true, 1 << world) or [], language.portrait(1 << world, 1 << world)
        inferences = _infer(language, clues, 1 << world, goals=goals, most=self.longest + len(goals)) if clues else None
        if inferences is None:
            return None
        clauses = {clue: language.say(clue, self.rng) for clue in clues}
        whole = listed(list(map(language.say, goals)))
        text = f"So it can be that {whole}. That agrees with everything that is said, and the answer is yes."
        return self._draft(clauses, [*self._reasoning(inferences, clauses), ReasoningStep(text, (), None)], self.can)

    def impossible(self, true: Iterator[Statement]) -> ProblemDraft | None:
        """Return the draft of a problem that asks whether it can be done, where it cannot, and could without any one of the clues; `None` where no draw gives one."""
        language, rng = self.language, self.rng
        clues = list(islice(true, self.most - 1))
        alive = language.common(clues)
        drawn = (language.draw(rng) for _ in range(DRAWN))
        wrong = next((other for other in drawn if language.mask(other) and not alive & language.mask(other)), None)
        core = [] if wrong is None else needed_statements(language, [*clues, wrong], 0)
        alike = len(core) == 2 and core[0][0] == core[1][0]
        opposite = len(core) == 2 and language.mask(core[0]) ^ language.mask(core[1]) == language.everything
        if alike or opposite or len(core) < max(2, min(self.fewest, 3)):
            return None
        rng.shuffle(core)
        inferences = _infer(language, core, 0, most=self.longest)
        if inferences is None:
            return None
        clauses = {clue: language.say(clue, rng) for clue in core}
        end = ReasoningStep("So there is no way, and the answer is no.", tuple(map(language.term, core)), "false")
        return self._draft(clauses, [*self._reasoning(inferences, clauses), end], self.can, satisfiable=False)

    def _clues(self, true: Iterator[Statement], target: int) -> list[Statement] | None:
        clues = settling_statements(self.language, true, target)
        if clues is None or not self.fewest <= len(clues) <= self.most:
            return None
        self.rng.shuffle(clues)
        return clues

    def _reasoning(self, inferences: Sequence[_Inference], clauses: Mapping[Statement, str]) -> list[ReasoningStep]:
        language, steps = self.language, list[ReasoningStep]()
        for inference in inferences:
            used, fact = (*inference.known, *inference.clues), inference.conclusion
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


@dataclass(frozen=True, slots=True)
class _Inference:
    """From clues and from what was concluded before follows a fact, in a set of worlds; without one, that they cannot all be true."""

    clues: tuple[Statement, ...]
    known: tuple[Statement, ...]
    conclusion: Statement | None
    worlds: int


def _infer(
    language: ClueLanguage, clues: Sequence[Statement], target: int, *, goals: Sequence[Statement] = (), most: int
) -> list[_Inference] | None:
    """Return the steps until all goals are concluded and only worlds of the target are left; a target of 0 is a contradiction.

    Each takes as few clues as can be, and of the facts that then follow one that says most; each is needed. A clue that is a fact itself
    is known from the beginning. `None` where a step would need more than `MOST_CLUES` clues, or there would be more than `most` steps.
    """
    everything = language.everything
    masks = {clue: language.mask(clue) for clue in clues}
    # Those that say most come first, so that the first found is nearly the best.
    facts = [(fact, mask, everything & ~mask) for fact, mask in language.facts()]
    listed = {mask for _, mask, _ in facts}
    concluded = [clue for clue, mask in masks.items() if mask in listed]
    known = language.common(concluded)
    open_goals = [(goal, language.mask(goal)) for goal in goals if goal not in concluded]
    steps: list[_Inference] = []
    while open_goals or known & ~target or not target:
        facts = [fact for fact in facts if known & fact[2]]
        reached = next(((goal, mask) for goal, mask in open_goals if not known & ~mask), None)
        step = _next(facts, masks, known) if reached is None else _Inference((), (), *reached)
        if step is None or len(steps) == 2 * most:
            return None
        premises = needed_statements(language, concluded, step.worlds, given=step.clues)
        steps.append(replace(step, known=tuple(premises)))
        if step.conclusion is None:
            break
        known &= step.worlds
        concluded.append(step.conclusion)
        open_goals = [goal for goal in open_goals if goal[0] != step.conclusion]
    wanted = goals or (needed_statements(language, concluded, target) if target else ())
    used, kept = set(wanted), list[_Inference]()
    for step in reversed(steps):
        if step.conclusion is None or step.conclusion in used:
            kept.append(step)
            used.update(step.known)
    return kept[::-1] if len(kept) <= most else None


def _next(facts: Sequence[tuple[Statement, int, int]], masks: Mapping[Statement, int], known: int) -> _Inference | None:
    """Return the next step, a contradiction where there is one; `None` where nothing more follows.

    `facts` come with the worlds in which they hold and those in which they do not, `masks` are those of the clues.
    """
    for count in range(1, MOST_CLUES + 1):
        best: _Inference | None = None
        fewest = known.bit_count()
        for used in combinations(masks, count):
            left = known
            for clue in used:
                left &= masks[clue]
            if not left:
                return _Inference(used, (), None, 0)
            if left == known:
                continue
            for fact, mask, rest in facts:
                if not left & rest:
                    if (size := (known & mask).bit_count()) < fewest:
                        best, fewest = _Inference(used, (), fact, mask), size
                    break
        if best is not None:
            return best
    return None
