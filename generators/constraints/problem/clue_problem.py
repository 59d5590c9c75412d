"""The maker of problems of every small world: a hidden world, clues that settle a question, and the reasoning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from generators.constraints.problem.clue_language import (
    ClueLanguage,
    Statement,
    mask_of,
    needed_statements,
    settling_statements,
)
from generators.constraints.problem.deduction import Inference, infer
from generators.constraints.problem.domain import ProblemForm
from generators.constraints.problem.draft import (
    DraftAnswer,
    ProblemDraft,
    ReasoningStep,
    literal,
)
from generators.constraints.problem.english import contradiction_sentence, inference_sentence, layout

DRAWN = 100
"""Statements that are tried as clues of one hidden world."""
KEPT_NOES = 0.65
"""The share of questions with the answer no that are kept: what is drawn is false more often than true."""


@dataclass(frozen=True, slots=True)
class ClueFrame:
    """The frame of the clues: the opening, and the question whether a solution exists.

    A problem has `fewest` to `most` clues, and at most `steps` steps of reasoning.
    """

    kind: str
    opening: str
    can: str
    fewest: int
    most: int
    steps: int


@dataclass(frozen=True, slots=True)
class _Question:
    """A question: its text, the term of its answer, the sort, the answer in the hidden world, and the worlds with that answer."""

    text: str
    term: str
    sort: str
    gold: str
    said: str
    target: int


def clue_problem(language: ClueLanguage, frame: ClueFrame, form: ProblemForm, rng: Random) -> ProblemDraft | None:
    """Return a problem of a language, `None` where what was drawn does not make one."""
    world = rng.randrange(language.count)
    drawn = (language.draw(rng) for _ in range(DRAWN))
    true = (statement for statement in drawn if language.mask(statement) >> world & 1)
    match form:
        case ProblemForm.POSSIBLE:
            return _possible(language, frame, world, true, rng)
        case ProblemForm.IMPOSSIBLE:
            return _impossible(language, frame, true, rng)
    question = _question(language, world, rng)
    return None if question.said == "no" and rng.random() > KEPT_NOES else _asking(language, frame, question, true, rng)


def _question(language: ClueLanguage, world: int, rng: Random) -> _Question:
    kinds = {name: kind for name, kind in language.table.questions.items() if name in language.forms}
    (name,) = rng.choices(list(kinds), [kind.weight for kind in kinds.values()])
    letters, places = kinds[name].arguments, language.draw_places(kinds[name].arguments, rng)
    filled = language.fill(letters, places, symbols=False)
    text = rng.choice(language.forms[name]).format(**filled).format(**filled)
    term, enumerations = kinds[name].term, dict(language.enumerations)
    if kinds[name].claim:
        own = {
            place for letter, place in zip(letters, places, strict=True) if language.ranges[letter] is language.things
        }
        candidates = [place for place in range(len(language.things)) if place not in own]
        enumerations[language.thing_sort] = language.things
        term = language.things[candidates[-1]].value
        for place in candidates[-2::-1]:
            claim = language.written(kinds[name].claim, f"{letters}x", (*places, place))
            term = f"(ite {claim} {language.things[place].value} {term})"
    else:
        term = language.written(term, letters, places)
    values = language.column(term)
    target = mask_of(value == values[world] for value in values)
    if not isinstance(values[world], str):
        gold, whole = literal(values[world]), not isinstance(values[world], bool)
        said = gold if whole else "yes" if values[world] else "no"
        return _Question(text, term, "Int" if whole else "Bool", gold, said, target)
    sort, named = next(
        (sort, thing) for sort, things in enumerations.items() for thing in things if thing.value == values[world]
    )
    return _Question(text, term, sort, named.value, named.said, target)


def _asking(
    language: ClueLanguage, frame: ClueFrame, question: _Question, true: Iterator[Statement], rng: Random
) -> ProblemDraft | None:
    """Ask a question that the clues settle."""
    target = question.target
    clues = _clues(language, frame, true, target, rng)
    if clues is None:
        return None
    alive = language.common(clues)
    # Of the facts that answer the question by themselves, the one that says least is the most to the point.
    single = (fact for fact, mask in reversed(language.facts()) if not alive & ~mask and not mask & ~target)
    goals = list(islice(single, 1)) or _parts_of_answer(language, alive, target)
    inferences = infer(language, clues, target, goals=goals, most=frame.steps)
    if inferences is None:
        return None
    clauses = {clue: language.say(clue, rng) for clue in clues}
    steps = _steps(language, inferences, clauses, rng)
    concluded = [*clues, *(inference.fact for inference in inferences if inference.fact is not None)]
    facts = goals or needed_statements(language, concluded, target)
    answer = f"the answer is {question.said}"
    premises = [clauses.get(fact) or language.say(fact) for fact in facts]
    last = f"So {answer}." if facts == concluded[-1:] else inference_sentence(premises, answer, rng)
    steps.append(ReasoningStep(last, tuple(map(language.term, facts)), f"(= answer {question.gold})"))
    draft_answer = DraftAnswer(question.sort, (f"(= answer {question.term})",), question.gold)
    return _draft(language, frame, clauses, steps, question.text, rng, answer=draft_answer)


def _parts_of_answer(language: ClueLanguage, alive: int, target: int) -> list[Statement]:
    """Return what the clues leave of the description of a world, where that answers the question; else nothing."""
    own = (fact for name in language.table.portrait for fact in language.statements(name))
    known = [fact for fact in own if not alive & ~language.mask(fact)]
    return [] if language.common(known) & ~target else needed_statements(language, known, target)


def _possible(
    language: ClueLanguage, frame: ClueFrame, world: int, true: Iterator[Statement], rng: Random
) -> ProblemDraft | None:
    """Ask whether it can be done, where it can in one way."""
    clues = _clues(language, frame, true, 1 << world, rng)
    if clues is None:
        return None
    goals = language.portrait(world)
    inferences = infer(language, clues, 1 << world, goals=goals, most=frame.steps + len(goals))
    if inferences is None:
        return None
    clauses = {clue: language.say(clue, rng) for clue in clues}
    text = f"So {language.describe(world)}. That agrees with everything that is said, and the answer is yes."
    steps = [*_steps(language, inferences, clauses, rng), ReasoningStep(text, (), None)]
    return _draft(language, frame, clauses, steps, frame.can, rng)


def _impossible(
    language: ClueLanguage, frame: ClueFrame, true: Iterator[Statement], rng: Random
) -> ProblemDraft | None:
    """Ask whether it can be done, where it cannot, and could without any one of the clues."""
    clues = list(islice(true, frame.most - 1))
    alive = language.common(clues)
    drawn = (language.draw(rng) for _ in range(DRAWN))
    wrong = next((other for other in drawn if language.mask(other) and not alive & language.mask(other)), None)
    core = [] if wrong is None else needed_statements(language, [*clues, wrong], 0)
    plain = len(core) == 2 and (
        core[0][0] == core[1][0] or language.mask(core[0]) ^ language.mask(core[1]) == language.everything
    )
    if plain or len(core) < max(2, min(frame.fewest, 3)):
        return None
    rng.shuffle(core)
    inferences = infer(language, core, 0, most=frame.steps)
    if inferences is None:
        return None
    clauses = {clue: language.say(clue, rng) for clue in core}
    end = ReasoningStep("So there is no way, and the answer is no.", tuple(map(language.term, core)), "false")
    steps = [*_steps(language, inferences, clauses, rng), end]
    return _draft(language, frame, clauses, steps, frame.can, rng, satisfiable=False)


def _clues(
    language: ClueLanguage, frame: ClueFrame, true: Iterator[Statement], target: int, rng: Random
) -> list[Statement] | None:
    clues = settling_statements(language, true, target)
    if clues is None or not frame.fewest <= len(clues) <= frame.most:
        return None
    rng.shuffle(clues)
    return clues


def _steps(
    language: ClueLanguage, inferences: Sequence[Inference], clauses: Mapping[Statement, str], rng: Random
) -> list[ReasoningStep]:
    steps = list[ReasoningStep]()
    for inference in inferences:
        used = (*inference.known, *inference.clues)
        premises = [clauses.get(premise) or language.say(premise) for premise in used]
        terms = tuple(map(language.term, used))
        if inference.fact is None:
            steps.append(ReasoningStep(contradiction_sentence(premises, rng), terms, "false"))
        else:
            text = inference_sentence(premises, language.say(inference.fact), rng)
            steps.append(ReasoningStep(text, terms, language.term(inference.fact)))
    return steps


def _draft(  # noqa: PLR0917  # the parts of a draft
    language: ClueLanguage,
    frame: ClueFrame,
    clauses: Mapping[Statement, str],
    steps: Sequence[ReasoningStep],
    question: str,
    rng: Random,
    *,
    answer: DraftAnswer | None = None,
    satisfiable: bool = True,
) -> ProblemDraft:
    return ProblemDraft(
        frame.kind,
        layout(frame.opening, list(clauses.values()), question, rng),
        tuple(steps),
        language.declarations(answer.sort if answer else ""),
        tuple(language.background),
        tuple(map(language.term, clauses)),
        answer,
        satisfiable=satisfiable,
        said=tuple(clauses.values()),
    )
