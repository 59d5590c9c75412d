"""The engine of the product suites: a session of pytest for each stage of a run."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from properties.engine.settings import RunSettings

TOLD = 600
"""Characters of the end of a failed session's output that its error quotes."""


@dataclass(frozen=True, slots=True)
class PytestSessions:
    """Judges stages by sessions of pytest with a number of workers; each session holds the lock of the run itself."""

    run: Path
    settings: RunSettings
    processes: int

    def judge(self, stage: str, labels: Sequence[str] = ()) -> None:
        """Judge a stage and seal it; `labels` are files of labelled solutions.

        Raises:
            HarnessError: the session ended otherwise than with its stage sealed; what was judged is kept.
        """
        command = [sys.executable, "-m", "pytest", *self._options(stage, labels)]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
        }
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603  # our own suites, no shell
        if ended.returncode:
            output = (ended.stdout + ended.stderr).strip()[-TOLD:]
            raise HarnessError(
                f"{self.run / stage}: the session of pytest ended with status {ended.returncode}: {output}"
            )

    def _options(self, stage: str, labels: Sequence[str]) -> list[str]:
        settings = self.settings
        named = {
            "corpus": settings.corpus,
            "run": str(self.run),
            "seed": str(settings.seed),
            "problems": settings.problems,
            "slice": settings.slice,
            "exclude": settings.exclude,
            "max-pairs": str(settings.max_pairs),
            "encoder": settings.encoder,
            "min-clique": str(settings.min_clique),
            "min-confidence": str(settings.min_confidence),
            "gate": "none",
            "report": "none",
        }
        return [
            *(
                "-p",
                "harness.plugin",
                "-p",
                "properties.plugin",
                "-q",
                f"-n{self.processes}",
                "-m",
                stage,
                f"--rootdir={ROOT}",
            ),
            *(f"--harness-{name}={value}" for name, value in named.items() if value is not None),
            *(f"--harness-formalizations={name}" for name in settings.formalizations),
            *(f"--harness-labels={name}" for name in labels),
            str(ROOT / "properties" / f"test_{stage}.py"),
        ]
