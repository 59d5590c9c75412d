"""Tests of cliques: which clique the rule selects, its confidence score, its oracle and sources, and the reason for each dissenter."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import given, settings, strategies as st

from harness.domain import CauseKind, ParameterAlignment, Provenance, Status, Verdict
from harness.json_form import json_form, read_record
from harness.records.formalization import ConsensusRecord, ParameterRecord
from oracles.consensus.cliques import consensus
from oracles.consensus.confidence_score import ConsensusWeights, pairwise_quality
from oracles.consensus.oracle_choice import clique_sources
from tests.cases import cases

Record = dict[str, Any]


def alignment(aligned: int, loose: int = 0, similarity: float = 1.0) -> Record:
    """Return a UT-2 record with so many aligned and unaligned inputs."""
    pairs = [
        {"left": f"x{number}", "right": f"x{number}", "value": "1", "similarity": similarity}
        for number in range(aligned)
    ]
    return {"aligned": pairs, "unaligned_left": ["u"] * loose, "unaligned_right": [], "runner_up": None}


def verdict(claim: str, left: str, right: str | None, status: str, **more: object) -> Verdict:
    """Return a verdict."""
    empty = {"method": "", "problem_id": "p", "reason": None, "counterexample": None, "alignment": None}
    return read_record(Verdict, {**empty, "claim": claim, "left": left, "right": right, "status": status, **more})


def inputs(count: int, comment: str = "") -> tuple[ParameterRecord, ...]:
    """Return the inputs of a formalization."""
    return tuple(
        ParameterRecord(f"x{number}", str(number + 1), "int", Provenance.UNKNOWN, comment) for number in range(count)
    )


def agreed(
    models: str,
    edges: Mapping[str, float | Record | str | CauseKind],
    *,
    refuted: str = "",
    own: Mapping[str, Sequence[ParameterRecord]] | None = None,
    **options: Any,
) -> ConsensusRecord:
    """Return the consensus of one-letter models; `edges` give a mean similarity, an alignment, a status that is no proof, or a cause."""
    verdicts = [
        verdict("ut1", model, None, "REFUTED" if model in refuted else "CONFIRMED", reason=f"why {model}")
        for model in models
    ]
    for left, right in itertools.combinations(models, 2):
        edge = edges.get(left + right, "UNKNOWN")
        record = edge if isinstance(edge, dict) else alignment(2, similarity=edge if isinstance(edge, float) else 1.0)
        cause = {"kind": edge, "basis": "proved", "method": "smt", "checked": 1, "inputs": ["x1"]}
        more = {"cause": cause} if isinstance(edge, CauseKind) else {}
        status = "REFUTED" if more else edge if isinstance(edge, str) else "CONFIRMED"
        verdicts += [
            verdict("ut2", left, right, "CONFIRMED", alignment=record),
            verdict("ut3", left, right, status, reason=f"{left}{right} {status}", **more),
        ]
    given_inputs = {model: (own or {}).get(model, inputs(1)) for model in models}
    settings = {"weights": ConsensusWeights(), "choice": "parameters", "seed": 0, **options}
    return consensus("p", verdicts, given_inputs, lambda _: None, **settings)


QUALITY = [
    (alignment(3), 1.0),
    (alignment(2, similarity=0.5), 0.85),
    (alignment(1, 1), 0.65),
    (alignment(1, 3, 0.8), 0.415),
    (alignment(1, similarity=-0.2), 0.64),
    (alignment(0, 3), 0.0),
]


@cases("record, score", QUALITY)
def test_pairwise_quality_is_the_formula(record: Record, score: float) -> None:
    """0.7 times the share of aligned inputs plus 0.3 times their mean similarity."""
    assert pairwise_quality(read_record(ParameterAlignment, record), ConsensusWeights()) == score


@cases(("size", "bonus"), [(2, 1.0), (3, 1.1), (4, 1.2), (5, 1.3), (6, 1.3), (9, 1.3)])
def test_confidence_is_the_mean_quality_times_the_bonus(size: int, bonus: float) -> None:
    """Every member confirms every other at 0.85; larger cliques are worth more, up to five; weights and bonus are the user's."""
    models = "abcdefghi"[:size]
    edges = {left + right: 0.5 for left, right in itertools.combinations(models, 2)}
    found = agreed(models, edges)
    assert (found.clique, found.clique_size, found.confidence) == (tuple(models), size, round(0.85 * bonus, 4))
    own = ConsensusWeights(aligned=0.5, similarity=0.5, bonus=(2.0,))
    assert agreed(models, edges, weights=own).confidence == 1.5


CLIQUES = [
    ("abc", {"ab": "UNKNOWN", "ac": "REFUTED"}, ""),  # nothing is confirmed
    ("abc", {"bc": 1.0}, "bc"),
    ("abcde", {"ab": 1.0, "ac": 0.0, "bc": 0.0, "de": 1.0}, "abc"),  # the largest
    ("abc", {"ab": 0.4, "bc": 0.6}, "bc"),  # a chain is no clique
    ("abcd", {"ab": 0.4, "cd": 0.6}, "cd"),  # a tie goes to quality
    ("abcd", {"ab": 0.5, "cd": 0.5}, "ab"),  # a tie of all goes to the first names
    ("abx", {"ab": 0.1, "ax": 1.0, "bx": 1.0}, "ab"),  # a refuted model is not admitted
    ("ax", {}, "a"),  # the only one that UT-1 does not refute stands alone
]


@cases("models, edges, clique", CLIQUES)
def test_the_clique(models: str, edges: Mapping[str, float | str], clique: str) -> None:
    """The largest, then the best, then the first by name; without one there is neither confidence nor oracle, alone no confidence."""
    found = agreed(models, edges, refuted="x")
    assert ("".join(found.clique), found.clique_size) == (clique, len(clique))
    assert ((found.oracle is None), found.confidence > 0) == (not clique, len(clique) > 1)


ALL = {"ab": 0.5, "ac": 0.5, "bc": 0.5}
ORACLES = [
    ({"ab": 1.0, "ac": 0.5, "bc": 0.5}, {"a": inputs(2), "b": inputs(2), "c": inputs(3)}, "", "c"),  # most inputs
    ({"ab": 0.2, "ac": 0.9, "bc": 0.9}, {"b": inputs(1, "6 bags")}, "", "b"),  # then the clearest
    ({"ab": 0.2, "ac": 0.4, "bc": 0.9}, {}, "", "c"),  # then the best confirmed
    (ALL, {}, "a", "b"),  # then one that is not compiled
    (ALL, {"a": inputs(2)}, "a", "a"),
    (ALL, {}, "", "a"),  # then the first
]


@cases("edges, own, compiled, oracle", ORACLES)
def test_the_choice_of_the_oracle(
    edges: Mapping[str, float], own: Mapping[str, Sequence[ParameterRecord]], compiled: str, oracle: str
) -> None:
    """The oracle has the most inputs, the clearest ones, the best pairs, a model that wrote it, the first name, in this order."""
    assert agreed("abc", edges, own=own, compiled=set(compiled)).oracle == oracle


def test_dissenters_and_pairs_say_what_was_compared() -> None:
    """A dissenter names the gold answer first, then the member that refutes it, then one that cannot confirm it; all confirmed pairs are listed."""
    edges: dict[str, float | str] = {"ab": 1.0, "ac": "UNKNOWN", "bc": "REFUTED", "ad": "UNKNOWN", "bd": "UNKNOWN"}
    found = agreed("abcdx", {**edges, "cd": 0.5}, refuted="x")
    assert [(row.model, row.against, row.reason) for row in found.dissenters] == [
        ("c", "b", "bc REFUTED"),
        ("d", "a", "ad UNKNOWN"),
        ("x", None, "why x"),
    ]
    assert [(pair.left + pair.right, pair.score) for pair in found.pairs] == [("ab", 1.0), ("cd", 0.85)]
    assert {row.reason for row in agreed("ab", {}).dissenters} == {"no other formalization confirms it"}


@cases("cause", list(CauseKind))
@cases("strict", [True, False])
def test_logic_and_rounding_always_part_two_members(cause: CauseKind, strict: bool) -> None:
    """Other causes part two formalizations only if the consensus is strict; the inputs of an uncounted cause count as unaligned."""
    found = agreed("abc", {"ab": 1.0, "ac": cause, "bc": cause}, strict=strict)
    parted = strict or cause in {CauseKind.LOGIC, CauseKind.ROUNDING}
    assert found.clique_size == (2 if parted else 3)
    if parted:
        assert [(row.model, row.cause) for row in found.dissenters] == [("c", cause)]
    else:
        assert [(pair.score, pair.uncounted) for pair in found.pairs] == [(1.0, None), (0.5333, cause), (0.5333, cause)]
    assert json_form(found)["counted"] == (list(map(str, CauseKind)) if strict else ["logic", "rounding"])


# The sources of flaws and variants.

STATUSES = st.sampled_from([status.name for status in Status])
CAUSES = st.sampled_from([None, *CauseKind])


@st.composite
def verdicts_of_a_problem(draw: st.DrawFn) -> list[Verdict]:
    """Return a verdict of UT-1 for each of up to six formalizations, and of UT-2 and UT-3 for each pair."""
    models = "abcdef"[: draw(st.integers(1, 6))]
    found = [verdict("ut1", model, None, draw(STATUSES), reason="why") for model in models]
    for left, right in itertools.combinations(models, 2):
        status = draw(st.one_of(st.just("CONFIRMED"), STATUSES))
        kind = draw(CAUSES) if status == "REFUTED" else None
        cause = {} if kind is None else {"cause": {"kind": kind, "basis": "proved", "method": "normal-form"}}
        record = alignment(1, similarity=draw(st.sampled_from([0.25, 0.5, 1.0])))
        found += [
            verdict("ut2", left, right, "CONFIRMED", alignment=record),
            verdict("ut3", left, right, status, reason="why", **cause),
        ]
    return found


@settings(max_examples=300)
@given(verdicts_of_a_problem(), st.booleans(), st.sampled_from(["parameters", "random"]))
def test_the_sources_are_the_largest_set_that_nothing_refuted(
    verdicts: list[Verdict], strict: bool, choice: str
) -> None:  # drawn
    """The oracle first; UT-1 refutes no source, UT-3 confirms each two of them, no other member is left out, and no larger set confirms itself."""
    screened = {own.left: own.status for own in verdicts if own.claim == "ut1"}
    proved = {frozenset((own.left, own.right)): own.status for own in verdicts if own.claim == "ut3"}
    given_inputs = {model: inputs(1 + number % 3) for number, model in enumerate(screened)}
    weights = ConsensusWeights()
    record = consensus(
        "p", verdicts, given_inputs, lambda _: None, weights=weights, choice=choice, seed=0, strict=strict
    )
    sources = clique_sources(record)
    assert sources[:1] == (() if record.oracle is None else (record.oracle,))
    assert len(set(sources)) == len(sources)
    assert set(sources) <= set(record.clique)
    assert all(screened[model] is not Status.REFUTED for model in sources)
    assert all(proved[frozenset(pair)] is Status.CONFIRMED for pair in itertools.combinations(sources, 2))
    for member in set(record.clique) - set(sources):
        assert not strict
        assert any(proved[frozenset((member, source))] is Status.REFUTED for source in sources)
    admitted = [model for model, status in screened.items() if status is not Status.REFUTED]
    agreeing = [
        size
        for size in range(2, len(admitted) + 1)
        for chosen in itertools.combinations(admitted, size)
        if all(proved[frozenset(pair)] is Status.CONFIRMED for pair in itertools.combinations(chosen, 2))
    ]
    alone = len(admitted) == 1 and screened[admitted[0]] is Status.CONFIRMED
    assert not strict or len(sources) == (1 if alone else max(agreeing, default=0))
