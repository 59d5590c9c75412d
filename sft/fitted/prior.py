"""The share of flawed items that a caller expects, and probabilities that were fitted at another share.

Source: Saerens, Latinne and Decaestecker, Adjusting the outputs of a classifier to new a priori probabilities, Neural
Computation 14 (2002).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.errors import HarnessError
from sft.fitted.model import Array

ESTIMATED = "batch"
CAUTIOUS = "cautious"
STRENGTH = 20.0
"""So many imagined items at the share to start from count beside those of a batch, so that a few do not move it."""
CAUTIOUS_START, CAUTIOUS_MARGIN, CAUTIOUS_MOST = 0.25, 0.14, 0.3
"""The cautious share: that of the batch, with imagined items at 0.25, less a margin, and at most 0.3; a single solution is judged at about 0.11.

Source: `python -m benchmarks.verifier_travel`. On four sources that no weight saw, too high a share accuses correct solutions: at 0.1 up to 3% of them, at 0.25 up to
8%, at 0.3 up to 12%. With a margin of 0.13 more than 3% of a file of right ones are accused. Proofs bound the estimate of bare equations.
"""
LEAST_SHARE = 0.01
MOST_A_PROOF = 20
"""An estimated share is at most that of the proved items, one added to them, times this: of the 728 flawed solutions of four models 37 are
proved so, one in 20, and of people's 1,501 one in two; a share that is far above what is proved measures another form of texts, not errors."""
ROUNDS = 200
EXACT = 1e-6
EDGE = 1e-4


@dataclass(frozen=True, slots=True)
class ExpectedShare:
    """The expected share of flawed items: a number, or one that is estimated from each batch, cautiously or not."""

    text: str = CAUTIOUS

    def __post_init__(self) -> None:
        """Refuse a text that names no share; raises `HarnessError` where it is not a number between 0 and 1, and neither `cautious` nor `batch`."""
        if self.text in {CAUTIOUS, ESTIMATED}:
            return
        try:
            share = float(self.text)
        except ValueError:
            share = -1.0
        if not 0 < share < 1:
            message = f"--prior {self.text!r}: expected the share of flawed solutions, above 0 and below 1, or {CAUTIOUS} or {ESTIMATED}, which estimate it"
            raise HarnessError(message)

    def of(self, probabilities: Array, fitted: float, proved: int | None = None) -> float:
        """Return the share for a batch: rows x classes at the fitted share, the sound class first.

        `proved` are the items beside the batch that are proved to be flawed; they bound an estimate, `None` where nothing is proved.
        """
        if self.text not in {CAUTIOUS, ESTIMATED}:
            return float(self.text)
        most = 1.0 if proved is None else MOST_A_PROOF * (proved + 1) / (len(probabilities) + proved + 1)
        if self.text == ESTIMATED:
            return min(estimated_share(probabilities, fitted, fitted), most)
        cautious = estimated_share(probabilities, fitted, CAUTIOUS_START) - CAUTIOUS_MARGIN
        return max(LEAST_SHARE, min(cautious, CAUTIOUS_MOST, most))


def shifted(probabilities: Array, fitted: float | Array, share: float) -> Array:
    """Return probabilities at another share of flawed items than they were `fitted` at, one or one a row; rows x classes, the sound class first, both in and out."""
    ratio = np.ones_like(probabilities) * np.reshape(share / fitted, (-1, 1))
    ratio[:, 0] = (1 - share) / (1 - fitted)
    weighed = probabilities * ratio
    moved: Array = weighed / weighed.sum(axis=1, keepdims=True)
    return moved


def estimated_share(probabilities: Array, fitted: float, start: float) -> float:
    """Return the share of flawed items that fits a batch best, by expectation maximisation from imagined items at `start`."""
    share = start
    for _ in range(ROUNDS):
        flawed = 1 - shifted(probabilities, fitted, share)[:, 0]
        new = float((flawed.sum() + STRENGTH * start) / (len(flawed) + STRENGTH))
        if abs(new - share) < EXACT:
            break
        share = min(1 - EDGE, max(EDGE, new))
    return share


def share_of_weighed(weighed: Sequence[tuple[float, float]]) -> float:
    """Return the share of flawed items that fits some best, each with its probability of being flawed and the share that this probability assumes."""
    chances, shares = np.array(weighed).T
    even = shifted(np.stack([1 - chances, chances], axis=1), shares, 0.5)
    return estimated_share(even, 0.5, CAUTIOUS_START)
