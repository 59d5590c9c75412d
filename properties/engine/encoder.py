"""The encoder of a session, one process that all workers wait for, and the encoder of a part of a stage."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.paths import ROOT
from harness.program.candidate import read_program
from harness.store.run_folder import dump, write_lines
from oracles.alignment.embeddings import Embeddings
from oracles.alignment.encoder import SentenceEncoder, embeddings_folder, open_encoder
from oracles.alignment.encoder_process import texts_to_compare

if TYPE_CHECKING:
    from pathlib import Path

    from properties.engine.inputs import SessionInputs

LONGEST_WAIT = 3600.0


@dataclass(slots=True)
class SessionEncoder:
    """The process that embeds the missing texts of a run, and the folder in which it reports its end."""

    folder: Path
    inputs: SessionInputs

    @property
    def started(self) -> bool:
        """Tell whether a process of the session has started it."""
        return (self.folder / "pid").exists()

    def start(self) -> None:
        """Start it beside this process, unless a process of the session already did."""
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            mark = (self.folder / "pid").open("x")
        except FileExistsError:
            return
        settings = self.inputs.settings
        made = self.folder / "made.jsonl"
        records = (
            {"problem_id": response.problem_id, "model": response.model, "response": response.text}
            for own in (self.inputs.responses.values() if self.inputs.made_by else ())
            for response in own.values()
            if response.made
        )
        write_lines(made, (f"{dump(record)}\n" for record in records))
        request = {
            "owner": self.inputs.owner,
            "folder": str(self.folder.resolve()),
            "corpus": settings.corpus,
            "formalizations": [*settings.files, *([str(made)] if self.inputs.made_by else [])],
            "problems": sorted(self.inputs.problems),
            "cache": str(embeddings_folder(settings.encoder)),
            "encoder": settings.encoder,
        }
        environment = {
            **os.environ,
            # Threads of OpenMP that wait for each other awake take 30 times as long where other processes share the cores.
            "OMP_WAIT_POLICY": "PASSIVE",
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
        }
        asked = self.folder / "request.json"
        write_lines(asked, [dump(request)])
        # From a file: the writing end of a pipe would stay open in processes that are forked meanwhile.
        with mark, asked.open("rb") as question, (self.folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "oracles.alignment.encoder_process"],
                stdin=question,
                stdout=log,
                stderr=log,
                env=environment,
            )
            mark.write(str(process.pid))
        # To the other workers, a dead child process looks alive until its parent waits for it.
        threading.Thread(target=process.wait, daemon=True).start()

    def wait(self, *, doubts: bool = False) -> None:
        """Wait until it is done, or with `doubts` until it has those texts that decide which inputs match.

        Raises:
            HarnessError: it failed or died; the message holds the end of its log.
        """
        self.start()
        waited = self.folder / "waited"
        waited.touch()
        try:
            self._wait("doubts" if doubts else "done")
        finally:
            waited.unlink(missing_ok=True)

    def _wait(self, mark: str) -> None:
        deadline = time.monotonic() + LONGEST_WAIT
        while not ((self.folder / "done").exists() or (self.folder / mark).exists()):
            if (self.folder / "failed").exists() or not self._alive() or time.monotonic() > deadline:
                if (self.folder / "done").exists():
                    return
                log = (self.folder / "log").read_text(errors="replace") if (self.folder / "log").exists() else ""
                message = f"the sentence encoder did not finish: {log.strip()[-500:] or 'no output'}"
                raise HarnessError(message)
            time.sleep(0.02)

    def _alive(self) -> bool:
        pid = (self.folder / "pid").read_text()
        try:
            os.kill(int(pid or os.getpid()), 0)
        except ProcessLookupError:
            return False
        return True


@functools.cache
def embeddings_of_process(folder: Path) -> Embeddings:
    """Return the embeddings of a folder that all parts of stages share which this process judges."""
    embeddings = Embeddings(folder)
    embeddings.refresh()
    return embeddings


@functools.cache
def _encoder_of_process(name: str) -> SentenceEncoder:
    return open_encoder(name)


@dataclass(slots=True)
class PartEncoder:
    """Embeds the texts of a part of a stage in the process that judges it."""

    inputs: SessionInputs
    embeddings: Embeddings

    def start(self) -> None:
        """Do nothing: most parts find all their texts embedded."""

    def wait(self, *, doubts: bool = False) -> None:  # noqa: ARG002  # one look at the texts of a part is enough
        """Embed the texts of all problems of the part that have no embedding yet."""
        texts: set[str] = set()
        for own in self.inputs.responses.values():
            if len(own) > 1:
                texts.update(texts_to_compare([read_program(response) for response in own.values()]))
        self.embeddings.refresh()
        missing = self.embeddings.missing(texts)
        if missing:
            encoder = _encoder_of_process(self.inputs.settings.encoder)
            self.embeddings.add(missing, encoder.encode(missing, waited_for=lambda: False))


def encoder_of_part(
    encoder: SessionEncoder | PartEncoder, inputs: SessionInputs, embeddings: Embeddings
) -> SessionEncoder | PartEncoder:
    """Return the encoder of a part of a stage: on this machine it waits for the one of the stage, if that is started."""
    if isinstance(encoder, SessionEncoder) and encoder.started:
        return SessionEncoder(encoder.folder, inputs)
    return PartEncoder(inputs, embeddings)
