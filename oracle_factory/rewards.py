r"""Exact rewards: for the tasks of `oracle-factory env`, and for any data set with a known answer.

Each function gives 1.0 for the right reply and 0.0 for another or none. `None`, which TRL leaves out, is for a task of another kind,
and for an answer that is not read to its end; `reason` says why. `answer_reward` and the others have the form that the GRPO trainer of
TRL takes, `compute_score` that of verl, `answer_score` that of the rubrics of verifiers:

    GRPOTrainer(model=…, reward_funcs=list(REWARDS), train_dataset=load_dataset(DIR, split="train"), …)
    GRPOTrainer(model=…, reward_funcs=answer_reward_at("box"), …)  # a data set with a column `answer`, such as GSM8K
    GRPOTrainer(model=…, reward_funcs=[answer_reward_at(), steps_reward_by("runs/judged")], …)  # and the share of right steps
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.answers.answer_place import AnswerPlace, given_answer
from harness.answers.equality import equal_answers
from harness.text.quantity import read_quantity

if TYPE_CHECKING:
    from sft.diagnosis.oracle_sources import OracleSource

Completion = str | list[dict[str, Any]]
LONGEST_ANSWER = 200
ANSWER_MARK = "####"
TRUTHS = ("truth", "answer", "ground_truth", "solution")
"""The columns of a data set that may hold the right answer, the first one that is there; a worked solution ends in `#### 72`."""
QUESTIONS, REFERENCES = ("question", "problem", "prompts"), ("gold_solution", "reference", "answer")
"""The columns of a data set that may hold the question and a worked solution, the first one that is there."""


def text_of(completion: Completion) -> str:
    """Return the text of a completion: text, or messages, whose content is a text or a list of parts."""
    if isinstance(completion, str):
        return completion
    contents = [message.get("content") or "" for message in completion]
    parts = [part for content in contents for part in (content if isinstance(content, list) else [content])]
    return "\n".join(str(part.get("text") or "") if isinstance(part, dict) else str(part) for part in parts)


def reply_of(completion: Completion) -> str:
    """Return the text after the last `ANSWER:` of a completion, without emphasis and full stop; empty if there is none."""
    return (given_answer(text_of(completion), AnswerPlace.LINE) or "")[:LONGEST_ANSWER]


def is_right(completion: Completion, truth: str, place: AnswerPlace | str = AnswerPlace.AUTO) -> bool | None:
    r"""Tell whether a completion gives the right answer: `22`, `22.0`, `$22`, `\frac{44}{2}` and `2200%` are equal, `22.1` is not.

    `None` where its answer, or the truth, is not read to its end. A completion that gives no answer is wrong, unless any number is looked for
    and the truth is none.
    """
    place = AnswerPlace(place)
    given = given_answer(text_of(completion), place)
    if given is None:
        looks_for_number = place in {AnswerPlace.LAST, AnswerPlace.AUTO}
        return None if looks_for_number and read_quantity(_value_of(truth)) is None else False
    return equal_answers(given[: LONGEST_ANSWER + 1], _value_of(truth))


def reason(completion: Completion, truth: str, place: AnswerPlace | str = AnswerPlace.AUTO) -> str:
    """Return in words why a completion is right, wrong or not judged."""
    given = given_answer(text_of(completion), AnswerPlace(place))
    if given is None:
        return f"gives no answer ({AnswerPlace(place)})"
    shown = given[:40]
    said = {True: "is", False: "is not", None: "is not read to its end, or has a unit that may be another; expected:"}
    return f"{shown!r} {said[is_right(completion, truth, place)]} {_value_of(truth)[:40]!r}"


def _value_of(truth: object) -> str:
    return str(truth).rpartition(ANSWER_MARK)[2].strip()


def answer_reward(
    completions: Sequence[Completion], task: Sequence[str], truth: Sequence[str], **_: Any
) -> list[float | None]:
    """Reward the exact number after `ANSWER:`, of tasks that ask for one."""
    return [
        _reward(is_right(completion, right, AnswerPlace.LINE)) if kind == "answer" else None
        for completion, kind, right in zip(completions, task, truth, strict=True)
    ]


def answer_reward_at(place: AnswerPlace | str = AnswerPlace.AUTO) -> Callable[..., list[float | None]]:
    """Return a reward function for TRL that looks for the answer at a place of the reply and compares it with a column of `TRUTHS`.

    Raises:
        ValueError: there is no such place; the returned function raises it where the data set has none of the columns.
    """
    found = AnswerPlace(place)

    def answer_reward(completions: Sequence[Completion], **columns: Any) -> list[float | None]:
        told = zip(completions, _column(columns, TRUTHS), strict=True)
        return [_reward(is_right(completion, str(truth), found)) for completion, truth in told]

    answer_reward.__name__ = f"answer_reward_{found}"
    return answer_reward


def compute_score(
    data_source: str,
    solution_str: str,
    ground_truth: str,
    extra_info: dict[str, Any] | None = None,
    *,
    place: AnswerPlace | str = AnswerPlace.AUTO,
    **_: Any,
) -> dict[str, Any]:
    """Return the score of a reply in the form of verl's `custom_reward_function`; `unread` tells a score of 0 that is no judgement.

    `reward_kwargs.place` of verl's configuration, or `extra_info["place"]` of a row, is a place of `AnswerPlace`; `data_source` decides nothing.
    """
    del data_source
    place = (extra_info or {}).get("place", place)
    right = is_right(solution_str, ground_truth, place)
    return {"score": float(bool(right)), "unread": right is None, "reason": reason(solution_str, ground_truth, place)}


def answer_score(completion: Completion, answer: str, **_: Any) -> float:
    """Return the score of a reply in the form of a reward function of verifiers; an answer that is not read scores 0."""
    return float(bool(is_right(completion, answer)))


def line_reward(
    completions: Sequence[Completion], task: Sequence[str], truth: Sequence[str], **_: Any
) -> list[float | None]:
    """Reward the label of the wrong line: `L2`, `FA`, or `none` where no line is wrong."""
    return _of_kind("line", completions, task, truth)


def class_reward(
    completions: Sequence[Completion], task: Sequence[str], truth: Sequence[str], **_: Any
) -> list[float | None]:
    """Reward the class of the problem: `solvable`, `contradictory` or `underspecified`."""
    return _of_kind("class", completions, task, truth)


class StepShare(NamedTuple):
    """The share of the steps of a reply before the first wrong one, 1 where none is wrong; `None` with the reason where that is not known."""

    share: float | None
    reason: str


def step_share(
    completion: Completion, question: str, *, reference: str = "", oracles: OracleSource | None = None
) -> StepShare:
    """Return the share of right steps of a reply, by the programs of a run or a worked solution, `reference`: the steps are its lines and its answer.

    A reply gains by right steps that it does not need, so that the share should stand beside a reward of the answer, never alone.
    """
    from sft.diagnosis.oracle_sources import OracleSource
    from sft.samples.solution_text import concluded, read_item

    item = concluded(replace(read_item(question, text_of(completion)), reference=reference))
    found = (oracles or OracleSource()).diagnosis(item)
    if found.status.is_right:
        return StepShare(1.0, str(found.status))
    places = item.places()
    if not found.line or not places:
        return StepShare(None, found.reason or f"{found.status}: no line is named")
    before = places.index(found.line) if found.line in places else len(places) - 1
    return StepShare(before / len(places), f"{found.status}: {found.line}")


def steps_reward_by(oracles: str | Path | None = None) -> Callable[..., list[float | None]]:
    """Return a reward function for TRL: the share of right steps by the run of judged programs, else by a worked solution in a column of `REFERENCES`.

    The question is the column `question` or `problem`, else the prompt. The reasons are logged as the column `steps_reason`.

    Raises:
        HarnessError: the run is not sealed, or was changed later.
    """
    from sft.diagnosis.oracle_sources import OracleSource

    source = OracleSource() if oracles is None else OracleSource.of_run(Path(oracles))

    def steps_reward(completions: Sequence[Completion], **columns: Any) -> list[float | None]:
        worked = _column({**columns, "": [""] * len(completions)}, (*REFERENCES, ""))
        shares = [
            step_share(completion, text_of(question), reference=_worked(reference), oracles=source)
            for completion, question, reference in zip(completions, _column(columns, QUESTIONS), worked, strict=True)
        ]
        if columns.get("log_extra") is not None:
            columns["log_extra"]("steps_reason", [share.reason for share in shares])
        return [share.share for share in shares]

    return steps_reward


def _column(columns: dict[str, Any], names: Sequence[str]) -> Sequence[Any]:
    """Return the first of some columns that a data set has."""
    found: Sequence[Any] | None = next((columns[name] for name in names if columns.get(name) is not None), None)
    if found is None:
        message = f"expected a column {', '.join(names[:-1])} or {names[-1]}, found {', '.join(columns) or 'none'}"
        raise ValueError(message)
    return found


def _worked(text: object) -> str:
    """Return a worked solution; empty for an answer alone, which says nothing of a step."""
    return text if isinstance(text, str) and text.rpartition(ANSWER_MARK)[0].strip() else ""


REWARDS = (answer_reward, line_reward, class_reward)
"""The reward functions of all tasks, for `reward_funcs`."""


def _of_kind(
    kind: str, completions: Sequence[Completion], tasks: Sequence[str], truths: Sequence[str]
) -> list[float | None]:
    return [
        float(reply_of(completion).lower() == right.lower()) if task == kind else None
        for completion, task, right in zip(completions, tasks, truths, strict=True)
    ]


def _reward(right: object) -> float | None:
    return None if right is None else float(right is True)
