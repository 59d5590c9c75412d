"""What does a formalization run judge, what has it judged already, and what does it hand on?

It is the one place where the rooms meet: inputs, verdicts and sealed records of the stage.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.corpora import load_corpus, select
from harness.domain import Counterexample, Problem, Status, Verdict
from harness.errors import HarnessError
from harness.program.evaluate import format_exact
from harness.responses import Rejection, Responses, load_responses
from harness.store import Run, Shard, Stage, code_fingerprint, fingerprint, merged
from oracles.alignment import Alignments, align, alignment_verdict
from oracles.candidate import Candidate, read_candidate
from oracles.consensus import consensus
from oracles.encode import texts_to_compare
from oracles.encoder import Embeddings, Similarities, cache_folder
from oracles.equivalence import Judge
from oracles.screening import screen
from properties.encoding import Encoder
from properties.settings import Settings, versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


ROOT = Path(__file__).resolve().parent.parent
STAGE = "formalization"
Key = tuple[str, str, str, str]


@dataclass(slots=True)
class FormalizationRun:
    """The claims of one run and everything needed to judge them; each process of a session has its own."""

    settings: Settings
    problems: dict[str, Problem]
    responses: Responses
    run: Run
    fingerprint: str
    encoder: Encoder
    known: dict[Key, str]
    shard: Shard
    embeddings: Embeddings
    rejected: dict[tuple[str, str], Rejection]
    _candidates: dict[tuple[str, str], Candidate] = field(default_factory=dict)
    _similarities: tuple[tuple[str, bool], Similarities] | None = None
    _judge: Judge | None = None
    _waited: int = 0

    @property
    def stage(self) -> Stage:
        """Return the stage this run fills."""
        return self.run.stage(STAGE)

    def models(self, problem_id: str) -> list[str]:
        """Return the models that formalized a problem, sorted."""
        return sorted(self.responses.accepted.get(problem_id, {}))

    def screenings(self) -> Iterator[tuple[str, str]]:
        """Yield (problem, model) of every UT-1 claim, rejected records included, sorted."""
        accepted = ((problem_id, model) for problem_id in self.problems for model in self.models(problem_id))
        yield from sorted([*accepted, *self.rejected])

    def pairs(self) -> Iterator[tuple[str, str, str]]:
        """Yield (problem, left, right) of every pair of formalizations."""
        for problem_id in sorted(self.problems):
            for left, right in itertools.combinations(self.models(problem_id), 2):
                yield problem_id, left, right

    def expected(self) -> Iterator[Key]:
        """Yield the keys of all claims."""
        for problem_id, model in self.screenings():
            yield ("ut1", problem_id, model, "")
        for claim in ("ut2", "ut3"):
            for problem_id, left, right in self.pairs():
                yield (claim, problem_id, left, right)

    def candidate(self, problem_id: str, model: str) -> Candidate:
        """Return a formalization, read and evaluated once."""
        key = (problem_id, model)
        if key not in self._candidates:
            self._candidates[key] = read_candidate(self.responses.accepted[problem_id][model])
        return self._candidates[key]

    def screening(self, problem_id: str, model: str) -> Verdict:
        """Judge one UT-1 claim, or return what an earlier session judged."""
        return self._kept(("ut1", problem_id, model, "")) or self._keep(self._screen(problem_id, model))

    def alignment(self, problem_id: str, left: str, right: str) -> Verdict:
        """Judge one UT-2 claim, or return what an earlier session judged."""
        return self._kept(("ut2", problem_id, left, right)) or self._keep(self._align(problem_id, left, right))

    def equivalence(self, problem_id: str, left: str, right: str) -> Verdict:
        """Judge one UT-3 claim, or return what an earlier session judged."""
        return self._kept(("ut3", problem_id, left, right)) or self._keep(self._decide(problem_id, left, right))

    def _screen(self, problem_id: str, model: str) -> Verdict:
        rejection = self.rejected.get((problem_id, model))
        if rejection is not None:
            return Verdict(
                "ut1", problem_id, model, None, Status.REFUTED, "input", unsupported=1, reason=rejection.reason
            )
        return screen(self.problems[problem_id], self.candidate(problem_id, model))

    def _align(self, problem_id: str, left: str, right: str) -> Verdict:
        first, second = self.candidate(problem_id, left), self.candidate(problem_id, right)
        if first.program is None or second.program is None:
            side, candidate = ("left", first) if first.program is None else ("right", second)
            empty: dict[str, Any] = {"aligned": [], "unaligned_left": [], "unaligned_right": [], "runner_up": None}
            return Verdict(
                "ut2",
                problem_id,
                left,
                right,
                Status.UNKNOWN,
                "none",
                unsupported=1,
                reason=f"{side}: {candidate.reason}",
                alignment=empty,
            )
        alignments = self._alignments(problem_id, first, second, scored=True)
        return alignment_verdict(
            problem_id, (left, right), first.program.parameters, second.program.parameters, alignments
        )

    def _decide(self, problem_id: str, left: str, right: str) -> Verdict:
        if self._judge is None or self._judge.problem_id != problem_id:
            self._judge = Judge(problem_id, self.settings.seed)
        first, second = self.candidate(problem_id, left), self.candidate(problem_id, right)
        return self._judge.judge(first, second, self._alignments(problem_id, first, second, scored=False))

    def _alignments(self, problem_id: str, left: Candidate, right: Candidate, *, scored: bool) -> Alignments:
        parameters = [() if candidate.program is None else candidate.program.parameters for candidate in (left, right)]
        return align(parameters[0], parameters[1], self._similarity(problem_id, doubts=not scored), scored=scored)

    def _similarity(self, problem_id: str, *, doubts: bool) -> Similarities:
        """Return the similarities of a problem's texts, with `doubts` only of those that decide which inputs match."""
        if self._similarities is None or self._similarities[0] != (problem_id, doubts):
            programs = [self.candidate(problem_id, model).program for model in self.models(problem_id)]
            texts = texts_to_compare(programs, in_doubt=doubts)
            if self.embeddings.missing(texts) and self._waited < 2 - doubts:
                self.encoder.wait(doubts=doubts)
                self.embeddings.refresh()
                self._waited = 2 - doubts
            self._similarities = ((problem_id, doubts), self.embeddings.similarities(texts))
        return self._similarities[1]

    def _kept(self, key: Key) -> Verdict | None:
        line = self.known.get(key)
        return None if line is None else _verdict(json.loads(line))

    def _keep(self, verdict: Verdict) -> Verdict:
        self.shard.append(verdict.record())
        return verdict

    def finish(self) -> Sealed:
        """Merge what all processes judged; seal the stage if nothing is missing, else leave it to be continued."""
        self.shard.close()
        lines = merged(itertools.chain(self.known.values(), self.stage.shard_lines()), _key)
        expected = sorted(self.expected())
        missing = sum(key not in lines for key in expected)
        if self.stage.sealed and (missing or all(key in self.known for key in expected)):
            self.stage.tidy()
            return Sealed(self, 0, self.stage.records("consensus.jsonl"))
        if missing:
            return Sealed(self, missing, [])
        by_problem: dict[str, list[str]] = defaultdict(list)
        for key in expected:
            by_problem[key[1]].append(lines[key])
        counts: Counter[str] = Counter()
        agreed: list[dict[str, Any]] = []
        for problem_id, own in sorted(by_problem.items()):
            verdicts = [json.loads(line) for line in own]
            counts.update(f"{record['claim']} {record['status']}" for record in verdicts)
            if self.models(problem_id):
                agreed.append(self._consensus(problem_id, verdicts))
        oracles = [self._oracle_record(record) for record in agreed if record["oracle"] is not None]
        manifest = self._manifest(counts, agreed)
        files: dict[str, Iterable[dict[str, Any] | str]] = {
            "problems.jsonl": (self._problem_record(problem_id) for problem_id in sorted(by_problem)),
            "programs.jsonl": (
                self._program_record(record["problem_id"], model)
                for record in agreed
                for model in self.models(record["problem_id"])
            ),
            "verdicts.jsonl": (lines[key] for key in expected),
            "consensus.jsonl": agreed,
            "oracles.jsonl": oracles,
        }
        self.run.stage("oracles").seal({"oracles.jsonl": oracles}, {**manifest, "counts": {"oracles": len(oracles)}})
        self.stage.seal(files, manifest)
        return Sealed(self, 0, agreed)

    def _consensus(self, problem_id: str, verdicts: list[dict[str, Any]]) -> dict[str, Any]:
        candidates = {model: self.candidate(problem_id, model) for model in self.models(problem_id)}
        return consensus(
            problem_id,
            [record for record in verdicts if record["left"] in candidates],
            candidates,
            weights=self.settings.weights,
            choice=self.settings.oracle,
            seed=self.settings.seed,
        )

    def _oracle_record(self, agreed: dict[str, Any]) -> dict[str, Any]:
        program = self._program_record(agreed["problem_id"], agreed["oracle"])
        evidence = {
            "clique": agreed["clique"],
            "pairs": [pair for pair in agreed["pairs"] if {pair["left"], pair["right"]} <= set(agreed["clique"])],
        }
        return {
            **program,
            "confidence": agreed["confidence"],
            "clique_size": agreed["clique_size"],
            "provenance": {"run": self.fingerprint, **evidence},
        }

    def _problem_record(self, problem_id: str) -> dict[str, Any]:
        # A rejected record may name a problem that the corpus lacks; whoever looks its verdict up finds this.
        problem = self.problems.get(problem_id, Problem(problem_id, question="", solution="", gold=None))
        return {
            "problem_id": problem_id,
            "question": problem.question,
            "solution": problem.solution,
            "gold": problem.gold,
            "tier": problem.tier,
        }

    def _program_record(self, problem_id: str, model: str) -> dict[str, Any]:
        candidate = self.candidate(problem_id, model)
        program = candidate.program
        parameters = [] if program is None else program.parameters
        return {
            "problem_id": problem_id,
            "model": model,
            "dialect": None if program is None else program.dialect,
            "code": None if program is None else program.code,
            "parameters": [
                {
                    "name": parameter.name,
                    "value": format_exact(parameter.value),
                    "type": parameter.type,
                    "provenance": parameter.provenance.value,
                    "comment": parameter.comment,
                }
                for parameter in parameters
            ],
            "value": None
            if candidate.outcome is None or candidate.outcome.value is None
            else format_exact(candidate.outcome.value),
            "reason": candidate.reason,
            "repairs": [] if program is None else list(program.repairs),
        }

    def _manifest(self, counts: Counter[str], agreed: list[dict[str, Any]]) -> dict[str, Any]:
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
            },
            "counts": {
                **dict(sorted(counts.items())),
                "problems": len(agreed),
                "oracles": sum(record["oracle"] is not None for record in agreed),
            },
        }


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a session left: how many claims are still open, and the consensus where none is."""

    run: FormalizationRun
    missing: int
    consensus: list[dict[str, Any]]


def open_run(
    settings: Settings, *, runs: Path, name: str | None, session: str, worker: str, owner: int
) -> FormalizationRun:
    """Load the inputs of a run and bind its folder to them.

    Raises:
        HarnessError: the corpus, the formalizations, the selection or the run folder cannot be used.
    """
    corpus = load_corpus(settings.corpus)
    problems = {
        problem.problem_id: problem for problem in select(corpus, wanted=settings.problems, part=settings.slice)
    }
    paths = [Path(path) for path in settings.formalizations]
    responses = load_responses(paths, frozenset(problem.problem_id for problem in corpus))
    if not responses.accepted:
        first = responses.rejected[0]
        message = f"none of the {len(responses.rejected)} formalizations can be judged; the first ({first.source}): {first.reason}; the corpus's ids look like {corpus[0].problem_id!r}"
        raise HarnessError(message)
    if not any(problem_id in responses.accepted for problem_id in problems):
        message = f"no formalization speaks of the {len(problems)} selected problems; formalized are {next(iter(responses.accepted))!r} and {len(responses.accepted) - 1} others"
        raise HarnessError(message)
    mark = _fingerprint(settings, problems.values(), responses)
    default = f"{Path(settings.corpus).name.partition('.')[0].replace(':', '-')}-{mark[:8]}"
    chosen = Path(name or default)
    run = Run(chosen if len(chosen.parts) > 1 or chosen.is_absolute() else runs / chosen)
    run.claim(mark, {"corpus": Path(settings.corpus).name})
    stage = run.stage(STAGE)
    # A finished run of the default name is judged afresh: its results are the same by construction, so nothing is lost.
    known: dict[Key, str] = {}
    if not stage.sealed:
        known = merged(stage.shard_lines(), _key)
    elif name is not None:
        known = merged(stage.lines("verdicts.jsonl"), _key)
    return FormalizationRun(
        settings=settings,
        problems=problems,
        responses=responses,
        run=run,
        fingerprint=mark,
        encoder=Encoder(stage.scratch / session, settings, owner),
        known=known,
        shard=stage.shard(worker),
        embeddings=Embeddings(cache_folder()),
        rejected=_numbered(responses, {problem.problem_id for problem in corpus} - problems.keys()),
    )


def _fingerprint(settings: Settings, problems: Iterable[Problem], responses: Responses) -> str:
    def parts() -> Iterator[str]:
        yield repr((settings.seed, settings.oracle, settings.weights))
        yield code_fingerprint(ROOT, ("harness", "oracles", "properties"))
        yield repr(versions())
        for problem in sorted(problems, key=lambda problem: problem.problem_id):
            yield repr((problem.problem_id, problem.question, problem.solution, problem.gold))
            for model, response in sorted(responses.accepted.get(problem.problem_id, {}).items()):
                yield repr((model, response.dialect))
                yield response.text
        yield from sorted(repr((one.problem_id, one.model, one.reason)) for one in responses.rejected)

    return fingerprint(parts())


def _numbered(responses: Responses, left_out: set[str]) -> dict[tuple[str, str], Rejection]:
    """Return the rejected records by (problem, model#n), n counting the records of a model from two, names in use left out."""
    found: dict[tuple[str, str], Rejection] = {}
    for rejection in sorted(responses.rejected, key=lambda one: (one.problem_id, one.model, one.reason)):
        if rejection.problem_id in left_out:
            continue
        used = responses.accepted.get(rejection.problem_id, {})
        names = (f"{rejection.model}#{number}" for number in itertools.count(2))
        name = next(name for name in names if name not in used and (rejection.problem_id, name) not in found)
        found[(rejection.problem_id, name)] = rejection
    return dict(sorted(found.items()))


def _key(record: dict[str, Any]) -> Key:
    # Interned: a run of 200,000 claims has few different names.
    return tuple(map(sys.intern, (record["claim"], record["problem_id"], record["left"], record["right"] or "")))  # type: ignore[return-value]  # four of four


def _verdict(record: dict[str, Any]) -> Verdict:
    example = record["counterexample"]
    return Verdict(
        **{
            **record,
            "status": Status[record["status"]],
            "counterexample": None
            if example is None
            else Counterexample(example["inputs"], example["left"], example["right"]),
        }
    )
