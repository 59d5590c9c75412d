"""Fixtures of the report tests: sealed runs that are small, hostile, or made from the bundled corpus."""

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.domain import Problem, Response, Status, Verdict
from harness.json_form import json_form
from harness.program.refusal import Refusal
from harness.records.template import TraceRecord
from harness.solution.solution_text import read_text
from harness.solution.template import read_template
from harness.solution.trace import trace_program
from harness.store.run_folder import RunFolder
from tests.reports.hostile import HOSTILE, HOSTILE_PROSE, hostile_artefacts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

Record = Mapping[str, Any]
Seal = Callable[[Path, Mapping[str, Sequence[Record]]], Path]

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
ARTEFACTS = ("problems", "programs", "verdicts", "consensus", "oracles")


def _seal(run: Path, artefacts: Mapping[str, Sequence[Record]], *, label: str = "") -> Path:
    stage = run / "formalization"
    stage.mkdir(parents=True)
    files = {}
    for name in ARTEFACTS:
        records = artefacts.get(name, ())
        content = "".join(json.dumps(record) + "\n" for record in records).encode("ascii")
        (stage / f"{name}.jsonl").write_bytes(content)
        files[f"{name}.jsonl"] = {"sha256": hashlib.sha256(content).hexdigest(), "records": len(records)}
    manifest = {
        "stage": "formalization",
        "sealed": True,
        "seed": 7,
        "versions": {f"python{label}": f"3.11{label}"},
        "options": {f"gate{label}": f"findings{label}"},
        "counts": {},
        "files": files,
    }
    (stage / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return run


def _program(problem_id: str, model: str, value: str, *, price: str = "3") -> Record:
    return {
        "problem_id": problem_id,
        "model": model,
        "dialect": "parametric",
        "code": f"def solve(a: int = {price}, b: int = 2):\n    # L1\n    return a * b",
        "parameters": [
            {"name": "a", "value": price, "type": "int", "provenance": "question", "comment": "price"},
            {"name": "b", "value": "2", "type": "int", "provenance": "world_knowledge", "comment": "pieces"},
        ],
        "value": value,
        "reason": None,
        "repairs": [],
    }


def _unreadable(problem_id: str, model: str) -> Record:
    reason = "syntax-error: '(' was never closed (line 1)"
    return {
        "problem_id": problem_id,
        "model": model,
        "dialect": None,
        "code": "solve((",
        "parameters": [],
        "value": None,
        "reason": reason,
        "repairs": ["dropped the prose before the code"],
    }


def _verdict(claim: str, problem_id: str, left: str, right: str | None, status: str, **more: object) -> Record:
    record = {"claim": claim, "problem_id": problem_id, "left": left, "right": right, "status": status}
    rest = {"method": "evaluation", "checked": 1, "unsupported": 0, "reason": None, "error_bound": None}
    return {**record, **rest, "domain": None, "counterexample": None, "alignment": None, **more}


def _alignment(*, unaligned_right: Sequence[str] = ()) -> Record:
    aligned = [{"left": "a", "right": "a", "value": "3", "similarity": 0.93}]
    return {"aligned": aligned, "unaligned_left": [], "unaligned_right": list(unaligned_right), "runner_up": None}


def _small() -> dict[str, list[Record]]:
    counterexample = {"inputs": {"a|a": "3", "b|b": "1"}, "left": "7", "right": "5"}
    return {
        "problems": [
            {"problem_id": "p-1", "question": "How much?", "solution": "3 * 2 = 6", "gold": "6", "tier": 2},
            {"problem_id": "p-2", "question": "How many?", "solution": "4 + 4 = 8", "gold": "8", "tier": None},
        ],
        "programs": [
            *(_program("p-1", model, "6") for model in ("ada", "bob", "cyd")),
            _program("p-2", "ada", "9"),
            _unreadable("p-2", "bob"),
        ],
        "verdicts": [
            *(_verdict("ut1", "p-1", model, None, "CONFIRMED") for model in ("ada", "bob", "cyd")),
            _verdict("ut1", "p-2", "ada", None, "REFUTED", reason="gives 9, the gold answer is 8"),
            _verdict("ut2", "p-1", "ada", "bob", "CONFIRMED", alignment=_alignment()),
            _verdict("ut2", "p-1", "ada", "cyd", "CONFIRMED", alignment=_alignment(unaligned_right=["rate"])),
            _verdict("ut2", "p-1", "bob", "cyd", "CONFIRMED", alignment=_alignment()),
            _verdict(
                *("ut3", "p-1", "ada", "bob", "CONFIRMED"),
                method="schwartz-zippel",
                error_bound="2^-122",
                domain={"a|a": "integers >= 1"},
                frozen=2,
            ),
            _verdict("ut3", "p-1", "ada", "cyd", "REFUTED", method="hypothesis", counterexample=counterexample),
            _verdict("ut3", "p-1", "bob", "cyd", "UNKNOWN", method="none", reason="smt: timeout after 2 s"),
        ],
        "consensus": [
            {
                "problem_id": "p-1",
                "clique": ["ada", "bob"],
                "clique_size": 2,
                "confidence": 0.8,
                "oracle": "ada",
                "dissenters": [
                    {"model": "cyd", "against": "ada", "reason": "not equivalent", "counterexample": counterexample}
                ],
                "pairs": [{"left": "ada", "right": "bob", "score": 0.8}],
            },
            {
                "problem_id": "p-2",
                "clique": [],
                "clique_size": 0,
                "confidence": 0.0,
                "oracle": None,
                "dissenters": [],
                "pairs": [],
            },
        ],
    }


MINI = Path(__file__).parents[2] / "corpora" / "mini"
TRACE_CLAIMS = ("answer", "structure", "provenance", "graph", "lines")


def _mini(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (MINI / name).read_text(encoding="utf-8").splitlines()]


def _traced(problem: Problem, model: str, text: str) -> tuple[Record | None, str | None]:
    """Return the trace of a template, or why it has none."""
    try:
        template = read_template(Response(problem.problem_id, model, text))
        trace = trace_program(template.program)
    except Refusal as refusal:
        return None, str(refusal)
    text = read_text(problem, template, trace)
    return json_form(TraceRecord.of_trace(problem.problem_id, model, problem.tier, trace, text)), None


def _judge(problem: Problem, model: str, trace: Record | None, refusal: str | None) -> list[Record]:
    """Return a verdict of each claim; what the trace says against one is its reason."""
    against: dict[str, str | None] = dict.fromkeys(TRACE_CLAIMS, refusal)
    if trace is not None:
        if trace["dead"]:
            against["graph"] = f"the answer does not depend on {', '.join(trace['dead'])}"
        if trace["mismatches"]:
            against["lines"] = f"{len(trace['mismatches'])} of {len(trace['lines'])} lines differ"
    verdicts = []
    for claim, reason in against.items():
        unsure = trace is None and claim != "structure"
        status = Status.CONFIRMED if reason is None else Status.UNKNOWN if unsure else Status.REFUTED
        record = json_form(Verdict(claim, problem.problem_id, model, None, status, "template", 1, reason=reason))
        if claim == "provenance" and problem.problem_id == "mini-009":
            record["findings"] = [{"line": "L2", "cause": "no such value", "found": "7", "expected": "17"}]
        verdicts.append(record)
    return verdicts


def _templates() -> dict[str, list[Record]]:
    """Return the template stage of the bundled corpus: what `birch` said of each problem, and of two a bad copy."""
    problems = {}
    for record in _mini("problems.jsonl"):
        solution, _, gold = record["answer"].rpartition("####")
        problem_id = record["problem_id"]
        problems[problem_id] = Problem(problem_id, record["question"], solution.strip(), gold.strip(), record["tier"])
    responses = [(one["problem_id"], one["model"], one["response"]) for one in _mini("formalizations.jsonl")]
    birch = {problem_id: text for problem_id, model, text in responses if model == "birch"}
    said = [(problem_id, "birch", text) for problem_id, text in birch.items()]
    said += [("mini-001", "careless", birch["mini-001"].replace("seedlings.", "seedlings!"))]
    said += [("mini-002", "careless", birch["mini-002"].replace('_template": "', '_template": "So '))]
    stage: dict[str, list[Record]] = {"traces": [], "verdicts": []}
    for problem_id, model, text in said:
        trace, refusal = _traced(problems[problem_id], model, text)
        stage["traces"] += [] if trace is None else [trace]
        stage["verdicts"] += _judge(problems[problem_id], model, trace, refusal)
    keys = ("problem_id", "question", "solution", "gold", "tier")
    stage["problems"] = [{key: getattr(problems[problem_id], key) for key in keys} for problem_id in birch]
    return stage


def _seal_templates(run: Path, artefacts: Mapping[str, Sequence[Record]], *, label: str = "") -> Path:
    files = {f"{name}.jsonl": list(map(dict, records)) for name, records in artefacts.items()}
    manifest = {"seed": 7, "versions": {f"python{label}": f"3.11{label}"}, "options": {}}
    RunFolder(run).stage("template").seal(files, manifest)  # type: ignore[arg-type]  # lists are iterables of records
    return run


@pytest.fixture(scope="session")
def templates() -> dict[str, list[Record]]:
    """Return the records of a template stage of the bundled corpus."""
    return _templates()


@pytest.fixture
def seal_templates() -> Seal:
    """Write and seal a template stage from lists of records."""
    return _seal_templates


@pytest.fixture
def template_run(tmp_path: Path, templates: dict[str, list[Record]]) -> Path:
    """Return a run with the template stage of the bundled corpus."""
    return _seal_templates(tmp_path / "runs" / "mini", templates)


@pytest.fixture
def hostile_template_run(tmp_path: Path, templates: dict[str, list[Record]]) -> Path:
    """Return three problems of the template stage with hostile text in every field, in its manifest and in its name."""
    wanted = {"mini-001", "mini-009", "mini-048"}
    artefacts = {
        name: [record for record in records if record["problem_id"] in wanted] for name, records in templates.items()
    }
    folder = tmp_path / "runs" / "<img src=x onerror=alert(1)>[bold]"
    return _seal_templates(folder, hostile_artefacts(artefacts), label=HOSTILE)


@pytest.fixture(scope="session")
def flawed() -> dict[str, list[dict[str, Any]]]:
    """Return the records of a mutation stage of a few problems."""
    from tests.reports.flawed import mutation_records  # loads every operator, which most tests need not

    return mutation_records()


@pytest.fixture
def mutation_run(tmp_path: Path, flawed: dict[str, list[dict[str, Any]]]) -> Path:
    """Return a run with the mutation stage of a few problems."""
    from tests.reports.flawed import seal_mutation  # as above

    return seal_mutation(tmp_path / "runs" / "flawed", flawed)


@pytest.fixture
def hostile_mutation_run(tmp_path: Path, flawed: dict[str, list[dict[str, Any]]]) -> Path:
    """Return the mutation stage of a problem with hostile text in every field, in its manifest and in its name."""
    from tests.reports.flawed import seal_mutation  # as above

    artefacts = {
        name: [record for record in records if record["problem_id"] == "mini-001"] for name, records in flawed.items()
    }
    folder = tmp_path / "runs" / "<img src=x onerror=alert(1)>[bold]"
    return seal_mutation(folder, hostile_artefacts(artefacts, HOSTILE_PROSE), label=HOSTILE)


@pytest.fixture(scope="session")
def varied() -> dict[str, list[dict[str, Any]]]:
    """Return the records of a variant stage of a few problems."""
    from tests.reports.varied import variant_records  # loads every operator, which most tests need not

    return variant_records()


@pytest.fixture
def variant_run(tmp_path: Path, varied: dict[str, list[dict[str, Any]]]) -> Path:
    """Return a run with the variant stage of a few problems."""
    from tests.reports.varied import seal_variants  # as above

    return seal_variants(tmp_path / "runs" / "varied", varied)


@pytest.fixture
def hostile_variant_run(tmp_path: Path, varied: dict[str, list[dict[str, Any]]]) -> Path:
    """Return the variant stage of a problem with hostile text in every field, in its manifest and in its name."""
    from tests.reports.varied import seal_variants  # as above

    artefacts = {
        name: [record for record in records if record["problem_id"] == "mini-001"] for name, records in varied.items()
    }
    folder = tmp_path / "runs" / "<img src=x onerror=alert(1)>[bold]"
    return seal_variants(folder, hostile_artefacts(artefacts, HOSTILE_PROSE), label=HOSTILE)


@pytest.fixture
def seal() -> Seal:
    """Write and seal a run folder from lists of records."""
    return _seal


@pytest.fixture
def hostile() -> str:
    """Text that would run, style, colour or reorder if it were taken for more than text."""
    return HOSTILE


@pytest.fixture
def hostile_prose() -> str:
    """Return the hostile text without its lone surrogate, which the texts of flaws and variants cannot hold."""
    return HOSTILE_PROSE


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Two problems: one with a clique of two and a dissenter, one that nobody solved."""
    return _seal(tmp_path / "runs" / "small", _small())


@pytest.fixture
def empty_run(tmp_path: Path) -> Path:
    """Return a sealed run without a problem."""
    return _seal(tmp_path / "runs" / "empty", {})


@pytest.fixture
def hostile_run(tmp_path: Path) -> Path:
    """Return the small run with hostile text in every field, in its manifest and in its name."""
    folder = tmp_path / "runs" / "<img src=x onerror=alert(1)>[bold]"
    return _seal(folder, hostile_artefacts(_small()), label=HOSTILE)


@pytest.fixture
def many_findings_run(tmp_path: Path) -> Path:
    """Return a run of 20 findings and 12 models."""
    models = [f"model-{letter}" for letter in "abcdefghijkl"]
    verdicts = [
        _verdict("ut1", f"p-{index:02}", models[index % 12], None, "REFUTED", reason="gives 1, the gold answer is 2")
        for index in range(20)
    ]
    artefacts: dict[str, list[Record]] = {
        "problems": [
            {"problem_id": f"p-{index:02}", "question": "How much?", "solution": "", "gold": "2"} for index in range(20)
        ],
        "programs": [_program(f"p-{index:02}", model, "1") for index in range(20) for model in models],
        "verdicts": verdicts,
    }
    return _seal(tmp_path / "runs" / "many", artefacts)


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Return a headless Chromium, or skip."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def complaints() -> list[str]:
    """Collect errors, refusals and dialogs that opened pages gave rise to."""
    return []


@pytest.fixture
def page(browser: "Browser", complaints: list[str]) -> "Iterator[Page]":
    """Return an empty tab that records whatever a quiet page would not do."""
    tab = browser.new_page()

    def dismiss(dialog: Any) -> None:
        complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    tab.on("dialog", dismiss)
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    yield tab
    tab.close()
