"""A session of pytest, and a stage elsewhere, say how much is done of all, and how long the rest will take."""

import io

from harness.store.stage_progress import StageProgress


def test_progress_in_a_file() -> None:
    """Elsewhere than on a terminal there is a line every fifteen seconds; estimates leave out the time of preparing, the end counts it."""
    now, stream = [0.0], io.StringIO()
    progress = StageProgress("mutation", stream, lambda: now[0], lambda: 1.5 * now[0])
    now[0] = 40.0
    progress.began(200)
    for _ in range(20):
        now[0] += 1.0
        progress.advanced(10)
    progress.ended("sealed")
    assert stream.getvalue().splitlines() == [
        "mutation: 150 of 200 problems (75%), 15 s, ETA 5 s",
        "mutation: sealed, 1 min 0 s, 1 min 30 s of CPU",
    ]
