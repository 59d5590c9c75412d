"""A test for label leakage: the ROC AUC of a classifier that sees only the form of a solution."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Shape = tuple[bool, str, str, bool]
_ENDINGS = (("hashes", re.compile(r"\s*####")), ("final answer", re.compile(r"\W*final answer", re.IGNORECASE)))
_STARTS = (
    ("markdown", re.compile(r"\*\*")),
    ("step", re.compile(r"step ?\d", re.IGNORECASE)),
    ("label", re.compile(r"l\d{1,3}:", re.IGNORECASE)),
    ("number", re.compile(r"\d{1,3}\. ")),
    ("bullet", re.compile(r"- ")),
)
FOLDS = 5


def shape_of(solution: str) -> Shape:
    """Return the visible form of a text: annotations, ending, the beginning of lines, lower case."""
    lines = [line for line in solution.split("\n") if line.strip()] or [""]
    ending = next((name for name, pattern in _ENDINGS if pattern.match(lines[-1])), "none")
    start = next((name for name, pattern in _STARTS if pattern.match(lines[0])), "plain")
    return "<<" in solution, ending, start, solution == solution.lower()


def form_auc(shown: Iterable[tuple[str, str, bool]]) -> float:
    """Return the area under the ROC curve of a classifier that sees only the form of a solution.

    `shown` holds group, text and whether it is flawed. The share of flawed solutions of each shape is learnt on four fifths
    of the groups and applied to the rest. 0.5 means that the form is no evidence; it is also returned without one of the
    classes.
    """
    folds: dict[int, list[tuple[Shape, bool]]] = defaultdict(list)
    groups: dict[str, int] = {}
    for group, text, flawed in shown:
        fold = groups.setdefault(group, len(groups) % FOLDS)
        folds[fold].append((shape_of(text), flawed))
    scores: list[tuple[float, bool]] = []
    for held, rows in sorted(folds.items()):
        learnt = [row for fold, others in folds.items() if fold != held for row in others]
        total, wrong = Counter(shape for shape, _ in learnt), Counter(shape for shape, flawed in learnt if flawed)
        prior = (sum(wrong.values()) + 1) / (len(learnt) + 2)
        # Rare shapes are weak evidence: ten pseudo-observations of the prior.
        scores += [((wrong[shape] + 10 * prior) / (total[shape] + 10) - prior, flawed) for shape, flawed in rows]
    return area(scores)


def area(scores: Sequence[tuple[float, bool]]) -> float:
    """Return the area under the ROC curve: how often a flawed one scores higher than a correct one, ties counting half."""
    flawed = Counter(score for score, is_flawed in scores if is_flawed)
    correct = Counter(score for score, is_flawed in scores if not is_flawed)
    pairs = flawed.total() * correct.total()
    if not pairs:
        return 0.5
    below, won = 0, 0.0
    for score in sorted({*flawed, *correct}):
        won += flawed[score] * (below + correct[score] / 2)
        below += correct[score]
    return won / pairs
