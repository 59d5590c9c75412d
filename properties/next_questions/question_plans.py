"""The questions with the highest expected gain for their cost, and the choice among them within a budget."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from generators.formalizations.llm_formalizers.cost_estimate import estimate
from harness.errors import HarnessError
from harness.llm.prices import DOLLAR, PriceTable
from oracles.consensus.probability.value_of_information import ValueOfInformation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from generators.formalizations.llm_formalizers.conversation import ConversationPolicy
    from generators.formalizations.llm_formalizers.model_specs import ModelSpec
    from harness.domain import Problem
    from oracles.consensus.probability.model_reliability import ModelReliability
    from properties.next_questions.run_problems import RunProblems

SAMPLE_REPEATS = 0.5
"""The assumed probability that a second answer of a model repeats its first."""
LEAST_GAIN = 0.001
ANSWERS_AHEAD = 4
"""The most answers to a problem that are planned together: one alone is often too few to be sure."""
PILOT = 20
"""The number of answers of a model after which its accuracy counts as known; until then, these answers are asked for."""
LEAST_ANSWERS = 4
"""The number of answers of the most accurate models that each problem gets before questions are chosen by their gain: a value on which a few of few answers agree is wrong more often than one on which as few of many answers agree (RESULTS, "What to ask next")."""
PILOTS_SHARE = 0.5
"""The most of a budget that pilots may cost."""


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """The questions about a problem that gain most for their cost, one after the other, of which the first `listed` are asked now.

    `costs` are in picodollars, `gain` of the whole plan is in problems kept and right.
    """

    problem_id: str
    members: tuple[ModelSpec, ...]
    p_right: float
    gain: float
    costs: tuple[int, ...]
    listed: int

    @property
    def cost(self) -> int:
        """Return the cost of the whole plan."""
        return sum(self.costs)

    @property
    def complete(self) -> bool:
        """Tell whether all of it is asked now."""
        return self.listed == len(self.members)

    @property
    def per_dollar(self) -> float:
        """Return the gain per dollar; a free plan ranks first."""
        return self.gain * DOLLAR / self.cost if self.cost else float("inf")


@dataclass(frozen=True, slots=True)
class QuestionPricing:
    """The expected cost of a question to a model about a problem."""

    prices: PriceTable
    asking: ConversationPolicy

    def of(self, problem: Problem, member: ModelSpec) -> int | None:
        """Return picodollars, `None` where the model cannot be asked about the problem.

        Raises:
            HarnessError: no price of the model is known.
        """
        (expected,) = estimate([problem], [member], self.asking, self.prices, None)
        if not member.made_here and not expected.requests:
            return None
        if expected.expected is None:
            raise HarnessError(
                f"no price of {member.asked} is known, and the gain per dollar needs one: add it to a price table and give --prices FILE"
            )
        return expected.expected


def best_plan(
    problem_id: str, run: RunProblems, pool: Sequence[ModelSpec], pricing: QuestionPricing, threshold: float
) -> QuestionPlan | None:
    """Return the questions about a problem with the highest gain for their cost, `None` where none gains anything."""
    problem, asked = run.problems[problem_id], run.asked(problem_id)
    plans = []
    for members in _sequences(pool, asked, run.reliability):
        costs = [pricing.of(run.texts[problem_id], member) for member in members]
        if None in costs:
            continue
        value = ValueOfInformation(_joined(run.reliability, members), run.weights, threshold)
        gains = value.gains(problem, [member.name for member in members])
        plans += [
            QuestionPlan(
                problem_id,
                tuple(members[:count]),
                value.probability(problem),
                gain,
                tuple(cost or 0 for cost in costs[:count]),
                count,
            )
            for count, gain in enumerate(gains, start=1)
            if gain >= LEAST_GAIN
        ]
    return max(plans, key=lambda plan: (plan.per_dollar, plan.gain), default=None)


def pilots(
    run: RunProblems, pool: Sequence[ModelSpec], pricing: QuestionPricing, budget: int | None
) -> Iterator[QuestionPlan]:
    """Yield the questions that tell how often a model is right that answered fewer than PILOT problems of the run.

    They are about the problems that most models were asked about, the same ones for all, so that the answers can be compared. A model is
    left out whose pilot would spend more than what is left of PILOTS_SHARE of the budget.
    """
    answered = Counter(model for name in run.problems for model in run.asked(name))
    order = sorted(run.problems, key=lambda name: (-len(run.asked(name)), Random(f"pilot:{name}").random(), name))
    left = None if budget is None else budget * PILOTS_SHARE
    for member in pool:
        first = replace(member, sample=0)
        count = PILOT - answered[first.name]
        names = [name for name in order if first.name not in run.asked(name)]
        prices = [(name, price) for name in names if (price := pricing.of(run.texts[name], first)) is not None]
        cost = sum(price for _, price in prices[:count])
        if count > 0 and (left is None or cost <= left):
            left = None if left is None else left - cost
            value = ValueOfInformation(run.reliability, run.weights, 1.0)
            for name, price in prices[:count]:
                yield QuestionPlan(name, (first,), value.probability(run.problems[name]), 0.0, (price,), 1)


def first_answers(
    run: RunProblems, pool: Sequence[ModelSpec], pricing: QuestionPricing, budget: int | None
) -> Iterator[QuestionPlan]:
    """Yield the questions that bring problems of unknown answer to LEAST_ANSWERS answers, within a budget, those with the fewest answers first.

    Each asks the model of the pool that is right most often, of those that the run knows and that were not asked about the problem.
    """
    accuracy = run.reliability.accuracy
    known = [first for member in pool if (first := replace(member, sample=0)).name in accuracy]
    best = sorted(known, key=lambda member: -accuracy[member.name])
    lacking = []
    for name, problem in run.problems.items():
        if problem.right is None:
            asked = run.asked(name)
            others = [member for member in best if member.name not in asked]
            places = range(len(asked), LEAST_ANSWERS)
            lacking += [(place, name, member) for place, member in zip(places, others, strict=False)]
    value = ValueOfInformation(run.reliability, run.weights, 1.0)
    left = budget
    for _, name, member in sorted(lacking, key=lambda question: question[:2]):
        price = pricing.of(run.texts[name], member)
        if price is None:
            continue
        if left is not None and price > left:
            return  # no second answer to one problem before the first ones to others
        left = None if left is None else left - price
        yield QuestionPlan(name, (member,), value.probability(run.problems[name]), 0.0, (price,), 1)


def affordable(plans: Iterable[QuestionPlan], budget: int | None) -> list[QuestionPlan]:
    """Return the plans that fit into a budget, the highest gain per dollar first.

    It takes the first question of each plan before the second of any: the first answers show which plans are worth
    continuing.
    """
    ranked = sorted(plans, key=lambda plan: (-plan.per_dollar, -plan.gain, plan.problem_id))
    listed = dict.fromkeys(ranked, 0)
    left = budget
    for place in range(ANSWERS_AHEAD):
        for plan in ranked:
            if listed[plan] == place < len(plan.members) and (left is None or plan.costs[place] <= left):
                listed[plan] += 1
                left = None if left is None else left - plan.costs[place]
    return [replace(plan, listed=count) for plan, count in listed.items() if count]


def cost_of(plans: Iterable[QuestionPlan]) -> int:
    """Return picodollars of the questions that are asked now."""
    return sum(sum(plan.costs[: plan.listed]) for plan in plans)


def _sequences(pool: Sequence[ModelSpec], asked: set[str], reliability: ModelReliability) -> Iterator[list[ModelSpec]]:
    """Yield for each model that may be asked first the models asked one after the other, those most often right first, no answer twice."""
    mean = statistics.fmean(reliability.accuracy.values())
    best = sorted(pool, key=lambda spec: -reliability.accuracy.get(replace(spec, sample=0).name, mean))
    for first in pool:
        members: list[ModelSpec] = []
        for spec in [first, *(other for other in best if other != first)] * 2:
            further = _unasked(spec, asked | {member.name for member in members})
            if further is not None and len(members) < ANSWERS_AHEAD:
                members.append(further)
        if members and members[0].asked == first.asked:
            yield members


def _unasked(spec: ModelSpec, asked: set[str]) -> ModelSpec | None:
    """Return the first sample of a model that was not asked for; a formalizer that is no model has one."""
    if spec.made_here:
        return None if spec.name in asked else spec
    number = 0
    while replace(spec, sample=number).name in asked:
        number += 1
    return replace(spec, sample=number)


def _joined(reliability: ModelReliability, members: Iterable[ModelSpec]) -> ModelReliability:
    """Return the reliability of the run's models and of models that it does not know.

    A new model is assumed to be as accurate as the mean of the run's models, and a further answer of a known model to
    repeat its first.
    """
    joined = reliability
    mean = statistics.fmean(reliability.accuracy.values())
    for member in members:
        if member.name not in joined.accuracy:
            first = replace(member, sample=0).name
            own = [replace(member, sample=number).name for number in range(member.sample)]
            repetition: Mapping[str, float] = {
                other: SAMPLE_REPEATS if other in own else joined.repeats(first, other) for other in joined.accuracy
            }
            joined = joined.joined_by(member.name, joined.accuracy.get(first, mean), repetition)
    return joined
