"""Tests of the sources of flaws and variants: the members of a clique that nothing refuted, the oracle first."""

import itertools

from hypothesis import given, settings, strategies as st

from harness.domain import CauseKind, Response, Status, Verdict
from harness.json_form import read_record
from harness.program.candidate import read_candidate
from oracles.consensus.clique_sources import clique_sources
from oracles.consensus.cliques import consensus
from oracles.consensus.confidence_score import ConsensusWeights
from tests.oracles.consensus.test_cliques import alignment, candidate, programs_of, verdict

STATUSES = st.sampled_from([status.name for status in Status])
CAUSES = st.sampled_from([None, *(kind.value for kind in CauseKind)])


@st.composite
def verdicts_of_a_problem(draw: st.DrawFn) -> list[Verdict]:
    """Return a verdict of UT-1 for each of up to six formalizations, and of UT-2 and UT-3 for each pair."""
    models = "abcdef"[: draw(st.integers(1, 6))]
    records = [verdict("ut1", model, None, draw(STATUSES), reason="why") for model in models]
    for left, right in itertools.combinations(models, 2):
        status = draw(st.one_of(st.just("CONFIRMED"), STATUSES))
        kind = draw(CAUSES) if status == "REFUTED" else None
        cause = {} if kind is None else {"cause": {"kind": kind, "basis": "proved", "method": "normal-form"}}
        similarity = draw(st.sampled_from([0.25, 0.5, 1.0]))
        records += [
            verdict("ut2", left, right, "CONFIRMED", alignment=alignment(1, similarity=similarity)),
            verdict("ut3", left, right, status, reason="why", **cause),
        ]
    return [read_record(Verdict, record) for record in records]


@settings(max_examples=300)
@given(verdicts_of_a_problem(), st.booleans(), st.sampled_from(["parameters", "random"]))
def test_the_sources_are_the_members_that_nothing_refuted(
    verdicts: list[Verdict], strict: bool, choice: str
) -> None:  # drawn
    """The oracle first; no source is refuted by UT-1, nor by UT-3 against another source; no member of the clique without a refutation is left out."""
    models = [verdict.left for verdict in verdicts if verdict.claim == "ut1"]
    candidates = {model: candidate(model, 1 + number % 3) for number, model in enumerate(models)}
    record = consensus(
        "p", verdicts, *programs_of(candidates), weights=ConsensusWeights(), choice=choice, seed=0, strict=strict
    )
    sources = clique_sources(record)
    screened = {verdict.left: verdict.status for verdict in verdicts if verdict.claim == "ut1"}
    proved = {
        frozenset((verdict.left, verdict.right)): verdict.status for verdict in verdicts if verdict.claim == "ut3"
    }
    assert bool(sources) is (record.oracle is not None)
    assert sources[:1] == (() if record.oracle is None else (record.oracle,))
    assert len(set(sources)) == len(sources)
    assert all(screened[model] is not Status.REFUTED for model in sources)
    assert all(proved[frozenset(pair)] is Status.CONFIRMED for pair in itertools.combinations(sources, 2))
    for member in set(record.clique) - set(sources):
        assert not strict
        assert any(proved[frozenset((member, source))] is Status.REFUTED for source in sources)
    assert set(sources) <= set(record.clique)


@settings(max_examples=200)
@given(verdicts_of_a_problem())
def test_no_larger_set_of_formalizations_confirms_itself(verdicts: list[Verdict]) -> None:
    """The sources are as many as the largest set whose members UT-1 does not refute and UT-3 confirms pair by pair."""
    models = [verdict.left for verdict in verdicts if verdict.claim == "ut1"]
    candidates = {model: candidate(model, 1) for model in models}
    sources = clique_sources(
        consensus("p", verdicts, *programs_of(candidates), weights=ConsensusWeights(), choice="parameters", seed=0)
    )
    screened = {verdict.left: verdict.status for verdict in verdicts if verdict.claim == "ut1"}
    proved = {
        frozenset((verdict.left, verdict.right)): verdict.status for verdict in verdicts if verdict.claim == "ut3"
    }
    admitted = [model for model in models if screened[model] is not Status.REFUTED]
    agreeing = [
        size
        for size in range(2, len(admitted) + 1)
        for chosen in itertools.combinations(admitted, size)
        if all(proved[frozenset(pair)] is Status.CONFIRMED for pair in itertools.combinations(chosen, 2))
    ]
    alone = len(admitted) == 1 and screened[admitted[0]] is Status.CONFIRMED
    assert len(sources) == (1 if alone else max(agreeing, default=0))


def test_a_refuted_answer_has_no_clique() -> None:
    """Where UT-1 refutes the only formalization, there is nothing to make anything from."""
    record = consensus(
        "p",
        [read_record(Verdict, verdict("ut1", "a", None, "REFUTED"))],
        *programs_of({"a": read_candidate(Response("p", "a", "def solve():\n    return 1"))}),
        weights=ConsensusWeights(),
        choice="parameters",
        seed=0,
    )
    assert clique_sources(record) == ()
