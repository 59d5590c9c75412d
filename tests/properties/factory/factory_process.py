"""Runs of `oracle-factory run` that tests start in processes of their own, and how these are killed."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MINI = ("mini", str(ROOT / "corpora" / "mini" / "formalizations.jsonl"), "annotation")
LONGEST_RUN = 240.0


@dataclass(frozen=True, slots=True)
class FactoryOutcome:
    """The output of a run, its exit status, and its folder."""

    status: int
    stdout: str
    stderr: str
    run: Path

    def files(self) -> dict[str, bytes]:
        """Return all files of the run by path, without the pages of single stages, which name the folder that the run is in."""
        paths = {str(path.relative_to(self.run)): path for path in sorted(self.run.rglob("*")) if path.is_file()}
        left_out = {"report/index.html", "report/flaws.html", "report/variants.html"}
        assert paths.keys() >= left_out
        return {name: path.read_bytes() for name, path in paths.items() if name not in left_out}


@dataclass(frozen=True, slots=True)
class FactoryTerminal:
    """Where a test starts runs; `cache` keeps the embeddings."""

    folder: Path
    cache: Path

    def run(self, *arguments: str, out: str = "run", limit: str = "0:3", also: Path | None = None) -> FactoryOutcome:
        """Run the command on a few problems.

        `also` is a folder whose `sitecustomize` every process imports.
        """
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, [*([also] if also else []), ROOT])),
            "ORACLE_FACTORY_CACHE": str(self.cache),
        }
        given = arguments or (*MINI, "--problems", limit)
        path = self.folder / out
        ended = subprocess.run(
            [sys.executable, "-m", "oracle_factory", "run", *given, "--out", str(path), "-j2"],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=LONGEST_RUN,
            check=False,
        )
        return FactoryOutcome(ended.returncode, ended.stdout, ended.stderr, path)
