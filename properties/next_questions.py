"""Further questions to models about the problems of a run that are not yet kept, for `oracle-factory next`."""

import itertools
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from generators.formalizations.llm_formalizers.conversation import Conversation, ConversationPolicy
from generators.formalizations.llm_formalizers.model_specs import ModelSpec, read_model_specs, spec_named
from generators.formalizations.llm_formalizers.prompt_examples import DIALECTS
from harness.command_line.option_types import names_of
from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import load_corpus
from harness.domain import Problem
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.llm.answer_store import AnswerStore
from harness.llm.prices import DOLLAR, PriceTable, estimate, format_dollars, read_budget
from harness.records.question import QuestionRecord
from harness.stages import FORMALIZATION
from harness.store.run_folder import dump, output_file, write_lines
from properties.factory.options import NextOptions
from reports.views.artefacts import SealedStage, find_run, open_stage
from reports.views.phrases import kept_sentence

UNKNOWN_POOL = "openai:gpt-4.1-mini"
"""The model that may be asked where no model of the run can be asked and none is named."""
MINUTES_A_LOOK = 2.0
SHOWN = 15
MOST_SAMPLES = 3
"""Answers of one model to one problem."""


def choose_questions(options: NextOptions) -> int:
    """Write the questions that a budget buys, print them with the problems to look at, and return 0; a run that is not sealed raises a `HarnessError`."""
    terminal = Console(highlight=False, markup=False, soft_wrap=True)
    budget = read_budget(options.budget)
    folder = find_run(options.run, FORMALIZATION)
    path = output_file(options.output or folder / "questions.jsonl")
    stage = open_stage(folder)
    problems = {problem.problem_id: problem for problem in stage.problems()}
    if options.corpus:
        corpus = {problem.problem_id: problem for problem in load_corpus(options.corpus)}
        if strangers := sorted(problems.keys() - corpus.keys()):
            message = (
                f"--corpus: expected the {len(problems):,} problems of the run and others, found no {strangers[0]!r}"
            )
            raise HarnessError(message)
        problems = corpus | problems
    if not problems:
        raise HarnessError(f"{folder}: expected problems with formalizations, found none")
    chances = dict.fromkeys(problems, 0.0) | {own.problem_id: own.p_right or 0.0 for own in stage.consensus()}
    questions = list(_affordable(_questions(options, stage, problems, chances), budget))
    write_lines(path, [dump(json_form(question)) + "\n" for question in questions])
    terminal.print(kept_sentence(chances.values(), len(chances), options.at))
    asked = {question.problem_id for question in questions}
    looks = sorted(
        (name for name, chance in chances.items() if 0 < chance < options.at and name not in asked),
        key=lambda name: (-chances[name], name),
    )[: int(options.minutes / MINUTES_A_LOOK)]
    if looks:
        terminal.print(f"\nLook at {len(looks)} problems in {len(looks) * MINUTES_A_LOOK:.0f} minutes:")
        for name in looks[:SHOWN]:
            terminal.print(f"  {name}  p_right {chances[name]:.3f}")
    if not questions:
        terminal.print("\nNo model is left to ask within the budget.")
        return 0
    cost = format_dollars(round(sum(question.cost for question in questions) * DOLLAR))
    models = Counter(question.ask for question in questions).most_common()
    listed = ", ".join(f"{count} to {name}" for name, count in models)
    terminal.print(f"\nAsk models: {len(questions):,} questions for {cost}, {listed}")
    spent = 0
    if options.store.exists():
        with AnswerStore(options.store) as store:
            spent = store.spent()
    limit = "" if budget is None else f" --budget {(spent + budget) / DOLLAR:.2f}"
    # The manifest has the name of the corpus, not its path, so that the command names the stage's own problems.
    given = shlex.quote(options.corpus or str(folder / FORMALIZATION / "problems.jsonl"))
    names = itertools.chain(["answers.jsonl"], map("answers-{}.jsonl".format, itertools.count(2)))
    ask = f"oracle-factory formalize --corpus {given} --questions {shlex.quote(str(path))}{limit}"
    command = runnable(f"{ask} -o {next(name for name in names if not Path(name).exists())}")
    terminal.print(f"{len(questions):,} questions in {path}; ask:\n  {command}")
    return 0


def _questions(
    options: NextOptions, stage: SealedStage, problems: Mapping[str, Problem], chances: Mapping[str, float]
) -> Iterator[QuestionRecord]:
    """Yield the questions that may be asked, in order: a first one about each open problem, then a second one, and so on.

    A problem is asked the first answers of all models that it lacks, the best model first, then second ones, and so on.
    """
    asked: dict[str, set[str]] = {name: set() for name in problems}
    for program in stage.programs():
        asked[program.problem_id].add(program.model)
    pool = [replace(member, sample=sample) for sample in range(MOST_SAMPLES) for member in _models(options, stage)]
    pool = [answer for answer in pool if not (answer.sample and answer.made_here)]
    table, policy = PriceTable.load(options.prices), ConversationPolicy()
    open_problems = [name for name in problems if chances[name] < options.at]
    open_problems.sort(key=lambda name: (len(asked[name]), -chances[name], name))
    left = {name: [answer for answer in pool if answer.name not in asked[name]] for name in open_problems}
    for place in range(len(pool)):
        for name in open_problems:
            for answer in left[name][place : place + 1]:
                talk = Conversation(problems[name], answer, policy)
                expected = estimate(answer.name, [talk.open_question()], table)
                if not answer.made_here and not expected.open:
                    continue
                if expected.expected is None:
                    message = f"no price of {answer.asked} is known: add it to a price table and give --prices FILE"
                    raise HarnessError(message)
                yield QuestionRecord(
                    problem_id=name,
                    ask=answer.asked,
                    dialect=answer.dialect,
                    sample=answer.sample,
                    p_right=round(chances[name], 4),
                    cost=round(expected.expected / DOLLAR, 6),
                )


def _models(options: NextOptions, stage: SealedStage) -> list[ModelSpec]:
    """Return the models that may be asked, the one that is right most often first; one that the run does not know counts as the mean."""
    names_of("--dialect", options.dialect, DIALECTS)
    accuracy = {own.model: float(own.accuracy) for own in stage.models()}
    mean = sum(accuracy.values()) / max(1, len(accuracy))
    named = [item.strip() for item in options.models.split(",") if item.strip()]
    known = (spec_named(name, DIALECTS) for name in sorted(accuracy))
    pool = [] if named else list(dict.fromkeys(spec for spec in known if spec is not None))
    pool = pool or read_model_specs(named or [UNKNOWN_POOL], (options.dialect,))
    return sorted(pool, key=lambda member: -accuracy.get(replace(member, sample=0).name, mean))


def _affordable(questions: Iterator[QuestionRecord], budget: int | None) -> Iterator[QuestionRecord]:
    """Yield the questions within a budget in picodollars, one a problem where there is none; the first that is too dear ends it."""
    left, seen = budget, set[str]()
    for question in questions:
        if left is None:
            if question.problem_id in seen:
                return
            seen.add(question.problem_id)
        else:
            left -= round(question.cost * DOLLAR)
            if left < 0:
                return
        yield question
