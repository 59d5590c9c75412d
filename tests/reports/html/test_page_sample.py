"""Tests of what the pages of reports share: a sample of bounded size represents all flaws, and one glossary serves the manual and the tooltips."""

from collections import Counter

from hypothesis import given, strategies as st

from harness.paths import ROOT
from reports.html.page import Sample, glossary, tooltips

OFFERS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 10_000)), max_size=60, unique=True)


def sampled(offers: list[tuple[str, int]], size: int) -> list[tuple[str, int]]:
    """Return what is kept of offers of stratum and name."""
    sample = Sample[tuple[str, int]](size)
    for stratum, number in offers:
        sample.add((stratum,), f"{stratum}{number}", (stratum, number))
    assert sample.seen == len(offers)
    return list(sample.items())


@given(OFFERS, st.randoms(use_true_random=False), st.integers(1, 12))
def test_sample_is_full_even_and_independent_of_the_order(
    offers: list[tuple[str, int]], random: object, size: int
) -> None:
    """All items are kept while they are few, and `size` of them else, each once; no stratum has two more than one that had more to give."""
    kept, shuffled = sampled(offers, size), list(offers)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # a Random, as Hypothesis makes it
    assert sampled(shuffled, size) == kept
    assert len(kept) == len(set(kept)) == min(size, len(offers))
    assert set(kept) <= set(offers)
    offered, shares = (Counter(stratum for stratum, _ in items) for items in (offers, kept))
    assert [name for name in offered if shares[name] < offered[name] and max(shares.values()) > shares[name] + 1] == []


def test_manual_has_the_table() -> None:
    """The table of docs/concepts.md is the glossary, word for word."""
    rows = "".join(f"| {entry['term']} | {entry['meaning']} |\n" for entry in glossary())
    assert f"| term | meaning |\n|---|---|\n{rows}" in (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")


def test_each_form_is_explained_once() -> None:
    """No form belongs to two terms, and no meaning is empty."""
    forms = [form.lower() for entry in glossary() for form in (entry["term"], *entry.get("also", ()))]
    assert sorted(forms) == sorted(tooltips())
    assert all(tooltips().values())
