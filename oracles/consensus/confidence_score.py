"""The published confidence score: the quality of each validated pair, and the bonus for larger cliques."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.domain import ParameterAlignment, RefutationCause


@dataclass(frozen=True, slots=True)
class ConsensusWeights:
    """The weights of quality and confidence; the defaults are the published ones."""

    aligned: float = 0.7
    similarity: float = 0.3
    bonus: tuple[float, ...] = (1.0, 1.1, 1.2, 1.3)

    def clique_bonus(self, size: int) -> float:
        """Return the factor for a clique of two, three, four, five and more."""
        return self.bonus[min(size - 2, len(self.bonus) - 1)]


def pairwise_quality(alignment: ParameterAlignment, weights: ConsensusWeights) -> float:
    """Return the PairwiseQualityScore of an alignment of UT-2: 0.7 · share of aligned inputs + 0.3 · mean similarity."""
    aligned = alignment.aligned
    if not aligned:
        return 0.0
    inputs = len(aligned) + len(alignment.unaligned_left) + len(alignment.unaligned_right)
    mean: float = sum(pair.similarity for pair in aligned) / len(aligned)
    return round(float(weights.aligned * len(aligned) / inputs + weights.similarity * mean), 4)


def confidence_score(qualities: Sequence[float], clique_size: int, weights: ConsensusWeights) -> float:
    """Return the mean quality of the pairs within a clique times its bonus, 0 where there is no pair; it may exceed 1."""
    return round(sum(qualities) / len(qualities) * weights.clique_bonus(clique_size), 4) if qualities else 0.0


def without_cause(alignment: ParameterAlignment, cause: RefutationCause | None) -> ParameterAlignment:
    """Return an alignment without the pairs that the cause of a refutation names; their inputs are unaligned."""
    if cause is None:
        return alignment
    left, right = ({name.split("|")[side] if "|" in name else name for name in cause.inputs} for side in (0, 1))
    moved = [pair for pair in alignment.aligned if pair.left in left or pair.right in right]
    return replace(
        alignment,
        aligned=tuple(pair for pair in alignment.aligned if pair not in moved),
        unaligned_left=(*alignment.unaligned_left, *(pair.left for pair in moved)),
        unaligned_right=(*alignment.unaligned_right, *(pair.right for pair in moved)),
    )
