"""`oracle-factory run` that is killed: nothing that was judged is lost, and the same bytes come out."""

from pathlib import Path

import pytest

from tests.properties.factory.factory_process import MINI, FactoryOutcome, FactoryTerminal
from tests.properties.session_process import SessionTerminal


def test_sealed_run_is_shown_again(undisturbed: FactoryOutcome, embeddings_cache: Path) -> None:
    """The same command on a finished run makes nothing, and shows it again."""
    before = {path: path.stat().st_mtime_ns for path in undisturbed.run.glob("*/manifest.json")}
    again = FactoryTerminal(undisturbed.run.parent, embeddings_cache).run()
    assert again.status == 0, again.stderr
    assert again.stderr.count(": sealed before\n") == 5
    assert {path: path.stat().st_mtime_ns for path in before if "funnel" not in path.parts} == {
        path: time for path, time in before.items() if "funnel" not in path.parts
    }


@pytest.mark.slow
def test_stages_are_those_of_the_suites(undisturbed: FactoryOutcome, tmp_path: Path, embeddings_cache: Path) -> None:
    """The pool seals the bytes that a pytest session seals: the suites and the command judge the same claims alike."""
    session = SessionTerminal(tmp_path, embeddings_cache).run(
        None,
        *("--harness-corpus=mini", "--harness-problems=0:3", "--harness-run=run", "--harness-gate=none"),
        *(f"--harness-formalizations={name}" for name in MINI[1:]),
        *("-m", "formalization or mutation or variant"),
    )
    assert session.status == 0, session.output
    stages = ("formalization", "oracles", "mutation", "variant")
    sealed = {path: data for path, data in undisturbed.files().items() if path.partition("/")[0] in stages}
    run = tmp_path / "runs" / "run"
    assert {path: (run / path).read_bytes() for path in sealed} == sealed
    assert len(sealed) >= 16
