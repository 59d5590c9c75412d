"""Selection of the candidates to export, with each reviewer's decision or draft, and JSON list files."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.errors import HarnessError, told_of_file
from harness.records.review import CandidateTexts, Decision, DecisionLine, DraftLine
from harness.store.run_folder import dump, write_atomically, write_lines
from harness.text.characters import kind_of
from reports.review.candidates.candidates import Candidate, Candidates
from reports.review.state.review_state import ReviewState

LARGEST_FILE = 2_000_000_000
EXAMPLES = Path("examples")
"""The folder of the labelled examples within an export: they ask other questions than candidates, so they are a dataset of their own."""


@dataclass(frozen=True, slots=True)
class ExportedCandidate:
    """A candidate with the decision or draft of each reviewer, in the order of their names."""

    candidate: Candidate
    judgements: tuple[DecisionLine | DraftLine, ...]

    @property
    def own(self) -> CandidateTexts:
        """Return the candidate's own texts."""
        return CandidateTexts.of_record(self.candidate.record)


def exported_candidates(
    state: ReviewState, candidates: Candidates | None, undecided: int
) -> Iterator[ExportedCandidate]:
    """Yield every candidate with a decision or a draft, and the first `undecided` of each shortlist, by id.

    If a reviewer skipped a candidate and typed on, the latest text is exported. Of no candidates nothing is exported.

    Raises:
        HarnessError: a file of candidates was changed.
    """
    if candidates is None:
        return
    judgements: defaultdict[str, dict[tuple[str, str], DecisionLine | DraftLine]] = defaultdict(dict)
    for draft in state.drafts():
        judgements[draft.candidate_id][draft.version, draft.reviewer] = draft
    for entry in state.standing():
        own, key = judgements[entry.candidate_id], (entry.version, entry.reviewer)
        own[key] = replace(entry, texts=own[key].texts) if key in own and entry.decision is Decision.SKIP else entry
    shortlisted = candidates.shortlists(undecided) if undecided else []
    for candidate_id in sorted({*judgements, *shortlisted}):
        candidate = candidates.find(candidate_id)
        if candidate is not None:
            own_judgements = judgements.get(candidate_id, {})
            keys = sorted(key for key in own_judgements if key[0] == candidate.version)
            if keys or candidate_id in shortlisted:
                yield ExportedCandidate(candidate, tuple(own_judgements[key] for key in keys))


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder, which is made if it is missing.

    Raises:
        HarnessError: a file cannot be written.
    """
    for name, text in files.items():
        try:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / name, text)
        except OSError as error:
            raise _unwritable(folder, error) from None


def write_json_list(path: Path, records: Iterator[dict[str, Any]]) -> int:
    """Write records as one JSON list, a record a line, atomically; return their number.

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
        raise _unwritable(path, error) from None


def exported_records(path: Path, name: str) -> Iterator[tuple[str, Any]]:
    """Return each record with its place: those of a file, or of the files `name` of an export, of candidates and of examples.

    Raises:
        HarnessError: a file cannot be read, or does not hold a JSON list.
    """
    folders = [folder for folder in (path, path / EXAMPLES) if (folder / name).exists()] or [path]
    files = (
        {(folder / name).relative_to(path): folder / name for folder in folders} if path.is_dir() else {path.name: path}
    )
    read = {shown: read_json_list(file) for shown, file in files.items()}
    return ((f"{shown}[{place}]", record) for shown, records in read.items() for place, record in enumerate(records))


def _unwritable(path: Path, error: OSError) -> HarnessError:
    return HarnessError(f"{path}: cannot be written ({told_of_file(error)}); give another path with --out")


def read_json_list(path: Path) -> Sequence[Any]:
    """Read a file that holds one JSON list.

    Raises:
        HarnessError: the file cannot be read, or does not hold a JSON list.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise HarnessError(f"{path}: expected at most {LARGEST_FILE:,} bytes; import it in parts")
        content = json.loads(path.read_bytes().decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError) as error:
        raise HarnessError(f"{path}: cannot be read as JSON ({str(error)[:200]})") from None
    if not isinstance(content, list):
        raise HarnessError(f"{path}: expected a JSON list, found {kind_of(content)}")
    return content
