"""The questions and looks with the highest expected gain, chosen within a budget, printed and written."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from generators.formalizations.llm_formalizers.conversation import ConversationPolicy
from generators.formalizations.llm_formalizers.model_specs import ModelSpec, read_model_specs, spec_named
from generators.formalizations.llm_formalizers.prompts.dialect_prompts import dialects
from harness.command_line.option_types import names_of
from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import load_corpus
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.llm.prices import DOLLAR, PriceTable, format_dollars, picodollars
from harness.llm.storage.answer_store import AnswerStore
from harness.records.question import QuestionRecord
from harness.stages import FORMALIZATION
from harness.store.run_folder import dump, output_file, write_lines
from harness.text.characters import one_line
from oracles.consensus.probability.value_of_information import ValueOfInformation
from properties.next_questions.question_plans import (
    LEAST_ANSWERS,
    LEAST_GAIN,
    QuestionPlan,
    QuestionPricing,
    affordable,
    best_plan,
    cost_of,
    first_answers,
    pilots,
)
from properties.next_questions.run_problems import RunProblems, read_problems
from reports.views.artefacts import find_run, open_stage
from reports.views.certainty import kept_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from properties.next_questions.options import NextOptions

UNKNOWN_POOL = "openai:gpt-4.1-mini"
"""The model that may be asked where no model of the run can be asked and none is named."""
MINUTES_A_LOOK = 2.0
SHOWN = 15
SHOWN_COUNTS = 3


@dataclass(frozen=True, slots=True)
class Look:
    """A problem that a person should look at, and the expected gain of the look."""

    problem_id: str
    p_right: float
    gain: float
    about: str


def print_next_questions(options: NextOptions, console: Console | None = None) -> int:
    """Choose questions and looks, print them and write the questions; return the exit status.

    Raises:
        HarnessError: an option cannot be used, or the run is not sealed.
    """
    terminal = console or Console(highlight=False)
    budget = _picodollars(options.budget)
    folder = find_run(options.run, FORMALIZATION)
    path = output_file(options.output or folder / "questions.jsonl")
    stage = open_stage(folder)
    run = read_problems(stage)
    if options.corpus:
        run = run.with_unasked(load_corpus(options.corpus))
    if not run.problems:
        raise HarnessError(f"{folder}: expected problems with formalizations, found none")
    pool = _pool(options, run)
    pricing = QuestionPricing(
        PriceTable.load(options.prices) if options.prices else PriceTable.load(), ConversationPolicy()
    )
    value = ValueOfInformation(run.reliability, run.weights, options.at)
    chances = {problem_id: value.probability(problem) for problem_id, problem in run.problems.items()}
    kept = [chance for chance in chances.values() if chance >= options.at]
    pilot = list(pilots(run, pool, pricing, budget))
    tried = {member.name for plan in pilot for member in plan.members}
    known = [member for member in pool if member.name not in tried]
    few = list(first_answers(run, known, pricing, None if budget is None else budget - cost_of(pilot)))
    begun = {plan.problem_id for plan in few}
    plans = [
        plan
        for problem_id, chance in chances.items()
        if problem_id not in begun
        and chance < options.at
        and (plan := best_plan(problem_id, run, known, pricing, options.at)) is not None
    ]
    chosen = affordable(plans, None if budget is None else budget - cost_of([*pilot, *few]))
    looks = _looks(value, run, chances, {plan.problem_id for plan in [*pilot, *few, *chosen]})[
        : int(options.minutes / MINUTES_A_LOOK)
    ]
    records = [record for plan in [*pilot, *few, *chosen] for record in _records(plan)]
    write_lines(path, [dump(json_form(record)) + "\n" for record in records])
    wrong = sum(1 - chance for chance in kept)
    terminal.print(Text(kept_sentence(len(kept), len(chances), options.at, wrong)), soft_wrap=True)
    _print_pilots(terminal, pilot)
    _print_first_answers(terminal, few)
    if chosen or not (pilot or few):
        _print_plans(terminal, chosen, options)
    _print_looks(terminal, looks, options)
    if records:
        limit = "" if budget is None else f" --budget {(_spent(options) + budget) / DOLLAR:.2f}"
        # The manifest has the name of the corpus, not its path, so that the command names the stage's own problems.
        corpus = shlex.quote(options.corpus or str(folder / FORMALIZATION / "problems.jsonl"))
        command = runnable(
            f"oracle-factory formalize --corpus {corpus} --questions {shlex.quote(str(path))}{limit} -o answers.jsonl"
        )
        terminal.print(Text(f"\n{_counted(len(records), 'question')} in {path}; ask:", style="bold"), soft_wrap=True)
        terminal.print(Text(f"  {command}"), soft_wrap=True)
    return 0


def _picodollars(budget: str | None) -> int | None:
    try:
        return None if budget is None else picodollars(budget)
    except ValueError as error:
        raise HarnessError(f"--budget: {error}") from None


def _spent(options: NextOptions) -> int:
    """Return the cost of the store so far, which the budget of `formalize` includes."""
    if not options.store.exists():
        return 0
    with AnswerStore(options.store) as store:
        return store.spent()


def _pool(options: NextOptions, run: RunProblems) -> list[ModelSpec]:
    """Return the models that may be asked: those of `--models`, else the run's models that can be asked, else one of the price table."""
    names_of("--dialect", options.dialect, dialects())
    if options.models:
        listed = [item.strip() for item in options.models.split(",") if item.strip()]
        return read_model_specs(listed, (options.dialect,))
    known = (spec_named(name, dialects()) for name in sorted(run.reliability.accuracy))
    pool = list(dict.fromkeys(spec for spec in known if spec is not None))
    return pool or read_model_specs([UNKNOWN_POOL], (options.dialect,))


def _records(plan: QuestionPlan) -> Iterator[QuestionRecord]:
    for member, cost in zip(plan.members[: plan.listed], plan.costs, strict=False):
        yield QuestionRecord(
            problem_id=plan.problem_id,
            ask=member.asked,
            dialect=member.dialect,
            sample=member.sample,
            p_right=round(plan.p_right, 4),
            gain=round(plan.gain, 4),
            cost=round(cost / DOLLAR, 6),
        )


def _looks(
    value: ValueOfInformation, run: RunProblems, chances: Mapping[str, float], elsewhere: set[str]
) -> list[Look]:
    """Return the problems that a person should look at, those that gain most first, without those that models are asked about."""
    looks = []
    for problem_id, problem in run.problems.items():
        gain = value.gain_of_a_look(problem)
        if problem_id not in elsewhere and gain >= LEAST_GAIN:
            answers = problem.formalizations.answers
            counts = sorted(map(len, answers.support.values()), reverse=True)
            rest = f" and {len(counts) - SHOWN_COUNTS} more" if len(counts) > SHOWN_COUNTS else ""
            silent = f", {len(answers.silent)} without one" if answers.silent else ""
            given = " / ".join(map(str, counts[:SHOWN_COUNTS]))
            about = f"{_counted(len(counts), 'value')}, given by {given}{rest}{silent}"
            looks.append(Look(problem_id, chances[problem_id], gain, about))
    return sorted(looks, key=lambda look: (-look.gain, look.problem_id))


def _print_pilots(terminal: Console, pilot: Sequence[QuestionPlan]) -> None:
    if pilot:
        models = Counter(member.name for plan in pilot for member in plan.members)
        told = ", ".join(f"{count} to {one_line(name)}" for name, count in models.items())
        terminal.print(
            Text(
                f"\nPilot: {_counted(len(pilot), 'question')} for {format_dollars(cost_of(pilot))}, {told}; "
                "the run does not know how often they are right: judge the answers with the others and call next again",
                style="bold",
            ),
            soft_wrap=True,
        )


def _print_first_answers(terminal: Console, few: Sequence[QuestionPlan]) -> None:
    if few:
        problems = _counted(len({plan.problem_id for plan in few}), "problem")
        terminal.print(
            Text(
                f"\nFirst answers: {_counted(len(few), 'question')} for {format_dollars(cost_of(few))} to the models that are right most often, "
                f"about {problems} with fewer than {LEAST_ANSWERS} answers; judge them with the others and call next again",
                style="bold",
            ),
            soft_wrap=True,
        )


def _print_plans(terminal: Console, plans: Sequence[QuestionPlan], options: NextOptions) -> None:
    if not plans:
        terminal.print(Text("\nNo question to a model is expected to gain anything within the budget.", style="bold"))
        return
    gain = sum(plan.gain for plan in plans if plan.complete)
    begun = sum(not plan.complete for plan in plans)
    further = f"; {_counted(begun, 'plan')} of more questions begun: call next again with the answers" if begun else ""
    terminal.print(
        Text(
            f"\nAsk models: {_counted(sum(plan.listed for plan in plans), 'question')} about {_counted(len(plans), 'problem')} for {format_dollars(cost_of(plans))}; "
            f"expect {gain:.1f} more problems kept at ≥ {options.at:.4g} and right{further}",
            style="bold",
        ),
        soft_wrap=True,
    )
    table = _table("problem", "ask", "p_right", "gain", "cost", "gain per dollar")
    for plan in plans[:SHOWN]:
        table.add_row(
            Text(one_line(plan.problem_id)),
            Text(one_line(", ".join(member.name for member in plan.members[: plan.listed]))),
            f"{plan.p_right:.3f}" if plan.p_right else "",
            f"{plan.gain:.3f}",
            format_dollars(cost_of([plan])),
            f"{plan.per_dollar:,.0f}" if plan.cost else "free",
        )
    terminal.print(table)
    if len(plans) > SHOWN:
        terminal.print(Text(f"and {len(plans) - SHOWN:,} more problems", style="dim"))


def _print_looks(terminal: Console, looks: Sequence[Look], options: NextOptions) -> None:
    if not looks:
        return
    gain = sum(look.gain for look in looks)
    terminal.print(
        Text(
            f"\nLook at: {_counted(len(looks), 'problem')} in {len(looks) * MINUTES_A_LOOK:.0f} minutes; "
            f"expect {gain:.1f} more problems kept at ≥ {options.at:.4g} and right",
            style="bold",
        ),
        soft_wrap=True,
    )
    table = _table("problem", "why", "p_right", "gain", "gain per minute")
    for look in looks[:SHOWN]:
        table.add_row(
            Text(one_line(look.problem_id)),
            look.about,
            f"{look.p_right:.3f}",
            f"{look.gain:.3f}",
            f"{look.gain / MINUTES_A_LOOK:.2f}",
        )
    terminal.print(table)


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for number, title in enumerate(titles):
        table.add_column(
            title,
            justify="left" if number < 2 else "right",
            no_wrap=number != 1,
            overflow="fold" if number == 1 else "ellipsis",
        )
    return table
