"""Reading of model responses from JSONL files and folders; every rejected record is reported."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import read_records, record_files
from harness.domain import Response
from harness.errors import HarnessError
from harness.program.refusal import RefusalReason
from harness.text.characters import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

SUFFIXES = {".py", ".txt", ".json"}
LONGEST_NAME = 200
EQUATION = "equation"
"""The field of corpora whose problems have an equation, the model that it is an answer of, and its dialect."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A record that is no formalization, with its source and the typed reason."""

    source: str
    problem_id: str
    model: str
    reason: str


@dataclass(frozen=True, slots=True)
class Responses:
    """The responses by problem id and model, and the rejected records."""

    accepted: Mapping[str, Mapping[str, Response]]
    rejected: tuple[Rejection, ...]


def load_responses(
    paths: Iterable[Path], known: frozenset[str], generated: Iterable[Response | Rejection] = ()
) -> Responses:
    """Read all responses of `read_responses` into memory.

    `known` are the ids of the whole corpus. A repeated (problem, model) keeps the first response; the repeat, a record
    of an unknown problem and a malformed one are rejected with a reason.

    Raises:
        HarnessError: as in `read_responses`.
    """
    accepted: dict[str, dict[str, Response]] = {}
    rejected: list[Rejection] = []
    for source, response in read_responses(paths, generated):
        if isinstance(response, Rejection):
            rejected.append(response)
        elif response.problem_id not in known:
            rejected.append(unknown_problem(source, response))
        elif response.model in accepted.get(response.problem_id, {}):
            rejected.append(repeated_response(source, response, accepted[response.problem_id][response.model]))
        else:
            accepted.setdefault(response.problem_id, {})[response.model] = response
    return Responses(accepted, tuple(rejected))


def read_responses(
    paths: Iterable[Path], generated: Iterable[Response | Rejection] = ()
) -> Iterator[tuple[str, Response | Rejection]]:
    """Yield the source and content of each record `{problem_id, model, response}` of files, and of folders `PROBLEM_ID/MODEL.{py,txt,json}`.

    A file holds lines of JSON, plain or `.gz`, or is a table in Parquet or Arrow; a folder may hold such files, too. A record of a
    corpus with an `equation`, such as `( 8.0 - 3.0 )`, and no response is the formalization of its author; its model is `equation`.
    `generated` are responses generated in this process; they follow those from files.

    Raises:
        HarnessError: a path does not exist, or all of them together hold no record.
    """
    sources, empty = list(paths), True
    for source, record in itertools.chain.from_iterable(map(_records, sources)):
        empty, response = False, _response(record)
        if isinstance(response, str):
            named = record if isinstance(record, dict) else {}
            yield source, Rejection(source, _name(named, "problem_id"), _name(named, "model"), response)
        else:
            yield source, response
    for made in generated:
        empty = False
        yield made.model, made
    if empty:
        message = f"no formalizations in {', '.join(map(str, sources))}; expected JSONL records {{problem_id, model, response}} or folders PROBLEM_ID/MODEL.py"
        raise HarnessError(message)


def unknown_problem(source: str, response: Response) -> Rejection:
    """Return the rejection of a response to a problem that the corpus lacks."""
    reason = f"{RefusalReason.UNKNOWN_PROBLEM}: the corpus has no problem {response.problem_id!r}"
    return Rejection(source, response.problem_id, response.model, reason)


def repeated_response(source: str, response: Response, first: Response) -> Rejection:
    """Return the rejection of a response after the first one of the same model to the same problem."""
    same = ", the same," if response.text == first.text else ""
    reason = f"{RefusalReason.DUPLICATE}: a second response{same} of this model; the first is judged"
    return Rejection(source, response.problem_id, response.model, reason)


def _records(path: Path) -> Iterator[tuple[str, Any]]:
    if path.is_dir():
        for file in sorted(path.glob("*/*")):
            if file.suffix in SUFFIXES and file.is_file():
                text = file.read_bytes().decode("utf-8", errors="replace")
                yield str(file), {"problem_id": file.parent.name, "model": file.stem, "response": text}
        for file in record_files(path):
            yield from _records(file)
        return
    if not path.is_file():
        message = f"formalizations {str(path)!r}: no such file or folder; give a file of JSON lines, Parquet or Arrow, a folder of such files or of PROBLEM_ID/MODEL.py, or annotation"
        raise HarnessError(message)
    for line, record in read_records(path):
        yield f"{path}:{line}", record


def _response(record: Any) -> Response | str:
    if isinstance(record, Exception):
        return f"{RefusalReason.MALFORMED_RECORD}: no JSON ({str(record)[:100]})"
    if not isinstance(record, dict):
        return f"{RefusalReason.MALFORMED_RECORD}: expected an object, found {kind_of(record)}"
    if "response" not in record and isinstance(record.get(EQUATION), str):
        record = {**record, "model": EQUATION, "response": record[EQUATION], "dialect": EQUATION}
    for key in ("problem_id", "model", "response"):
        if not isinstance(record.get(key), str) or (key != "response" and not 0 < len(record[key]) <= LONGEST_NAME):
            return f"{RefusalReason.MALFORMED_RECORD}: expected text in {key!r}, found {str(record.get(key))[:40]!r}"
    dialect, tier = record.get("dialect"), record.get("tier")
    return Response(
        record["problem_id"],
        record["model"],
        record["response"],
        dialect if isinstance(dialect, str) else None,
        tier if type(tier) is int else None,
    )


def _name(record: dict[str, Any], key: str) -> str:
    return str(record.get(key, "?"))[:LONGEST_NAME]
