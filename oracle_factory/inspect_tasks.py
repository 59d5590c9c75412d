"""Tasks and scorers for Inspect, found by its entry point: any model judges solutions, or problems, and is scored as here.

`inspect eval oracle_factory/verify_solutions -T items=FILE --model PROVIDER/NAME`; the items have any shape that
`oracle-factory evaluate --adapt` reads. `oracle_factory/validate_problems` takes problems of known class.
"""

# Inspect is not among the pinned packages: where it is not installed its decorators have no type.
# mypy: disable-error-code="import-not-found, untyped-decorator"

from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample as Asked
from inspect_ai.model import ChatMessageUser, GenerateConfig
from inspect_ai.scorer import CORRECT, INCORRECT, SampleScore, Score, Scorer, Target, accuracy, metric, scorer, stderr
from inspect_ai.solver import TaskState, generate

from sft.evaluation.dataset_items import EvaluationItem, SolutionItem, item_of, items_of_drawn_problems, read_items
from sft.evaluation.engine_run import answer_record
from sft.evaluation.metrics import OutcomeCounts
from sft.evaluation.problem_evaluation import TITLES, read_problems
from sft.evaluation.solution_evaluation import MEASURES, SolutionRun
from sft.judges.forms import ProblemForm, SolutionForm
from sft.judges.remote import MOST_TOKENS
from sft.samples.items import Sample
from sft.samples.solution_text import read_item

PACKAGE = "oracle_factory"
_INSTALLED = "site-packages" in Path(__file__).parts
"""Inspect puts the package before a name where the package is installed, and not where it is installed editable."""
SOLUTION, PROBLEM = SolutionForm(), ProblemForm()


def _named(name: str) -> str:
    """Return the name to register, so that Inspect finds it as `oracle_factory/NAME` either way."""
    return name if _INSTALLED else f"{PACKAGE}/{name}"


@task(name=_named("verify_solutions"))
def verify_solutions(items: str, shape: str = "", problems: int = 0, seed: int = 0) -> Task:
    """Return the task of judging the solutions of a file, of `problems` drawn problems or, with 0, of all."""
    chosen = read_items([Path(items)], shape=shape)
    chosen = items_of_drawn_problems(chosen, problems, seed) if problems else chosen
    return _task([_question_of(item) for item in chosen], chosen[0].dataset, verdict())


@task(name=_named("validate_problems"))
def validate_problems(problems: str) -> Task:
    """Return the task of telling whether problems can be solved; `problems` is a run with a variant stage, or JSON lines with `class_label`."""
    asked = []
    for item in read_problems([Path(problems)]):
        sample = item.sample
        prompt = ChatMessageUser(content=PROBLEM.prompt(sample.question))
        asked.append(Asked(id=sample.sample_id, input=[prompt], target=TITLES[sample.problem_class]))
    return _task(asked, Path(problems).stem, problem_class())


def _task(asked: list[Asked], name: str, judge: Scorer) -> Task:
    """Return the task of answering questions as a zero-shot judge does."""
    config = GenerateConfig(temperature=0, max_tokens=MOST_TOKENS)
    return Task(dataset=MemoryDataset(asked, name=name), solver=generate(), scorer=judge, config=config)


def _question_of(item: SolutionItem) -> Asked:
    sample = item.sample
    return Asked(
        id=sample.sample_id,
        input=[ChatMessageUser(content=SOLUTION.prompt(item_of(sample)))],
        target=str(sample.truth.record()["verdict"]),
        metadata={"dataset": item.dataset, "sample": sample.record()},
    )


def _figure(name: str) -> Any:
    """Return the metric of `sft.evaluation.solution_evaluation` with this name, over all samples."""

    def figure() -> Any:
        def of(scores: list[SampleScore]) -> float:
            metadata = [score.score.metadata or {} for score in scores]
            items = [EvaluationItem(about["dataset"], Sample.of_record(about["sample"])) for about in metadata]
            answers = {item.key: about["answer"] for item, about in zip(items, metadata, strict=True)}
            return float(
                MEASURES.metrics[name][1](OutcomeCounts.of(SolutionRun.judged_items(items, answers)).total())[0]
            )

        return of

    return metric(name=name)(figure)


FIGURES = [_figure(name)() for name in ("weighted_f1", "macro_f1", "line_accuracy", "json_validity")]


@scorer(name=_named("verdict"), metrics=[accuracy(), stderr(), *FIGURES])
def verdict() -> Scorer:
    """Return the scorer of verdicts; the other metrics read the whole answer from its metadata."""

    async def score(state: TaskState, target: Target) -> Score:
        sample = Sample.of_record(state.metadata["sample"])
        item = read_item(sample.question, sample.solution)
        record = answer_record(SOLUTION.read_or_unjudged(state.output.completion, item))
        return Score(
            value=CORRECT if record["verdict"] == target.text else INCORRECT,
            answer=str(record["verdict"]),
            explanation=state.output.completion[:2_000],
            metadata={**state.metadata, "answer": record},
        )

    return score


@scorer(name=_named("problem_class"), metrics=[accuracy(), stderr()])
def problem_class() -> Scorer:
    """Return the scorer of the classes of problems; an answer that names no class, or several, is incorrect."""

    async def score(state: TaskState, target: Target) -> Score:
        judged = PROBLEM.read_or_unjudged(state.output.completion, "")
        named = "" if judged.problem_class is None else TITLES[judged.problem_class]
        value = CORRECT if named == target.text else INCORRECT
        return Score(value=value, answer=named or None, explanation=judged.reason, metadata={"target": target.text})

    return score
