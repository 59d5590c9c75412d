"""The job of `oracle-factory formalize`: models are asked for formalizations, which are written to a file.

Text that models wrote is printed as plain text, never as markup.
"""

import re
import sys
from argparse import ArgumentTypeError
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from rich.text import Text

from generators.formalizations.annotation_compiler import formalize_all
from generators.formalizations.llm_formalizers.conversation import Conversation, ConversationPolicy
from generators.formalizations.llm_formalizers.dialect_prompts import prompts
from generators.formalizations.llm_formalizers.formalize_options import FormalizeOptions
from generators.formalizations.llm_formalizers.model_specs import PLAIN, ModelSpec, read_model_specs, spec_of
from generators.formalizations.llm_formalizers.prompt_examples import DIALECTS
from harness.command_line.option_types import above_zero, names_of, temperature
from harness.command_line.runnable_commands import runnable
from harness.command_line.session_options import positive
from harness.corpora.problems import load_corpus, read_exclusion, read_records, selected_places
from harness.domain import Problem, Response, Status
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from harness.llm.answer_store import AnswerStore
from harness.llm.client import Client
from harness.llm.prices import (
    DOLLAR,
    CostEstimate,
    PriceTable,
    console,
    estimate,
    format_dollars,
    plain_table,
    plain_text,
    print_estimates,
    read_budget,
)
from harness.llm.provider import PROVIDERS, ProviderLimits, batch_interface
from harness.llm.question_job import BUDGET, ENDED, NOT_KEPT, QuestionJob, exit_status, replay
from harness.records.question import QuestionRecord
from harness.store.progress_line import StageProgress
from harness.store.run_folder import dump, output_file, write_lines

T = TypeVar("T")
WRITTEN = ("problem_id", "model", "response")
SHOWN_MISSING = 20
ABOUT_ESTIMATES = "Expected: one answer each, as long as the longest example. At most: every answer has the longest allowed length and is refused as often as allowed; requests that fail and are sent again do not count."


def run_job(options: FormalizeOptions, *, budgeted: bool = False) -> int:
    """Ask models and write their formalizations; return the exit status of the command.

    With `budgeted`, the price is printed before a question is sent, and one that costs something needs a budget.
    An option that cannot be used, or a lacking budget, is a `HarnessError`.
    """
    try:
        return _run(options, budgeted=budgeted)
    except KeyboardInterrupt:
        sys.stderr.write(f"oracle-factory formalize: interrupted; the answers so far are in {options.store}\n")
        return ENDED


def _run(options: FormalizeOptions, *, budgeted: bool) -> int:
    questions = _questions(options)
    problems = _problems(options, questions)
    dialects = DIALECTS if options.dialect == "both" else tuple(names_of("--dialect", options.dialect, DIALECTS))
    members = list(dict.fromkeys(map(spec_of, questions)))
    members = members or read_model_specs(
        _items(options.models), dialects, options.samples, solution=options.with_solution
    )
    only = {(question.problem_id, spec_of(question).name) for question in questions}
    policy = ConversationPolicy(
        options.repairs,
        _by_name("--max-tokens", options.max_tokens, members, positive),
        _by_name("--temperature", options.temperature, members, temperature),
        prompts(options.examples, options.shots, with_solution=options.with_solution),
    )
    limits = _limits(options, members)
    prices = PriceTable.load(options.prices)
    batched = options.batch or options.collect
    for member in members if options.batch else ():
        if not member.made_here:
            batch_interface(member.provider)
    if options.offline and batched:
        raise HarnessError("--offline sends no request, but --batch and --collect do: leave one of them out")
    if options.wait and not batched:
        raise HarnessError("--wait: expected with --batch or --collect")
    if options.dry_run:
        # An existing store is read, and none is created.
        with AnswerStore(options.store) if options.store.exists() else nullcontext() as known:
            talks = _conversations(problems, members, policy, known, only)
        _print_cost(talks, members, prices, stderr=False)
        return 0
    if options.output is None:
        raise HarnessError("-o: expected the file to write, such as -o responses.jsonl, or - for standard output")
    output = None if options.output == "-" else output_file(Path(options.output))
    there = [] if output is None or options.force else _formalizations_of(output)
    terminal = console(stderr=True)
    progress = StageProgress("formalize", sys.stderr, noun="conversations")

    def tell(text: str) -> None:
        progress.cleared()
        terminal.print(Text(text))

    with AnswerStore(options.store) as store:
        talks = _conversations(problems, members, policy, store, only)
        open_talks = [talk for talk in talks if talk.following() is not None]
        stopped = ""
        if budgeted and open_talks and not options.offline:
            free = all(own.most == 0 for own in _print_cost(talks, members, prices, stderr=True))
            if options.budget is None and not free:
                raise HarnessError("--budget: expected the most that the answers may cost, such as --budget 1.00")
        if batched or (open_talks and not options.offline):
            client = Client(store, prices=prices, limits=limits, budget=read_budget(options.budget))
            job = QuestionJob(client, tell)
            if batched:
                job.run(job.ask_by_batches(open_talks, submit=options.batch, wait=options.wait), patient=False)
                _break_off(open_talks, store)
            else:
                progress.began(len(open_talks))
                job.run(job.ask(open_talks, lambda: progress.advanced(1)))
                progress.cleared()
            stopped = job.stopped
        talks.sort(key=lambda talk: (talk.problem.problem_id, talk.member.name))
        made = [_record(talk, store) for talk in talks if talk.attempts]
    records = made if output is None else _beside(there, made, output)
    lines = [dump(record) + "\n" for record in records]
    if output is None:
        sys.stdout.writelines(lines)
    else:
        write_lines(output, lines)
    missing = [talk for talk in talks if not talk.attempts or talk.following() is not None]
    _print_results([member.name for member in members], talks, missing, made, stopped)
    where = "standard output" if output is None else options.output
    terminal.print(Text(f"{len(records):,} formalizations in {where}"))
    if missing:
        more = " with a higher --budget" if stopped == BUDGET else " without --offline" if options.offline else ""
        remark = f"{len(missing):,} missing; the same command{more} continues where this one ended: the answers so far are in {options.store}"
        terminal.print(Text(remark), soft_wrap=True)
    return exit_status(stopped, missing=bool(missing))


def _print_cost(
    talks: Sequence[Conversation], members: Sequence[ModelSpec], prices: PriceTable, *, stderr: bool
) -> list[CostEstimate]:
    """Print what the open questions will cost; return it by model."""
    by_model = ((member.name, [talk for talk in talks if talk.member == member]) for member in members)
    estimates = [estimate(name, (talk.open_question() for talk in own), prices) for name, own in by_model]
    print_estimates(estimates, "problems", f"Prices of {prices.about}. {ABOUT_ESTIMATES}", stderr=stderr)
    return estimates


def _formalizations_of(path: Path) -> list[dict[str, Any]]:
    """Return the records that a file holds already, or raise a `HarnessError` if it holds something else, which is not overwritten."""
    records = [record for _, record in read_records(path)] if path.exists() else []
    for number, record in enumerate(records, 1):
        if not (isinstance(record, dict) and all(isinstance(record.get(name), str) for name in WRITTEN)):
            raise HarnessError(
                f"-o {path}: record {number} is no formalization; name another file, or write it anew by --force"
            )
    return records


def _beside(there: list[dict[str, Any]], made: list[dict[str, Any]], output: Path) -> list[dict[str, Any]]:
    """Return the records of a file with those made now; only a later attempt of the same conversation replaces one, any other answer is a `HarnessError`."""
    kept = {(record["problem_id"], record["model"]): record for record in there}
    for record in made:
        key = record["problem_id"], record["model"]
        before = kept.get(key)
        same = before is None or before["response"] == record["response"]
        if not (same or _requests(before) == _requests(record)[: len(_requests(before))]):
            raise HarnessError(
                f"-o {output}: holds another answer of {key[1]} to {key[0]}; the answers are kept in the store: name another file, or write it anew by --force"
            )
        kept[key] = record
    return [kept[key] for key in sorted(kept)] if there else made


def _requests(record: dict[str, Any] | None) -> list[Any]:
    provenance = (record or {}).get("provenance")
    requests = provenance.get("requests") if isinstance(provenance, dict) else None
    return requests if isinstance(requests, list) else []


def _questions(options: FormalizeOptions) -> list[QuestionRecord]:
    """Return the questions of `--questions`, none if `--models` names the models."""
    if options.questions is None:
        if not options.models:
            raise HarnessError("expected --models, such as openai:gpt-4.1-mini, or --questions FILE, found neither")
        return []
    given = {"--models": options.models, "--problems": options.problems, "--dialect": options.dialect != PLAIN}
    more = {"--with-solution": options.with_solution, "--samples": options.samples > 1}
    for option in (name for name, value in {**given, **more}.items() if value):
        raise HarnessError(f"--questions names the models, problems and forms: leave {option} out")
    make, questions = f"make them: {runnable('oracle-factory next RUN')}", []
    try:
        records = list(read_records(options.questions))
    except HarnessError as error:
        raise HarnessError(f"--questions {error}; {make}") from None
    for number, record in records:
        try:
            questions.append(read_record(QuestionRecord, record))
        except MalformedRecordError as error:
            place = f"--questions {options.questions}:{number}"
            raise HarnessError(f"{place}: expected a question, found {error}; {make}") from None
        names_of("--questions", questions[-1].dialect, DIALECTS)
    if not questions:
        raise HarnessError(f"--questions {options.questions}: expected questions, found none; {make}")
    return questions


def _problems(options: FormalizeOptions, questions: Sequence[QuestionRecord]) -> list[Problem]:
    corpus = load_corpus(options.corpus)
    exclusion = read_exclusion(options.exclude, corpus, option="--exclude") if options.exclude else None
    known = {problem.problem_id for problem in corpus}
    asked = {question.problem_id for question in questions}
    for name in sorted(asked - known):
        raise HarnessError(
            f"--questions {options.questions}: {options.corpus} has no problem {name!r}; give the corpus of the run by --corpus"
        )
    wanted = _items(options.problems or "")
    numbers = {item for item in wanted if re.fullmatch(r"\d+", item)} - known
    ranges = ",".join(f"{item}:{int(item) + 1}" if item in numbers else item for item in wanted)
    places = selected_places(corpus, wanted=ranges, exclusion=exclusion, prefix="--")
    return [corpus[place] for place in places if not asked or corpus[place].problem_id in asked]


def _limits(options: FormalizeOptions, members: Sequence[ModelSpec]) -> dict[str, ProviderLimits]:
    given: dict[str, dict[str, Any]] = {
        "concurrency": _by_name("--concurrency", options.concurrency, members, positive),
        "requests": _by_name("--requests-per-minute", options.requests_per_minute, members, above_zero),
        "tokens": _by_name("--tokens-per-minute", options.tokens_per_minute, members, above_zero),
        "seconds": _by_name("--timeout", options.timeout, members, above_zero),
        "tries": _by_name("--tries", options.tries, members, positive),
    }
    limits: dict[str, ProviderLimits] = {}
    for provider in {member.provider for member in members if not member.made_here}:
        changes: dict[str, Any] = {field: values.get(provider, values.get("")) for field, values in given.items()}
        changes = {field: value for field, value in changes.items() if value is not None}
        limits[provider] = replace(PROVIDERS.require(provider).limits, **changes)
    return limits


def _by_name(option: str, given: str, members: Sequence[ModelSpec], read: Callable[[str], T]) -> dict[str, T]:
    """Return the values of an option given as `VALUE`, `PROVIDER=VALUE` or, of requests, `MODEL=VALUE`; another model or value is a `HarnessError`."""
    per_model = option in {"--max-tokens", "--temperature"}
    known = {member.provider for member in members} | ({member.asked for member in members} if per_model else set())
    values: dict[str, T] = {}
    for item in _items(given):
        name, _, value = item.rpartition("=")
        if name and name not in known:
            raise HarnessError(f"{option} {item!r}: {name!r} is not among {', '.join(sorted(known))}")
        try:
            values[name] = read(value)
        except (ValueError, OverflowError, ArgumentTypeError) as error:
            raise HarnessError(f"{option} {item!r}: {error}") from None
    return values


def _items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _conversations(
    problems: Sequence[Problem],
    members: Sequence[ModelSpec],
    policy: ConversationPolicy,
    store: AnswerStore | None,
    only: Collection[tuple[str, str]],
) -> list[Conversation]:
    """Return the conversations, with the answers in the store and those that need no model; `only` are the pairs that are asked, empty for all."""
    # By problem first: every provider has work from the beginning, and a run that is stopped is even over the models.
    talks = [
        Conversation(problem, member, policy)
        for problem in problems
        for member in members
        if not only or (problem.problem_id, member.name) in only
    ]
    if store is not None:
        for talk in talks:
            replay(talk, store)
    own = [talk for talk in talks if talk.member.made_here]
    for talk, answer in zip(own, formalize_all([talk.problem for talk in own]), strict=True):
        if isinstance(answer, Response):
            talk.add("", answer.text)
        else:
            talk.broken_off = answer.reason
    return talks


def _break_off(talks: Sequence[Conversation], store: AnswerStore) -> None:
    """Take the reason from the store why a question in batches has no answer."""
    for talk in talks:
        if (request := talk.following()) is not None and (attempts := store.attempts(request.key)):
            last = attempts[-1]
            claimed = last["state"] == "claimed"
            talk.broken_off = f"in-batch: {last['batch']}" if claimed else f"{last['kind']}: {last['reason']}"


def _record(talk: Conversation, store: AnswerStore) -> dict[str, Any]:
    """Return the record of a conversation's last attempt, which `pytest -m formalization` reads.

    Tokens and dollars are those of all attempts in the store, whenever they were made; `cost` is `None` where one is not
    known. The record holds no time, so that the same store gives the same bytes.
    """
    last, member = talk.attempts[-1], talk.member
    keys = [attempt.key for attempt in talk.attempts if attempt.key]
    rows = [row for key in keys for row in store.attempts(key)]
    # A failed attempt without a cost was not billed.
    costs = [0 if row["cost"] is None and row["state"] != "answered" else row["cost"] for row in rows]
    return {
        "problem_id": talk.problem.problem_id,
        "model": member.name,
        "dialect": member.dialect,
        "saw_solution": member.made_here or talk.policy.prompts[member.dialect].with_solution,
        "response": last.text,
        "attempt": len(talk.attempts),
        "refused": [attempt.screening.reason for attempt in talk.attempts[:-1]],
        "prompt": None if member.made_here else talk.policy.prompts[member.dialect].version,
        "cost": None if None in costs else sum(costs) / DOLLAR,
        "tokens": {part: sum(int(row[part]) for row in rows) for part in ("input", "cached", "written", "output")},
        "provenance": {
            "provider": member.provider,
            "model": member.model,
            "sample": member.sample,
            "stop": str(last.stop),
            "requests": keys,
        },
    }


def _print_results(
    models: list[str],
    talks: list[Conversation],
    missing: list[Conversation],
    records: list[dict[str, Any]],
    stopped: str,
) -> None:
    """Print a line for each model, the kinds of refusal and fault, and what is missing."""
    reasons = {(talk.problem.problem_id, talk.member.name): talk.broken_off or stopped or NOT_KEPT for talk in missing}
    kinds = {pair: reason.partition(":")[0] for pair, reason in reasons.items()}
    table = plain_table("model", "asked", "kept", "mended", "UT-1", "refused", "missing", "tokens", "cost")
    remarks: list[str] = []
    for name in models:
        own = [talk for talk in talks if talk.member.name == name]
        answered = [talk for talk in own if talk.attempts]
        last = [talk.attempts[-1].screening for talk in answered]
        status = Counter(screening.status for screening in last)
        repaired = [talk.attempts[-1].screening.status for talk in answered if len(talk.attempts) > 1]
        used = [record for record in records if record["model"] == name]
        costs = [record["cost"] for record in used]
        gaps = Counter(kind for (_, model), kind in kinds.items() if model == name)
        table.add_row(
            plain_text(name),
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
                remarks.append(f"{what}: {name}: {_count_list(counts)}")
    for talk in missing[:SHOWN_MISSING]:
        pair = talk.problem.problem_id, talk.member.name
        attempts = f" after {len(talk.attempts)} of its attempts" if talk.attempts else ""
        remarks.append(f"missing: {pair[0]}: {pair[1]}{attempts}: {reasons[pair]}")
    if more := list(kinds.values())[SHOWN_MISSING:]:
        remarks.append(f"missing: {len(more):,} more: {_count_list(Counter(more))}")
    terminal = console(stderr=True)
    terminal.print(table)
    for remark in remarks:
        terminal.print(plain_text(remark, 300))


def _count_list(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
