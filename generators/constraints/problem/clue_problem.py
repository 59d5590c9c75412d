"""The construction of a problem from a small world: a hidden world, clues that settle a question, and the reasoning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from generators.constraints.problem.deduction import Inference, infer
from generators.constraints.problem.domain import ProblemForm
from generators.constraints.problem.draft import DraftAnswer, ProblemDraft, ReasoningStep, enumeration, literal
from generators.constraints.problem.english import contradiction_sentence, inference_sentence, layout
from generators.constraints.problem.language import (
    Statement,
    World,
    WorldLanguage,
    needed_statements,
    settling_statements,
)

DRAWN = 100
"""Statements that are tried as clues of one hidden world."""


@dataclass(frozen=True, slots=True)
class WorldQuestion:
    """The question: its sentence, the answer's sort and ties, its literal in each world, and the words for a literal.

    The literal is empty in worlds in which there is no answer.
    `goals` are facts of the hidden world that answer it; of several such lists the first that can be concluded is.
    """

    text: str
    sort: str
    ties: tuple[str, ...]
    value: Callable[[World], str]
    goals: Callable[[World], Sequence[Sequence[Statement]]] = lambda _: ()
    read: Callable[[str], str] = str
    logic: str = ""
    declarations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProblemFrame:
    """The frame of the clues: the opening, the question whether a solution exists, and the head of the program."""

    kind: str
    opening: str
    can: str
    logic: str
    declarations: tuple[str, ...]
    background: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClueBounds:
    """How many clues a problem has, and how many steps its reasoning at most."""

    fewest: int
    most: int
    steps: int


def draft_problem(  # noqa: PLR0917  # what a problem is made of
    language: WorldLanguage,
    frame: ProblemFrame,
    question: WorldQuestion,
    bounds: ClueBounds,
    form: ProblemForm,
    rng: Random,
) -> ProblemDraft | None:
    """Return a problem of a language, `None` where what was drawn does not make one."""
    place = rng.randrange(len(language.worlds))
    drawn = (language.draw(rng) for _ in range(DRAWN))
    true = (statement for statement in drawn if language.mask(statement) >> place & 1)
    drafter = _Drafter(language, frame, bounds, rng, true)
    match form:
        case ProblemForm.POSSIBLE:
            return drafter.possible(place)
        case ProblemForm.IMPOSSIBLE:
            return drafter.impossible()
    return drafter.asking(question, language.worlds[place])


@dataclass(frozen=True, slots=True)
class _Drafter:
    """Drafts one problem; `true` are statements that hold in the hidden world, in the order in which they are tried."""

    language: WorldLanguage
    frame: ProblemFrame
    bounds: ClueBounds
    rng: Random
    true: Iterator[Statement]

    def asking(self, question: WorldQuestion, hidden: World) -> ProblemDraft | None:
        """Ask a question that the clues settle."""
        language, gold = self.language, question.value(hidden)
        if not gold:
            return None
        target = language.where(lambda world: question.value(world) == gold)
        clues = self._draw_clues(target)
        if clues is None:
            return None
        goals = _goals(language, question.goals(hidden), language.common(clues), target)
        inferences = infer(language, clues, target, goals=goals, most=self.bounds.steps)
        if inferences is None:
            return None
        clauses = self._clauses(clues)
        steps = self._steps(inferences, clauses)
        concluded = [*clues, *(inference.fact for inference in inferences if inference.fact is not None)]
        facts = goals or needed_statements(language, concluded, target)
        answer = f"the answer is {question.read(gold)}"
        premises = [clauses.get(fact) or language.say(fact) for fact in facts]
        last = f"So {answer}." if facts == concluded[-1:] else inference_sentence(premises, answer, self.rng)
        steps.append(ReasoningStep(last, tuple(map(language.term, facts)), f"(= answer {gold})"))
        return replace(
            self._draft(clauses, steps, question.text),
            logic=question.logic or self.frame.logic,
            declarations=(*self.frame.declarations, *question.declarations),
            answer=DraftAnswer(question.sort, question.ties, gold),
        )

    def possible(self, place: int) -> ProblemDraft | None:
        """Ask whether it can be done, where it can in one way."""
        language, world = self.language, self.language.worlds[place]
        clues = self._draw_clues(1 << place)
        if clues is None:
            return None
        goals, most = language.portrait(world), self.bounds.steps + len(language.portrait(world))
        inferences = infer(language, clues, 1 << place, goals=goals, most=most)
        if inferences is None:
            return None
        clauses = self._clauses(clues)
        text = f"So {language.describe(world)}. That agrees with everything that is said, and the answer is yes."
        steps = [*self._steps(inferences, clauses), ReasoningStep(text, (), None)]
        return self._draft(clauses, steps, self.frame.can)

    def impossible(self) -> ProblemDraft | None:
        """Ask whether it can be done, where it cannot, and could without any one of the clues."""
        language = self.language
        clues = list(islice(self.true, self.bounds.most - 1))
        alive = language.common(clues)
        drawn = (language.draw(self.rng) for _ in range(DRAWN))
        wrong = next((statement for statement in drawn if not alive & language.mask(statement)), None)
        core = [] if wrong is None else needed_statements(language, [*clues, wrong], 0)
        plain = len(core) == 2 and language.mask(core[0]) ^ language.mask(core[1]) == language.everything
        if plain or len(core) < max(2, min(self.bounds.fewest, 3)):
            return None
        self.rng.shuffle(core)
        inferences = infer(language, core, 0, most=self.bounds.steps)
        if inferences is None:
            return None
        clauses = self._clauses(core)
        end = ReasoningStep("So there is no way, and the answer is no.", tuple(map(language.term, core)), "false")
        steps = [*self._steps(inferences, clauses), end]
        return replace(self._draft(clauses, steps, self.frame.can), satisfiable=False)

    def _draw_clues(self, target: int) -> list[Statement] | None:
        clues = settling_statements(self.language, self.true, target)
        if clues is None or not self.bounds.fewest <= len(clues) <= self.bounds.most:
            return None
        self.rng.shuffle(clues)
        return clues

    def _clauses(self, clues: Sequence[Statement]) -> dict[Statement, str]:
        return {clue: self.language.say(clue, self.rng) for clue in clues}

    def _steps(self, inferences: Sequence[Inference], clauses: Mapping[Statement, str]) -> list[ReasoningStep]:
        language, steps = self.language, list[ReasoningStep]()
        for inference in inferences:
            used = (*inference.known, *inference.clues)
            premises = [clauses.get(premise) or language.say(premise) for premise in used]
            terms = tuple(map(language.term, used))
            if inference.fact is None:
                steps.append(ReasoningStep(contradiction_sentence(premises, self.rng), terms, "false"))
            else:
                text = inference_sentence(premises, language.say(inference.fact), self.rng)
                steps.append(ReasoningStep(text, terms, language.term(inference.fact)))
        return steps

    def _draft(self, clauses: Mapping[Statement, str], steps: Sequence[ReasoningStep], question: str) -> ProblemDraft:
        frame = self.frame
        text = layout(frame.opening, list(clauses.values()), question, self.rng)
        terms = tuple(map(self.language.term, clauses))
        return ProblemDraft(
            frame.kind,
            text,
            tuple(steps),
            frame.logic,
            frame.declarations,
            frame.background,
            terms,
            None,
            said=tuple(clauses.values()),
        )


def _goals(
    language: WorldLanguage, alternatives: Iterable[Sequence[Statement]], alive: int, target: int
) -> list[Statement]:
    """Return the first facts that hold in all worlds that are left and settle the question."""
    for goals in alternatives:
        together = language.common(goals)
        if not alive & ~together and not together & ~target:
            return list(goals)
    return []


def truth_question(
    text: str, term: str, holds: Callable[[World], bool], goals: Callable[[World], Sequence[Sequence[Statement]]]
) -> WorldQuestion:
    """Return the question whether something holds."""
    ties = (f"(= answer {term})",)
    return WorldQuestion(text, "Bool", ties, lambda world: literal(holds(world)), goals, _yes_or_no)


def _yes_or_no(value: str) -> str:
    return "yes" if value == "true" else "no"


def number_question(
    text: str,
    term: str,
    count: Callable[[World], int],
    goals: Callable[[World], Sequence[Sequence[Statement]]],
    logic: str = "",
) -> WorldQuestion:
    """Return the question for a number."""
    return WorldQuestion(text, "Int", (f"(= answer {term})",), lambda world: str(count(world)), goals, str, logic)


def thing_question(
    language: WorldLanguage,
    text: str,
    sort: str,
    claim: Callable[[int], Statement],
    place: Callable[[World], int],
    *,
    goal: Callable[[int], Statement] | None = None,
    among: Sequence[int] | None = None,
    logic: str = "QF_UFDTLIA",
) -> WorldQuestion:
    """Return the question which of the things, or of those `among` them, it is.

    `claim` says of a thing that it is the one, `place` gives its number in a world; `goal` is the fact to conclude, the claim unless
    given.
    """
    names = [thing.value for thing in language.things]
    *others, last = among or range(len(names))
    chosen = names[last]
    for other in reversed(others):
        chosen = f"(ite {language.term(claim(other))} {names[other]} {chosen})"
    return WorldQuestion(
        text,
        sort,
        (f"(= answer {chosen})",),
        lambda world: names[place(world)],
        lambda world: [[(goal or claim)(place(world))]],
        lambda name: language.things[names.index(name)].said,
        logic,
        (enumeration(sort, tuple(names)),),
    )
