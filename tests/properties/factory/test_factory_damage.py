"""`oracle-factory run` on damaged input and on a damaged run: one line that says what to do, and nothing lost."""

import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from harness.errors import HarnessError
from oracle_factory.command import main
from properties.factory.factory_run import opened_inputs
from properties.factory.options import FactoryOptions
from tests.properties.factory.factory_process import MINI, FactoryOutcome, FactoryTerminal

STAGES = ("formalization", "oracles", "mutation", "variant", "label")
MESSAGE = re.compile(r"oracle-factory run: [^\n]+\n\Z")


def _text(random: Random) -> str:
    return random.choice(["", "p", "p-1", "\ud800", "a\x00b", "../..", "<script>", "\u202e", "x" * 300, "#### 7", "0"])


def _value(random: Random) -> object:
    return random.choice([None, 0, -1.5, True, [], {}, ["p"], {"p": 1}, _text(random), 10**30, float("inf")])


def _damaged(lines: list[bytes], random: Random) -> bytes:
    """Return JSON lines with damage of a kind drawn by lot."""
    lines = list(lines)
    place = random.randrange(len(lines))

    def changed(change: Callable[[dict[str, object]], object]) -> bytes:
        record = json.loads(lines[place])
        change(record)
        return json.dumps(record).encode()

    match random.randrange(10):
        case 0:
            lines[place] = lines[place][: random.randrange(len(lines[place]))]
        case 1:
            lines.append(lines[place])
        case 2:
            lines[place] = b"\xef\xbb\xbf" + lines[place]
        case 3:
            lines[place] = bytes(random.randrange(256) for _ in range(80))
        case 4:
            lines[place] = changed(lambda record: record.pop(random.choice(sorted(record))))
        case 5:
            lines[place] = changed(lambda record: record.update({random.choice(sorted(record)): _value(random)}))
        case 6:
            lines[place] = changed(lambda record: record.update({random.choice(sorted(record)): _text(random)}))
        case 7:
            lines = lines[:0] if random.random() < 0.5 else [b"", *lines, b"   "]
        case 8:
            lines[place] = json.dumps(_value(random)).encode()
        case _:
            lines[place] = b"[" * 50_000
    return b"".join(line + b"\n" for line in lines)


@pytest.mark.parametrize("rounds", [30, pytest.param(120, marks=pytest.mark.slow)])
def test_damaged_files_are_read_or_told(rounds: int, tmp_path: Path) -> None:
    """A corpus or file of answers with any damage gives inputs, or one line that names the file, the record or its id."""
    problem = {"problem_id": "p-1", "question": "3 bags of 4 pens, 2 lost. How many?", "answer": "3*4-2=10\n#### 10"}
    problems = [json.dumps({**problem, "problem_id": f"p-{number}"}).encode() for number in range(3)]
    answers = [
        json.dumps(
            {"problem_id": f"p-{number}", "model": "m", "response": "def solve(a: int = 10):\n return a"}
        ).encode()
        for number in range(3)
    ]
    random, told = Random(0), 0
    for number in range(rounds):
        corpus, given = tmp_path / f"corpus-{number}.jsonl", tmp_path / f"answers-{number}.jsonl"
        corpus.write_bytes(_damaged(problems, random) if number % 2 else b"\n".join(problems))
        given.write_bytes(b"\n".join(answers) if number % 2 else _damaged(answers, random))
        options = FactoryOptions(corpus=str(corpus), answers=[str(given)], out=tmp_path / f"run-{number}")
        try:
            inputs = opened_inputs(options)
        except HarnessError as error:
            told, message = told + 1, str(error)
        else:
            message = ""
            assert inputs.problems
        assert "\n" not in message
        assert not message or corpus.name in message or given.name in message
    assert rounds / 10 < told < rounds


@pytest.fixture
def finished(undisturbed: FactoryOutcome, tmp_path: Path) -> Path:
    """Return a copy of a finished run."""
    return shutil.copytree(undisturbed.run, tmp_path / "run")


def _again(run: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Return the status of the same command again, and what it told."""
    told = io.StringIO()
    monkeypatch.setattr("sys.stderr", told)
    return main(["run", *MINI, "--problems", "0:3", "--out", str(run), "-j1"]), told.getvalue()


def test_sealed_run_is_shown_again(undisturbed: FactoryOutcome, embeddings_cache: Path) -> None:
    """The same command on a finished run makes nothing, and shows it again."""
    manifests = [path for path in undisturbed.run.glob("*/manifest.json") if path.parent.name != "funnel"]
    before = {path: path.stat().st_mtime_ns for path in manifests}
    again = FactoryTerminal(undisturbed.run.parent, embeddings_cache).run()
    assert again.status == 0, again.stderr
    assert again.stderr.count(": sealed before\n") == 5
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_changed_stages_are_told(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file of each sealed stage that is changed, cut or missing ends the command with a line that names it and the way out."""
    random = Random(0)
    for stage in STAGES:
        for path in sorted((finished / stage).iterdir()):
            whole = path.read_bytes()
            # A stage without its manifest is unfinished, and the manifest itself is what everything is compared with.
            match 0 if path.name == "manifest.json" else random.randrange(3):
                case 0:
                    path.write_bytes(whole[: len(whole) // 2] or b"{}\n")
                case 1:
                    path.write_bytes(whole.replace(b"a", b"b", 1) + b"\n")
                case _:
                    path.unlink()
            status, told = _again(finished, monkeypatch)
            remade = finished / ("formalization" if stage == "oracles" else stage)
            last = told.splitlines(keepends=True)[-1]
            assert (status, bool(MESSAGE.fullmatch(last)), "Traceback" in told) == (2, True, False), told
            assert str(path) in last
            assert f"remove the folder {remade}: the same command makes it again" in last
            path.write_bytes(whole)


@pytest.mark.slow
def test_the_way_out_leads_there(
    finished: Path, undisturbed: FactoryOutcome, embeddings_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage whose folder is removed is made again, with the same bytes; so are datasets that were changed or cut short."""
    before = undisturbed.files()
    (finished / "label" / "verdicts.jsonl").write_text("")
    assert _again(finished, monkeypatch)[0] == 2
    shutil.rmtree(finished / "label")
    (finished / "datasets" / "level-5" / "train.jsonl").write_text("{}\n")
    (finished / "datasets" / ".x.1.partial").write_text("")
    assert FactoryTerminal(finished.parent, embeddings_cache).run().files() == before
    (finished / "datasets" / "manifest.json").write_text("{")
    (finished / "datasets" / "notes.txt").write_text("my own")
    status, told = _again(finished, monkeypatch)
    assert (status, (finished / "datasets" / "notes.txt").read_text()) == (2, "my own")
    assert "notes.txt: is no part of the datasets; move it away, and the same command continues from there" in told


def test_other_thresholds_are_told_by_their_options(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thresholds that differ from those that a stage was made with are named as this command names them."""
    told = io.StringIO()
    monkeypatch.setattr("sys.stderr", told)
    given = ["run", *MINI, "--problems", "0:3", "--min-clique", "2", "--out", str(finished), "-j1"]
    assert main(given) == 2
    assert "another --out, or remove the folder of the stage" in told.getvalue()
    assert "--harness" not in told.getvalue()


def test_a_defect_names_its_problem(tmp_path: Path, embeddings_cache: Path) -> None:
    """An error of the machinery in a process of the pool ends the run with the problem, the error and the way on."""
    (tmp_path / "killer").mkdir()
    (tmp_path / "killer" / "sitecustomize.py").write_text(DEFECT)
    ended = FactoryTerminal(tmp_path, embeddings_cache).run(limit="1:2", also=tmp_path / "killer")
    assert ended.status == 2
    last = ended.stderr.splitlines()[-1]
    assert "problem 'mini-002': mutation " in last
    assert "(MalformedRecordError in " in last
    assert 'leave the problem out by --exclude FILE with ["mini-002"]' in last
    assert "Traceback" not in ended.stderr


DEFECT = """
import generators.flaws.enumeration as enumeration
from harness.json_form import MalformedRecordError

whole = enumeration.flaws_of

def fail(source, **options):
    if source.problem.problem_id == "mini-002":
        raise MalformedRecordError("field", "something", "else")
    return whole(source, **options)

enumeration.flaws_of = fail
"""
