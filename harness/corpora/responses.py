"""Reading of model responses from JSONL files and folders; every rejected record is reported."""

import itertools
from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from harness.corpora.problems import read_records, record_files
from harness.domain import Response
from harness.errors import HarnessError
from harness.json_form import LONGEST_NAME
from harness.program.refusal import RefusalReason
from harness.store.spool import ReadOnDemand, Spool
from harness.text.characters import kind_of

SUFFIXES = {".py", ".txt", ".json"}
EQUATION = "equation"
"""The field of corpora whose problems have an equation, the model that it is an answer of, and its dialect."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A record that is no formalization, with its source and the typed reason."""

    source: str
    problem_id: str
    model: str
    reason: str


def read_responses(
    paths: Iterable[Path], generated: Iterable[Response | Rejection] = ()
) -> Iterator[tuple[str, Response | Rejection]]:
    """Yield the source and content of each record `{problem_id, model, response}` of files, and of folders `PROBLEM_ID/MODEL.{py,txt,json}`.

    A file holds lines of JSON, plain or `.gz`, or is a table in Parquet or Arrow; a folder may hold such files, too. A record of a
    corpus with an `equation`, such as `( 8.0 - 3.0 )`, and no response is the formalization of its author; its model is `equation`.
    `generated` are responses generated in this process; they follow those from files.
    A path that does not exist, or no record in all of them, is a `HarnessError`.
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
        raise HarnessError(
            f"no formalizations in {', '.join(map(str, sources))}; expected JSONL records {{problem_id, model, response}} or folders PROBLEM_ID/MODEL.py"
        )


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
        raise HarnessError(
            f"formalizations {str(path)!r}: no such file or folder; give a file of JSON lines, Parquet or Arrow, a folder of such files or of PROBLEM_ID/MODEL.py, or annotation"
        )
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
    dialect, tier, saw = record.get("dialect"), record.get("tier"), record.get("saw_solution")
    return Response(
        record["problem_id"],
        record["model"],
        record["response"],
        dialect if isinstance(dialect, str) else None,
        tier if type(tier) is int else None,
        saw_solution=saw if type(saw) is bool else None,
    )


def _name(record: dict[str, Any], key: str) -> str:
    return str(record.get(key, "?"))[:LONGEST_NAME]


class SpooledResponses(Mapping[str, Mapping[str, Response]]):
    """The accepted responses by problem and model, in temporary files: the first of each model in the order of the files.

    `rejections` counts the records that are rejected for themselves, `first_rejection` is the first of them; a second answer of a model
    is one only among those of its problem. `made_by` names the formalizers that wrote responses in this process.
    """

    def __init__(
        self, paths: Iterable[Path], known: Iterable[str], generated: Iterable[Response | Rejection] = ()
    ) -> None:
        """Read responses; `known` are the ids of the whole corpus in its order. Errors as in `read_responses`; a full disk is a `StorageError`."""
        self._known = known if isinstance(known, Mapping) else dict.fromkeys(known)
        self._responses, self._rejected = Spool[tuple[str, Response]](), Spool[Rejection]()
        self._accepted_of: dict[str, array[int]] = {}
        self._rejected_of: dict[str, array[int]] = {}
        self._models, numbers = array("L"), dict[str, int]()
        self._last: tuple[str, dict[str, Response], list[Rejection]] = ("", {}, [])
        self.made_by: set[str] = set()
        for source, response in read_responses(paths, generated):
            problem_id = response.problem_id
            if isinstance(response, Response) and problem_id in self._known:
                if response.made:
                    self.made_by.add(response.model)
                self._models.append(numbers.setdefault(response.model, len(numbers)))
                self._accepted_of.setdefault(problem_id, array("L")).append(len(self._responses))
                self._responses.append((source, response))
                continue
            if isinstance(response, Response):
                reason = f"{RefusalReason.UNKNOWN_PROBLEM}: the corpus has no problem {problem_id!r}"
                response = Rejection(source, problem_id, response.model, reason)
            self._rejected_of.setdefault(problem_id, array("L")).append(len(self._rejected))
            self._rejected.append(response)
        self._names, self.rejections = list(numbers), len(self._rejected)
        self.first_rejection = self._rejected[0] if self.rejections else None

    def __len__(self) -> int:
        return len(self._accepted_of)

    def __iter__(self) -> Iterator[str]:
        return filter(self._accepted_of.__contains__, self._known)

    def __contains__(self, problem_id: object) -> bool:
        return problem_id in self._accepted_of

    def __getitem__(self, problem_id: str) -> Mapping[str, Response]:
        if problem_id not in self:
            raise KeyError(problem_id)
        return self._answers(problem_id)[1]

    def models(self, problem_id: str) -> list[str]:
        """Return the models that answered a problem, sorted, without reading what they said."""
        return sorted({self._names[self._models[number]] for number in self._accepted_of.get(problem_id, ())})

    def _answers(self, problem_id: str) -> tuple[str, dict[str, Response], list[Rejection]]:
        """Return the accepted answers to a problem and the repeats; claims come problem by problem, so that the last one is kept."""
        if self._last[0] != problem_id:
            accepted: dict[str, Response] = {}
            repeated: list[Rejection] = []
            for number in self._accepted_of.get(problem_id, ()):
                source, response = self._responses[number]
                first = accepted.setdefault(response.model, response)
                if first is not response:
                    same = ", the same," if response.text == first.text else ""
                    reason = f"{RefusalReason.DUPLICATE}: a second response{same} of this model; the first is judged"
                    repeated.append(Rejection(source, problem_id, response.model, reason))
            self._last = problem_id, accepted, repeated
        return self._last

    def rejected(
        self, selected: Iterable[str], formalizers: Iterable[str]
    ) -> Mapping[str, Mapping[tuple[str, str], Rejection]]:
        """Return the rejected records that name a selected problem or one that the corpus lacks, by problem and by (problem, name).

        The name is `model#n`, n counting the records of a model from two; a formalizer's refusal keeps its name.
        """
        chosen = selected if isinstance(selected, Mapping) else frozenset(selected)
        own = {name for name in self._rejected_of if name in chosen or name not in self._known}
        own.update(name for name in chosen if len(self._accepted_of.get(name, ())) > len(self.models(name)))
        return ReadOnDemand(
            dict.fromkeys(sorted(own)), partial(self._named_rejections, formalizers=frozenset(formalizers))
        )

    def _named_rejections(self, problem_id: str, formalizers: frozenset[str]) -> Mapping[tuple[str, str], Rejection]:
        used = self.get(problem_id, {})
        found: dict[tuple[str, str], Rejection] = {}
        counted: dict[str, Iterator[int]] = {}
        for rejection in sorted(self.rejections_of(problem_id), key=lambda rejected: (rejected.model, rejected.reason)):
            model = rejection.model
            numbered = (f"{model}#{number}" for number in counted.setdefault(model, itertools.count(2)))
            # A formalizer gives one answer a problem, so that its refusal needs no number.
            names = itertools.chain([model] if rejection.source in formalizers else [], numbered)
            name = next(name for name in names if name not in used and (problem_id, name) not in found)
            found[(problem_id, name)] = rejection
        return dict(sorted(found.items()))

    def rejections_of(self, problem_id: str) -> list[Rejection]:
        """Return the rejected records that name a problem, repeats of an answer among them."""
        own = [self._rejected[number] for number in self._rejected_of.get(problem_id, ())]
        return own + (self._answers(problem_id)[2] if problem_id in self else [])
