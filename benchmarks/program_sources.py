"""Benchmark of flaws and variants from programs: parametric answers without a template, and equations without a solution."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.sessions import DATASETS, available, session, stage_options
from harness.constraint_system import ProblemClass

STAGES = "formalization or mutation or variant"
OPTIONS = {"parametric": ("--harness-problems=0:70",), "svamp": ()}
ABOUT = {
    "parametric": "Parametric answers of five models to the first 70 problems of GSM8K train, no template among them",
    "svamp": "The equations of SVAMP, whose problems have no worked solution",
}
Record = dict[str, Any]


def measure(data: Path) -> str:
    """Run the three stages on both data sets and return the figures as Markdown."""
    parts = ["## Flaws and variants from programs\n\n    python -m benchmarks program_sources"]
    for name, about in ABOUT.items():
        head = f"### {about}"
        parts.append(
            f"{head}\n\n{_measured(name, data) if available(name, data) else 'Not measured: the data are not there.'}"
        )
    return "\n\n".join(parts)


def _measured(name: str, data: Path) -> str:
    corpus, formalizations = DATASETS[name]
    shown = f'pytest -n0 -m "{STAGES}" --harness-gate=none --harness-corpus=$SHARED_DATA/{corpus} --harness-formalizations=$SHARED_DATA/{formalizations} {" ".join(OPTIONS[name])}'
    with tempfile.TemporaryDirectory() as folder:
        done = session([*stage_options(name, data, Path(folder), marker=STAGES), *OPTIONS[name]])
        run = Path(folder, name)
        if not (run / "variant" / "manifest.json").exists():
            return f"The session failed with status {done.status}:\n\n```\n{done.output[-2000:]}\n```"
        rows = [*_rows(run), ("seconds of the whole session", f"{done.seconds:,.0f}")]
    table = "\n".join(["| what | figure |", "|---|---|", *(f"| {label} | {value} |" for label, value in rows)])
    return f"    {shown.rstrip()}\n\n{table}"


def _rows(run: Path) -> list[tuple[str, str]]:
    consensus = _records(run / "formalization" / "consensus.jsonl")
    flaws = [flaw for kind in ("computational", "conceptual") for flaw in _records(run / "mutation" / f"{kind}.jsonl")]
    variants = [record for record in _records(run / "variant" / "variants.jsonl") if record["operator"] != "original"]
    flawed, varied = ({record["problem_id"] for record in records} for records in (flaws, variants))
    classes = Counter(ProblemClass(record["class_label"]).name.lower() for record in variants)
    refused = sum(
        record["status"] == "REFUTED"
        for stage in ("mutation", "variant")
        for record in _records(run / stage / "verdicts.jsonl")
    )
    unfit = json.loads((run / "mutation" / "manifest.json").read_text(encoding="utf-8"))["counts"].get("unfit", {})
    return [
        ("problems with an oracle", f"{sum(record['oracle'] is not None for record in consensus):,} of {len(consensus):,}"),
        ("problems with flaws and variants other than themselves", f"{len(flawed & varied):,}"),
        ("problems with flaws / with variants", f"{len(flawed):,} / {len(varied):,}"),
        ("flaws, each with a certificate and a clean audit", f"{len(flaws):,}"),
        ("variants, each with a certificate", f"{len(variants):,} ({', '.join(f'{n:,} {kind}' for kind, n in sorted(classes.items()))})"),
        ("operators that made something without a certificate", f"{refused:,}"),
        ("problems left out", ", ".join(f"{n:,} {why}" for why, n in sorted(unfit.items())) or "none"),
    ]  # fmt: skip


def _records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
