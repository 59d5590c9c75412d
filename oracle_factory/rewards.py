"""Exact rewards for the tasks of `oracle-factory env`, in the form that the GRPO trainer of TRL takes.

Each function gives 1.0 for the right reply, 0.0 for another, and `None` for tasks of another kind, which TRL leaves out:

    GRPOTrainer(model=…, reward_funcs=list(REWARDS), train_dataset=load_dataset(DIR, split="train"), …)
"""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Completion = str | list[dict[str, Any]]
LONGEST_REPLY = 100
_REPLY = re.compile(r"^[ \t*_>#-]*answer[ \t*_]*:[ \t*_]*(?P<reply>[^\n]*)$", re.IGNORECASE | re.MULTILINE)
_NUMBER = re.compile(
    r"[$€£]?(?P<sign>-?)[$€£]?(?P<whole>\d{1,30}|\d{1,3}(?:,\d{3}){1,9})(?P<rest>\.\d{1,30}|/[1-9]\d{0,29})?%?"
)


def reply_of(completion: Completion) -> str:
    """Return the text after the last `ANSWER:` of a completion (text or messages), without emphasis and full stop; empty if there is none."""
    text = completion if isinstance(completion, str) else "\n".join(str(part.get("content", "")) for part in completion)
    replies = [match["reply"] for match in _REPLY.finditer(text)]
    return replies[-1].rstrip(" \t\r*_`.").lstrip(" \t*_`")[:LONGEST_REPLY] if replies else ""


def answer_reward(
    completions: Sequence[Completion], task: Sequence[str], truth: Sequence[str], **_: Any
) -> list[float | None]:
    """Reward the exact number: `22`, `22.0`, `$22` and `44/2` are equal, `22.1` and `about 22` are not."""
    return _rewards("answer", completions, task, truth, lambda reply, right: _number(reply) == Fraction(right))


def line_reward(
    completions: Sequence[Completion], task: Sequence[str], truth: Sequence[str], **_: Any
) -> list[float | None]:
    """Reward the label of the wrong line: `L2`, `FA`, or `none` where no line is wrong."""
    return _rewards("line", completions, task, truth, lambda reply, right: reply.lower() == right.lower())


def class_reward(
    completions: Sequence[Completion], task: Sequence[str], truth: Sequence[str], **_: Any
) -> list[float | None]:
    """Reward the class of the problem: `solvable`, `contradictory` or `underspecified`."""
    return _rewards("class", completions, task, truth, lambda reply, right: reply.lower() == right)


REWARDS = (answer_reward, line_reward, class_reward)
"""The reward functions of all tasks, for `reward_funcs`."""


def _rewards(
    kind: str,
    completions: Sequence[Completion],
    tasks: Sequence[str],
    truths: Sequence[str],
    is_right: Callable[[str, str], bool],
) -> list[float | None]:
    return [
        float(is_right(reply_of(completion), right)) if task == kind else None
        for completion, task, right in zip(completions, tasks, truths, strict=True)
    ]


def _number(reply: str) -> Fraction | None:
    match = _NUMBER.fullmatch(reply.replace(" ", ""))
    if match is None:
        return None
    value = Fraction(f"{match['whole'].replace(',', '')}{match['rest'] or ''}")
    return -value if match["sign"] else value
