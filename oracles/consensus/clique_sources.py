"""The members of a clique that flaws and variants may be made from, the oracle first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.records.formalization import ConsensusRecord


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
