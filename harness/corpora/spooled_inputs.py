"""The problems and answers of a run in temporary files, found by problem: memory holds an id and a few numbers for each."""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from harness.corpora.problems import corpus_problems, repeated_id
from harness.corpora.responses import Rejection, read_responses, repeated_response, unknown_problem
from harness.domain import Problem, Response
from harness.store.spool import Spool, grouped_places

if TYPE_CHECKING:
    from pathlib import Path

Key = tuple[str, str]
"""A problem and the name under which one of its rejected records is judged."""


class SpooledCorpus(Sequence[Problem]):
    """The problems of a corpus in its order."""

    def __init__(self, name: str) -> None:
        """Read a corpus.

        Raises:
            HarnessError: no such corpus, a broken record, a repeated id, or no records; or the disk is full.
        """
        self._problems: Spool[Problem] = Spool()
        self.places: dict[str, int] = {}
        for place, problem in enumerate(corpus_problems(name)):
            first = self.places.setdefault(problem.problem_id, place)
            if first != place:
                raise repeated_id(name, problem.problem_id, first, place)
            self._problems.append(problem)

    def __len__(self) -> int:
        return len(self._problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._problems)

    @overload
    def __getitem__(self, place: int) -> Problem: ...
    @overload
    def __getitem__(self, place: slice) -> list[Problem]: ...
    def __getitem__(self, place: int | slice) -> Problem | list[Problem]:
        return self._problems[place]


class SelectedProblems(Mapping[str, Problem]):
    """The problems at some places of a corpus by id, in its order."""

    def __init__(self, corpus: SpooledCorpus, places: Sequence[int]) -> None:
        """Take the problems at the places, which are sorted."""
        self._corpus = corpus
        whole = len(places) == len(corpus)
        self._places = corpus.places if whole else {corpus[place].problem_id: place for place in places}

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __contains__(self, problem_id: object) -> bool:
        return problem_id in self._places

    def __getitem__(self, problem_id: str) -> Problem:
        return self._corpus[self._places[problem_id]]


@dataclass(slots=True)
class _Answers:
    """The answers to one problem: the first of each model in the order of the files, and the others as rejections."""

    accepted: dict[str, Response]
    repeated: list[Rejection]


class SpooledResponses(Mapping[str, Mapping[str, Response]]):
    """The accepted responses by problem and model; `rejected` holds the other records.

    `made_by` names the formalizers that wrote responses in this process.
    """

    def __init__(
        self, paths: Iterable[Path], corpus: SpooledCorpus, generated: Iterable[Response | Rejection] = ()
    ) -> None:
        """Read responses.

        Raises:
            HarnessError: as in `read_responses`, or the disk is full.
        """
        self._corpus = corpus
        self._read: Spool[tuple[str, Response]] = Spool()
        self._last: tuple[str, _Answers] | None = None
        self.made_by: set[str] = set()
        places, models, numbers = array("L"), array("L"), dict[str, int]()
        rejected: Spool[Rejection] = Spool()
        rejected_of: dict[str, list[int]] = {}
        for source, response in read_responses(paths, generated):
            if isinstance(response, Response) and response.problem_id in corpus.places:
                if response.made:
                    self.made_by.add(response.model)
                places.append(corpus.places[response.problem_id])
                models.append(numbers.setdefault(response.model, len(numbers)))
                self._read.append((source, response))
                continue
            rejection = response if isinstance(response, Rejection) else unknown_problem(source, response)
            rejected_of.setdefault(rejection.problem_id, []).append(len(rejected))
            rejected.append(rejection)
        self._order, self._starts = grouped_places(places, len(corpus))
        self._models = models
        self._names = list(numbers)
        self._rejected, self._rejected_of = rejected, rejected_of

    @property
    def first_rejection(self) -> Rejection | None:
        """Return the first record that is rejected for itself, `None` where none is."""
        return self._rejected[0] if len(self._rejected) else None

    @property
    def rejections(self) -> int:
        """Return how many records are rejected for themselves: repeats of an answer do not count."""
        return len(self._rejected)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[str]:
        return (problem_id for problem_id in self._corpus.places if problem_id in self)

    def __contains__(self, problem_id: object) -> bool:
        return len(self._numbers(problem_id)) > 0

    def __getitem__(self, problem_id: str) -> Mapping[str, Response]:
        if problem_id not in self:
            raise KeyError(problem_id)
        return self._answers(problem_id).accepted

    def models(self, problem_id: str) -> list[str]:
        """Return the models that answered a problem, sorted, without reading what they said."""
        return sorted({self._names[self._models[number]] for number in self._numbers(problem_id)})

    def _numbers(self, problem_id: object) -> Sequence[int]:
        """Return the numbers of the responses to a problem, in the order in which they were read."""
        place = self._corpus.places.get(problem_id)  # type: ignore[call-overload]  # anything may be asked for
        return () if place is None else self._order[self._starts[place] : self._starts[place + 1]]

    def _answers(self, problem_id: str) -> _Answers:
        # Claims come problem by problem.
        if self._last is None or self._last[0] != problem_id:
            known = _Answers({}, [])
            for number in self._numbers(problem_id):
                source, response = self._read[number]
                first = known.accepted.setdefault(response.model, response)
                if first is not response:
                    known.repeated.append(repeated_response(source, response, first))
            self._last = problem_id, known
        return self._last[1]

    def rejected(self, selected: Mapping[str, Problem], formalizers: Iterable[str]) -> RejectedRecords:
        """Return the rejected records that name a selected problem or one that the corpus lacks; a formalizer's refusal keeps its name."""
        own = {name for name in self._rejected_of if name in selected or name not in self._corpus.places}
        repeats = (name for name in selected if len(self._numbers(name)) > len(self.models(name)))
        return RejectedRecords(self, sorted(own.union(repeats)), frozenset(formalizers))

    def rejections_of(self, problem_id: str) -> list[Rejection]:
        """Return the rejected records that name a problem, repeats of an answer among them."""
        own = [self._rejected[number] for number in self._rejected_of.get(problem_id, ())]
        return own + (self._answers(problem_id).repeated if problem_id in self else [])


@dataclass(slots=True)
class RejectedRecords(Mapping[str, Mapping[Key, Rejection]]):
    """The rejected records by problem and by (problem, name); the name is `model#n`, n counting the records of a model from two."""

    responses: SpooledResponses
    problem_ids: list[str]
    formalizers: frozenset[str]
    _known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._known = frozenset(self.problem_ids)

    def __len__(self) -> int:
        return len(self.problem_ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self.problem_ids)

    def __contains__(self, problem_id: object) -> bool:
        return problem_id in self._known

    def __getitem__(self, problem_id: str) -> Mapping[Key, Rejection]:
        if problem_id not in self._known:
            raise KeyError(problem_id)
        used = self.responses.get(problem_id, {})
        found: dict[Key, Rejection] = {}
        counted: dict[str, Iterator[int]] = {}
        for rejection in sorted(
            self.responses.rejections_of(problem_id), key=lambda rejected: (rejected.model, rejected.reason)
        ):
            model = rejection.model
            numbered = (f"{model}#{number}" for number in counted.setdefault(model, itertools.count(2)))
            # A formalizer gives one answer a problem, so that its refusal needs no number.
            names = itertools.chain([model] if rejection.source in self.formalizers else [], numbered)
            name = next(name for name in names if name not in used and (problem_id, name) not in found)
            found[(problem_id, name)] = rejection
        return dict(sorted(found.items()))
