"""Comparison of verifier adapters by the errors that each one marks, before other evidence is added.

`python -m benchmarks.adapters ADAPTER … --problems 80` scores the same solutions with each adapter and prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.verifier import accepted_errors, human_written, scores_of
from harness.errors import HarnessError
from harness.paths import data_folder
from harness.solution.labels import ErrorClass
from sft.models.line_marks import Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.samples.items import Sample
    from sft.verifier.model_scores import Scores


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 0, or 2 with one message where it cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adapters", description=__doc__)
    parser.add_argument("adapters", nargs="+", type=Path, metavar="ADAPTER", help="folders of adapters")
    parser.add_argument("--problems", type=int, default=80, help="how many problems of each file are drawn; 80")
    options = parser.parse_args(arguments)
    data = data_folder()
    try:
        files = {
            "human_written": _drawn(human_written(data), options.problems),
            "human_accepted_conceptual": _drawn(accepted_errors(data), options.problems),
        }
        print(_table(options.adapters, files))
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"adapters: {error}\n")
        return 2
    return 0


def _drawn(samples: Sequence[Sample], problems: int) -> list[Sample]:
    """Return the correct solutions to some problems, drawn by seed, and the conceptual errors in them."""
    names = sorted({sample.problem_id for sample in samples})
    chosen = set(random.Random("adapters").sample(names, min(problems, len(names))))
    return [
        sample
        for sample in samples
        if sample.problem_id in chosen and sample.truth.error_class is not ErrorClass.COMPUTATIONAL
    ]


def _table(adapters: Sequence[Path], files: dict[str, list[Sample]]) -> str:
    from sklearn.metrics import roc_auc_score

    lines = [
        "Conceptual errors against correct solutions by the model's marks alone, area under the curve:",
        "",
        f"| adapter | {' | '.join(f'`{name}`, {len(samples)} solutions' for name, samples in files.items())} |",
        f"|---{'|---' * len(files)}|",
    ]
    for adapter in adapters:
        areas = []
        for samples in files.values():
            scores = scores_of(samples, adapter)
            flawed = [sample.truth.flawed for sample in samples]
            areas.append(roc_auc_score(flawed, [_worst(scores[sample.sample_id]) for sample in samples]))
        lines.append(f"| `{adapter}` | {' | '.join(f'{area:.3f}' for area in areas)} |")
    return "\n".join(lines)


def _worst(scores: Scores) -> float:
    """Return the greatest probability of an error at any place."""
    return max((1 - place.marks[Mark.RIGHT] for place in scores.places), default=0.0)


if __name__ == "__main__":
    sys.exit(main())
