"""The job of `oracle-factory formalize`: models are asked for formalizations, which are written to a file.

Text that models wrote is printed as plain text, never as markup.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

from generators.formalizations.llm_formalizers.conversation import ConversationPolicy, CostEstimate, estimate
from generators.formalizations.llm_formalizers.dialect_prompts import prompts
from generators.formalizations.llm_formalizers.formalize_options import FormalizeOptions
from generators.formalizations.llm_formalizers.formalizer_run import (
    BUDGET,
    INTERRUPTED,
    ClientSettings,
    FormalizerRun,
    interruptible,
)
from generators.formalizations.llm_formalizers.model_specs import PLAIN, ModelSpec, read_model_specs, spec_of
from generators.formalizations.llm_formalizers.prompt_examples import DIALECTS
from harness.command_line.option_types import above_zero, names_of, temperature
from harness.corpora.problems import load_corpus, read_exclusion, selected_places
from harness.domain import Problem, Status
from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore
from harness.llm.prices import DOLLAR, PriceTable, format_dollars, read_budget
from harness.llm.provider import PROVIDERS, ProviderLimits, batch_providers
from harness.records.question import QuestionRecord, read_questions
from harness.store.run_folder import dump, write_lines
from harness.store.stage_progress import StageProgress
from harness.text.characters import one_line

T = TypeVar("T")
MISSING, STOPPED, ENDED = 1, 3, 130
SHOWN_MISSING = 20
WIDE = 160
"""Columns where no terminal says how many it has."""


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
    questions = _questions(options)
    problems = _problems(options, questions)
    dialects = DIALECTS if options.dialect == "both" else tuple(names_of("--dialect", options.dialect, DIALECTS))
    members = list(dict.fromkeys(map(spec_of, questions)))
    members = members or read_model_specs(_listed(options.models), dialects, options.samples)
    only = {(question.problem_id, spec_of(question).name) for question in questions} or None
    asking = ConversationPolicy(
        options.repairs,
        _by_name("--max-tokens", options.max_tokens, members, _positive),
        _by_name("--temperature", options.temperature, members, temperature),
        prompts(options.examples, options.shots),
    )
    limits = _limits(options, members)
    prices = PriceTable.load(options.prices)
    for member in members if options.batch else ():
        if not member.made_here and PROVIDERS.require(member.provider).batches is None:
            raise HarnessError(f"--batch: {member.provider} takes no batches; those that do: {batch_providers()}")
    if options.offline and (options.batch or options.collect):
        raise HarnessError("--offline sends no request, but --batch and --collect do: leave one of them out")
    if options.wait and not (options.batch or options.collect):
        raise HarnessError("--wait: expected with --batch or --collect")
    if options.dry_run:
        # An existing store is read, and none is created.
        with AnswerStore(options.store) if options.store.exists() else nullcontext() as known:
            asked = {
                member: [problem for problem in problems if only is None or (problem.problem_id, member.name) in only]
                for member in members
            }
            estimates = [estimate(own, member, asking, prices, known) for member, own in asked.items()]
        _print_estimates(console(stderr=False), estimates, prices.about)
        return 0
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
        run = FormalizerRun(problems, members, store, asking, progress, only)
        talks = run.settle()
        terms = ClientSettings(prices, limits, read_budget(options.budget))
        if options.batch or options.collect:
            job = run.ask_by_batches(terms, tell, submit=options.batch, wait=options.wait)
            asyncio.run(interruptible(job, run.stop, tell, patient=False))
        elif talks and not options.offline:
            asyncio.run(interruptible(run.ask(terms, talks), run.stop, tell))
            progress.cleared()
        records = run.records()
    lines = [dump(record) + "\n" for record in records]
    if output is None:
        sys.stdout.writelines(lines)
    else:
        write_lines(output, lines)
    return _print_results(terminal, run, records, options)


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
        names_of("--questions", question.dialect, DIALECTS)
    return questions


def _problems(options: FormalizeOptions, questions: Sequence[QuestionRecord]) -> list[Problem]:
    corpus = load_corpus(options.corpus)
    exclusion = read_exclusion(options.exclude, corpus, option="--exclude") if options.exclude else None
    known = {problem.problem_id for problem in corpus}
    for question in questions:
        if question.problem_id not in known:
            raise HarnessError(
                f"--questions {options.questions}: {options.corpus} has no problem {question.problem_id!r}; give the corpus of the run by --corpus"
            )
    if questions:
        asked = {question.problem_id for question in questions}
        places = selected_places(corpus, exclusion=exclusion, prefix="--")
        return [corpus[place] for place in places if corpus[place].problem_id in asked]
    wanted = [item.strip() for item in (options.problems or "").split(",")]
    ranges = [
        f"{item}:{int(item) + 1}" if re.fullmatch(r"\d+", item) and item not in known else item for item in wanted
    ]
    places = selected_places(corpus, wanted=",".join(ranges), exclusion=exclusion, prefix="--")
    return [corpus[place] for place in places]


def _limits(options: FormalizeOptions, members: Sequence[ModelSpec]) -> dict[str, ProviderLimits]:
    given: dict[str, dict[str, Any]] = {
        "concurrency": _by_name("--concurrency", options.concurrency, members, _positive),
        "requests": _by_name("--requests-per-minute", options.requests_per_minute, members, above_zero),
        "tokens": _by_name("--tokens-per-minute", options.tokens_per_minute, members, above_zero),
        "seconds": _by_name("--timeout", options.timeout, members, above_zero),
        "tries": _by_name("--tries", options.tries, members, _positive),
    }
    limits: dict[str, ProviderLimits] = {}
    for provider in {member.provider for member in members if not member.made_here}:
        changes: dict[str, Any] = {field: values.get(provider, values.get("")) for field, values in given.items()}
        changes = {field: value for field, value in changes.items() if value is not None}
        limits[provider] = replace(PROVIDERS.require(provider).limits, **changes)
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


def _print_results(
    terminal: Console, run: FormalizerRun, records: Sequence[dict[str, Any]], options: FormalizeOptions
) -> int:
    """Print a line for each model, the kinds of refusal and fault, what is missing, and the next command; return the exit status."""
    missing = run.missing()
    table = _table("model", "asked", "kept", "mended", "UT-1", "refused", "missing", "tokens", "cost")
    remarks: list[str] = []
    for name in dict.fromkeys(talk.member.name for talk in run.conversations):
        own = [talk for talk in run.conversations if talk.member.name == name]
        answered = [talk for talk in own if talk.attempts]
        last = [talk.attempts[-1].screening for talk in answered]
        status = Counter(screening.status for screening in last)
        repaired = [talk.attempts[-1].screening.status for talk in answered if len(talk.attempts) > 1]
        used = [record for record in records if record["model"] == name]
        costs = [record["cost"] for record in used]
        gaps = Counter(gap.kind for gap in missing if gap.model == name)
        table.add_row(
            _cell(name),
            f"{sum(talk.asked for talk in own):,}",
            f"{sum(not talk.asked for talk in answered):,}",
            f"{repaired.count(Status.CONFIRMED):,}/{len(repaired):,}" if repaired else "",
            f"{status[Status.CONFIRMED]:,}",
            f"{status[Status.REFUTED]:,}" if status[Status.REFUTED] else "",
            f"{gaps.total():,}" if gaps else "",
            f"{sum(record['tokens'][part] for record in used for part in ('input', 'output')):,}",
            format_dollars(None if None in costs else round(sum(costs) * DOLLAR)),
        )
        refused = Counter(screening.kind for screening in last if screening.status is Status.REFUTED)
        unjudged = Counter({"without a gold answer": status[Status.UNKNOWN]})
        for what, counts in (("refused", refused), ("missing", gaps), ("not judged", unjudged)):
            if counts.total():
                remarks.append(f"{what}: {name}: {_counted(counts)}")
    for gap in missing[:SHOWN_MISSING]:
        attempts = f" after {gap.attempts} of its attempts" if gap.attempts else ""
        remarks.append(f"missing: {gap.problem_id}: {gap.model}{attempts}: {gap.reason}")
    if more := missing[SHOWN_MISSING:]:
        remarks.append(f"missing: {len(more):,} more: {_counted(Counter(gap.kind for gap in more))}")
    terminal.print(table)
    for remark in remarks:
        terminal.print(_cell(remark, 300))
    where = "standard output" if options.output == "-" else options.output
    terminal.print(Text(f"{len(records):,} formalizations in {where}"))
    if missing:
        more_by = (
            " with a higher --budget" if run.stopped == BUDGET else " without --offline" if options.offline else ""
        )
        terminal.print(
            Text(
                f"{len(missing):,} missing; the same command{more_by} continues where this one ended: the answers so far are in {options.store}"
            ),
            soft_wrap=True,
        )
    return {INTERRUPTED: ENDED, BUDGET: STOPPED}.get(run.stopped, MISSING if missing else 0)


def _print_estimates(terminal: Console, estimates: Sequence[CostEstimate], source: str) -> None:
    """Print the estimated cost of a job, a line for each model."""
    table = _table("model", "problems", "kept", "requests", "tokens in", "out", "expected", "at most")
    for own in estimates:
        counts = (own.conversations, own.kept, own.requests, own.tokens.input, own.tokens.output)
        costs = map(format_dollars, (own.expected, own.most))
        table.add_row(_cell(own.model), *(f"{count:,}" for count in counts), *costs)
    if len(estimates) > 1:
        columns = [[own.expected for own in estimates], [own.most for own in estimates]]
        totals = [None if None in column else sum(map(int, filter(None, column))) for column in columns]
        table.add_section()
        requests = f"{sum(own.requests for own in estimates):,}"
        table.add_row("all", "", "", requests, "", "", *map(format_dollars, totals))
    terminal.print(table)
    terminal.print(
        Text(
            f"Prices of {source}. Expected: one answer each, as long as the longest example. At most: every answer has the longest allowed length and is refused as often as allowed; requests that fail and are sent again do not count."
        )
    )


def console(*, stderr: bool) -> Console:
    """Return a console that is as wide as the terminal, and wide enough where there is none."""
    terminal = Console(stderr=stderr)
    return terminal if terminal.is_terminal else Console(stderr=stderr, width=WIDE)


def _table(name: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.most_common())


def _cell(text: str, longest: int = 120) -> Text:
    return Text(one_line(text, limit=longest))
