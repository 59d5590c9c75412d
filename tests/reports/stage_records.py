"""Records of the stages that the reports read, small ones and those of the bundled corpus, and sealed runs of them."""

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.domain import Problem, Response, Status, Verdict
from harness.json_form import json_form
from harness.program.refusal import Refusal
from harness.records.provenance import SourceProvenance
from harness.records.template import TraceRecord
from harness.solution.solution_text import read_text
from harness.solution.template import read_template
from harness.solution.trace import trace_program
from harness.stages import STAGE_BY_NAME
from harness.store.run_folder import RunFolder
from reports.views.phrases import TRACE_CLAIMS
from tests.certified_records import bundled

Record = Mapping[str, Any]
Stage = dict[str, list[dict[str, Any]]]

DERIVED_FROM = ("mini-001", "mini-002", "mini-016", "mini-030")
VARIED_FROM = ("mini-001", "mini-002", "mini-013", "mini-016")
"""Problems whose variants are of every class."""
PROVENANCE: dict[str, SourceProvenance | None] = {
    "mini-001": SourceProvenance(formalized=True, oracle="birch", clique_size=5, confidence=1.2158, p_right=0.9997),
    "mini-002": SourceProvenance(formalized=True, oracle="ash", clique_size=2, confidence=0.5, p_right=0.875),
    "mini-016": SourceProvenance(formalized=False),
    "mini-030": None,
}
"""What the template of `birch` rests on, by problem: an oracle, another member, UT-1 alone, and what earlier versions recorded."""


def seal_stage(
    run: Path, stage: str, artefacts: Mapping[str, Sequence[Record]], *, label: str = "", rule: Any = None
) -> Path:
    """Write and seal a stage; artefacts that are not given are empty, `label` follows every text of the manifest.

    `rule` is how the manifest says that sources were chosen.
    """
    files: dict[str, list[dict[str, Any]]] = {name: [] for name in STAGE_BY_NAME[stage].artefacts}
    files |= {f"{name}.jsonl": list(map(dict, records)) for name, records in artefacts.items()}
    if stage == "formalization":  # whose files have the problems in one order
        places = {record["problem_id"]: place for place, record in enumerate(files["problems.jsonl"])}
        for name in ("programs.jsonl", "verdicts.jsonl", "consensus.jsonl"):
            files[name].sort(key=lambda record: places.get(record["problem_id"], len(places)))
    manifest = {
        "seed": 7,
        "versions": {f"python{label}": f"3.11{label}"},
        "options": {f"gate{label}": f"findings{label}"},
        "sources": rule,
        "counts": {
            "sources": {f"birch{label}": 4, "none": 1},
            "standings": {"oracle": 3, f"odd{label}": 1},
            "unfit": {f"no template{label}": 1},
            "templates": 3,
            "problems": 2,
            "steps": 9,
            "tiers": 2,
            "tiers as published": 1,
            "records": 9,
            "rejected": 0,
            "causes": {
                "template": {f"structure: broken-json{label}": 1, f"lines: punctuation{label}": 2},
                "label": {f"six{label}": {f"stale-number{label}": 1, f"no-such-line{label}": 2}},
            }.get(stage, {}),
            "files": {f"six{label}": {"CONFIRMED": 7, "REFUTED": 2}},
        },
    }
    RunFolder(run).stage(stage).seal(files, manifest)
    return run


def some_records(stage: Stage, problems: Sequence[str]) -> Stage:
    """Return the records of some problems of a stage."""
    return {name: [record for record in records if record["problem_id"] in problems] for name, records in stage.items()}


def copied_records(stage: Stage, copies: int, noun: str) -> Stage:
    """Return a stage without verdicts that holds each record several times, each copy of a problem of its own."""
    return {
        name: [
            {
                **record,
                "problem_id": f"{record['problem_id']}-{copy}",
                f"{noun}_id": f"{copy}{record.get(f'{noun}_id')}",
            }
            for copy in range(copies)
            for record in records
        ]
        for name, records in stage.items()
        if name != "verdicts"
    }


def program_record(problem_id: str, model: str, value: str, *, price: str = "3") -> dict[str, Any]:
    """Return a program of two parameters."""
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


def consensus_record(problem_id: str, *clique: str, **more: object) -> dict[str, Any]:
    """Return what came of a problem whose clique has these models, nobody against it unless `more` says otherwise."""
    found = {"problem_id": problem_id, "clique": list(clique), "clique_size": len(clique), "confidence": 0.0}
    return {**found, "oracle": next(iter(clique), None), "dissenters": [], "pairs": [], **more}


def verdict_record(
    claim: str, problem_id: str, left: str, right: str | None, status: str, **more: object
) -> dict[str, Any]:
    """Return a verdict, which checked one point unless `more` says otherwise."""
    record = {"claim": claim, "problem_id": problem_id, "left": left, "right": right, "status": status}
    rest = {"method": "evaluation", "checked": 1, "unsupported": 0, "reason": None}
    return {**record, **rest, "domain": None, "counterexample": None, "alignment": None, **more}


def _alignment(*, unaligned_right: Sequence[str] = ()) -> dict[str, Any]:
    aligned = [{"left": "a", "right": "a", "value": "3", "similarity": 0.93}]
    return {"aligned": aligned, "unaligned_left": [], "unaligned_right": list(unaligned_right), "runner_up": None}


@functools.cache
def formalization_records() -> Stage:
    """Return two problems: one with a clique of two and a dissenter, one that nobody solved."""
    counterexample = {"inputs": {"a|a": "3", "b|b": "1"}, "left": "7", "right": "5"}
    dissenter = {"model": "cyd", "against": "ada", "reason": "not equivalent", "counterexample": counterexample}
    unreadable = {"dialect": None, "code": "solve((", "parameters": [], "value": None}
    unreadable |= {"reason": "syntax-error: '(' was never closed (line 1)"}
    unreadable |= {"repairs": ["dropped the prose before the code"]}
    return {
        "problems": [
            {"problem_id": "p-1", "question": "How much?", "solution": "3 * 2 = 6", "gold": "6", "tier": 2},
            {"problem_id": "p-2", "question": "How many?", "solution": "4 + 4 = 8", "gold": "8", "tier": None},
        ],
        "programs": [
            *(program_record("p-1", model, "6") for model in ("ada", "bob", "cyd")),
            program_record("p-2", "ada", "9"),
            {**program_record("p-2", "bob", "9"), **unreadable},
        ],
        "verdicts": [
            *(verdict_record("ut1", "p-1", model, None, "CONFIRMED") for model in ("ada", "bob", "cyd")),
            verdict_record("ut1", "p-2", "ada", None, "REFUTED", reason="gives 9, the gold answer is 8"),
            verdict_record("ut2", "p-1", "ada", "bob", "CONFIRMED", alignment=_alignment()),
            verdict_record("ut2", "p-1", "ada", "cyd", "CONFIRMED", alignment=_alignment(unaligned_right=["rate"])),
            verdict_record("ut2", "p-1", "bob", "cyd", "CONFIRMED", alignment=_alignment()),
            verdict_record(
                *("ut3", "p-1", "ada", "bob", "CONFIRMED"),
                method="normal-form",
                domain={"a|a": "integers >= 1"},
                frozen=2,
            ),
            verdict_record("ut3", "p-1", "ada", "cyd", "REFUTED", method="hypothesis", counterexample=counterexample),
            verdict_record("ut3", "p-1", "bob", "cyd", "UNKNOWN", method="none", reason="smt: timeout after 2 s"),
        ],
        "consensus": [
            consensus_record(
                *("p-1", "ada", "bob"),
                confidence=0.8,
                dissenters=[dissenter],
                pairs=[{"left": "ada", "right": "bob", "score": 0.8}],
                p_right=0.8731,
                p_right_basis="gold_answer",
            ),
            consensus_record("p-2"),
        ],
    }


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


@functools.cache
def template_records() -> Stage:
    """Return the template stage of the bundled corpus: the templates of `birch`, and bad copies of two of them."""
    problems = {problem_id: problem for problem_id, (problem, _) in bundled().items()}
    birch = {problem_id: response.text for problem_id, (_, response) in bundled().items()}
    responses = [(problem_id, "birch", text) for problem_id, text in birch.items()]
    responses += [("mini-001", "careless", birch["mini-001"].replace("seedlings.", "seedlings!"))]
    responses += [("mini-002", "careless", birch["mini-002"].replace('_template": "', '_template": "So '))]
    stage: Stage = {"problems": [json_form(problems[problem_id]) for problem_id in birch], "traces": [], "verdicts": []}
    stage["tiers"] = [{"problem_id": problem_id, "tier": 2, "published": 1} for problem_id in birch]
    for problem_id, model, text in responses:
        trace, refusal = _traced(problems[problem_id], model, text)
        stage["traces"] += [] if trace is None else [trace]
        stage["verdicts"] += _judge(problems[problem_id], model, trace, refusal)
    return stage


@functools.cache
def mutation_records(problems: tuple[str, ...] = DERIVED_FROM) -> Stage:
    """Return the mutation stage of some problems of the bundled corpus, as the operators make it of `birch`."""
    from properties.stages.mutation import (
        MutationRun,  # as above
        make,  # loads every operator, which most tests do not need
    )

    def file_of(flaw: Record) -> str:
        is_slip = flaw["label"]["error_details"]["error_class"] == "computational_error"
        return "computational" if is_slip else "conceptual"

    return _derived_records("mutation", problems, make, MutationRun.operators, file_of)


@functools.cache
def variant_records(problems: tuple[str, ...] = VARIED_FROM) -> Stage:
    """Return the variant stage of some problems of the bundled corpus, as the operators make it of `birch`."""
    from properties.stages.variant import (
        VariantRun,  # as above
        make,  # loads every operator, which most tests do not need
    )

    return _derived_records("variant", problems, make, VariantRun.operators, lambda _: "variants")


def _derived_records(
    name: str, problems: Sequence[str], make: Any, operators: Sequence[str], file_of: Callable[[Record], str]
) -> Stage:
    stage: Stage = {file.removesuffix(".jsonl"): [] for file in STAGE_BY_NAME[name].artefacts}
    for problem, response in map(bundled().__getitem__, problems):
        problem_id = problem.problem_id
        derived = make(problem, [response], seed=0, provenance=PROVENANCE.get(problem_id))
        stage["problems"].append(json_form(problem))
        stage["discarded"] += [{"problem_id": problem_id, **change} for change in derived.discarded]
        for record in derived.records:
            stage[file_of(record)].append(record)
        fruitful = {record["operator"] for record in derived.records}
        for operator in operators:
            status = Status.CONFIRMED if operator in fruitful else Status.UNKNOWN
            stage["verdicts"].append(json_form(Verdict(name, problem_id, operator, None, status, "certificate")))
    return stage


def label_records() -> Stage:
    """Return a label stage of two findings."""
    record = {"problem_id": "p-1", "left": "six#0", "status": "REFUTED", "file": "six", "reason": None}
    findings = ({"line": "L1", "expected": "7"} | rest for rest in LABEL_FINDINGS)
    return {"flagged": [{**record, "findings": [finding]} for finding in findings]}


LABEL_FINDINGS = ({"cause": "stale-number", "found": "5"}, {"cause": "no-such-line", "found": "L9"})
STAGE_RECORDS = {
    "formalization": formalization_records,
    "template": template_records,
    "mutation": mutation_records,
    "variant": variant_records,
    "label": label_records,
}
HOSTILE_PROBLEMS = {
    "formalization": ("p-1", "p-2"),
    "template": ("mini-001", "mini-009", "mini-048"),
    "mutation": ("mini-001",),
    "variant": ("mini-001",),
    "label": ("p-1",),
}
"""The problems of each stage whose records are made hostile: reading these takes as long as all others together."""
