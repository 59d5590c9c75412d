"""The process that computes the text embeddings missing in a run, beside the pytest session.

The engine runs this module in a process with a JSON request on standard input. An encoder takes up to half a gigabyte, so no
test process loads it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from harness.corpora.problems import load_corpus
from harness.corpora.responses import load_responses
from harness.program.candidate import read_program
from oracles.alignment.embeddings import Embeddings
from oracles.alignment.encoder import open_encoder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.program.ir import Program


def texts_to_compare(programs: Iterable[Program | None], *, in_doubt: bool = False) -> list[str]:
    """Return the texts an alignment of any two of the programs may compare: of inputs of equal value in two programs.

    Those `in_doubt` are the ones that decide which inputs match: some program has several inputs of that value. The
    others only score a match.
    """
    texts: dict[object, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for place, program in enumerate(programs):
        for parameter in program.parameters if program is not None else ():
            texts[parameter.value][place].append(parameter.text)
    found: set[str] = set()
    for by_program in texts.values():
        words = set().union(*by_program.values())
        several = max(map(len, by_program.values())) > 1
        if len(by_program) > 1 and len(words) > 1 and (several or not in_doubt):
            found |= words
    return sorted(found)


def _end_with(owner: int) -> None:
    """End this process when the process of its session has ended."""
    while True:
        try:
            os.kill(owner, 0)
        except ProcessLookupError:
            os._exit(1)
        time.sleep(0.1)


def main() -> int:
    """Embed the missing texts of the requested run; write the state into the request's folder: `doubts`, `done` or `failed`."""
    request = json.load(sys.stdin)
    threading.Thread(target=_end_with, args=(request["owner"],), daemon=True).start()
    folder = Path(request["folder"])
    try:
        corpus = load_corpus(request["corpus"])
        selected = set(request["problems"])
        responses = load_responses(
            map(Path, request["formalizations"]), frozenset(problem.problem_id for problem in corpus)
        )
        embeddings = Embeddings(Path(request["cache"]))
        embeddings.refresh()
        doubts: set[str] = set()
        texts: set[str] = set()
        for problem in corpus:
            if problem.problem_id not in selected:
                continue
            own = responses.accepted.get(problem.problem_id, {})
            if len(own) > 1:
                programs = [read_program(response) for response in own.values()]
                doubts.update(texts_to_compare(programs, in_doubt=True))
                texts.update(texts_to_compare(programs))
        missing = embeddings.missing(texts)
        if missing:
            # An embedding that cannot be stored is not worth its seconds.
            embeddings.folder.mkdir(parents=True, exist_ok=True)
            encoder = open_encoder(request["encoder"])
            # UT-3 needs the doubtful ones only, and runs while the others are encoded.
            for part in (doubts, texts):
                wanted = embeddings.missing(part)
                if wanted:
                    embeddings.add(wanted, encoder.encode(wanted, waited_for=(folder / "waited").exists))
                (folder / "doubts").touch()
    except BaseException:  # the waiting processes must learn of an interrupt, too; it is raised again
        (folder / "failed").write_text(traceback.format_exc())
        raise
    (folder / "done").write_text(f"{len(missing)} of {len(texts)} texts encoded\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
