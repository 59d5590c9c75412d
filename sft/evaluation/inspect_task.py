"""A task for Inspect: any of its models judges solutions and is scored with the metrics of this package.

`inspect eval sft/evaluation/inspect_task.py -T items=FILE --model PROVIDER/NAME`; the items have any shape that
`oracle-factory evaluate --adapt` reads.
"""

# Inspect is not among the pinned packages: where it is not installed its decorators have no type.
# mypy: disable-error-code="import-not-found, untyped-decorator"

from __future__ import annotations

from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample as Asked
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, SampleScore, Score, Scorer, Target, accuracy, metric, scorer, stderr
from inspect_ai.solver import TaskState, generate

from sft.evaluation.counts import count
from sft.evaluation.dataset_items import EvaluationItem, read_items
from sft.evaluation.metrics import METRICS
from sft.samples.items import Sample
from sft.samples.outcomes import EvaluationOutcome, answer_record, read_prediction
from sft.verifier.language_model.zero_shot import TOKENS, messages_of, read_answer

ROLES = {"system": ChatMessageSystem, "user": ChatMessageUser}


@task
def verify_solutions(items: str, shape: str = "", problems: int = 0, seed: int = 0) -> Task:
    """Return the task of judging the solutions of a file, of `problems` drawn problems or, with 0, of all."""
    from sft.evaluation.dataset_items import items_of_drawn_problems

    chosen = read_items([Path(items)], shape=shape)
    chosen = items_of_drawn_problems(chosen, problems, seed) if problems else chosen
    return Task(
        dataset=MemoryDataset([_asked(item) for item in chosen], name=chosen[0].dataset),
        solver=generate(),
        scorer=verdict(),
        config=GenerateConfig(temperature=0, max_tokens=TOKENS),
    )


def _asked(item: EvaluationItem) -> Asked:
    truth = item.sample.truth.record()
    return Asked(
        id=item.sample.sample_id,
        input=[ROLES[message["role"]](content=message["content"]) for message in messages_of(item.item())],
        target=str(truth["verdict"]),
        metadata={"dataset": item.dataset, "sample": item.sample.record()},
    )


def _figure(name: str) -> Any:
    """Return the metric of `sft.evaluation.metrics` with this name, over all samples."""

    def figure() -> Any:
        def of(scores: list[SampleScore]) -> float:
            outcomes = [_outcome(score) for score in scores]
            return float(METRICS[name][1](count(outcomes).total())[0])

        return of

    return metric(name=name)(figure)


def _outcome(score: SampleScore) -> EvaluationOutcome:
    about = score.score.metadata or {}
    return EvaluationOutcome(about["dataset"], Sample.of_record(about["sample"]), read_prediction(about["answer"]))


@scorer(
    metrics=[
        accuracy(),
        stderr(),
        *(_figure(name)() for name in ("weighted_f1", "macro_f1", "line_accuracy", "json_validity")),
    ]
)
def verdict() -> Scorer:
    """Return the scorer of verdicts; the other metrics read the whole answer from its metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        record = answer_record(read_answer(state.output.completion), seconds=None)
        return Score(
            value=CORRECT if record["verdict"] == target.text else INCORRECT,
            answer=str(record["verdict"]),
            explanation=state.output.completion[:2_000],
            metadata={**state.metadata, "answer": record},
        )

    return score
