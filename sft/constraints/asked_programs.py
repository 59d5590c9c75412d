"""The baseline of another model: a provider is asked for the programs of the evaluation problems."""

from __future__ import annotations

import asyncio
import time
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.json_form import json_form
from harness.llm.answer_store import AnswerStore
from harness.llm.client import BudgetReached, Client, run_concurrently
from harness.llm.messages import Message, Request, StopReason
from harness.llm.prices import PriceTable, read_budget
from harness.llm.provider import ProviderAccess, split_model_name
from harness.store.csv_tables import csv_lines
from sft.constraints.dataset import STAGE as FORMAT, evaluation_of
from sft.constraints.generation import ANSWERS, WriterModel, stage_name
from sft.constraints.program_writer import WrittenProgram, program_in
from sft.constraints.prompts import WRITE
from sft.constraints.stages import WRITING as CODE, StageWatch, stage_for_inputs

if TYPE_CHECKING:
    from pathlib import Path

    from harness.smtlib.constraint_problem import ConstraintProblem
    from harness.store.run_folder import RunFolder, Stage


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A model of a provider, as `ollama:phi3`, and the maximum number of tokens of its answers."""

    spec: str
    most: int

    def request(self, problem: ConstraintProblem) -> Request:
        """Return the question for the program of a problem, with the prompt that the writer of programs has.

        Raises:
            HarnessError: the provider is not known, or no model is named.
        """
        provider, model = split_model_name(self.spec)
        asked = (Message("user", problem.problem.strip()),)
        return Request(provider, model, asked, system=WRITE, max_tokens=self.most)


@dataclass(frozen=True, slots=True)
class AskingTerms:
    """The store of answers, whose requests are not repeated, and the budget in dollars, with a price table."""

    store: Path
    budget: str | None = None
    prices: Path | None = None


def ask_programs(run: RunFolder, model: AskedModel, terms: AskingTerms, watch: StageWatch | None = None) -> Stage:
    """Seal the programs that a model of a provider writes for the evaluation problems as those of the baseline.

    Problems without an answer are left out, until the same command is given again.

    Raises:
        HarnessError: the problems are not sealed, the provider cannot be used, or no problem has an answer.
    """
    name = stage_name(WriterModel.BASELINE, held=False)
    options = {"asked": WRITE, **asdict(model)}
    wanted = stage_for_inputs(run, name, options, run.stage(FORMAT).folder, code=CODE)
    if wanted.finished:
        return wanted.stage
    problems = evaluation_of(run)
    requests = {problem.id: model.request(problem) for problem in problems}
    written, fault = asyncio.run(_ask_all(requests, terms, watch or StageWatch(name)))
    if not written:
        raise HarnessError(f"{model.spec} answered none of {len(problems):,} questions: {fault}")
    stage = wanted.begin()
    answers = [{"id": problem.id, **written[problem.id]} for problem in problems if problem.id in written]
    table = csv_lines(
        ("id", "program", "cut"), ((answer["id"], answer["program"], answer["cut"]) for answer in answers)
    )
    stage.seal(
        {ANSWERS: answers, f"{WriterModel.BASELINE}_outputs.csv": (line.removesuffix("\n") for line in table)},
        wanted.manifest(
            options=options,
            counts={"programs": len(answers), "problems": len(problems)},
            left=len(problems) - len(answers),
        ),
    )
    return stage


async def _ask_all(
    requests: dict[str, Request], terms: AskingTerms, watch: StageWatch
) -> tuple[dict[str, dict[str, Any]], str]:
    """Return the records of the answers, and the last fault."""
    written: dict[str, dict[str, Any]] = {}
    faults = [""]

    async def ask(client: Client, name: str) -> None:
        began = time.monotonic()
        if watch.over:
            faults.append("the time was over")
            return
        try:
            answer = await client.ask(requests[name])
        except BudgetReached:
            faults.append("the budget is spent")
            return
        if answer.reply is None:
            faults.append(str(answer.fault))
        else:
            text, cut = answer.reply.text, answer.reply.stop is StopReason.LENGTH
            program = WrittenProgram(text, program_in(text), cut)
            written[name] = {**json_form(program), "seconds": round(time.monotonic() - began, 3)}
        watch.progress.advanced(1)

    budget = read_budget(terms.budget)
    prices = PriceTable.load(terms.prices) if terms.prices else PriceTable.load()
    with AnswerStore(terms.store) as store:
        async with Client(store, ProviderAccess.of_environment(), prices, budget=budget) as client:
            providers = {request.provider for request in requests.values()}
            client.open(providers)
            at_once = sum(client.limits_of(name).concurrency or len(requests) for name in providers)
            watch.progress.began(len(requests))
            async for _ in run_concurrently([partial(ask, client, name) for name in requests], max(1, at_once)):
                pass
    return written, faults[-1]
