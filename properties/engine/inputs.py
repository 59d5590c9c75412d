"""The inputs of a session that all stages share: problems, formalizations and the run folder bound to them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.formalizations.builtin_formalizers import FORMALIZERS, formalize_all
from harness.corpora.labelled_solutions import label_files
from harness.corpora.problems import load_corpus, read_exclusion, select
from harness.corpora.responses import Rejection, Responses, load_responses
from harness.domain import Problem
from harness.errors import HarnessError
from harness.json_form import json_form
from harness.paths import ROOT
from harness.store.latest_run import LATEST, on_inputs
from harness.store.run_folder import RunFolder, code_fingerprint, fingerprint
from properties.engine.settings import RunSettings, versions
from sft.constraints.stages import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from harness.corpora.problems import Exclusion
    from harness.domain import Response

"""The name of the link to the last run that ended, beside the runs."""
JUDGING_CODE = ("harness", "generators", "oracles", "properties")


@dataclass(frozen=True, slots=True)
class OptionNames:
    """The names of options in messages: what those of problems begin with, and that of the run's folder."""

    prefix: str = "--harness-"
    run: str = "--harness-run"


PYTEST_OPTIONS = OptionNames()


@dataclass(slots=True)
class SessionInputs:
    """The problems and formalizations of a session, the run folder bound to them, and who judges.

    `made` are the responses that were made in this process, beside those from files; `named` tells whether the user
    chose the run's name; `session` and `worker` name this process's scratch folder and shards, `owner` is the process
    the session ends with; `exclusion` are the problems that no stage may use; `reproduced` tells whether the session is to judge
    single claims again, whatever earlier sessions found; `options` are the names of options in messages.
    """

    settings: RunSettings
    problems: dict[str, Problem]
    responses: Responses
    made: tuple[Response, ...]
    rejected: dict[tuple[str, str], Rejection]
    run: RunFolder
    fingerprint: str
    named: bool
    session: str
    worker: str
    owner: int
    exclusion: Exclusion | None = None
    reproduced: bool = False
    options: OptionNames = PYTEST_OPTIONS
    _made_ids: frozenset[int] | None = None
    _rejections: dict[str, dict[tuple[str, str], Rejection]] | None = None

    def is_made(self, response: Response) -> bool:
        """Tell whether a response was made in this process."""
        if self._made_ids is None:
            self._made_ids = frozenset(map(id, self.made))
        return id(response) in self._made_ids

    def part(self, problem_ids: Sequence[str]) -> SessionInputs:
        """Return the inputs of some problems alone."""
        accepted = {name: own for name in problem_ids if (own := self.responses.accepted.get(name))}
        rejected: dict[tuple[str, str], Rejection] = {}
        for name in problem_ids:
            rejected.update(self.rejected_of(name))
        return replace(
            self,
            problems={name: problem for name in problem_ids if (problem := self.problems.get(name)) is not None},
            responses=Responses(accepted, ()),
            made=tuple(response for own in accepted.values() for response in own.values() if self.is_made(response)),
            rejected=rejected,
            exclusion=None,
            _made_ids=None,
            _rejections=None,
        )

    def rejected_of(self, problem_id: str) -> dict[tuple[str, str], Rejection]:
        """Return the rejected records that name a problem, by problem and model."""
        if self._rejections is None:
            self._rejections = defaultdict(dict)
            for key, rejection in self.rejected.items():
                self._rejections[key[0]][key] = rejection
        return self._rejections.get(problem_id, {})

    def models(self, problem_id: str) -> list[str]:
        """Return the models that formalized a problem, sorted."""
        return sorted(self.responses.accepted.get(problem_id, {}))

    def problem_record(self, problem_id: str) -> dict[str, Any]:
        """Return the problem as stages seal it; a rejected record may name one that the corpus lacks."""
        problem = self.problems.get(problem_id, Problem(problem_id, question="", solution="", gold=None))
        return json_form(problem)

    def manifest(self) -> dict[str, Any]:
        """Return what the manifest of every stage says about its inputs."""
        settings = self.settings
        return {
            "fingerprint": self.fingerprint,
            "seed": settings.seed,
            "versions": versions(settings.encoder),
            "options": {
                "corpus": Path(settings.corpus).name,
                "formalizations": [Path(path).name for path in settings.formalizations],
                "problems": settings.problems,
                "slice": settings.slice,
                "oracle": settings.oracle,
                "weights": [settings.weights.aligned, settings.weights.similarity],
                "bonus": list(settings.weights.bonus),
                "strict": settings.strict,
                "max_pairs": settings.max_pairs,
                **({"labels": [Path(path).name for path in settings.labels]} if settings.labels else {}),
            },
            **({"excluded": self.exclusion.record()} if self.exclusion is not None else {}),
        }


def open_inputs(
    settings: RunSettings,
    *,
    runs: Path,
    name: str | None,
    session: str,
    worker: str,
    owner: int,
    options: OptionNames = PYTEST_OPTIONS,
    reproduced: bool = False,
) -> SessionInputs:
    """Load the inputs of a session and bind the run's folder to them.

    Raises:
        HarnessError: the corpus, the formalizations, the selection or the run folder cannot be used.
    """
    corpus = load_corpus(settings.corpus)
    exclusion = (
        None
        if settings.exclude is None
        else read_exclusion(Path(settings.exclude), corpus, option=f"{options.prefix}exclude")
    )
    selected = select(corpus, wanted=settings.problems, part=settings.slice, exclusion=exclusion, prefix=options.prefix)
    problems = {problem.problem_id: problem for problem in selected}
    made = [response for name in settings.formalizers for response in formalize_all(name, problems.values())]
    responses = Responses({}, ())
    if settings.formalizations or not settings.labels:
        responses = _responses(settings, corpus, problems, made)
    named = None if name is None else _place(name, runs)
    mark = _fingerprint(settings, problems.values(), responses, exclusion, named)
    default = f"{Path(settings.corpus).name.partition('.')[0].replace(':', '-')}-{mark[:8]}"
    run = RunFolder(followed_link(on_inputs(named or _place(default, runs), mark), options.run))
    run.claim(mark, {"corpus": Path(settings.corpus).name}, option=options.run)
    return SessionInputs(
        settings=settings,
        problems=problems,
        responses=responses,
        made=tuple(response for response in made if not isinstance(response, Rejection)),
        rejected=_numbered(responses, {problem.problem_id for problem in corpus} - problems.keys()),
        run=run,
        fingerprint=mark,
        named=name is not None,
        session=session,
        worker=worker,
        owner=owner,
        exclusion=exclusion,
        reproduced=reproduced,
        options=options,
    )


def _place(name: str, runs: Path) -> Path:
    """Return the folder of a run: a name is below `runs`, a path is itself."""
    chosen = Path(name)
    return chosen if len(chosen.parts) > 1 or chosen.is_absolute() else runs / chosen


def _responses(
    settings: RunSettings, corpus: list[Problem], problems: dict[str, Problem], made: list[Response | Rejection]
) -> Responses:
    """Load the formalizations of a corpus, of which some must speak of the selected problems."""
    responses = load_responses(
        [Path(path) for path in settings.files],
        frozenset(problem.problem_id for problem in corpus),
        made,
    )
    if not responses.accepted:
        first = responses.rejected[0]
        message = f"none of the {len(responses.rejected)} formalizations can be judged; the first ({first.source}): {first.reason}; the corpus's ids look like {corpus[0].problem_id!r}"
        raise HarnessError(message)
    if not any(problem_id in responses.accepted for problem_id in problems):
        message = f"no formalization is of one of the {len(problems)} selected problems; the formalized ones are {next(iter(responses.accepted))!r} and {len(responses.accepted) - 1} others"
        raise HarnessError(message)
    return responses


def followed_link(folder: Path, option: str) -> Path:
    """Return the folder that a link such as `latest` leads to.

    Raises:
        HarnessError: the link leads nowhere, or no run has ended that `latest` could name.
    """
    if folder.is_symlink():
        target = folder.parent / folder.readlink()
        if target.is_symlink() or not target.is_dir():
            raise HarnessError(f"{option} {folder}: is a link to {target.name}, which is no run; remove it")
        return target
    if folder.name == LATEST and not folder.exists():
        raise HarnessError(f"{option} {folder}: no run has ended here yet; leave the option out or give another name")
    return folder


def _fingerprint(
    settings: RunSettings,
    problems: Iterable[Problem],
    responses: Responses,
    exclusion: Exclusion | None,
    run: Path | None,
) -> str:
    """Return what identifies the inputs of a run; labelled solutions that the `run` itself has made are none of them."""
    given = [
        Path(path) for path in settings.labels if run is None or not Path(path).resolve().is_relative_to(run.resolve())
    ]

    def parts() -> Iterator[str | bytes]:
        yield repr((settings.seed, settings.oracle, settings.weights, settings.strict, settings.max_pairs))
        if exclusion is not None:
            yield exclusion.sha256
        yield code_fingerprint(ROOT, JUDGING_CODE)
        yield repr(versions(settings.encoder))
        for problem in sorted(problems, key=lambda problem: problem.problem_id):
            yield repr((problem.problem_id, problem.question, problem.solution, problem.gold))
            for model, response in sorted(responses.accepted.get(problem.problem_id, {}).items()):
                yield repr((model, response.dialect))
                yield response.text
        yield from sorted(
            repr((rejection.problem_id, rejection.model, rejection.reason)) for rejection in responses.rejected
        )
        for path, name in label_files(given).items():
            yield name
            yield path.read_bytes()
        yield repr((settings.smt_count, settings.smt_seed))
        yield from map(digest, map(Path, settings.smt_problems))

    return fingerprint(parts())


def _numbered(responses: Responses, left_out: set[str]) -> dict[tuple[str, str], Rejection]:
    """Return the rejected records by (problem, model#n), n counting the records of a model from two, names in use left out."""
    found: dict[tuple[str, str], Rejection] = {}
    for rejection in sorted(
        responses.rejected, key=lambda rejected: (rejected.problem_id, rejected.model, rejected.reason)
    ):
        if rejection.problem_id in left_out:
            continue
        used = responses.accepted.get(rejection.problem_id, {})
        numbered = (f"{rejection.model}#{number}" for number in itertools.count(2))
        # A formalizer gives one answer a problem, so that its refusal needs no number.
        names = itertools.chain([rejection.model] if rejection.source in FORMALIZERS else [], numbered)
        name = next(name for name in names if name not in used and (rejection.problem_id, name) not in found)
        found[(rejection.problem_id, name)] = rejection
    return dict(sorted(found.items()))
