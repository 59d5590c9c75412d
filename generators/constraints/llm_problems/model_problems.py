"""Constraint problems written by language models, taken from the answer store where it has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from generators.constraints.llm_problems.model_answers import (
    BATCH,
    MOST_TOKENS,
    ProblemBatch,
    Rejection,
    problems_of,
    request_of,
)
from generators.formalizations.llm_formalizers.formalizer_run import BUDGET, INTERRUPTED
from generators.formalizations.llm_formalizers.model_specs import ModelSpec, read_model_specs
from harness.llm.answer_store import AnswerStore
from harness.llm.client import BudgetReached, Client, run_concurrently
from harness.llm.messages import Request, Usage
from harness.llm.prices import PriceTable
from harness.smtlib.constraint_problem import ConstraintProblem


@dataclass(frozen=True, slots=True)
class ConstraintRequestSettings:
    """How models are asked: tokens of an answer and temperature."""

    max_tokens: int = MOST_TOKENS
    temperature: float | None = 0.7


@dataclass(frozen=True, slots=True)
class ConstraintQuestion:
    """One batch put to one model."""

    member: ModelSpec
    batch: ProblemBatch
    request: Request

    @property
    def source(self) -> str:
        """Return the source of its problems."""
        return f"llm:{self.member.asked}"


@dataclass(frozen=True, slots=True)
class ConstraintRunResult:
    """The results: problems in the order of the questions, rejections, and the questions without an answer with the reasons."""

    problems: list[ConstraintProblem]
    rejected: Counter[str]
    missing: dict[str, str]
    spent: int | None
    asked: int
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class ConstraintRunPrice:
    """The estimated cost of a job for one model: questions, those in the store, tokens and picodollars, `None` where no price is known."""

    model: str
    questions: int
    kept: int
    tokens: Usage
    most: int | None


def questions(
    models: Sequence[str],
    domains: Sequence[str],
    count: int,
    *,
    seed: int = 0,
    asking: ConstraintRequestSettings | None = None,
) -> list[ConstraintQuestion]:
    """Return the questions that ask each model for a number of problems of each domain, in lists of `BATCH`.

    Raises:
        HarnessError: a provider is not known, or a model is not named.
    """
    how = asking or ConstraintRequestSettings()
    asked_for = []
    for member in read_model_specs(models):
        for domain in domains:
            for number, first in enumerate(range(0, count, BATCH)):
                batch = ProblemBatch(domain, number, min(BATCH, count - first), seed)
                request = request_of(
                    batch, member.provider, member.model, max_tokens=how.max_tokens, temperature=how.temperature
                )
                asked_for.append(ConstraintQuestion(member, batch, request))
    return asked_for


@dataclass(slots=True)
class ConstraintRun:
    """One run over questions; `stop` ends it, and the answers so far are kept."""

    asked_for: Sequence[ConstraintQuestion]
    store: AnswerStore
    asked: int = 0
    spent: int | None = 0
    stopped: str = ""
    missing: dict[str, str] = field(default_factory=dict)

    def open_ones(self) -> list[ConstraintQuestion]:
        """Return the questions without an answer in the store."""
        return [question for question in self.asked_for if self.store.answer(question.request.key) is None]

    async def ask(self, client: Client) -> None:
        """Ask the questions without an answer, as many at once as each provider takes.

        Raises:
            HarnessError: a provider cannot be opened, or a model has no price while there is a budget.
        """
        waiting = self.open_ones()
        for question in waiting:
            client.check_budget(question.request)
        providers = sorted({question.member.provider for question in waiting})
        client.open(providers)
        at_once = sum(client.limits_of(name).concurrency or len(waiting) for name in providers)
        jobs = [partial(self._put, client, question) for question in waiting]
        async for _ in run_concurrently(jobs, max(1, at_once)):
            pass

    async def _put(self, client: Client, question: ConstraintQuestion) -> None:
        if self.stopped:
            return
        try:
            answer = await client.ask(question.request)
        except BudgetReached:
            self.stopped = self.stopped or BUDGET
            return
        self.asked += answer.asked
        self.spent = None if self.spent is None or answer.cost is None else self.spent + answer.cost
        if answer.reply is None:
            self.missing[question.request.key] = str(answer.fault)

    def stop(self) -> None:
        """Send no further request; wait for those under way."""
        self.stopped = self.stopped or INTERRUPTED

    def result(self) -> ConstraintRunResult:
        """Return the problems so far, question by question; of equal texts the first."""
        problems: list[ConstraintProblem] = []
        rejected: Counter[str] = Counter()
        missing: dict[str, str] = {}
        seen: set[str] = set()
        for question in self.asked_for:
            reply = self.store.answer(question.request.key)
            if reply is None:
                why = self.missing.get(question.request.key) or self.stopped or "no request may be sent"
                missing[f"{question.member.name} {question.batch.name}"] = why
                continue
            for problem in problems_of(reply.text, question.batch, question.source):
                if isinstance(problem, Rejection):
                    rejected[problem.reason] += 1
                elif problem.problem in seen:
                    rejected["duplicate"] += 1
                else:
                    seen.add(problem.problem)
                    problems.append(problem)
        return ConstraintRunResult(problems, rejected, missing, self.spent, self.asked, self.stopped)


def priced(
    asked_for: Sequence[ConstraintQuestion], store: AnswerStore | None, prices: PriceTable
) -> list[ConstraintRunPrice]:
    """Price a job, model by model, without a request: at most, where every answer has the longest allowed length."""
    rows = []
    for member in dict.fromkeys(question.member for question in asked_for):
        own = [question.request for question in asked_for if question.member == member]
        bounds = [request.bound() for request in own if store is None or store.answer(request.key) is None]
        usage = Usage(sum(bound.input for bound in bounds), sum(bound.output for bound in bounds))
        price = prices.of(own[0])
        most = None if price is None else sum(price.most(bound) for bound in bounds)
        rows.append(ConstraintRunPrice(member.name, len(own), len(own) - len(bounds), usage, most))
    return rows
