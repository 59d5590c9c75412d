"""The share of flawed items that a caller expects, and probabilities that were fitted at another share.

Source: Saerens, Latinne and Decaestecker, Adjusting the outputs of a classifier to new a priori probabilities, Neural
Computation 14 (2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.errors import HarnessError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ESTIMATED = "batch"
CAUTIOUS = "cautious"
FITTED = "fitted"
STRENGTH = 20.0
"""So many imagined items at the share to start from count beside those of a batch, so that a few do not move it."""
CAUTIOUS_START, CAUTIOUS_MARGIN = 0.3, 0.2
"""The cautious share: that of the batch, with imagined items at 0.3, less 0.2; a single solution is judged at about 0.1.

Of four sources that no weight saw, mixed with 0% to 70% of flawed solutions, the estimate is up to 0.26 too high, and too high a share accuses
correct solutions (`python -m benchmarks.verifier_travel`).
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
    """The expected share of flawed items: a number, that of the fit, or one that is estimated from each batch, cautiously or not."""

    text: str = CAUTIOUS

    def __post_init__(self) -> None:
        """Refuse a text that names no share.

        Raises:
            HarnessError: it is not a number between 0 and 1, and none of `cautious`, `batch` and `fitted`.
        """
        if self.text in {CAUTIOUS, ESTIMATED, FITTED}:
            return
        try:
            share = float(self.text)
        except ValueError:
            share = -1.0
        if not 0 < share < 1:
            raise HarnessError(
                f"--prior {self.text!r}: expected the share of flawed solutions, above 0 and below 1, or {CAUTIOUS} or {ESTIMATED}, which estimate it"
            )

    def of(self, probabilities: Array, fitted: float, proved: int | None = None) -> float:
        """Return the share for a batch: rows x classes at the fitted share, the sound class first.

        `proved` are the items beside the batch that are proved to be flawed; they bound an estimate, `None` where nothing is proved.
        """
        if self.text not in {CAUTIOUS, ESTIMATED}:
            return fitted if self.text == FITTED else float(self.text)
        most = 1.0 if proved is None else MOST_A_PROOF * (proved + 1) / (len(probabilities) + proved + 1)
        if self.text == ESTIMATED:
            return min(estimated_share(probabilities, fitted, fitted), most)
        return max(LEAST_SHARE, min(estimated_share(probabilities, fitted, CAUTIOUS_START) - CAUTIOUS_MARGIN, most))


def shifted(probabilities: Array, fitted: float, share: float) -> Array:
    """Return probabilities at another share of flawed items; rows x classes, the sound class first, both in and out."""
    ratio = np.full(probabilities.shape[1], share / fitted)
    ratio[0] = (1 - share) / (1 - fitted)
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
