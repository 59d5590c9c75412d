"""Tests of reviewer agreement: the figures equal those of the literature, and undefined ones are left out."""

from math import isclose

import pytest
from hypothesis import assume, given, strategies as st

from reports.review.agreement import agreement

CATEGORIES = st.sampled_from(["accept", "reject", "other"])


def _rated(rows: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return ratings of rows of categories, a dot where a reviewer says nothing."""
    rated: dict[str, dict[str, str]] = {}
    for reviewer, row in rows.items():
        for unit, category in enumerate(row.split()):
            if category != ".":
                rated.setdefault(f"u{unit:02}", {})[reviewer] = category
    return rated


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ({"a": "0 1 0 0 0 0 0 0 1 0", "b": "1 1 1 0 0 1 0 0 0 0"}, 0.095),
        ({"a": "a a b b d c c c e d d a", "b": "b a b b b c c c e d d d"}, 0.692),
        (
            {
                "a": "1 2 3 3 2 1 4 1 2 . . .",
                "b": "1 2 3 3 2 2 4 1 2 5 . 3",
                "c": ". 3 3 3 2 3 4 2 2 5 1 .",
                "d": "1 2 3 3 2 4 4 1 2 5 1 .",
            },
            0.743,
        ),
    ],
    ids=["two observers, binary", "two observers, nominal", "four observers, missing data"],
)
def test_alpha_is_krippendorffs(rows: dict[str, str], expected: float) -> None:
    """Alpha of the worked examples is what Krippendorff (2011) gives, to his three digits."""
    agreed = agreement(_rated(rows)).alpha
    assert agreed.value is not None
    assert round(agreed.value, 3) == expected


@given(st.lists(st.tuples(CATEGORIES, CATEGORIES), min_size=2, max_size=60))
def test_kappa_is_scikit_learns(judged: list[tuple[str, str]]) -> None:
    """Kappa of two reviewers is what scikit-learn computes."""
    left, right = zip(*judged, strict=True)
    assume(len({*left, *right}) > 1)
    (pair,) = agreement(_rated({"ann": " ".join(left), "bob": " ".join(right)})).pairs
    assert pair.kappa.value is not None
    from sklearn.metrics import cohen_kappa_score  # two seconds to import, which other workers need not spend

    assert isclose(pair.kappa.value, cohen_kappa_score(left, right), abs_tol=1e-12)
    assert pair.n == len(judged)
    assert sum(pair.confusion.values()) == len(judged)


@given(st.lists(st.tuples(CATEGORIES, CATEGORIES, st.sampled_from(["accept", "reject", "."])), min_size=1, max_size=20))
def test_alpha_is_that_of_the_coincidence_matrix(judged: list[tuple[str, str, str]]) -> None:
    """Alpha is what the definition gives, value by value: one less observed over expected disagreement."""
    rows = {reviewer: " ".join(said) for reviewer, said in zip("abc", zip(*judged, strict=True), strict=True)}
    agreed = agreement(_rated(rows)).alpha
    units = [[value for value in unit if value != "."] for unit in judged]
    values = [value for unit in units for value in unit]
    observed = sum(
        (value != other) / (len(unit) - 1)
        for unit in units
        for i, value in enumerate(unit)
        for j, other in enumerate(unit)
        if i != j
    ) / len(values)
    expected = sum(value != other for value in values for other in values) / (len(values) * (len(values) - 1))
    if expected == 0:
        assert agreed.value is None
        assert agreed.why
    else:
        assert agreed.value is not None
        assert isclose(agreed.value, 1 - observed / expected, abs_tol=1e-12)


def test_intervals_hold_the_value_and_narrow() -> None:
    """An interval holds its coefficient, and that of a hundred times as many candidates is a tenth as wide."""
    few = {"ann": "a a a a b b b a b a", "bob": "a a a b b b a a b a"}
    many = {reviewer: " ".join([row] * 100) for reviewer, row in few.items()}
    widths = []
    for rows in (few, many):
        agreed = agreement(_rated(rows))
        for coefficient in (agreed.alpha, agreed.pairs[0].kappa):
            assert coefficient.low is not None
            assert coefficient.high is not None
            assert coefficient.value is not None
            assert coefficient.low <= coefficient.value <= coefficient.high
            widths.append(coefficient.high - coefficient.low)
    assert widths[2] < 0.2 * widths[0]
    assert widths[3] < 0.2 * widths[1]


@pytest.mark.parametrize("rows", [{}, {"ann": "a b"}, {"ann": "a .", "bob": ". b"}], ids=["none", "one", "apart"])
def test_without_shared_candidates_nothing_is_said(rows: dict[str, str]) -> None:
    """Where no candidate was judged by two, there is no agreement to speak of."""
    agreed = agreement(_rated(rows))
    assert (agreed.n, agreed.raw, agreed.pairs, agreed.disputed) == (0, None, (), ())
    assert agreed.alpha.why == "no candidate was judged by two reviewers"
