"""The texts of requests to models: their wording, and the fences around foreign text."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.domain import Problem

PROMPTS = Path(__file__).parent
LONGEST_TEXT = 20_000
"""Characters of a question or a solution that a model may be asked about."""
MOST_LINES = 200
WORDINGS = ("question", "solution", "repair", "cut")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
"""Controls, line ends that are no `\\n`, and lone surrogates, which no provider takes."""


def problem_text(problem: Problem, *, with_solution: bool) -> str:
    """Return how a request presents a problem: its question and, with `with_solution`, the numbered lines of its solution.

    Both stand between fences that are longer than any run of backticks within them, so that neither can end its fence.
    """
    question = fenced(_sendable(problem.question.strip()))
    if not with_solution:
        return worded("question", question=question)
    return worded("solution", question=question, solution=fenced(numbered_lines(problem.solution)))


def unaskable_reason(problem: Problem, *, with_solution: bool) -> str | None:
    """Return why no model is asked about a problem, `None` where it may be."""
    if not problem.question.strip():
        return "no-question: the question of the problem is empty"
    if with_solution and not problem.solution.strip():
        return "no-solution: a template is the form of a worked solution, and the corpus has none of this problem"
    texts = {"question": problem.question, **({"solution": problem.solution} if with_solution else {})}
    for name, text in texts.items():
        if len(text) > LONGEST_TEXT or text.count("\n") >= MOST_LINES:
            size = f"{len(text):,} characters in {text.count(chr(10)) + 1:,} lines"
            return f"too-large: a {name} of {size}; at most {LONGEST_TEXT:,} in {MOST_LINES} are sent"
    return None


def numbered_lines(solution: str) -> str:
    """Return a solution with the number of each line before it: `L1: …`."""
    return "\n".join(f"L{number}: {_sendable(line)}" for number, line in enumerate(solution.split("\n"), start=1))


def fenced(text: str) -> str:
    """Return a text between two equal lines of backticks, of which it has no longer run."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def worded(name: str, **values: str) -> str:
    """Return the wording of that name with its values."""
    return Template(prompt_file(f"{name}.txt")).substitute(values)


@functools.cache
def prompt_file(name: str) -> str:
    """Return the text of a file in `prompts/`."""
    return (PROMPTS / name).read_text(encoding="utf-8")


def _sendable(text: str) -> str:
    return _UNSEEN.sub(" ", text)
