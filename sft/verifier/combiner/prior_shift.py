"""The share of flawed solutions that a caller expects, and probabilities that were fitted at another share.

Source: Saerens, Latinne and Decaestecker, Adjusting the outputs of a classifier to new a priori probabilities, Neural
Computation 14 (2002).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from harness.errors import HarnessError
from sft.verifier.combiner.combiner import CLASSES, SOUND

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ESTIMATED = "batch"
CAUTIOUS = "cautious"
FITTED = "fitted"
STRENGTH = 20.0
"""So many imagined solutions at the share to start from count beside those of a batch, so that a few do not move it."""
CAUTIOUS_START, CAUTIOUS_MARGIN = 0.3, 0.2
"""The cautious share: that of the batch, with imagined solutions at 0.3, less 0.2; a single solution is judged at about 0.1.

Of four sources that no weight saw, mixed with 0% to 70% of flawed solutions, the estimate is up to 0.26 too high, and too high a share accuses
correct solutions. With this margin the verdict accuracy is nowhere more than 0.01 below that of equations alone
(`python -m benchmarks.verifier_travel`).
"""
LEAST_SHARE = 0.01
ROUNDS = 200
EXACT = 1e-6
EDGE = 1e-4


@dataclass(frozen=True, slots=True)
class ExpectedShare:
    """The expected share of flawed solutions: a number, that of the fit, or one that is estimated from each batch, cautiously or not."""

    text: str = CAUTIOUS

    def __post_init__(self) -> None:
        """Refuse a text that names no share.

        Raises:
            HarnessError: it is no number between 0 and 1, and neither `batch` nor `fitted`.
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

    def of(self, probabilities: Array, fitted: float) -> float:
        """Return the share for a batch: rows x `CLASSES` at the fitted share."""
        if self.text == FITTED:
            return fitted
        if self.text == CAUTIOUS:
            return max(LEAST_SHARE, estimated_share(probabilities, fitted, CAUTIOUS_START) - CAUTIOUS_MARGIN)
        return estimated_share(probabilities, fitted, fitted) if self.text == ESTIMATED else float(self.text)


DEFAULT_SHARE = ExpectedShare()


def shifted(probabilities: Array, fitted: float, share: float) -> Array:
    """Return probabilities at another share of flawed solutions; rows x `CLASSES`, both in and out."""
    sound = CLASSES.index(SOUND)
    ratio = np.full(len(CLASSES), share / fitted)
    ratio[sound] = (1 - share) / (1 - fitted)
    weighed = probabilities * ratio
    moved: Array = weighed / weighed.sum(axis=1, keepdims=True)
    return moved


def estimated_share(probabilities: Array, fitted: float, start: float) -> float:
    """Return the share of flawed solutions that fits a batch best, by expectation maximisation from imagined solutions at `start`."""
    share = start
    for _ in range(ROUNDS):
        flawed = 1 - shifted(probabilities, fitted, share)[:, CLASSES.index(SOUND)]
        new = float((flawed.sum() + STRENGTH * start) / (len(flawed) + STRENGTH))
        if abs(new - share) < EXACT:
            break
        share = min(1 - EDGE, max(EDGE, new))
    return share
