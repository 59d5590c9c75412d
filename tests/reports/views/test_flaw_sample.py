"""Tests of the flaw sample of the reports: a sample of bounded size represents all flaws."""

from collections import Counter

from hypothesis import given, strategies as st

from reports.views.stratified_sample import Sample

OFFERS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 10_000)), max_size=60, unique=True)


def sampled(offers: list[tuple[str, int]], size: int) -> list[tuple[str, int]]:
    """Return what is kept of offers of stratum and name."""
    sample = Sample[tuple[str, int]](size)
    for stratum, number in offers:
        sample.add((stratum,), f"{stratum}{number}", (stratum, number))
    assert sample.seen == len(offers)
    return list(sample.items())


@given(OFFERS, st.randoms(use_true_random=False), st.integers(1, 12))
def test_order_does_not_matter(offers: list[tuple[str, int]], random: object, size: int) -> None:
    """The same items give the same sample in whatever order they come."""
    shuffled = list(offers)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random, as Hypothesis makes it
    assert sampled(offers, size) == sampled(shuffled, size)


@given(OFFERS, st.integers(1, 12))
def test_sample_is_as_large_as_it_may_be(offers: list[tuple[str, int]], size: int) -> None:
    """All items are kept while they are few, and `size` of them else; each was offered, and none is kept twice."""
    kept = sampled(offers, size)
    assert len(kept) == min(size, len(offers))
    assert len(set(kept)) == len(kept)
    assert set(kept) <= set(offers)


@given(OFFERS, st.integers(1, 12))
def test_strata_share_evenly(offers: list[tuple[str, int]], size: int) -> None:
    """No stratum has two items more than one that had more to give."""
    offered, kept = Counter(stratum for stratum, _ in offers), Counter(stratum for stratum, _ in sampled(offers, size))
    for stratum, count in offered.items():
        if kept[stratum] < count:
            assert max(kept.values()) <= kept[stratum] + 1
