"""The job of `oracle-factory smt generate`: constraint problems of generators or models."""

import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from rich.table import Table
from rich.text import Text

from generators.constraints.generation_options import ConstraintOptions
from generators.constraints.model_problems import ProblemBatch, RejectionReason, problems_of, request_of
from generators.constraints.problem.domain import DOMAINS, RECORDS, ConstraintDomain, ProblemSize, write_problems
from generators.formalizations.llm_formalizers.model_specs import ModelSpec, read_model_specs
from harness.command_line.option_types import temperature
from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.client import Client
from harness.llm.prices import (
    OpenQuestion,
    PriceTable,
    console,
    estimate,
    format_dollars,
    plain_table,
    print_estimates,
    read_budget,
)
from harness.llm.provider import PROVIDERS
from harness.llm.providers.ollama import served_model
from harness.llm.question_job import Question, QuestionJob, exit_status, replay
from harness.records.constraint import ConstraintProblem
from harness.text.characters import one_line

SAMPLES = 3
BUILT_IN = "none"
"""The value of `--models` by which the generators make the problems."""


def run_job(options: ConstraintOptions) -> int:
    """Make constraint problems and write them; return the exit status, or raise a `HarnessError` if an option cannot be used."""
    domains = _domains(options)
    found = "" if options.models else served_model()
    given, options = options.models, replace(options, models=options.models or found or BUILT_IN)
    if options.dry_run:
        if options.models == BUILT_IN:
            raise HarnessError(
                "--dry-run prices what models are asked for: give --models, such as --models openai:gpt-4.1-mini"
            )
        return _print_price(options)
    if options.output is None:
        raise HarnessError("-o: expected the folder to write to, such as -o problems")
    if options.output.is_file():
        raise HarnessError(f"-o {str(options.output)!r}: is a file; expected a folder")
    if not given:
        maker = f"{found} makes" if found else "no Ollama serves phi3 here: the built-in generators make"
        sys.stderr.write(f"{maker} the problems; --models says otherwise\n")
    began, size, status = time.perf_counter(), ProblemSize(options.size), 0
    if options.models != BUILT_IN:
        questions = _questions(options)
        stopped = _ask(options, questions)
        problems, summary = _problems(questions, stopped)
        missing = any(question.outcome is None or question.outcome.reply is None for question in questions)
        status = exit_status(stopped, missing=missing)
    else:
        problems = [made for domain in domains for made in domain.problems(options.count, seed=options.seed, size=size)]
        seconds = max(time.perf_counter() - began, 1e-9)
        summary = [f"{len(problems):,} problems made in {seconds:.1f} s, {len(problems) / seconds:,.0f} a second"]
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


def _domains(options: ConstraintOptions) -> list[ConstraintDomain]:
    return list(DOMAINS) if options.domain == "all" else [DOMAINS.require(options.domain)]


@dataclass(slots=True, kw_only=True)
class _Question(Question):
    """One batch put to one model."""

    member: ModelSpec
    batch: ProblemBatch


def _questions(options: ConstraintOptions) -> list[_Question]:
    """Return the questions that ask each model for the problems of each domain, in lists of the batch size."""
    limits: dict[str, Any] = {"max_tokens": options.max_tokens, "temperature": temperature(options.temperature)}
    batches = []
    for domain, first in product(_domains(options), range(0, options.count, options.batch_size)):
        number, size = first // options.batch_size, min(options.batch_size, options.count - first)
        batches.append(ProblemBatch(domain.name, number, size, options.seed))
    return [
        _Question(request_of(batch, member.provider, member.model, **limits), member=member, batch=batch)
        for member, batch in product(read_model_specs(options.models.split(",")), batches)
    ]


def _ask(options: ConstraintOptions, questions: Sequence[_Question]) -> str:
    """Ask the questions without an answer in the store; return why the job stopped early, if it did."""
    given = {"concurrency": options.concurrency, "seconds": options.timeout, "tries": options.tries}
    changed: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    providers = {question.member.provider for question in questions}
    limits = {name: replace(PROVIDERS.require(name).limits, **changed) for name in providers}
    prices, budget = PriceTable.load(options.prices), read_budget(options.budget)
    with AnswerStore(options.store) as store:
        waiting = [question for question in questions if replay(question, store) is not None]
        if options.offline or not waiting:
            return ""
        job = QuestionJob(Client(store, prices=prices, limits=limits, budget=budget))
        job.run(job.ask(waiting))
        return job.stopped


def _problems(questions: Sequence[_Question], stopped: str) -> tuple[list[ConstraintProblem], list[str]]:
    """Return the problems of all answers, of equal texts the first, and the lines that tell of requests, rejections and missing answers."""
    problems: dict[str, ConstraintProblem] = {}
    rejected: Counter[str] = Counter()
    missing: list[str] = []
    for question in questions:
        reply = question.outcome.reply if question.outcome else None
        if reply is None:
            why = question.outcome.fault if question.outcome else stopped or "no request may be sent"
            missing.append(f"missing: {question.member.name} {question.batch.name}: {why}")
            continue
        for problem in problems_of(reply.text, question.batch, f"llm:{question.member.asked}"):
            if isinstance(problem, RejectionReason) or problem.problem in problems:
                rejected[problem if isinstance(problem, RejectionReason) else RejectionReason.DUPLICATE] += 1
            else:
                problems[problem.problem] = problem
    outcomes = [question.outcome for question in questions if question.outcome]
    costs = [outcome.cost for outcome in outcomes]
    spent = format_dollars(None if None in costs else sum(filter(None, costs)))
    lines = [f"{sum(outcome.asked for outcome in outcomes):,} questions asked for {spent}"]
    lines += [f"rejected: {count:,} {reason}" for reason, count in rejected.most_common()]
    lines += [one_line(line, limit=300) for line in missing[:SAMPLES]]
    if missing:
        lines.append(f"{len(missing):,} answers missing; the same command continues where this one ended")
    return list(problems.values()), lines


def _print_price(options: ConstraintOptions) -> int:
    """Print the estimated cost, every answer as long as allowed; an existing store is read, and none is created."""
    questions, prices = _questions(options), PriceTable.load(options.prices)
    if options.store.exists():
        with AnswerStore(options.store) as store:
            for question in questions:
                replay(question, store)
    by_member: dict[ModelSpec, list[OpenQuestion | None]] = {}
    for question in questions:
        asked = OpenQuestion(question.request, question.request.max_tokens) if question.outcome is None else None
        by_member.setdefault(question.member, []).append(asked)
    estimates = [estimate(member.name, own, prices) for member, own in by_member.items()]
    remark = f"Prices of {prices.about}. Every answer has the longest allowed length; requests that fail and are sent again do not count."
    print_estimates(estimates, "questions", remark)
    return 0


def _domain_table(problems: Sequence[ConstraintProblem]) -> Table:
    """Return how many problems there are of each domain, and how long their programs are."""
    names = ("domain", "problems", "satisfiable", "unsatisfiable", "characters of a program, median", "longest")
    table = plain_table(*names)
    for domain in sorted({problem.domain for problem in problems}):
        own = [problem for problem in problems if problem.domain == domain]
        lengths = sorted(len(problem.program) for problem in own)
        counts = Counter(problem.satisfiable for problem in own)
        cells = (len(own), counts[True], counts[False], lengths[len(lengths) // 2], lengths[-1])
        table.add_row(domain, *(f"{cell:,}" for cell in cells))
    return table
