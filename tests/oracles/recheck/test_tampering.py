"""Tests of the re-check on tampered records: every field of every kind, changed by rule, is refused."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.tampering import FREE, fits_file, tampered
from harness.domain import Status
from harness.records.content_digest import with_digest
from harness.solution.phrases.explanation_phrases import explanation_phrases, filled_phrases
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.file_consistency import FileConsistency
from oracles.recheck.record_recheck import recheck
from tests.cases import cases
from tests.certified_records import certified_flaw_records, certified_variant_records

Z3 = open_solver(SolverName.Z3)
KINDS = {
    "computational": lambda: [record for record in certified_flaw_records() if record["certificate"]["mutant"] is None],
    "conceptual": lambda: [
        record for record in certified_flaw_records() if record["certificate"]["mutant"] is not None
    ],
    "variant": lambda: list(certified_variant_records()),
}
SIZES = [1, pytest.param(4, marks=pytest.mark.slow)]
"""So many records of each kind are tampered with."""
BOUND = ("label", "flawed_solution", "solution", "core", "gold", "models", "certificate.mutant", "certificate.stated")
"""Fields that no computing of the digest anew makes acceptable when one word, number, sign or line is changed."""
PARAPHRASES = {"reasoning_trace": ("of a", "sentence")}
"""Fields that may say the same in other words, which another record of the problem or fewer quotes lend."""


@cases("kind", KINDS)
def test_what_the_pipeline_makes_is_confirmed(kind: str) -> None:
    """Each record that the pipeline makes is confirmed."""
    refused = [
        (found.reason, record)
        for record in KINDS[kind]()[::7]
        if (found := recheck(record, Z3)).status is not Status.CONFIRMED
    ]
    assert not refused, refused[0]


@pytest.mark.parametrize("size", SIZES)
@cases("kind", KINDS)
def test_no_tampered_field_is_accepted(size: int, kind: str) -> None:
    """At least two hundred ways to change a field of four records, none of which the re-check accepts, each refused in one line."""
    ways = set()
    for change in tampered(kind, KINDS[kind](), size, resealed=False):
        found = recheck(change.record, Z3)
        ways.add((change.kind, change.field, change.rule))
        assert found.status is not Status.CONFIRMED, (change.field, change.rule)
        assert found.reason
        assert "\n" not in found.reason, found.reason
    assert len(ways) >= 50 * size


@pytest.mark.parametrize("size", SIZES)
@cases("kind", KINDS)
def test_a_digest_computed_anew_hides_nothing_that_is_labelled(size: int, kind: str) -> None:
    """Whoever changes a label, a solution or a value, and computes the digest too, is refused for what the field says."""
    accepted: Counter[tuple[str, str]] = Counter()
    tried = 0
    records = KINDS[kind]()
    for change in tampered(kind, records, size, resealed=True):
        if change.field.partition(".")[0] in FREE[change.kind]:
            continue
        tried += 1
        if recheck(change.record, Z3).status is not Status.CONFIRMED:
            continue
        # What no field of the record contradicts, the other records of its file do.
        assert not change.field.startswith(BOUND), (change.field, change.rule)
        accepted[change.field, change.rule] += fits_file(change, records)
    other = {(field, rule) for field, rule in +accepted if not rule.startswith(PARAPHRASES.get(field, ()))}
    assert tried > 25 * size
    assert not other, other


def test_an_operation_too_many_is_called_by_its_name() -> None:
    """A sentence on an average, or on another operation than the one that is added, explains no such error."""
    groups = explanation_phrases("extraneous_operation")
    tried = 0
    for record in KINDS["conceptual"]():
        text = record["label"]["error_details"]["explanation"]
        told = [dict(filled.slots) | {"": filled.phrase} for filled in filled_phrases(record["operator"], text)]
        if record["operator"] != "extraneous_operation" or not told or "right" not in told[0]:
            continue
        own = {name for name, phrases in groups.items() if told[0][""] in phrases}
        for name in (
            groups.keys()
            - own
            - (
                {"halved", "averaged", "divided_again"}
                if own & {"halved", "averaged", "divided_again"}
                else {"doubled", "multiplied_again"}
            )
        ):
            phrase = next((phrase for phrase in groups[name] if re.findall(r"{(\w+)}", phrase) == ["right"]), None)
            if phrase is not None:
                tried += 1
                label = {
                    **record["label"],
                    "error_details": {
                        **record["label"]["error_details"],
                        "explanation": phrase.format(right=told[0]["right"]),
                    },
                }
                assert recheck(with_digest({**record, "label": label}), Z3).status is Status.REFUTED, phrase
    assert tried > 5


def sealed(folder: Path, records: list[dict[str, Any]]) -> Path:
    """Return the path of records in a sealed stage."""
    RunFolder(folder).stage("mutation").seal({"conceptual.jsonl": records}, {})
    return folder / "mutation" / "conceptual.jsonl"


@pytest.mark.parametrize("change", ["nothing", "bytes", "removed", "added", "moved", "twice", "foreign question"])
def test_a_file_is_what_its_manifest_sealed(change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes changed, a record removed or added, another file's records, an id twice, a problem with two questions: exit status 1, with the reason."""
    records = KINDS["conceptual"]()[:3]
    path = sealed(tmp_path, records)
    lines = path.read_text(encoding="utf-8").splitlines()
    match change:
        case "bytes":
            path.write_text("\n".join([f"{lines[0]} ", *lines[1:], ""]), encoding="utf-8")
        case "removed":
            path.write_text("\n".join([*lines[1:], ""]), encoding="utf-8")
        case "added":
            path.write_text("\n".join([*lines, json.dumps(KINDS["conceptual"]()[5]), ""]), encoding="utf-8")
        case "moved":
            path.rename(path := path.with_name("computational.jsonl"))
        case "twice":
            path = sealed(tmp_path, [*records, records[0]])
        case "foreign question":
            other = with_digest({**records[0], "question": records[0]["question"] + " "})
            path = sealed(tmp_path, [*records[1:], other])
    assert main(["recheck", str(path)]) == (0 if change == "nothing" else 1)
    shown = capsys.readouterr().out
    reason = {"twice": "flaw_id: expected an id of its own", "foreign question": "question: expected that of line 1"}
    if change != "nothing":
        assert reason.get(change, "manifest.json: expected") in shown


def variants_file(folder: Path, records: list[dict[str, Any]]) -> Path:
    """Return the path of variants in a stage that whoever changed them sealed anew."""
    RunFolder(folder).stage("variant").seal({"variants.jsonl": records}, {})
    return folder / "variant" / "variants.jsonl"


def _twins() -> tuple[list[dict[str, Any]], int]:
    """Return the variants of a problem, and the place of a near-twin whose operator has another variant above its own."""
    records = [record for record in certified_variant_records() if record["problem_id"] == "mini-018"]
    return records, next(place for place, record in enumerate(records) if record["twin_of"] is not None)


VARIANT_FILES: dict[str, str | None] = {
    "nothing": None,
    "a variant dropped": "twin_of: expected",
    "a near-twin of another variant": "twin_of: expected",
    "a near-twin above its variant": "twin_of: expected",
    "a flaw among variants": "certificate.claim: expected variant",
    "another quantity asked for": "system.answer: expected that of line",
    "another word in a solution": "solution: expected that of line",
}


@cases("change", VARIANT_FILES)
def test_variants_agree_with_the_others_of_their_file(
    change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A manifest that is written anew hides no near-twin without its variant, no row of another file, and no text that the others contradict."""
    records, place = _twins()
    twin = records[place]
    match change:
        case "a variant dropped":
            records = [record for record in records if record["variant_id"] != twin["twin_of"]]
        case "a near-twin of another variant":
            other = next(
                record["variant_id"]
                for record in records
                if record["class_label"] != 1 and record["variant_id"] != twin["twin_of"]
            )
            records[place] = with_digest({**twin, "twin_of": other})
        case "a near-twin above its variant":
            records[place - 1 : place + 1] = [twin, records[place - 1]]
        case "a flaw among variants":
            records.append(KINDS["conceptual"]()[0])
        case "another quantity asked for":
            place = next(place for place, record in enumerate(records) if place and record["class_label"] == 0)
            system = records[place]["system"]
            asked = next(step["variable"] for step in system["steps"] if step["variable"] != system["answer"])
            records[place] = with_digest({**records[place], "system": {**system, "answer": asked}})
        case "another word in a solution":
            solution = f"So much for the {twin['solution']}"
            records[place] = with_digest({**twin, "solution": solution})
    consistency = FileConsistency("variants.jsonl")
    found = [
        reason for number, record in enumerate(records, start=1) if (reason := consistency.problem(number, record))
    ]
    expected = VARIANT_FILES[change]
    assert [bool(found), expected is None or any(reason.startswith(expected) for reason in found)] == [
        expected is not None,
        True,
    ], found
    assert main(["recheck", str(variants_file(tmp_path, records))]) == int(expected is not None), (
        capsys.readouterr().out
    )
