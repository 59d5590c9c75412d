"""The consensus of a problem: cliques of equivalent formalizations and the chosen oracle."""

import itertools
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

import networkx as nx

from harness.domain import CauseKind, ParameterAlignment, RefutationCause, Status, Verdict
from harness.program.ir import Program
from harness.records.formalization import ConsensusRecord, Dissenter, PairScore
from oracles.consensus.confidence_score import ConsensusWeights, confidence_score, pairwise_quality, without_cause
from oracles.consensus.equivalence_classes import judged_pairs
from oracles.consensus.oracle_choice import Inputs, choose_oracle
from oracles.consensus.rounding_need import rounding_finding

MOST_CLIQUES = 100_000
ALWAYS_COUNTED = (CauseKind.LOGIC, CauseKind.ROUNDING)
"""The causes of a refutation that separate two formalizations under any setting."""


def consensus(
    problem_id: str,
    verdicts: Sequence[Verdict],
    inputs: Inputs,
    program: Callable[[str], Program | None],
    *,
    weights: ConsensusWeights,
    choice: str,
    seed: int,
    strict: bool = True,
    question: str = "",
    compiled: Collection[str] = (),
    likeliest: Collection[str] | None = None,
    representatives: Mapping[str, str] | None = None,
) -> ConsensusRecord:
    """Return the consensus of one problem from its verdicts; `program` reads that of a model, and is asked for the oracle's at most.

    The nodes of the graph are the formalizations UT-1 did not refute, its edges the pairs UT-3 confirmed. Unless `strict`, pairs
    that UT-3 refuted for another cause than logic or rounding are edges, too; the inputs that the cause names count as unaligned in
    their score, and a refuted pair without a cause parts its members. The clique
    is the largest one; ties go to the higher mean quality, then to the names that come first. A formalization that UT-1
    confirms and that is the only one it does not refute stands alone: a clique of one, of confidence 0. `choice` is that of `choose_oracle`.

    Where classes were compared in place of pairs, `representatives` has that of each formalization: the clique is the largest class,
    and the pairs that were compared stand for all.

    Where no gold answer is known, `likeliest` are the models that give the likeliest answer: the clique is the largest among them, and
    where no two of them are equal, one that stands alone.
    """
    screened = {verdict.left: verdict for verdict in verdicts if verdict.claim == "ut1"}
    admitted = {model for model, verdict in screened.items() if verdict.status is not Status.REFUTED}
    aligned, decided = judged_pairs(verdicts, "ut2"), judged_pairs(verdicts, "ut3")
    counted = tuple(CauseKind) if strict else ALWAYS_COUNTED
    edges = {
        pair: verdict.cause
        for pair, verdict in sorted(decided.items())
        if admitted.issuperset(pair) and (verdict.status is Status.CONFIRMED or _is_uncounted(verdict, counted))
    }
    scores = {
        pair: pairwise_quality(without_cause(aligned[pair].alignment or ParameterAlignment(), cause), weights)
        for pair, cause in edges.items()
    }
    choose = partial(choose_oracle, problem_id, inputs=inputs, choice=choice, seed=seed, compiled=compiled)
    eligible = admitted if likeliest is None else admitted & set(likeliest)
    own_scores = {pair: score for pair, score in scores.items() if eligible.issuperset(pair)}
    if len(admitted) == 1 and all(screened[model].status is Status.CONFIRMED for model in admitted):
        clique = [*admitted]
    else:
        clique = largest_clique(sorted(eligible), own_scores, representatives)
        clique = clique if len(clique) > 1 else []
    if likeliest is not None and not clique:
        alone = choose(sorted(eligible), {})
        clique = [] if alone is None else [alone]
    inner = {pair: score for pair, score in scores.items() if set(pair) <= set(clique)}
    oracle = choose(clique, inner, differing=[pair for pair in inner if edges[pair] is not None])
    finding = None
    if oracle is not None:
        finding = rounding_finding(question, lambda: program(oracle), _rounding_dissenters(clique, decided))
    return ConsensusRecord(
        problem_id=problem_id,
        clique=tuple(clique),
        clique_size=len(clique),
        confidence=confidence_score(list(inner.values()), len(clique), weights),
        oracle=oracle,
        dissenters=tuple(_dissenters(clique, screened, decided, counted, representatives or {})),
        pairs=tuple(PairScore(*pair, score, _kind(edges[pair])) for pair, score in scores.items()),
        counted=counted,
        findings=() if finding is None else (finding,),
    )


def _kind(cause: RefutationCause | None) -> CauseKind | None:
    return None if cause is None else cause.kind


def _is_uncounted(verdict: Verdict, counted: tuple[CauseKind, ...]) -> bool:
    return verdict.cause is not None and verdict.cause.kind not in counted


def _rounding_dissenters(clique: Sequence[str], decided: Mapping[tuple[str, str], Verdict]) -> list[str]:
    """Return the formalizations outside the clique that differ from a member by rounding only."""
    rounding = {pair for pair, verdict in decided.items() if _kind(verdict.cause) is CauseKind.ROUNDING}
    return sorted(
        {model for pair in rounding if len(set(pair) & set(clique)) == 1 for model in set(pair) - set(clique)}
    )


def largest_clique(
    models: Iterable[str], edges: Mapping[tuple[str, str], float], representatives: Mapping[str, str] | None = None
) -> list[str]:
    """Return the largest clique of models that edges join, sorted; with `representatives` the largest class.

    Ties go to the higher mean quality, by which edges are weighed, then to the names that come first. It is a single model where no two are
    joined, and none where there is no model.
    """
    groups: Iterable[list[str]]
    if representatives:
        classes: defaultdict[str, list[str]] = defaultdict(list)
        for model in models:
            classes[representatives[model]].append(model)
        groups = classes.values()
    else:
        graph = nx.Graph()
        graph.add_nodes_from(models)
        graph.add_edges_from(edges)
        groups = itertools.islice(nx.find_cliques(graph), MOST_CLIQUES)

    def rank(group: Iterable[str]) -> tuple[int, float, list[str]]:
        own = set(group)
        qualities = [quality for pair, quality in edges.items() if own.issuperset(pair)]
        return -len(own), -round(sum(qualities) / max(len(qualities), 1), 9), sorted(own)

    return sorted(min(groups, key=rank, default=[]))


def _dissenters(
    clique: list[str],
    screened: Mapping[str, Verdict],
    decided: Mapping[tuple[str, str], Verdict],
    counted: tuple[CauseKind, ...],
    representatives: Mapping[str, str],
) -> Iterator[Dissenter]:
    """Yield every formalization outside the clique with how it differs from the gold answer or from a member."""

    def rank(pair: tuple[str, Verdict]) -> tuple[bool, bool]:
        return pair[1].status is not Status.REFUTED, _is_uncounted(pair[1], counted)

    for model in sorted(screened.keys() - set(clique)):
        against, reason = list[tuple[str, Verdict]](), screened[model].reason
        if screened[model].status is not Status.REFUTED:
            reason = "no other formalization confirms it"
            against = _members(model, clique, decided) or _members(representatives.get(model, model), clique, decided)
        if not against:
            yield Dissenter(model=model, against=None, reason=reason, counterexample=None)
            continue
        other, verdict = min(against, key=rank)
        yield Dissenter(
            model=model,
            against=other,
            reason=verdict.reason,
            counterexample=verdict.counterexample,
            cause=_kind(verdict.cause),
        )


def _members(
    model: str, clique: Sequence[str], decided: Mapping[tuple[str, str], Verdict]
) -> list[tuple[str, Verdict]]:
    return [(other, decided[pair]) for other in clique if (pair := (min(model, other), max(model, other))) in decided]
