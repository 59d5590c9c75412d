"""Selection of the candidates to export, with each reviewer's decision or draft, and JSON list files."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.store.run_folder import dump, write_lines
from reports.review.candidates.candidates import Candidate, Candidates, CandidateTexts
from reports.review.exchange.judgement_merge import ImportedJudgement
from reports.review.state.decisions import Decision
from reports.review.state.review_state import ReviewState

LARGEST_FILE = 2_000_000_000


@dataclass(frozen=True, slots=True)
class ExportedCandidate:
    """A candidate, and what each reviewer decided or drafted, in the order of their names."""

    candidate: Candidate
    judgements: tuple[ImportedJudgement, ...]

    @property
    def own(self) -> CandidateTexts:
        """Return the texts that the candidate came with."""
        return CandidateTexts.of_record(self.candidate.record)


def exported_candidates(state: ReviewState, candidates: Candidates, undecided: int) -> Iterator[ExportedCandidate]:
    """Yield every candidate with a decision or a draft, and the first `undecided` of each shortlist, by id.

    Of a reviewer who skipped a candidate and typed on, the text typed last goes out.

    Raises:
        HarnessError: a file of candidates was changed.
    """
    said: defaultdict[str, dict[tuple[str, str], ImportedJudgement]] = defaultdict(dict)
    for draft in state.drafts():
        said[draft.candidate_id][draft.version, draft.reviewer] = ImportedJudgement(
            where="",
            candidate_id=draft.candidate_id,
            version=draft.version,
            reviewer=draft.reviewer,
            decision=None,
            texts=draft.texts,
            seconds=draft.seconds,
        )
    for entry in state.standing():
        key, ruling = (entry.version, entry.reviewer), entry.ruling
        typed = said[entry.candidate_id].get(key)
        texts = ruling.texts if typed is None or ruling.decision is not Decision.SKIP else typed.texts
        said[entry.candidate_id][key] = ImportedJudgement(
            where="",
            candidate_id=entry.candidate_id,
            version=entry.version,
            reviewer=entry.reviewer,
            decision=ruling.decision,
            texts=texts,
            override=ruling.override,
            reason=ruling.reason,
            note=ruling.note,
            seconds=entry.seconds,
        )
    shortlisted = candidates.shortlists(undecided) if undecided else []
    for candidate_id in sorted({*said, *shortlisted}):
        candidate = candidates.find(candidate_id)
        if candidate is not None:
            found = said.get(candidate_id, {})
            own = sorted(key for key in found if key[0] == candidate.version)
            if own or candidate_id in shortlisted:
                yield ExportedCandidate(candidate, tuple(found[key] for key in own))


def write_json_list(path: Path, records: Iterator[dict[str, Any]]) -> int:
    """Write records as one JSON list, one a line, whole or not at all; return how many.

    Raises:
        HarnessError: the file cannot be written.
    """

    def parts() -> Iterator[str]:
        yield "["
        for place, record in enumerate(records):
            yield f"{',' if place else ''}\n{dump(record)}"
        yield "\n]\n"

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return int(write_lines(path, parts())["records"]) - 2
    except OSError as error:
        raise HarnessError(f"{path}: cannot be written ({error}); give another by --out") from None


def read_json_list(path: Path) -> Sequence[Any]:
    """Read a file that holds one JSON list.

    Raises:
        HarnessError: it cannot be read, or is none.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise HarnessError(f"{path}: expected at most {LARGEST_FILE:,} bytes; import it in parts")
        read = json.loads(path.read_bytes().decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError) as error:
        raise HarnessError(f"{path}: cannot be read as JSON ({str(error)[:200]})") from None
    if not isinstance(read, list):
        raise HarnessError(f"{path}: expected a JSON list, found {type(read).__name__}")
    return read
