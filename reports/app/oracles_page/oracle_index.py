"""Search index of a formalization stage: problems by query and filter, and the file offsets of their records."""

from __future__ import annotations

import enum
import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.domain import Problem, Verdict
from harness.json_form import MalformedRecordError, read_record
from harness.records.formalization import ConsensusRecord, ProgramRecord
from harness.stages import FORMALIZATION
from reports.views.artefacts import TamperedError, open_stage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from harness.json_form import RecordClass
    from reports.views.artefacts import SealedStage

PROGRAMS, VERDICTS = "programs.jsonl", "verdicts.jsonl"
LOW, SURE = 0.5, 0.99
LONGEST_QUERY, LONGEST_ADDRESS = 200, 200


class ProblemOrder(enum.StrEnum):
    """Order of the list; the values are shown on the page."""

    CORPUS = "as in the corpus"
    SURE = "p_right, highest first"
    UNSURE = "p_right, lowest first"
    CONFIDENT = "confidence, highest first"
    DOUBTFUL = "confidence, lowest first"
    CLIQUE = "clique, largest first"
    TIER = "tier, lowest first"


class ProblemFilter(enum.StrEnum):
    """Filter of the list; the values are shown on the page."""

    WITHOUT_ORACLE = "no oracle"
    DISSENT = "dissenters"
    UNSURE = "p_right below 0.99"
    LOW = "confidence below 0.5"
    GOLD_DOUBT = "doubtful gold answer"


@dataclass(frozen=True, slots=True)
class ProblemQuery:
    """A query: all words occur in id, question or the oracle's code, and all filters of `only` hold."""

    words: str = ""
    order: ProblemOrder = ProblemOrder.CORPUS
    only: frozenset[ProblemFilter] = frozenset()


@dataclass(frozen=True, slots=True)
class ListedProblem:
    """A problem of the list; `text` is searched, with its case folded."""

    problem: Problem
    consensus: ConsensusRecord | None
    answers: int
    text: str

    @property
    def problem_id(self) -> str:
        """Return the problem's id."""
        return self.problem.problem_id

    @property
    def address(self) -> str:
        """Return the problem's part of a page address: its id, or a digest if the id cannot be part of an address."""
        if self.problem_id.isprintable() and len(self.problem_id) <= LONGEST_ADDRESS:
            return self.problem_id
        return hashlib.sha256(self.problem_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def confidence(self) -> float:
        """Return the confidence score, 0 without a clique."""
        return 0.0 if self.consensus is None else self.consensus.confidence

    @property
    def p_right(self) -> float | None:
        """Return the probability that the oracle is right, `None` where there is none."""
        return None if self.consensus is None else self.consensus.p_right

    @property
    def oracle(self) -> str | None:
        """Return the model whose formalization is the oracle."""
        return None if self.consensus is None else self.consensus.oracle

    @property
    def clique_size(self) -> int:
        """Return the size of the clique, 0 without a clique."""
        return 0 if self.consensus is None else self.consensus.clique_size

    @property
    def dissenters(self) -> int:
        """Return the number of formalizations that dissent from the clique."""
        return 0 if self.consensus is None else len(self.consensus.dissenters)


@dataclass(frozen=True, slots=True)
class ProblemDetails:
    """The records of one problem."""

    listed: ListedProblem
    programs: tuple[ProgramRecord, ...]
    verdicts: tuple[Verdict, ...]

    def program(self, model: str) -> ProgramRecord | None:
        """Return the program of a model, or `None`."""
        return next((program for program in self.programs if program.model == model), None)

    def verdict(self, claim: str, left: str, right: str | None = None) -> Verdict | None:
        """Return the verdict of a claim about a program, or about a pair in either order, or `None`."""
        models = {left, right}
        return next(
            (
                verdict
                for verdict in self.verdicts
                if verdict.claim == claim and {verdict.left, verdict.right} == models
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class _Span:
    """Bytes of a file, from a line's beginning to a line's end."""

    start: int
    end: int


class OracleIndex:
    """The problems of a formalization stage; programs and verdicts are read from its files when a problem is opened."""

    def __init__(self, stage: SealedStage) -> None:
        """Read the stage once.

        Raises:
            ReportError: a line of the stage is not a record.
        """
        self.stage = stage
        consensus = {record.problem_id: record for record in stage.consensus()}
        answers: Counter[str] = Counter()
        codes: dict[str, str] = {}

        def count(program: Mapping[str, Any]) -> None:
            problem_id = program["problem_id"]
            answers[problem_id] += 1
            if problem_id in consensus and consensus[problem_id].oracle == program["model"]:
                codes[problem_id] = program.get("code") or ""

        self._programs = _spans(self._path(PROGRAMS), count)
        self._verdicts = _spans(self._path(VERDICTS))
        self.listed: tuple[ListedProblem, ...] = tuple(
            ListedProblem(
                problem,
                consensus.get(problem.problem_id),
                answers[problem.problem_id],
                "\n".join((problem.problem_id, problem.question, codes.get(problem.problem_id, ""))).casefold(),
            )
            for problem in stage.problems()
        )
        self._at: Mapping[str, ListedProblem] = {problem.address: problem for problem in self.listed}

    @classmethod
    def open(cls, run: Path) -> OracleIndex:
        """Return the index of a run's formalization stage.

        Raises:
            ReportError: the stage is missing, not sealed, or was changed after it was sealed.
        """
        return cls(open_stage(run, FORMALIZATION))

    def matching(self, query: ProblemQuery) -> list[ListedProblem]:
        """Return the problems that match a query, in its order."""
        words = query.words[:LONGEST_QUERY].casefold().split()
        problems = [
            problem
            for problem in self.listed
            if all(word in problem.text for word in words) and all(_holds(only, problem) for only in query.only)
        ]
        match query.order:
            case ProblemOrder.SURE:
                problems.sort(key=lambda problem: (problem.p_right is None, -(problem.p_right or 0)))
            case ProblemOrder.UNSURE:
                problems.sort(key=lambda problem: (problem.p_right is None, problem.p_right or 0))
            case ProblemOrder.CONFIDENT:
                problems.sort(key=lambda problem: -problem.confidence)
            case ProblemOrder.DOUBTFUL:
                problems.sort(key=lambda problem: problem.confidence)
            case ProblemOrder.CLIQUE:
                problems.sort(key=lambda problem: (-problem.clique_size, -problem.confidence))
            case ProblemOrder.TIER:
                problems.sort(key=lambda problem: (problem.problem.tier is None, problem.problem.tier or 0))
        return problems

    def details(self, address: str) -> ProblemDetails | None:
        """Return a problem with its programs and verdicts, `None` if no problem has this address.

        Raises:
            TamperedError: the files were changed since the stage was read.
        """
        listed = self._at.get(address)
        if listed is None:
            return None
        problem_id = listed.problem_id
        programs = self._read(ProgramRecord, PROGRAMS, self._programs.get(problem_id, ()))
        verdicts = self._read(Verdict, VERDICTS, self._verdicts.get(problem_id, ()))
        return ProblemDetails(listed, tuple(programs), tuple(verdicts))

    def _path(self, name: str) -> Path:
        return self.stage.run / self.stage.name / name

    def _read(self, record_class: type[RecordClass], name: str, spans: Sequence[_Span]) -> list[RecordClass]:
        path = self._path(name)
        records: list[RecordClass] = []
        try:
            with path.open("rb") as stream:
                for span in spans:
                    stream.seek(span.start)
                    lines = stream.read(span.end - span.start).split(b"\n")
                    records += [read_record(record_class, json.loads(line)) for line in lines if line.strip()]
        except (OSError, ValueError, MalformedRecordError) as error:
            raise TamperedError(
                f"{path}: changed since it was read ({type(error).__name__}): load the page again"
            ) from error
        return records


def _holds(choice: ProblemFilter, problem: ListedProblem) -> bool:
    match choice:
        case ProblemFilter.WITHOUT_ORACLE:
            return problem.oracle is None
        case ProblemFilter.DISSENT:
            return problem.dissenters > 0
        case ProblemFilter.UNSURE:
            return problem.p_right is not None and problem.p_right < SURE
        case ProblemFilter.GOLD_DOUBT:
            return problem.consensus is not None and problem.consensus.gold_doubt is not None
        case ProblemFilter.LOW:
            return problem.confidence < LOW


def _spans(path: Path, visit: Callable[[Mapping[str, Any]], None] | None = None) -> dict[str, list[_Span]]:
    """Return the byte spans of each problem's records; consecutive records share a span."""
    spans_of_problem: dict[str, list[_Span]] = {}
    last, start = "", 0
    with path.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            end = start + len(line)
            if not line.isspace():
                try:
                    record = json.loads(line)
                except ValueError as error:
                    message = (
                        f"{path}:{number}: expected one JSON object, found {error}: run the stage again in a new folder"
                    )
                    raise TamperedError(message) from error
                spans = spans_of_problem.setdefault(record["problem_id"], [])
                if spans and record["problem_id"] == last:
                    spans[-1] = _Span(spans[-1].start, end)
                else:
                    spans.append(_Span(start, end))
                last = record["problem_id"]
                if visit is not None:
                    visit(record)
            start = end
    return spans_of_problem
