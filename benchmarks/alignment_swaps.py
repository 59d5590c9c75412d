"""Benchmark of the alignment of inputs of equal value: planted exchanges of two inputs, generated and in real answers."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.sessions import by_status, require
from harness.corpora.problems import load_corpus
from harness.corpora.responses import SpooledResponses
from harness.domain import Parameter, Problem, Response, Status, Verdict
from harness.program import ir
from harness.program.lifter import Candidate, read_candidate
from oracles.alignment.embeddings import Embeddings, MiniLM, embeddings_folder
from oracles.alignment.parameter_matching import AlignedPair, Alignment, Alignments, align, texts_to_compare
from oracles.equivalence.ladder import EquivalenceJudge
from oracles.gold_answer_screening import screen
from tests.oracles.alignment.planted_swaps import planted_swaps

GENERATED = 2_000
SEED = 1
REAL = (
    ("parametric answers", "gsm8k/train.jsonl", "formalizations/parametric.jsonl"),
    ("templates", "gsm8k/train.jsonl", "formalizations/templates.jsonl.gz"),
    ("programs of 8 configurations a problem", "gsm8k/test.jsonl", "formalizations/programs.jsonl.gz"),
)
MOST_ANSWERS = 8
MOST_IN_BUCKET = 4
ABBREVIATED = 3
"""The letters of each word that are left of a shortened name."""


@dataclass(frozen=True, slots=True)
class SwapCase:
    """Two programs that are equal, the second with two inputs exchanged, and that one with its names shortened."""

    problem_id: str
    left: Candidate
    right: Candidate
    swapped: bool


def measure(data: Path) -> dict[str, Any]:
    """Judge exchanged and unexchanged pairs: the verdicts by where they are from, with the names of one side shortened, too."""
    require(*(path for _, *paths in REAL for path in paths), data=data)
    generated = [
        SwapCase(pair.left.problem_id, read_candidate(pair.left), read_candidate(pair.right), swapped)
        for swapped in (True, False)
        for pair in planted_swaps(SEED, GENERATED, swapped=swapped)
    ]
    groups = {"generated": generated}
    for title, corpus, answers in REAL:
        groups[title] = list(_real_cases(data / corpus, data / answers))
        groups[f"{title}, short names"] = [_shortened(case) for case in groups[title]]
    figures: dict[str, Any] = {}
    whole: dict[str, list[dict[str, str]]] = {"exchanged": [], "as they were": []}
    for title, cases in groups.items():
        own: dict[str, list[dict[str, str]]] = {name: [] for name in whole}
        for case, verdict in zip(cases, _judged(cases), strict=True):
            own["exchanged" if case.swapped else "as they were"].append({"status": verdict.status.name})
        figures[title] = {name: by_status(verdicts) for name, verdicts in own.items()}
        for name, verdicts in own.items():
            whole[name] += verdicts
    return {**figures, "all": {name: by_status(verdicts) for name, verdicts in whole.items()}}


def _judged(cases: Sequence[SwapCase]) -> list[Verdict]:
    embeddings = _embeddings(
        text for case in cases for text in texts_to_compare((case.left.program, case.right.program))
    )
    verdicts = []
    for case in cases:
        sides = (case.left, case.right)
        parameters = [() if side.program is None else side.program.parameters for side in sides]
        similarity = embeddings.similarities(texts_to_compare((case.left.program, case.right.program)))
        alignments = align(parameters[0], parameters[1], similarity, scored=False)
        verdicts.append(EquivalenceJudge(case.problem_id).judge(*sides, alignments))
    return verdicts


def _embeddings(texts: Iterable[str]) -> Embeddings:
    embeddings = Embeddings(embeddings_folder())
    embeddings.refresh()
    missing = embeddings.missing(texts)
    if missing:
        embeddings.add(missing, MiniLM().encode(missing))
    return embeddings


def _real_cases(corpus: Path, answers: Path) -> Iterator[SwapCase]:
    """Yield pairs of right answers that are equal under one matching of a bucket and differ where two inputs are exchanged.

    Which matching is meant is not asked of the words: it is the one under which two answers that reach the gold answer compute
    the same function. Pairs with the same names and comments as an earlier pair are left out.
    """
    problems = {problem.problem_id: problem for problem in load_corpus(str(corpus))}
    accepted = SpooledResponses([answers], problems)
    seen = set()
    for problem_id, responses in sorted(accepted.items()):
        for left, right in itertools.combinations(_right_answers(problems[problem_id], responses.values()), 2):
            if left.program is None or right.program is None:
                continue
            names = tuple(
                tuple(parameter.text for parameter in side.program.parameters) for side in (left, right) if side.program
            )
            if names in seen:
                continue
            seen.add(names)
            exchange = _telling_exchange(problem_id, left, right)
            if exchange is not None:
                yield SwapCase(problem_id, left, right, swapped=False)
                swapped = replace(right, program=_exchanged(right.program, exchange))
                yield SwapCase(problem_id, left, swapped, swapped=True)


def _right_answers(problem: Problem, responses: Iterable[Response]) -> list[Candidate]:
    candidates = sorted(responses, key=lambda response: response.model)
    Random(problem.problem_id).shuffle(candidates)
    right = (read_candidate(response) for response in candidates)
    confirmed = (candidate for candidate in right if screen(problem, candidate).status is Status.CONFIRMED)
    return list(itertools.islice(confirmed, MOST_ANSWERS))


def _telling_exchange(problem_id: str, left: Candidate, right: Candidate) -> tuple[int, int] | None:
    """Return two inputs of the right side that cannot change places, where the pair is equal under some matching."""
    if left.program is None or right.program is None:
        return None
    for matching in itertools.islice(_matchings(left.program.parameters, right.program.parameters), 24):
        if _status(problem_id, left, right, matching) is not Status.CONFIRMED:
            continue
        parameters = right.program.parameters
        for first, second in itertools.combinations(range(len(parameters)), 2):
            if parameters[first].value == parameters[second].value:
                swapped = replace(right, program=_exchanged(right.program, (first, second)))
                if _status(problem_id, left, swapped, matching) is Status.REFUTED:
                    return first, second
        return None
    return None


def _matchings(left: Sequence[Parameter], right: Sequence[Parameter]) -> Iterator[Alignment]:
    """Yield the matchings of inputs of equal value, where some value has several inputs."""
    buckets = []
    for value in dict.fromkeys(parameter.value for parameter in left):
        first = [index for index, parameter in enumerate(left) if parameter.value == value]
        second = [index for index, parameter in enumerate(right) if parameter.value == value]
        if second:
            buckets.append((first, second))
    sizes = [max(map(len, bucket)) for bucket in buckets]
    if not any(len(second) > 1 for _, second in buckets) or max(sizes, default=0) > MOST_IN_BUCKET:
        return
    choices = [_choices(first, second) for first, second in buckets]
    for parts in itertools.product(*choices):
        pairs = sorted(itertools.chain(*parts))
        yield Alignment(tuple(AlignedPair(first, second, 0.0) for first, second in pairs), 0.0)


def _choices(first: list[int], second: list[int]) -> list[list[tuple[int, int]]]:
    if len(first) <= len(second):
        return [list(zip(first, chosen, strict=True)) for chosen in itertools.permutations(second, len(first))]
    return [list(zip(chosen, second, strict=True)) for chosen in itertools.permutations(first, len(second))]


def _status(problem_id: str, left: Candidate, right: Candidate, matching: Alignment) -> Status:
    return EquivalenceJudge(problem_id).judge(left, right, Alignments(matching, (), (), ())).status


def _exchanged(program: ir.Program, inputs: tuple[int, int]) -> ir.Program:
    """Return the program with two inputs exchanged in its formulas; names, comments and order stay."""
    places = {inputs[0]: inputs[1], inputs[1]: inputs[0]}

    def exchanged(part: Any) -> Any:
        if isinstance(part, ir.Input):
            return ir.Input(places.get(part.index, part.index))
        if isinstance(part, tuple):
            return tuple(map(exchanged, part))
        if isinstance(part, dict):
            return {name: exchanged(entry) for name, entry in part.items()}
        if is_dataclass(part) and not isinstance(part, type) and type(part).__module__ == ir.__name__:
            return replace(part, **{field.name: exchanged(getattr(part, field.name)) for field in fields(part)})
        return part

    return replace(
        program, functions=exchanged(program.functions), body=exchanged(program.body), answer=exchanged(program.answer)
    )


def _shortened(case: SwapCase) -> SwapCase:
    """Return the case without comments, and with every word of the right side's names cut to three letters."""
    sides = []
    for side, cut in ((case.left, False), (case.right, True)):
        program = side.program
        if program is not None:
            program = replace(
                program,
                parameters=tuple(
                    replace(
                        parameter,
                        comment="",
                        name="_".join(word[:ABBREVIATED] for word in parameter.name.split("_"))
                        if cut
                        else parameter.name,
                    )
                    for parameter in program.parameters
                ),
            )
        sides.append(replace(side, program=program))
    return replace(case, left=sides[0], right=sides[1])
