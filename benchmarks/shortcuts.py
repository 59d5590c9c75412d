"""Test for shortcuts in what is made: a linear classifier that sees no number tells the made texts from the right ones."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from harness.text.numbers import mentions
from sft.fitted.model import area

FOLDS = 5
MOST_PROBLEMS = 2_000
FEWEST = 100
"""Problems below which no area is given."""
WORDS_AND_SIGNS = r"\w+|[^\w\s]"
Pair = tuple[str, str, str]
"""A problem, its right text and the made one."""


def without_numbers(text: str) -> str:
    """Return a text with every number, digits or words, replaced by the same one."""
    parts, end = [], 0
    for mention in mentions(text):
        parts += [text[end : mention.start], "0"]
        end = mention.end
    return "".join([*parts, text[end:]])


def one_of_each_problem(pairs: Iterable[Pair], *, seed: int = 0) -> list[Pair]:
    """Draw one pair of each problem, at most 2,000, the same whatever their order."""
    best: dict[str, tuple[float, Pair]] = {}
    for pair in pairs:
        ticket = Random(f"{seed}:{pair}").random()
        held = best.get(pair[0])
        if held is None or ticket < held[0]:
            best[pair[0]] = (ticket, pair)
    return [pair for _, pair in sorted(best.values())][:MOST_PROBLEMS]


def areas(kinds: dict[str, list[Pair]]) -> dict[str, dict[str, float]]:
    """Return the area under the curve of each kind of pairs with enough problems, and its number of problems."""
    drawn = {kind: one_of_each_problem(pairs) for kind, pairs in sorted(kinds.items())}
    return {
        kind: {"problems": len(pairs), "area": area_under_curve(pairs)}
        for kind, pairs in drawn.items()
        if len(pairs) >= FEWEST
    }


def area_under_curve(pairs: Sequence[Pair], *, seed: int = 0) -> float:
    """Return the area of `classes_told_apart` for the right texts of pairs and the made ones."""
    left, right = ([(pair[0], pair[place]) for pair in pairs] for place in (1, 2))
    return float(classes_told_apart(left, right, strongest=0, seed=seed)["area"])


def classes_told_apart(
    left: Sequence[tuple[str, str]], right: Sequence[tuple[str, str]], *, strongest: int = 20, seed: int = 0
) -> dict[str, Any]:
    """Tell the texts of two classes, each with its problem, by logistic regression on n-grams of texts without numbers, cross-validated by problem.

    Features: tf-idf of one to three words or signs, and of two to four characters. Returns the numbers of texts, the AUC, and the features
    that speak most for either class.
    """
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold
    from sklearn.pipeline import make_pipeline, make_union

    def model() -> Any:
        return make_pipeline(
            make_union(
                TfidfVectorizer(token_pattern=WORDS_AND_SIGNS, ngram_range=(1, 3), min_df=2),  # a pattern
                TfidfVectorizer(analyzer="char", ngram_range=(2, 4), min_df=3, max_features=200_000),
            ),
            LogisticRegression(C=10, max_iter=300, solver="liblinear", random_state=seed),
        )

    texts = [without_numbers(text) for _, text in (*left, *right)]
    truth = np.array([0] * len(left) + [1] * len(right))
    groups = [problem for problem, _ in (*left, *right)]
    scores = np.zeros(len(texts))
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=seed).split(texts, truth, groups):
        fitted = model().fit([texts[place] for place in train], truth[train])
        scores[test] = fitted.decision_function([texts[place] for place in test])
    figures: dict[str, Any] = {"texts": [len(left), len(right)], "area": round(area(truth, scores), 3)}
    if strongest:
        fitted = model().fit(texts, truth)
        names = [name.split("__", 1)[1] for name in fitted[0].get_feature_names_out()]
        order = np.argsort(fitted[1].coef_[0])
        figures["first"] = [names[place] for place in order[:strongest]]
        figures["second"] = [names[place] for place in order[::-1][:strongest]]
    return figures
