"""Benchmark of one large run: the first stage on a million answers by the engine of one machine."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from benchmarks.scale import ENGINES, PLENTY, PROCESSES, figure_row, figures, report_rows, write_repeated_problems

COUNT = int(os.environ.get("SCALE_ANSWERS", PLENTY))
"""How many answers are judged; `SCALE_ANSWERS=50000` asks for fewer."""


def measure(data: Path) -> str:
    """Return the figures as Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, answers = write_repeated_problems(data, Path(folder), COUNT)
        run = Path(folder) / "run"
        found = figures(corpus, answers, run, ENGINES[0])
        sealed = sum(path.stat().st_size for path in run.rglob("*") if path.is_file())
        given = corpus.stat().st_size + answers.stat().st_size
        reports = report_rows(COUNT, run)
    return "\n".join(
        [
            "## A million answers",
            "",
            "    python -m benchmarks scale_large",
            "",
            f"As above, by `--engine {ENGINES[0]} --processes {PROCESSES}` alone; files of {given / 1e9:.1f} GB are read, and the run takes {sealed / 1e9:.1f} GB:",
            "",
            "| answers | engine | seconds | of CPU, command / others | peak MB, command / largest other |",
            "|---|---|---|---|---|",
            figure_row(f"{COUNT:,}", ENGINES[0], found),
            "",
            "| answers | report | seconds | peak MB | largest file of the page, MB |",
            "|---|---|---|---|---|",
            *reports,
        ]
    )
