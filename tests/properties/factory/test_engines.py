"""The engines of a run: whichever judges a stage seals the same bytes, and the suites read what any of them sealed."""

import json
import pickle
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from harness.stages import FORMALIZATION, MUTATION, TEMPLATE, VARIANT
from properties.engine.engines import Engine, JudgedParts, LocalPool, RayCluster, StagePart, judge_part
from properties.factory.factory_run import judge_and_seal, opened_inputs
from properties.factory.options import FactoryOptions
from tests.properties.factory.factory_process import MINI, FactoryOutcome
from tests.properties.session_process import InputFiles, SessionOutcome, SessionTerminal, template_record, write_inputs

STAGES = (FORMALIZATION, TEMPLATE, MUTATION, VARIANT)
MAX_PAIRS = 1_000
MODELS = ("ash", "elm", "oak", "yew")
NOT_AGAIN = """
import properties.stages.formalization as stage

def refuse(*_):
    raise AssertionError("judged again")

stage.screen = stage.align = stage.alignment_verdict = stage.EquivalenceJudge = refuse
"""


@pytest.fixture(autouse=True)
def _shared_embeddings(embeddings_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORACLE_FACTORY_CACHE", str(embeddings_cache))


@dataclass(frozen=True)
class ShuffledParts:
    """An engine of one process that judges all parts in a random order, each as it arrives on another machine."""

    seed: int

    def judged(self, parts: Iterable[StagePart]) -> JudgedParts:
        """Yield the lines of each part."""
        sent = [(part, pickle.dumps(part)) for part in parts]
        Random(self.seed).shuffle(sent)
        for part, data in sent:
            yield part, judge_part(pickle.loads(data))  # noqa: S301  # our own bytes


def sealed_stages(
    engine: Engine, inputs: InputFiles, out: Path, stages: Iterable[str] = STAGES, *, max_pairs: int = MAX_PAIRS
) -> dict[str, bytes]:
    """Return the files of stages that an engine judged, by stage and name."""
    options = FactoryOptions(
        corpus=str(inputs.corpus), answers=[str(inputs.formalizations)], out=out, max_pairs=max_pairs
    )
    opened = opened_inputs(options)
    for name in stages:
        judge_and_seal(name, opened, engine, quiet=True)
    return {f"{name}/{path.name}": path.read_bytes() for name in stages for path in sorted((out / name).iterdir())}


def _answers(random: Random, problem_id: str, numbers: list[int]) -> Iterator[dict[str, object] | str]:
    """Yield what models answer to a problem: right, in another order, wrong, unreadable, templates, repeats, no JSON."""
    bags, apples, lost = numbers
    said = (
        f"def solve(bags: int = {bags}, apples: int = {apples}, lost: int = {lost}):\n    return bags * apples - lost",
        f"def solve(lost: int = {lost}, apples: int = {apples}, bags: int = {bags}):\n    all = apples * bags\n    return all - lost",
        f"def solve(bags: int = {bags}, apples: int = {apples}, lost: int = {lost}):\n    return bags * apples + lost",
        f"def solve(bags: int = {bags}, apples: int = {apples}):\n    return bags / (apples - {apples})",
        "I cannot write that.",
    )
    for model in random.sample(MODELS, random.randint(1, len(MODELS))):
        response: dict[str, object] = {"problem_id": problem_id, "model": model, "response": random.choice(said)}
        if random.random() < 0.2:
            body = (f"total = {bags} * {apples}", "There are {total} apples."), ("left = total - 1", "{left} are left.")
            response = template_record(problem_id, *body, model=model)
        yield response
        if random.random() < 0.1:
            yield response
    if random.random() < 0.1:
        yield "{"


def generated_inputs(folder: Path, count: int, seed: int) -> InputFiles:
    """Write a corpus of so many problems, some of them without an answer or with a wrong one, and answers of models."""
    random = Random(seed)
    problems, answers = [], []
    for number in range(count):
        bags, apples, lost = numbers = [random.randint(2, 30) for _ in range(3)]
        left = bags * apples - lost + (random.random() < 0.1)
        solution = f"There are {bags}*{apples}=<<{bags}*{apples}={bags * apples}>>{bags * apples} apples.\nThat leaves {bags * apples}-{lost}=<<{bags * apples}-{lost}={left}>>{left}.\n#### {left}"
        question = f"Mia has {bags} bags of {apples} apples and loses {lost} apples. How many apples are left?"
        problem_id = f"g-{number}"
        problems.append(
            {"problem_id": problem_id, "question": question, "answer": solution if random.random() < 0.9 else "?"}
        )
        if random.random() < 0.9:
            answers += _answers(random, problem_id, numbers)
    return write_inputs(folder, problems, answers)


@pytest.mark.parametrize("engine", [LocalPool(2), RayCluster(None, 2)], ids=["pool", "ray"])
def test_an_engine_seals_what_a_session_seals(
    engine: Engine, tiny: InputFiles, judged: SessionOutcome, tmp_path: Path
) -> None:
    """Processes of a pool and tasks of Ray seal the formalization stage with the bytes of a pytest session."""
    if isinstance(engine, RayCluster):
        pytest.importorskip("ray", reason="Ray is not installed: it is the extra `scale`")
    sealed = sealed_stages(engine, tiny, tmp_path / "run", [FORMALIZATION])
    assert sealed == {f"{FORMALIZATION}/{name}": content for name, content in judged.files().items()}


@pytest.mark.slow
def test_order_and_places_change_no_byte(tmp_path: Path) -> None:
    """On generated problems, every stage is sealed with the same bytes by a pool and by parts that arrive in any order."""
    inputs = generated_inputs(tmp_path / "inputs", 16, seed=1)
    sealed = sealed_stages(LocalPool(2), inputs, tmp_path / "pool")
    assert len(sealed) >= 20
    verdicts = [json.loads(line) for line in sealed[f"{FORMALIZATION}/verdicts.jsonl"].splitlines()]
    assert len({(verdict["claim"], verdict["status"]) for verdict in verdicts}) >= 6
    assert sealed_stages(ShuffledParts(seed=2), inputs, tmp_path / "shuffled") == sealed


def test_classes_agree_with_pairs(tmp_path: Path) -> None:
    """Where classes are compared in place of all pairs, problems keep their clique and oracle, and few pairs are judged."""
    inputs = generated_inputs(tmp_path / "inputs", 16, seed=3)
    pairs, classes = (
        sealed_stages(ShuffledParts(0), inputs, tmp_path / str(limit), [FORMALIZATION], max_pairs=limit)
        for limit in (MAX_PAIRS, 1)
    )

    def agreed(sealed: dict[str, bytes]) -> dict[str, tuple[list[str], str | None]]:
        records = map(json.loads, sealed[f"{FORMALIZATION}/consensus.jsonl"].splitlines())
        return {record["problem_id"]: (record["clique"], record["oracle"]) for record in records}

    assert agreed(pairs) == agreed(classes)
    claims = [
        Counter(json.loads(line)["claim"] for line in sealed[f"{FORMALIZATION}/verdicts.jsonl"].splitlines())
        for sealed in (pairs, classes)
    ]
    assert claims[0]["classes"] == 0 < claims[1]["classes"]
    assert claims[1]["ut3"] < claims[0]["ut3"]


def test_the_suite_reads_a_sealed_run(undisturbed: FactoryOutcome, terminal: SessionTerminal) -> None:
    """A session on a run that a pool sealed judges nothing: it reads the verdicts and passes, fails and xfails by them."""
    stage = undisturbed.run / FORMALIZATION
    before = {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in stage.iterdir()}
    session = terminal.run(
        None,
        *("--harness-corpus=mini", "--harness-problems=0:3", f"--harness-run={undisturbed.run}"),
        *(f"--harness-formalizations={name}" for name in MINI[1:]),
        *("-m", "formalization"),
        plugin=NOT_AGAIN,
    )
    statuses = Counter(json.loads(line)["status"] for line in before["verdicts.jsonl"][1].splitlines())
    expected = {"passed": statuses["CONFIRMED"], "failed": statuses["REFUTED"], "xfailed": statuses["UNKNOWN"]}
    counted = {name: session.outcomes[name] for name in (*expected, "error")}
    assert counted == {**expected, "error": 0}, session.output
    assert {path.name: (path.stat().st_mtime_ns, path.read_bytes()) for path in stage.iterdir()} == before


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
