"""The audits of flawed solutions that a run has sealed in its stage `label`, so that nothing is audited twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from harness.domain import Status, Verdict
from harness.json_form import read_record
from harness.stages import LABEL, MUTATION

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.store.run_folder import RunFolder

CleanRecords = frozenset[int]
"""The places, from zero, of the records of a file whose audit is clean."""


def clean_records(run: RunFolder) -> Mapping[str, CleanRecords]:
    """Return the clean records of each file of flawed solutions whose very bytes the run has audited.

    A file that was not audited, or changed since, is left out; so is all where the stage is not sealed.

    Raises:
        HarnessError: a sealed file was changed.
    """
    if not (run.stage(LABEL).sealed and run.stage(MUTATION).sealed):
        return {}
    told = run.stage(LABEL).manifest().get("audited")
    audited = {sha256: name for name, sha256 in told.items()} if isinstance(told, dict) else {}
    made = run.stage(MUTATION).manifest()["files"]
    files = {audited[entry["sha256"]]: file for file, entry in made.items() if entry["sha256"] in audited}
    clean: dict[str, set[int]] = {file: set() for file in files.values()}
    for line in run.stage(LABEL).stream("verdicts.jsonl"):
        verdict = read_record(Verdict, json.loads(line))
        name, _, place = verdict.left.rpartition("#")
        if name in files and verdict.status is Status.CONFIRMED and not verdict.findings:
            clean[files[name]].add(int(place))
    return {file: frozenset(places) for file, places in clean.items()}
