"""The job of `oracle-factory formalize`: models are asked for formalizations, which are written to a file."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.text import Text

from generators.formalizations.llm_formalizers.batch_rounds import (
    check_batch_providers,
    formalize_by_batches,
)
from generators.formalizations.llm_formalizers.conversation import ConversationPolicy
from generators.formalizations.llm_formalizers.cost_estimate import estimate
from generators.formalizations.llm_formalizers.formalize_options import FormalizeOptions
from generators.formalizations.llm_formalizers.formalizer_run import (
    BUDGET,
    INTERRUPTED,
    ClientSettings,
    FormalizerRun,
)
from generators.formalizations.llm_formalizers.interruption import interruptible
from generators.formalizations.llm_formalizers.model_specs import (
    PLAIN,
    ModelSpec,
    asked_members,
    pairs_asked,
    read_model_specs,
)
from generators.formalizations.llm_formalizers.prompts.dialect_prompts import corpus_prompts, dialects
from generators.formalizations.llm_formalizers.terminal_output import console, print_estimates, print_summary
from harness.command_line.option_types import above_zero, names_of, temperature
from harness.corpora.problems import Exclusion, load_corpus, read_exclusion, select
from harness.domain import Problem
from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.prices import PriceTable, read_budget
from harness.llm.provider import PROVIDERS, ProviderLimits
from harness.records.question import QuestionRecord, read_questions
from harness.store.run_folder import dump, write_lines
from harness.store.stage_progress import StageProgress

T = TypeVar("T")
MISSING, STOPPED, ENDED = 1, 3, 130
_SINGLE = re.compile(r"\d+")


def run_job(options: FormalizeOptions) -> int:
    """Ask models and write their formalizations; return the exit status of the command.

    Raises:
        HarnessError: an option cannot be used.
    """
    try:
        return _run(options)
    except KeyboardInterrupt:
        sys.stderr.write(f"oracle-factory formalize: interrupted; the answers so far are in {options.store}\n")
        return ENDED


def _run(options: FormalizeOptions) -> int:
    corpus = load_corpus(options.corpus)
    exclusion = read_exclusion(options.exclude, corpus, option="--exclude") if options.exclude else None
    questions = _questions(options)
    problems = _problems(options, questions, corpus, exclusion)
    chosen = dialects() if options.dialect == "both" else tuple(names_of("--dialect", options.dialect, dialects()))
    members = asked_members(questions) or read_model_specs(_listed(options.models), chosen, options.samples)
    only = pairs_asked(questions) if questions else None
    asking = ConversationPolicy(
        options.repairs,
        _by_name("--max-tokens", options.max_tokens, members, _positive),
        _by_name("--temperature", options.temperature, members, temperature),
        corpus_prompts(
            corpus,
            excluded=() if exclusion is None else exclusion.problems,
            examples=options.examples,
            shots=options.shots,
        ),
    )
    limits = _limits(options, members)
    prices = PriceTable.load(options.prices) if options.prices else PriceTable.load()
    if options.batch:
        check_batch_providers(members)
    if options.offline and (options.batch or options.collect):
        raise HarnessError("--offline sends no request, but --batch and --collect do: leave one of them out")
    if options.wait and not (options.batch or options.collect):
        raise HarnessError("--wait: expected with --batch or --collect")
    if options.dry_run:
        return _price(problems, members, asking, prices, options.store, only=only)
    if options.output is None:
        raise HarnessError("-o: expected the file to write, such as -o responses.jsonl, or - for standard output")
    output = None if options.output == "-" else Path(options.output)
    if output is not None:
        if output.is_dir():
            raise HarnessError(f"-o {str(output)!r}: is a folder; expected a file, such as responses.jsonl")
        output.parent.mkdir(parents=True, exist_ok=True)
    terminal = console(stderr=True)
    progress = StageProgress("formalize", sys.stderr, noun="conversations")

    def tell(text: str) -> None:
        progress.cleared()
        terminal.print(Text(text))

    with AnswerStore(options.store) as store:
        making = FormalizerRun(problems, members, store, asking, progress, only)
        talks = making.settle()
        terms = ClientSettings(prices, limits, read_budget(options.budget))
        if options.batch or options.collect:
            job = formalize_by_batches(making, terms, tell, submit=options.batch, wait=options.wait)
            asyncio.run(interruptible(job, making.stop, tell, patient=False))
        elif talks and not options.offline:
            asyncio.run(interruptible(making.ask(terms, talks), making.stop, tell))
            progress.cleared()
        records = making.records()
    lines = [dump(record) + "\n" for record in records]
    if output is None:
        sys.stdout.writelines(lines)
    else:
        write_lines(output, lines)
    return _report(terminal, making, records, options)


def _report(
    terminal: Console, making: FormalizerRun, records: Sequence[dict[str, Any]], options: FormalizeOptions
) -> int:
    """Print the results and the next command; return the exit status."""
    missing = making.missing()
    print_summary(terminal, making.conversations, records, missing)
    where = "standard output" if options.output == "-" else options.output
    terminal.print(f"{len(records):,} formalizations in {where}", markup=False, highlight=False)
    if missing:
        more = (
            " with a higher --budget" if making.stopped == BUDGET else " without --offline" if options.offline else ""
        )
        terminal.print(
            f"{len(missing):,} missing; the same command{more} continues where this one ended: the answers so far are in"
            f" {options.store}",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    if making.stopped == INTERRUPTED:
        return ENDED
    if making.stopped == BUDGET:
        return STOPPED
    return MISSING if missing else 0


def _price(
    problems: Sequence[Problem],
    members: Sequence[ModelSpec],
    asking: ConversationPolicy,
    prices: PriceTable,
    path: Path,
    *,
    only: Collection[tuple[str, str]] | None,
) -> int:
    """Print the estimated cost; an existing store is read, and none is created."""
    with AnswerStore(path) if path.exists() else nullcontext() as store:
        estimates = [
            estimate(
                [problem for problem in problems if only is None or (problem.problem_id, member.name) in only],
                *(member, asking, prices, store),
            )
            for member in members
        ]
    print_estimates(console(stderr=False), estimates, prices.about)
    return 0


def _questions(options: FormalizeOptions) -> list[QuestionRecord]:
    """Return the questions of `--questions`, none if `--models` names the models."""
    if options.questions is None:
        if not options.models:
            raise HarnessError("expected --models, such as openai:gpt-4.1-mini, or --questions FILE, found neither")
        return []
    for option, given in (
        ("--models", options.models),
        ("--problems", options.problems),
        ("--dialect", options.dialect != PLAIN),
        ("--samples", options.samples > 1),
    ):
        if given:
            raise HarnessError(f"--questions names the models, problems and forms: leave {option} out")
    questions = read_questions(options.questions, option="--questions")
    for question in questions:
        names_of("--questions", question.dialect, dialects())
    return questions


def _problems(
    options: FormalizeOptions, questions: Sequence[QuestionRecord], corpus: list[Problem], exclusion: Exclusion | None
) -> list[Problem]:
    known = {problem.problem_id for problem in corpus}
    for question in questions:
        if question.problem_id not in known:
            raise HarnessError(
                f"--questions {options.questions}: {options.corpus} has no problem {question.problem_id!r}; give the corpus of the run by --corpus"
            )
    if questions:
        asked = {question.problem_id for question in questions}
        return [problem for problem in select(corpus, exclusion=exclusion, prefix="--") if problem.problem_id in asked]
    wanted = [item.strip() for item in (options.problems or "").split(",")]
    ranges = [f"{item}:{int(item) + 1}" if _SINGLE.fullmatch(item) and item not in known else item for item in wanted]
    return select(corpus, wanted=",".join(ranges), exclusion=exclusion, prefix="--")


def _limits(options: FormalizeOptions, members: Sequence[ModelSpec]) -> dict[str, ProviderLimits]:
    given: dict[str, Mapping[str, Any]] = {
        "concurrency": _by_name("--concurrency", options.concurrency, members, _positive),
        "requests": _by_name("--requests-per-minute", options.requests_per_minute, members, above_zero),
        "tokens": _by_name("--tokens-per-minute", options.tokens_per_minute, members, above_zero),
        "seconds": _by_name("--timeout", options.timeout, members, above_zero),
        "tries": _by_name("--tries", options.tries, members, _positive),
    }
    limits: dict[str, ProviderLimits] = {}
    for provider in {member.provider for member in members if not member.made_here}:
        changes = {field: values.get(provider, values.get("")) for field, values in given.items()}
        changed = {field: value for field, value in changes.items() if value is not None}
        limits[provider] = replace(PROVIDERS.require(provider).limits, **changed)
    return limits


def _by_name(option: str, given: str, members: Sequence[ModelSpec], read: Callable[[str], T]) -> dict[str, T]:
    """Return the values of an option given as `VALUE` for all, `PROVIDER=VALUE` or, where it is one of requests, `MODEL=VALUE`.

    Raises:
        HarnessError: a value cannot be read, or names no model of the run.
    """
    per_model = option in {"--max-tokens", "--temperature"}
    known = {member.provider for member in members} | ({member.asked for member in members} if per_model else set())
    values: dict[str, T] = {}
    for item in _listed(given):
        name, _, value = item.rpartition("=")
        if name and name not in known:
            raise HarnessError(f"{option} {item!r}: {name!r} is not among {', '.join(sorted(known))}")
        try:
            values[name] = read(value)
        except (ValueError, OverflowError) as error:
            raise HarnessError(f"{option} {item!r}: {error}") from None
    return values


def _listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _positive(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= 1_000_000:
        raise ValueError(f"expected a number from 1 to 1,000,000, found {text!r}")
    return int(text)
