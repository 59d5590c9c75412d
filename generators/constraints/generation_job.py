"""The job of `oracle-factory smt generate`: constraint problems of generators or models."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rich.table import Table
from rich.text import Text

from generators.constraints.generation_options import ConstraintOptions
from generators.constraints.model_problems import BATCH, ProblemBatch, RejectionReason, problems_of, request_of
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem_files import RECORDS, write_problems
from generators.formalizations.llm_formalizers.formalization_job import console
from generators.formalizations.llm_formalizers.formalizer_run import BUDGET, INTERRUPTED, ClientSettings, interruptible
from generators.formalizations.llm_formalizers.model_specs import ModelSpec, read_model_specs
from harness.command_line.option_types import temperature
from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore, BudgetReached
from harness.llm.client import Client, run_concurrently
from harness.llm.messages import Request
from harness.llm.prices import PriceTable, format_dollars, read_budget
from harness.llm.provider import PROVIDERS
from harness.smtlib.constraint_problem import ConstraintProblem
from harness.text.characters import one_line

MISSING, STOPPED, ENDED = 1, 3, 130
SAMPLES = 3


def run_job(options: ConstraintOptions) -> int:
    """Make constraint problems and write them; return the exit status of the command.

    Raises:
        HarnessError: an option cannot be used.
    """
    domains = list(DOMAINS) if options.domain == "all" else [DOMAINS.require(options.domain)]
    names = [domain.name for domain in domains]
    if options.dry_run:
        if not options.models:
            raise HarnessError(
                "--dry-run prices what models are asked for: give --models, such as --models openai:gpt-4.1-mini"
            )
        return _price(options, names)
    if options.output is None:
        raise HarnessError("-o: expected the folder to write to, such as -o problems")
    if options.output.is_file():
        raise HarnessError(f"-o {str(options.output)!r}: is a file; expected a folder")
    began, size, status = time.perf_counter(), ProblemSize(options.size), 0
    if options.models:
        job = _answered_job(options, names)
        problems, summary = job.problems, job.summary()
        status = {INTERRUPTED: ENDED, BUDGET: STOPPED}.get(job.stopped, MISSING if job.missing else 0)
    else:
        problems = [made for domain in domains for made in domain.problems(options.count, seed=options.seed, size=size)]
        seconds = max(time.perf_counter() - began, 1e-9)
        rate = len(problems) / seconds
        summary = [f"{len(problems):,} problems made in {seconds:.1f} s, {rate:,.0f} a second"]
    write_problems(options.output, problems)
    terminal = console(stderr=False)
    terminal.print(_domain_table(problems))
    step = max(1, len(problems) // SAMPLES)
    for sample in problems[: SAMPLES * step : step]:
        possible = {True: "it can", False: "it cannot", None: "unknown"}[sample.satisfiable]
        terminal.print(Text(f"\n{sample.id}: {one_line(sample.problem, limit=1_000)}"))
        terminal.print(Text(f"  answer: {one_line(possible if sample.gold is None else sample.gold, limit=80)}"))
    for line in (f"\nwritten to {options.output}: {RECORDS} and a table for each domain", *summary):
        terminal.print(Text(line))
    return status


@dataclass(frozen=True, slots=True)
class _Question:
    """One batch put to one model."""

    member: ModelSpec
    batch: ProblemBatch
    request: Request


def _questions(options: ConstraintOptions, domains: Sequence[str]) -> list[_Question]:
    """Return the questions that ask each model for the problems of each domain, in lists of `BATCH`."""
    limits: dict[str, Any] = {"max_tokens": options.max_tokens, "temperature": temperature(options.temperature)}
    batches = [
        ProblemBatch(domain, number, min(BATCH, options.count - first), options.seed)
        for domain in domains
        for number, first in enumerate(range(0, options.count, BATCH))
    ]
    return [
        _Question(member, batch, request_of(batch, member.provider, member.model, **limits))
        for member in read_model_specs(options.models.split(","))
        for batch in batches
    ]


@dataclass(slots=True)
class _ModelJob:
    """Questions to models, of which those without an answer in the store are asked; `stop` ends it, answers so far are kept."""

    questions: Sequence[_Question]
    store: AnswerStore
    asked: int = 0
    spent: int | None = 0
    stopped: str = ""
    faults: dict[str, str] = field(default_factory=dict)
    problems: list[ConstraintProblem] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    missing: list[str] = field(default_factory=list)

    def open_ones(self) -> list[_Question]:
        """Return the questions without an answer in the store."""
        return [question for question in self.questions if self.store.answer(question.request.key) is None]

    async def ask(self, settings: ClientSettings) -> None:
        """Ask the open questions, as many at once as each provider takes.

        Raises:
            HarnessError: a provider cannot be opened, or a model has no price while there is a budget.
        """
        waiting = self.open_ones()
        async with settings.client(self.store) as client:
            for question in waiting:
                client.check_budget(question.request)
            providers = sorted({question.member.provider for question in waiting})
            client.open(providers)
            at_once = sum(client.limits_of(name).concurrency or len(waiting) for name in providers)
            async for _ in run_concurrently([partial(self._put, client, question) for question in waiting], at_once):
                pass

    async def _put(self, client: Client, question: _Question) -> None:
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
            self.faults[question.request.key] = str(answer.fault)

    def stop(self) -> None:
        """Send no further request; wait for those under way."""
        self.stopped = self.stopped or INTERRUPTED

    def read(self) -> None:
        """Read the problems of all answers, question by question; of equal texts the first."""
        seen: set[str] = set()
        for question in self.questions:
            reply = self.store.answer(question.request.key)
            if reply is None:
                why = self.faults.get(question.request.key) or self.stopped or "no request may be sent"
                self.missing.append(f"missing: {question.member.name} {question.batch.name}: {why}")
                continue
            for problem in problems_of(reply.text, question.batch, f"llm:{question.member.asked}"):
                if isinstance(problem, RejectionReason) or problem.problem in seen:
                    self.rejected[problem if isinstance(problem, RejectionReason) else RejectionReason.DUPLICATE] += 1
                else:
                    seen.add(problem.problem)
                    self.problems.append(problem)

    def summary(self) -> list[str]:
        """Return the lines that tell of requests, rejections and missing answers."""
        lines = [f"{self.asked:,} questions asked for {format_dollars(self.spent)}"]
        lines += [f"rejected: {count:,} {reason}" for reason, count in self.rejected.most_common()]
        lines += [one_line(line, limit=300) for line in self.missing[:SAMPLES]]
        if self.missing:
            lines.append(f"{len(self.missing):,} answers missing; the same command continues where this one ended")
        return lines


def _answered_job(options: ConstraintOptions, names: Sequence[str]) -> _ModelJob:
    questions = _questions(options, names)
    given = {"concurrency": options.concurrency, "seconds": options.timeout, "tries": options.tries}
    changed: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    providers = {question.member.provider for question in questions}
    limits = {name: replace(PROVIDERS.require(name).limits, **changed) for name in providers}
    settings = ClientSettings(_prices(options), limits, read_budget(options.budget))
    with AnswerStore(options.store) as store:
        job = _ModelJob(questions, store)
        if not options.offline and job.open_ones():
            asyncio.run(interruptible(job.ask(settings), job.stop))
        job.read()
        return job


def _prices(options: ConstraintOptions) -> PriceTable:
    return PriceTable.load(options.prices) if options.prices else PriceTable.load()


def _price(options: ConstraintOptions, names: Sequence[str]) -> int:
    """Print the estimated cost, every answer as long as allowed; an existing store is read, and none is created."""
    questions, open_ones, prices = _questions(options, names), list[_Question](), _prices(options)
    if options.store.exists():
        with AnswerStore(options.store) as store:
            open_ones = _ModelJob(questions, store).open_ones()
    else:
        open_ones = questions
    table = _table("model", "questions", "kept", "tokens in", "out", "at most")
    for member in dict.fromkeys(question.member for question in questions):
        own = [question.request for question in questions if question.member == member]
        bounds = [question.request.bound() for question in open_ones if question.member == member]
        price = prices.of(own[0])
        most = None if price is None else sum(price.most(bound) for bound in bounds)
        tokens = (sum(bound.input for bound in bounds), sum(bound.output for bound in bounds))
        cells = [f"{count:,}" for count in (len(own), len(own) - len(bounds), *tokens)]
        table.add_row(Text(one_line(member.name, limit=120)), *cells, format_dollars(most))
    console(stderr=False).print(table)
    return 0


def _domain_table(problems: Sequence[ConstraintProblem]) -> Table:
    """Return how many problems there are of each domain, and how long their programs are."""
    table = _table("domain", "problems", "satisfiable", "unsatisfiable", "characters of a program, median", "longest")
    for domain in sorted({problem.domain for problem in problems}):
        own = [problem for problem in problems if problem.domain == domain]
        lengths = sorted(len(problem.program) for problem in own)
        counts = Counter(problem.satisfiable for problem in own)
        cells = (len(own), counts[True], counts[False], lengths[len(lengths) // 2], lengths[-1])
        table.add_row(domain, *(f"{cell:,}" for cell in cells))
    return table


def _table(name: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right")
    return table
