"""The third of a solution in which a line stands."""

from harness.solution.labels import FINAL_ANSWER


def position_of(label: str, lines: int) -> str:
    """Return `early`, `middle` or `late` for a line `L1`, `L2`, … of a solution with a number of lines; the final answer is late."""
    if label == FINAL_ANSWER:
        return "late"
    share = (int(label[1:]) - 1) / max(1, lines - 1)
    return "early" if share < 1 / 3 else "middle" if share < 2 / 3 else "late"
