"""The job of `oracle-factory smt generate`: constraint problems of generators or models."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from generators.constraints.generation_options import ConstraintOptions
from generators.constraints.llm_problems.model_problems import (
    ConstraintRequestSettings,
    ConstraintRun,
    ConstraintRunResult,
    priced,
    questions,
)
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem_files import RECORDS, write_problems
from generators.formalizations.llm_formalizers.formalizer_run import BUDGET, INTERRUPTED, ClientSettings
from generators.formalizations.llm_formalizers.interruption import interruptible
from generators.formalizations.llm_formalizers.terminal_output import console
from harness.command_line.option_types import temperature
from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
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
    names = [domain.name for domain in DOMAINS] if options.domain == "all" else [DOMAINS.require(options.domain).name]
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
    terminal = console(stderr=False)
    if options.models:
        made = _asked(options, names)
        write_problems(options.output, made.problems)
        _show(terminal, made.problems, options.output)
        return _told(terminal, made)
    began = time.perf_counter()
    problems = [
        problem
        for name in names
        for problem in DOMAINS.require(name).problems(options.count, seed=options.seed, size=ProblemSize(options.size))
    ]
    seconds = time.perf_counter() - began
    write_problems(options.output, problems)
    _show(terminal, problems, options.output)
    terminal.print(
        f"{len(problems):,} problems made in {seconds:.1f} s, {len(problems) / max(seconds, 1e-9):,.0f} a second"
    )
    return 0


def _asked(options: ConstraintOptions, names: Sequence[str]) -> ConstraintRunResult:
    wanted = questions(options.models.split(","), names, options.count, seed=options.seed, asking=_asking(options))
    prices = PriceTable.load(options.prices) if options.prices else PriceTable.load()
    providers = {question.member.provider for question in wanted}
    limits = {}
    for name in providers:
        changes: dict[str, Any] = {
            "concurrency": options.concurrency,
            "seconds": options.timeout,
            "tries": options.tries,
        }
        changed = {key: value for key, value in changes.items() if value is not None}
        limits[name] = replace(PROVIDERS.require(name).limits, **changed)
    budget = read_budget(options.budget)
    with AnswerStore(options.store) as store:
        making = ConstraintRun(wanted, store)
        if not options.offline and making.open_ones():
            asyncio.run(interruptible(_ask(making, ClientSettings(None, prices, limits, budget)), making.stop))
        return making.result()


async def _ask(making: ConstraintRun, terms: ClientSettings) -> None:
    async with terms.client(making.store) as client:
        await making.ask(client)


def _asking(options: ConstraintOptions) -> ConstraintRequestSettings:
    return ConstraintRequestSettings(options.max_tokens, temperature(options.temperature))


def _price(options: ConstraintOptions, names: Sequence[str]) -> int:
    """Print the estimated cost; an existing store is read, and none is created."""
    wanted = questions(options.models.split(","), names, options.count, seed=options.seed, asking=_asking(options))
    prices = PriceTable.load(options.prices) if options.prices else PriceTable.load()
    if options.store.exists():
        with AnswerStore(options.store) as store:
            found = priced(wanted, store, prices)
    else:
        found = priced(wanted, None, prices)
    table = _table("model", "questions", "kept", "tokens in", "out", "at most")
    for price in found:
        cells = (
            f"{price.questions:,}",
            f"{price.kept:,}",
            f"{price.tokens.input:,}",
            f"{price.tokens.output:,}",
            format_dollars(price.most),
        )
        table.add_row(Text(one_line(price.model, limit=120)), *cells)
    console(stderr=False).print(table)
    return 0


def _show(terminal: Console, problems: Sequence[ConstraintProblem], folder: Path) -> None:
    """Print how many problems there are of each domain and sort of answer, and three of them."""
    table = _table("domain", "problems", "satisfiable", "unsatisfiable", "characters of a program, median", "longest")
    for domain in sorted({problem.domain for problem in problems}):
        own = [problem for problem in problems if problem.domain == domain]
        lengths = sorted(len(problem.program) for problem in own)
        counts = Counter(problem.satisfiable for problem in own)
        cells = (len(own), counts[True], counts[False], lengths[len(lengths) // 2], lengths[-1])
        table.add_row(domain, *(f"{cell:,}" for cell in cells))
    terminal.print(table)
    step = max(1, len(problems) // SAMPLES)
    for sample in problems[: SAMPLES * step : step]:
        gold = (
            sample.gold
            if sample.gold is not None
            else {True: "it can", False: "it cannot", None: "unknown"}[sample.satisfiable]
        )
        terminal.print(Text(f"\n{sample.id}: {one_line(sample.problem, limit=1_000)}"))
        terminal.print(Text(f"  answer: {one_line(gold, limit=80)}"))
    terminal.print(Text(f"\nwritten to {folder}: {RECORDS} and a table for each domain"))


def _told(terminal: Console, made: ConstraintRunResult) -> int:
    terminal.print(Text(f"{made.asked:,} questions asked for {format_dollars(made.spent)}"))
    for reason, count in made.rejected.most_common():
        terminal.print(Text(f"rejected: {count:,} {reason}"))
    for name, why in list(made.missing.items())[:SAMPLES]:
        terminal.print(Text(one_line(f"missing: {name}: {why}", limit=300)))
    if made.missing:
        terminal.print(f"{len(made.missing):,} answers missing; the same command continues where this one ended")
    if made.stopped == INTERRUPTED:
        return ENDED
    if made.stopped == BUDGET:
        return STOPPED
    return MISSING if made.missing else 0


def _table(name: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right")
    return table
