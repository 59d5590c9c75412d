"""The command line of `python -m generators.formalizations.models`, which asks models for formalizations and writes them."""

from __future__ import annotations

import argparse
import asyncio
import re
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from generators.formalizations.builtin_formalizers import FORMALIZERS
from generators.formalizations.models.batch_rounds import BatchOptions, check_batch_providers, formalize_by_batches
from generators.formalizations.models.conversation import ConversationPolicy
from generators.formalizations.models.cost_estimate import estimate
from generators.formalizations.models.dialect_prompts import dialects
from generators.formalizations.models.formalizer_run import (
    BUDGET,
    INTERRUPTED,
    ClientSettings,
    FormalizerRun,
    continue_conversations,
)
from generators.formalizations.models.model_specs import PLAIN, read_model_specs
from generators.formalizations.models.output_records import model_summaries
from generators.formalizations.models.terminal_output import ProgressDisplay, console, print_estimates, print_summary
from harness.corpora.problems import load_corpus, read_exclusion, select
from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.prices import PriceTable, picodollars
from harness.llm.provider import PROVIDERS
from harness.store.run_folder import dump, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from rich.console import Console

    from generators.formalizations.models.formalizer_run import Formalizations
    from generators.formalizations.models.model_specs import ModelSpec
    from harness.domain import Problem
    from harness.llm.rate_limits import ProviderLimits

T = TypeVar("T")
STORE = Path(".cache/llm/answers.sqlite")
MISSING, UNUSABLE, STOPPED, ENDED = 1, 2, 3, 130
_SINGLE = re.compile(r"\d+")


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask models for formalizations and write them.

    Returns:
        0; 1 where answers are missing; 2 with one message where an option cannot be used; 3 where the budget is reached;
        130 where it was interrupted. In all cases but 2, what there is was written.
    """
    options = _parser().parse_args(arguments)
    try:
        return _run(options)
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"formalize: {error}\n")
        return UNUSABLE
    except KeyboardInterrupt:
        sys.stderr.write(f"formalize: interrupted; what was answered is in {options.store}\n")
        return ENDED


def _run(options: argparse.Namespace) -> int:
    problems = _problems(options)
    chosen = dialects() if options.dialect == "both" else (options.dialect,)
    members = read_model_specs(options.models, chosen, options.samples)
    asking = ConversationPolicy(
        options.repairs,
        _by_name("--max-tokens", options.max_tokens, members, _positive),
        _by_name("--temperature", options.temperature, members, _temperature),
    )
    limits = _limits(options, members)
    prices = PriceTable.load(options.prices) if options.prices else PriceTable.load()
    if options.batch:
        check_batch_providers(members)
    if options.offline and (options.batch or options.collect):
        raise HarnessError("--offline asks nobody, --batch and --collect do: leave one of them out")
    if options.wait and not (options.batch or options.collect):
        raise HarnessError("--wait: expected with --batch or --collect")
    if options.dry_run:
        return _price(problems, members, asking, prices, options.store)
    if options.output is None:
        raise HarnessError("-o: expected the file to write, such as -o responses.jsonl, or - for standard output")
    output = None if options.output == "-" else Path(options.output)
    if output is not None:
        if output.is_dir():
            raise HarnessError(f"-o {str(output)!r}: is a folder; expected a file, such as responses.jsonl")
        output.parent.mkdir(parents=True, exist_ok=True)
    terminal = console(stderr=True)
    with AnswerStore(options.store) as store, ProgressDisplay(terminal) as progress:
        making = FormalizerRun(problems, members, store, asking, progress)
        talks = making.settle()
        terms = ClientSettings(None, prices, limits, options.budget)
        if options.batch or options.collect:
            rounds = BatchOptions(options.batch, options.wait)
            asyncio.run(
                _interruptible(
                    formalize_by_batches(making, terms, rounds, progress.tell), making, progress, patient=False
                )
            )
        elif talks and not options.offline:
            asyncio.run(_interruptible(continue_conversations(making, talks, terms), making, progress))
        made = making.result()
    lines = [dump(record) + "\n" for record in made.records]
    if output is None:
        sys.stdout.writelines(lines)
    else:
        write_lines(output, lines)
    return _told(terminal, made, options)


async def _interruptible(
    job: Coroutine[Any, Any, None], making: FormalizerRun, progress: ProgressDisplay, *, patient: bool = True
) -> None:
    """Run a job until it ends or Ctrl-C is pressed: once to wait for what is under way, if it is patient, twice to give it up."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    pressed = 0

    def interrupted() -> None:
        nonlocal pressed
        pressed += 1
        making.stop()
        if task is not None and (pressed > 1 or not patient):
            task.cancel()
        elif pressed == 1:
            progress.tell("waiting for what is under way; Ctrl-C again gives it up, though it may be billed")

    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        await job
    except asyncio.CancelledError:
        if not pressed:
            raise
    finally:
        loop.remove_signal_handler(signal.SIGINT)


def _told(terminal: Console, made: Formalizations, options: argparse.Namespace) -> int:
    """Print what came of it and how to go on; return the exit status."""
    print_summary(terminal, model_summaries(made.conversations, made.records, made.missing), made.missing)
    where = "standard output" if options.output == "-" else options.output
    terminal.print(f"{len(made.records):,} formalizations in {where}", markup=False, highlight=False)
    if made.missing:
        more = " with a higher --budget" if made.stopped == BUDGET else " without --offline" if options.offline else ""
        terminal.print(
            f"{len(made.missing):,} missing; the same command{more} goes on where this one ended: what was answered is in"
            f" {options.store}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    if made.stopped == INTERRUPTED:
        return ENDED
    if made.stopped == BUDGET:
        return STOPPED
    return MISSING if made.missing else 0


def _price(
    problems: Sequence[Problem],
    members: Sequence[ModelSpec],
    asking: ConversationPolicy,
    prices: PriceTable,
    path: Path,
) -> int:
    """Print what the job would cost; a store is read where there is one, and not made."""
    if path.exists():
        with AnswerStore(path) as store:
            estimates = estimate(problems, members, asking, prices, store)
    else:
        estimates = estimate(problems, members, asking, prices, None)
    print_estimates(console(stderr=False), estimates, str(prices.date))
    return 0


def _problems(options: argparse.Namespace) -> list[Problem]:
    problems = load_corpus(options.corpus)
    exclusion = read_exclusion(options.exclude, problems, option="--exclude") if options.exclude else None
    known = {one.problem_id for one in problems}
    wanted = [item.strip() for item in (options.problems or "").split(",")]
    ranges = [f"{item}:{int(item) + 1}" if _SINGLE.fullmatch(item) and item not in known else item for item in wanted]
    return select(problems, wanted=",".join(ranges), exclusion=exclusion, prefix="--")


def _limits(options: argparse.Namespace, members: Sequence[ModelSpec]) -> dict[str, ProviderLimits]:
    given: dict[str, Mapping[str, Any]] = {
        "concurrency": _by_name("--concurrency", options.concurrency, members, _positive),
        "requests": _by_name("--requests-per-minute", options.requests_per_minute, members, _amount),
        "tokens": _by_name("--tokens-per-minute", options.tokens_per_minute, members, _amount),
        "seconds": _by_name("--timeout", options.timeout, members, _amount),
        "tries": _by_name("--tries", options.tries, members, _positive),
    }
    found: dict[str, ProviderLimits] = {}
    for provider in {one.provider for one in members if not one.made_here}:
        changes = {field: values.get(provider, values.get("")) for field, values in given.items()}
        changed = {field: value for field, value in changes.items() if value is not None}
        found[provider] = replace(PROVIDERS.require(provider).limits, **changed)
    return found


def _by_name(option: str, given: Sequence[str], members: Sequence[ModelSpec], read: Callable[[str], T]) -> dict[str, T]:
    """Return the values of an option given as `VALUE` for all, `PROVIDER=VALUE` or, where it is one of requests, `MODEL=VALUE`.

    Raises:
        HarnessError: a value cannot be read, or names what is not among the models.
    """
    per_model = option in {"--max-tokens", "--temperature"}
    known = {one.provider for one in members} | ({one.asked for one in members} if per_model else set())
    values: dict[str, T] = {}
    for item in given:
        name, _, value = item.rpartition("=")
        if name and name not in known:
            raise HarnessError(f"{option} {item!r}: {name!r} is not among {', '.join(sorted(known))}")
        try:
            values[name] = read(value)
        except (ValueError, OverflowError) as error:
            raise HarnessError(f"{option} {item!r}: {error}") from None
    return values


def _positive(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise ValueError(f"expected a number from 1 to 1,000,000, found {text!r}")
    return int(text)


def _amount(text: str) -> float:
    amount = float(text)
    if not 0 < amount < float("inf"):
        raise ValueError(f"expected a number above 0, found {text!r}")
    return amount


def _temperature(text: str) -> float | None:
    if text == "none":
        return None
    amount = float(text)
    if not 0 <= amount <= 2:
        raise ValueError(f"expected none, or a number from 0 to 2, found {text!r}")
    return amount


def _count(least: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= 100:
            raise argparse.ArgumentTypeError(f"expected a number from {least} to 100, found {text!r}")
        return int(text)

    return read


def _dollars(text: str) -> int:
    try:
        return picodollars(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    providers = ", ".join([*sorted(one.name for one in PROVIDERS), *FORMALIZERS])
    parser = argparse.ArgumentParser(
        prog="python -m generators.formalizations.models",
        description="Ask models for formalizations of problems. Every answer is kept; nothing is asked twice.",
        epilog="N is a number for all providers, or PROVIDER=N; for --max-tokens and --temperature also MODEL=N.",
    )
    parser.add_argument("--corpus", default="mini", metavar="NAME|FILE", help="the problems (mini)")
    parser.add_argument("--problems", metavar="WHICH", help="places, ranges and ids: 5, 0:100, mini-001,mini-007 (all)")
    parser.add_argument("--exclude", type=Path, metavar="FILE", help="a JSON list of problems that may not be used")
    parser.add_argument(
        "--models", nargs="+", required=True, metavar="MODEL", help=f"PROVIDER:MODEL; providers are {providers}"
    )
    parser.add_argument(
        "--dialect", choices=[*dialects(), "both"], default=PLAIN, help=f"the form that is asked for ({PLAIN})"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where to write the formalizations; - for standard output"
    )
    parser.add_argument(
        "--repairs", type=_count(0), default=1, metavar="N", help="how often a refused answer is asked for again (1)"
    )
    parser.add_argument("--samples", type=_count(1), default=1, metavar="N", help="answers of each model (1)")
    numbers = {
        "--max-tokens": "tokens of an answer (2048)",
        "--temperature": "0 to 2, or none for models that refuse it (0)",
        "--concurrency": "requests under way at once",
        "--requests-per-minute": "requests a minute",
        "--tokens-per-minute": "tokens a minute",
        "--timeout": "seconds until a request is given up",
        "--tries": "how often a request is sent at most",
    }
    for option, about in numbers.items():
        parser.add_argument(option, nargs="+", default=[], metavar="N", help=about)
    parser.add_argument("--store", type=Path, default=STORE, metavar="FILE", help=f"where answers are kept ({STORE})")
    parser.add_argument(
        "--budget", type=_dollars, metavar="DOLLARS", help="stop before the whole store has cost more than that"
    )
    parser.add_argument("--prices", type=Path, metavar="FILE", help="prices in place of harness/llm/prices.toml")
    parser.add_argument(
        "--batch",
        action="store_true",
        help="collect what batches answered and hand in what is next, for less; then leave",
    )
    parser.add_argument("--collect", action="store_true", help="collect what batches answered and hand nothing in")
    parser.add_argument(
        "--wait", action="store_true", help="with --batch or --collect: stay until nothing is under way"
    )
    parser.add_argument("--offline", action="store_true", help="take answers from the store and ask nobody")
    parser.add_argument("--dry-run", action="store_true", help="say what it would cost, and ask nobody")
    return parser
