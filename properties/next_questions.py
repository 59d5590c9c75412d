"""The command `oracle-factory next`: further questions to models about the problems of a run that are not yet kept."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.command_line.option_types import AnswerStoreFile, Prices, from_fields

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from generators.formalizations.llm_formalizers.model_specs import ModelSpec
    from harness.domain import Problem
    from harness.records.question import QuestionRecord
    from reports.views.artefacts import SealedStage

UNKNOWN_POOL = "openai:gpt-4.1-mini"
"""The model that may be asked where no model of the run can be asked and none is named."""
MINUTES_A_LOOK = 2.0
SHOWN = 15
MOST_SAMPLES = 3
"""Answers of one model to one problem."""


@dataclass(frozen=True, slots=True)
class NextOptions:
    """The options of `oracle-factory next`."""

    run: Annotated[str, typer.Argument(help="Name of a run under runs/, or the path of a run.")]
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="DOLLARS",
            help="The most that the questions may cost; by default, one question a problem is listed.",
        ),
    ] = None
    minutes: Annotated[
        float, typer.Option(min=0, metavar="N", help="Minutes that a person has to look at problems, two minutes each.")
    ] = 20.0
    corpus: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="The problems of the run and others that no model was asked about yet; by default those of the run.",
        ),
    ] = None
    models: Annotated[
        str,
        typer.Option(
            metavar="MODEL,…",
            help="The models that may be asked, as for formalize; by default the models of the run that formalize can ask.",
        ),
    ] = ""
    at: Annotated[
        float,
        typer.Option(
            min=0.5,
            max=0.999,
            metavar="P",
            help="The least probability that the oracle is right for a problem to be kept.",
        ),
    ] = 0.99
    dialect: Annotated[
        str, typer.Option(metavar="NAME", help="The form of answer that the models of --models are asked for.")
    ] = "parametric"
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The questions; RUN/questions.jsonl by default."),
    ] = None
    store: AnswerStoreFile = Path(".cache/llm/answers.sqlite")
    prices: Prices = None


@from_fields
def next_questions(options: NextOptions) -> int:
    """Choose which models to ask next about which problems of a run.

    Problems whose oracle is right with less than the probability `--at` are asked about again: each of them once, those
    with the fewest answers first, then each a second time while the budget lasts, always the model that is right most
    often of those not yet asked. The file of questions is what `oracle-factory formalize --questions FILE` takes. Below
    them are the problems that a person should look at.

    Example: oracle-factory next runs/latest --budget 5.00

    Returns:
        0; 2 if an option cannot be used, or the run is not sealed.
    """
    from rich.console import Console
    from rich.text import Text

    from harness.command_line.runnable_commands import runnable
    from harness.corpora.problems import load_corpus
    from harness.errors import HarnessError
    from harness.json_form import json_form
    from harness.llm.answer_store import AnswerStore
    from harness.llm.prices import DOLLAR, format_dollars, read_budget
    from harness.stages import FORMALIZATION
    from harness.store.run_folder import dump, output_file, write_lines
    from reports.views.artefacts import find_run, open_stage
    from reports.views.certainty import kept_sentence

    terminal = Console(highlight=False)
    budget = read_budget(options.budget)
    folder = find_run(options.run, FORMALIZATION)
    path = output_file(options.output or folder / "questions.jsonl")
    stage = open_stage(folder)
    problems = {problem.problem_id: problem for problem in stage.problems()}
    if options.corpus:
        corpus = {problem.problem_id: problem for problem in load_corpus(options.corpus)}
        if strangers := sorted(problems.keys() - corpus.keys()):
            raise HarnessError(
                f"--corpus: expected the {len(problems):,} problems of the run and others, found no {strangers[0]!r}"
            )
        problems = {**corpus, **problems}
    if not problems:
        raise HarnessError(f"{folder}: expected problems with formalizations, found none")
    chances = dict.fromkeys(problems, 0.0) | {own.problem_id: own.p_right or 0.0 for own in stage.consensus()}
    questions = list(_affordable(_questions(options, stage, problems, chances), budget, len(problems)))
    write_lines(path, [dump(json_form(question)) + "\n" for question in questions])
    kept = [chance for chance in chances.values() if chance >= options.at]
    wrong = sum(1 - chance for chance in kept)
    terminal.print(Text(kept_sentence(len(kept), len(chances), options.at, wrong)), soft_wrap=True)
    looks = _problems_to_look_at(chances, options, {question.problem_id for question in questions})
    if looks:
        lines = [f"\nLook at {len(looks)} problems in {len(looks) * MINUTES_A_LOOK:.0f} minutes:"]
        lines += [f"  {name}  p_right {chances[name]:.3f}" for name in looks[:SHOWN]]
        terminal.print(Text("\n".join(lines)), soft_wrap=True)
    if not questions:
        terminal.print(Text("\nNo model is left to ask within the budget."), soft_wrap=True)
        return 0
    models = Counter(question.ask for question in questions)
    cost = format_dollars(round(sum(question.cost for question in questions) * DOLLAR))
    listed = ", ".join(f"{count} to {name}" for name, count in models.most_common())
    terminal.print(Text(f"\nAsk models: {len(questions):,} questions for {cost}, {listed}"), soft_wrap=True)
    spent = 0
    if options.store.exists():
        with AnswerStore(options.store) as store:
            spent = store.spent()
    limit = "" if budget is None else f" --budget {(spent + budget) / DOLLAR:.2f}"
    # The manifest has the name of the corpus, not its path, so that the command names the stage's own problems.
    asked = shlex.quote(options.corpus or str(folder / FORMALIZATION / "problems.jsonl"))
    command = runnable(
        f"oracle-factory formalize --corpus {asked} --questions {shlex.quote(str(path))}{limit} -o answers.jsonl"
    )
    terminal.print(Text(f"{len(questions):,} questions in {path}; ask:\n  {command}"), soft_wrap=True)
    return 0


def _questions(
    options: NextOptions, stage: SealedStage, problems: dict[str, Problem], chances: dict[str, float]
) -> Iterator[QuestionRecord]:
    """Yield the questions that may be asked, in order: a first one about each open problem, then a second one, and so on."""
    from generators.formalizations.llm_formalizers.conversation import ConversationPolicy, estimate
    from harness.errors import HarnessError
    from harness.llm.prices import DOLLAR, PriceTable
    from harness.records.question import QuestionRecord

    asked: dict[str, set[str]] = {name: set() for name in problems}
    for program in stage.programs():
        asked[program.problem_id].add(program.model)
    pool = _models(options, stage)
    table = PriceTable.load(options.prices) if options.prices else PriceTable.load()
    open_problems = [name for name in problems if chances[name] < options.at]
    open_problems.sort(key=lambda name: (len(asked[name]), -chances[name], name))
    left = {name: list(_further_answers(pool, asked[name])) for name in open_problems}
    for place in range(max(map(len, left.values()), default=0)):
        for name in open_problems:
            if place >= len(left[name]):
                continue
            member = left[name][place]
            expected = estimate([problems[name]], member, ConversationPolicy(), table, None)
            if not member.made_here and not expected.requests:
                continue
            if expected.expected is None:
                raise HarnessError(
                    f"no price of {member.asked} is known: add it to a price table and give --prices FILE"
                )
            yield QuestionRecord(
                problem_id=name,
                ask=member.asked,
                dialect=member.dialect,
                sample=member.sample,
                p_right=round(chances[name], 4),
                cost=round(expected.expected / DOLLAR, 6),
            )


def _further_answers(pool: Sequence[ModelSpec], asked: Collection[str]) -> Iterator[ModelSpec]:
    """Yield the answers that a problem lacks: the first ones of all models, the best model first, then second ones, and so on."""
    for sample in range(MOST_SAMPLES):
        for member in pool:
            answer = replace(member, sample=sample)
            if answer.name not in asked and not (sample and member.made_here):
                yield answer


def _models(options: NextOptions, stage: SealedStage) -> list[ModelSpec]:
    """Return the models that may be asked, the one that is right most often first; one that the run does not know counts as the mean."""
    from generators.formalizations.llm_formalizers.model_specs import read_model_specs, spec_named
    from generators.formalizations.llm_formalizers.prompt_examples import DIALECTS
    from harness.command_line.option_types import names_of

    names_of("--dialect", options.dialect, DIALECTS)
    accuracy = {own.model: float(own.accuracy) for own in stage.models()}
    mean = sum(accuracy.values()) / max(1, len(accuracy))
    if options.models:
        named = [item.strip() for item in options.models.split(",") if item.strip()]
        pool = read_model_specs(named, (options.dialect,))
    else:
        known = (spec_named(name, DIALECTS) for name in sorted(accuracy))
        pool = list(dict.fromkeys(spec for spec in known if spec is not None))
        pool = pool or read_model_specs([UNKNOWN_POOL], (options.dialect,))
    return sorted(pool, key=lambda member: -accuracy.get(replace(member, sample=0).name, mean))


def _affordable(questions: Iterator[QuestionRecord], budget: int | None, problems: int) -> Iterator[QuestionRecord]:
    """Yield the questions within a budget in picodollars, one a problem where there is none; the first that is too dear ends it."""
    from harness.llm.prices import DOLLAR

    left, seen = budget, set[str]()
    for question in questions:
        if left is None and (question.problem_id in seen or len(seen) >= problems):
            return
        seen.add(question.problem_id)
        if left is not None:
            left -= round(question.cost * DOLLAR)
            if left < 0:
                return
        yield question


def _problems_to_look_at(chances: dict[str, float], options: NextOptions, elsewhere: Collection[str]) -> list[str]:
    """Return the problems that a person should look at: the likeliest to be right of those that are neither kept nor asked about."""
    open_problems = [name for name, chance in chances.items() if 0 < chance < options.at and name not in elsewhere]
    return sorted(open_problems, key=lambda name: (-chances[name], name))[: int(options.minutes / MINUTES_A_LOOK)]
