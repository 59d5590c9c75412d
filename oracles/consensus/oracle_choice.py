"""The choice of the oracle, which formalization of the clique stands for the problem, and the order of those that may stand in for it."""

from collections.abc import Collection, Mapping, Sequence
from random import Random

from harness.domain import Provenance
from harness.records.formalization import ConsensusRecord, ParameterRecord
from harness.text.words import plain_words

Inputs = Mapping[str, Sequence[ParameterRecord]]
"""The inputs of formalizations by model, none of one that was not read."""


def choose_oracle(
    problem_id: str,
    clique: list[str],
    inner: Mapping[tuple[str, str], float],
    inputs: Inputs,
    *,
    choice: str,
    seed: int,
    compiled: Collection[str],
    differing: Collection[tuple[str, str]] = (),
) -> str | None:
    """Return the oracle of a clique, None of an empty one.

    `choice` is `random` (drawn by `seed` and problem), or `parameters`: the member with the fewest pairs in `differing`, then the
    most inputs, the highest `clarity`, the highest mean quality of its pairs in `inner`, then one that a model wrote rather than what
    was `compiled`, then the first name.
    """
    if not clique:
        return None
    if choice == "random":
        return Random(f"{seed}:{problem_id}:oracle".encode("utf-8", "surrogatepass")).choice(clique)

    def rank(model: str) -> tuple[int, int, float, float, bool, str]:
        own = [score for pair, score in inner.items() if model in pair]
        parted = sum(model in pair for pair in differing)
        mean = round(sum(own) / max(1, len(own)), 9)
        return parted, -len(inputs[model]), -clarity(inputs[model]), -mean, model in compiled, model

    return min(clique, key=rank)


def clarity(inputs: Sequence[ParameterRecord]) -> float:
    """Return how well the inputs of a program are described, 0 to 1: the mean share with a word as name, a comment, a provenance."""
    if not inputs:
        return 0.0
    said = sum(
        any(len(word) > 1 for word in plain_words(given.name))
        + bool(given.comment.strip())
        + (given.provenance is not Provenance.UNKNOWN)
        for given in inputs
    )
    return round(said / (3 * len(inputs)), 3)


def clique_sources(consensus: ConsensusRecord) -> tuple[str, ...]:
    """Return the models of a clique: the oracle, then the others by name; none where there is no clique.

    A formalization that UT-1 or UT-3 refuted is outside the clique. Where causes of refutations are not counted
    (`--harness-strict=no`), a member that UT-3 refuted against one before it is left out.
    """
    if consensus.oracle is None:
        return ()
    refuted = {frozenset((pair.left, pair.right)) for pair in consensus.pairs if pair.uncounted is not None}
    sources = [consensus.oracle]
    for model in sorted(consensus.clique):
        if model not in sources and not any(frozenset((model, source)) in refuted for source in sources):
            sources.append(model)
    return tuple(sources)
