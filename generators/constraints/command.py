"""The command line of the generator of constraint problems, with its options."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from generators.constraints.models.model_problems import ConstraintRequestSettings, ConstraintRun, priced, questions
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.problem_files import RECORDS, write_problems
from generators.formalizations.models.formalizer_run import BUDGET, INTERRUPTED, ClientSettings
from generators.formalizations.models.terminal_output import console
from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.prices import PriceTable, format_dollars, picodollars
from harness.llm.provider import PROVIDERS
from harness.plugin import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from generators.constraints.models.model_problems import ConstraintRunResult
    from harness.smtlib.constraint_problem import ConstraintProblem

STORE = Path(".cache/llm/answers.sqlite")
MISSING, UNUSABLE, STOPPED, ENDED = 1, 2, 3, 130
MOST = 10_000_000
SAMPLES = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Make constraint problems and write them.

    Returns:
        0; 1 where answers of models are missing; 2 with one message where an option cannot be used; 3 where the budget is
        reached; 130 where it was interrupted. In all cases but 2, what there is was written.
    """
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"constraints: {error}\n")
        return UNUSABLE
    except KeyboardInterrupt:
        sys.stderr.write("constraints: interrupted\n")
        return ENDED


def _run(options: argparse.Namespace) -> int:
    names = [one.name for one in DOMAINS] if options.domain == "all" else [DOMAINS.require(options.domain).name]
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
        one
        for name in names
        for one in DOMAINS.require(name).problems(options.count, seed=options.seed, size=ProblemSize(options.size))
    ]
    seconds = time.perf_counter() - began
    write_problems(options.output, problems)
    _show(terminal, problems, options.output)
    terminal.print(
        f"{len(problems):,} problems made in {seconds:.1f} s, {len(problems) / max(seconds, 1e-9):,.0f} a second"
    )
    return 0


def _asked(options: argparse.Namespace, names: Sequence[str]) -> ConstraintRunResult:
    wanted = questions(options.models, names, options.count, seed=options.seed, asking=_asking(options))
    prices = PriceTable.load(options.prices) if options.prices else PriceTable.load()
    providers = {one.member.provider for one in wanted}
    limits = {}
    for name in providers:
        changes = {"concurrency": options.concurrency, "seconds": options.timeout, "tries": options.tries}
        changed = {key: value for key, value in changes.items() if value is not None}
        limits[name] = replace(PROVIDERS.require(name).limits, **changed)
    with AnswerStore(options.store) as store:
        making = ConstraintRun(wanted, store)
        if not options.offline and making.open_ones():
            asyncio.run(_interruptible(making, ClientSettings(None, prices, limits, options.budget)))
        return making.result()


async def _interruptible(making: ConstraintRun, terms: ClientSettings) -> None:
    """Ask until all is asked or Ctrl-C is pressed: once to wait for what is under way, twice to give it up."""
    loop, task, pressed = asyncio.get_running_loop(), asyncio.current_task(), 0

    def interrupted() -> None:
        nonlocal pressed
        pressed += 1
        making.stop()
        if task is not None and pressed > 1:
            task.cancel()

    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        async with terms.client(making.store) as client:
            await making.ask(client)
    except asyncio.CancelledError:
        if not pressed:
            raise
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def _asking(options: argparse.Namespace) -> ConstraintRequestSettings:
    return ConstraintRequestSettings(options.max_tokens, options.temperature)


def _price(options: argparse.Namespace, names: Sequence[str]) -> int:
    """Print what the job would cost; a store is read where there is one, and not made."""
    wanted = questions(options.models, names, options.count, seed=options.seed, asking=_asking(options))
    prices = PriceTable.load(options.prices) if options.prices else PriceTable.load()
    if options.store.exists():
        with AnswerStore(options.store) as store:
            found = priced(wanted, store, prices)
    else:
        found = priced(wanted, None, prices)
    table = _table("model", "questions", "kept", "tokens in", "out", "at most")
    for one in found:
        cells = (
            f"{one.questions:,}",
            f"{one.kept:,}",
            f"{one.tokens.input:,}",
            f"{one.tokens.output:,}",
            format_dollars(one.most),
        )
        table.add_row(Text(one_line(one.model, 120)), *cells)
    console(stderr=False).print(table)
    return 0


def _show(terminal: Console, problems: Sequence[ConstraintProblem], folder: Path) -> None:
    """Print how many problems there are of each domain and sort of answer, and three of them."""
    table = _table("domain", "problems", "satisfiable", "unsatisfiable", "characters of a program, median", "longest")
    for domain in sorted({one.domain for one in problems}):
        own = [one for one in problems if one.domain == domain]
        lengths = sorted(len(one.program) for one in own)
        counts = Counter(one.satisfiable for one in own)
        cells = (len(own), counts[True], counts[False], lengths[len(lengths) // 2], lengths[-1])
        table.add_row(domain, *(f"{cell:,}" for cell in cells))
    terminal.print(table)
    step = max(1, len(problems) // SAMPLES)
    for one in problems[: SAMPLES * step : step]:
        gold = (
            one.gold if one.gold is not None else {True: "it can", False: "it cannot", None: "unknown"}[one.satisfiable]
        )
        terminal.print(Text(f"\n{one.id}: {one_line(one.problem, 1_000)}"))
        terminal.print(Text(f"  answer: {one_line(gold, 80)}"))
    terminal.print(Text(f"\nwritten to {folder}: {RECORDS} and a table for each domain"))


def _told(terminal: Console, made: ConstraintRunResult) -> int:
    terminal.print(Text(f"{made.asked:,} questions asked for {format_dollars(made.spent)}"))
    for reason, count in made.rejected.most_common():
        terminal.print(Text(f"rejected: {count:,} {reason}"))
    for name, why in list(made.missing.items())[:SAMPLES]:
        terminal.print(Text(one_line(f"missing: {name}: {why}", 300)))
    if made.missing:
        terminal.print(f"{len(made.missing):,} answers missing; the same command goes on where this one ended")
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


def _number(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MOST:,}, found {text!r}")
    return int(text)


def _amount(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, found {text!r}")
    return found


def _temperature(text: str) -> float | None:
    if text == "none":
        return None
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 2:
        raise argparse.ArgumentTypeError(f"expected none, or a number from 0 to 2, found {text!r}")
    return found


def _dollars(text: str) -> int:
    try:
        return picodollars(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m generators.constraints",
        description="Make problems in plain language with programs in SMT-LIB2: by generators, or by models with --models.",
    )
    parser.add_argument(
        "--domain", default="all", metavar="all|NAME", help=f"{', '.join(one.name for one in DOMAINS)} (all)"
    )
    parser.add_argument("--count", type=_number, default=100, metavar="N", help="problems of each domain (100)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed makes other problems (0)")
    parser.add_argument(
        "--size", choices=[str(one) for one in ProblemSize], default="small", help="how large they are (small)"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", help="where to write DOMAIN.csv and problems.jsonl"
    )
    asked = parser.add_argument_group("problems from models, which are asked for lists of 20")
    providers = ", ".join(sorted(one.name for one in PROVIDERS))
    asked.add_argument(
        "--models", nargs="+", metavar="MODEL", help=f"PROVIDER:MODEL, such as ollama:phi3; providers are {providers}"
    )
    asked.add_argument(
        "--max-tokens",
        type=_number,
        default=ConstraintRequestSettings().max_tokens,
        metavar="N",
        help="tokens of an answer (16000)",
    )
    asked.add_argument(
        "--temperature",
        type=_temperature,
        default=ConstraintRequestSettings().temperature,
        metavar="N",
        help="0 to 2, or none for models that refuse it (0.7)",
    )
    asked.add_argument("--concurrency", type=_number, metavar="N", help="requests under way at once")
    asked.add_argument("--timeout", type=_amount, metavar="SECONDS", help="until a request is given up")
    asked.add_argument("--tries", type=_number, metavar="N", help="how often a request is sent at most")
    asked.add_argument("--store", type=Path, default=STORE, metavar="FILE", help=f"where answers are kept ({STORE})")
    asked.add_argument(
        "--budget", type=_dollars, metavar="DOLLARS", help="stop before the whole store has cost more than that"
    )
    asked.add_argument("--prices", type=Path, metavar="FILE", help="prices in place of harness/llm/prices.toml")
    asked.add_argument("--offline", action="store_true", help="take answers from the store and ask nobody")
    asked.add_argument("--dry-run", action="store_true", help="say what it would cost, and ask nobody")
    return parser
