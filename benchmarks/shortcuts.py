"""Test for shortcuts in flawed solutions: a linear classifier detects them with all digits masked."""

from __future__ import annotations

import re
from collections import defaultdict
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

FOLDS = 5
MOST_PROBLEMS = 2_000
FEWEST = 100
_WORD = re.compile(r"\w+|[^\w\s]")
_DIGIT = re.compile(r"\d")
Record = dict[str, Any]


def masked(text: str) -> str:
    """Return a text with every digit replaced by the same one."""
    return _DIGIT.sub("0", text)


def area_under_curve(pairs: Sequence[tuple[str, str, str]], *, seed: int = 0) -> float:
    """Return the AUC of logistic regression on n-grams of masked texts, cross-validated by problem.

    `pairs` are (problem, correct text, flawed text). Features: tf-idf of one to three words or signs, and of two to
    four characters.
    """
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import GroupKFold
    from sklearn.pipeline import make_pipeline, make_union

    texts = [masked(text) for _, correct, flawed in pairs for text in (correct, flawed)]
    truth = np.array([label for _ in pairs for label in (0, 1)])
    groups = [problem for problem, _, _ in pairs for _ in (0, 1)]
    scores = np.zeros(len(texts))
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=seed).split(texts, truth, groups):
        model = make_pipeline(
            make_union(
                TfidfVectorizer(tokenizer=_WORD.findall, token_pattern=None, ngram_range=(1, 3), min_df=2),
                TfidfVectorizer(analyzer="char", ngram_range=(2, 4), min_df=3, max_features=200_000),
            ),
            LogisticRegression(C=10, max_iter=300, solver="liblinear", random_state=seed),
        )
        model.fit([texts[place] for place in train], truth[train])
        scores[test] = model.decision_function([texts[place] for place in test])
    return float(roc_auc_score(truth, scores))


def drawn_pairs(
    records: Iterable[Record], kind: Callable[[Record], str | None], *, seed: int = 0
) -> dict[str, list[tuple[str, str, str]]]:
    """Draw one flawed solution of each problem and kind beside the correct one; a record of no kind is passed over.

    At most 2,000 problems a kind, the same whatever the order of the records.
    """
    best: dict[str, dict[str, tuple[float, Record]]] = defaultdict(dict)
    for record in records:
        name = kind(record)
        if name is None:
            continue
        ticket = Random(f"{seed}:{record['flaw_id']}").random()
        held = best[name].get(record["problem_id"])
        if held is None or ticket < held[0]:
            text = {"solution": record["solution"], "flawed_solution": record["flawed_solution"]}
            best[name][record["problem_id"]] = (ticket, text)
    return {
        name: [
            (problem, found[problem][1]["solution"], found[problem][1]["flawed_solution"])
            for problem in sorted(found, key=lambda problem: found[problem][0])[:MOST_PROBLEMS]
        ]
        for name, found in sorted(best.items())
    }
