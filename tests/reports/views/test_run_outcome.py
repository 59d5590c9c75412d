"""Tests of the sentence about a run: what is expected stands apart from what is to be mended."""

from hypothesis import given, strategies as st

from harness.domain import Status, Verdict
from reports.views.run_outcome import RunOutcome

KINDS = {
    "answer": Verdict("ut1", "p", "a", None, Status.REFUTED, "exact"),
    "pair": Verdict("ut3", "p", "a", "b", Status.REFUTED, "evaluation"),
    "unknown": Verdict("ut1", "p", "a", None, Status.REFUTED, "input", reason="unknown-problem: the corpus has none"),
    "confirmed": Verdict("ut1", "p", "a", None, Status.CONFIRMED, "exact"),
}


@given(st.lists(st.sampled_from(sorted(KINDS)), max_size=8))
def test_each_refuted_claim_is_told_once(kinds: list[str]) -> None:
    """The parts of the sentence add up to the refuted claims; answers that cannot be judged are none of the expected ones."""
    outcome = RunOutcome.of(1, [], [KINDS[kind] for kind in kinds])
    counts = {kind: kinds.count(kind) for kind in KINDS}
    refuted = len(kinds) - counts["confirmed"]
    assert f" {refuted} of {len(kinds)} claim" in outcome.sentence
    assert (outcome.alone, outcome.pairs) == (counts["answer"], counts["pair"])
    assert outcome.unusable == ((("unknown-problem", counts["unknown"]),) if counts["unknown"] else ())
    expected, _, mend = outcome.sentence.partition("to mend: ")
    assert ("expected: " in expected) == bool(counts["answer"] or counts["pair"])
    assert ("cannot be judged, unknown problem)" in mend) == bool(counts["unknown"])
