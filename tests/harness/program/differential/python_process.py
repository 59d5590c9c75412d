"""The client of the Python process that runs generated programs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHILD = Path(__file__).with_name("python_child.py")
BATCH = 40


class PythonProcess:
    """One child process that runs many generated programs, one after the other."""

    def __init__(self) -> None:
        """Start the process, in isolated mode and without an environment."""
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-E", "-B", str(_CHILD), *_site_packages()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONHASHSEED": "0"},
        )

    def __enter__(self) -> Self:
        """Return the process."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()

    def results(self, programs: Sequence[tuple[str, str | None]]) -> list[list[Any]]:
        """Return kind and value of each program's answer, in order."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        results: list[list[Any]] = []
        for start in range(0, len(programs), BATCH):
            batch = programs[start : start + BATCH]
            stdin.write("".join(json.dumps([code, answer]) + "\n" for code, answer in batch))
            stdin.flush()
            results += [json.loads(stdout.readline()) for _ in batch]
        return results


def _site_packages() -> list[str]:
    return [path for path in sys.path if path.endswith("site-packages")]
