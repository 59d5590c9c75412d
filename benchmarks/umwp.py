"""Benchmark on UMWP: the unanswerable problems that are proved underspecified, and the causes of the others.

`python -m benchmarks.umwp` prints a sample with its texts, for judgement by hand. Judgements are kept in
`umwp_sample.jsonl` without the text: `right` says whether a person who reads both texts agrees with the finding.
"""

from __future__ import annotations

import enum
import hashlib
import json
import re
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.expressions import CONSTANTS, readings, search
from benchmarks.number_alignment import align, numbers_of
from benchmarks.sessions import DATASETS
from generators.flaws.solution.source_solution import UnfitError, open_source
from generators.formalizations.annotation.compiler import formalize
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind, ConstraintStep, ConstraintSystem, Fact, FactSource, ProblemClass
from harness.corpora.problems import load_corpus
from harness.corpora.responses import load_responses
from harness.paths import data_folder
from harness.program.refusal import Refusal
from oracles.certificates.solvers import SolverName, open_solver
from oracles.variants.certification_failure import SolverUndecided, VariantNotCertified
from oracles.variants.validity_certificate import certify

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.expressions import AnswerExpression, Choices
    from harness.domain import Exact, Problem, Response
    from harness.text.numbers.number_mentions import NumberMention
    from oracles.certificates.solvers import Solver

SAMPLE = Path(__file__).parent / "umwp_sample.jsonl"
FILE = "problem_validity/umwp.jsonl"
CATEGORIES = {1: "missing", 2: "ambiguous", 3: "unrealistic", 4: "unrelated", 5: "no question"}
SEED, SIZE = 7, 30
MOST_NUMBERS = 8
Record = dict[str, Any]


class SolverOutcome(enum.StrEnum):
    """What our solver view makes of an unanswerable problem."""

    REPRESENTED = "represented: two solutions, certified"
    NO_PAIR = "its answerable problem is missing"
    REWRITTEN = "the two texts cannot be aligned"
    NOTHING_MISSING = "every number is still there: a relation, a word or the question was changed"
    OTHER_NUMBER = "a number is new or has another value"
    OTHER_QUESTION = "a number is missing, and another question is asked"
    NO_EXPRESSION = "no expression of its numbers found that gives the answer"
    AMBIGUOUS = "expressions with and without the missing number give the answer"
    UNUSED = "the missing number is in no solution found"
    DETERMINED = "the answer is the same without the missing number, certified"
    NOT_CERTIFIED = "no two solutions with different answers were found"


_PROVED = {
    ProblemClass.UNDERSPECIFIED: SolverOutcome.REPRESENTED,
    ProblemClass.SOLVABLE: SolverOutcome.DETERMINED,
}


class ConstraintRoute(enum.StrEnum):
    """Where the constraints of an answerable problem come from."""

    SOLUTION = "a formalization of its published solution"
    SEARCH = "a search for an expression"


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """An unanswerable problem, its answerable one, what was found and the constraints it was found by."""

    record: Record
    paired: Record | None
    outcome: SolverOutcome
    route: ConstraintRoute | None = None
    missing: tuple[NumberMention, ...] = ()

    @property
    def detail(self) -> str:
        """Return the numbers that are missing."""
        return ", ".join(mention.text for mention in self.missing)


@dataclass
class UmwpJudge:
    """Judges unanswerable problems.

    `problems` are those with a published solution, by the letters and digits of their questions; `responses` are what
    models wrote about them, by id.
    """

    records: Mapping[int, Record]
    problems: Mapping[str, Problem]
    responses: Mapping[str, Mapping[str, Response]]
    solver: Solver

    def judge(self, record: Record) -> JudgedPair:
        """Say what our solver view makes of an unanswerable problem."""
        paired = next((self.records[key] for key in record["relevant_ids"] or () if key in self.records), None)
        if paired is None or not paired["answerable"] or not paired["answer"]:
            return JudgedPair(record, paired, SolverOutcome.NO_PAIR)
        aligned = align(paired["question"], record["question"])
        if aligned is None:
            return JudgedPair(record, paired, SolverOutcome.REWRITTEN)
        if aligned.new or not aligned.missing:
            outcome = SolverOutcome.OTHER_NUMBER if aligned.new else SolverOutcome.NOTHING_MISSING
            return JudgedPair(record, paired, outcome, missing=aligned.missing)
        if aligned.asks_other:
            return JudgedPair(record, paired, SolverOutcome.OTHER_QUESTION)
        outcome, route = self.compiled(paired, aligned.missing) or self.searched(paired, aligned.missing)
        return JudgedPair(record, paired, outcome, route, aligned.missing)

    def all(self) -> list[JudgedPair]:
        """Judge every unanswerable problem."""
        return [self.judge(record) for record in self.records.values() if not record["answerable"]]

    def compiled(
        self, paired: Record, missing: Sequence[NumberMention]
    ) -> tuple[SolverOutcome, ConstraintRoute] | None:
        """Judge by the constraints of the problem's own solution; `None` where it has none that tells where its numbers stand."""
        problem = self.problems.get(letters(paired["question"]))
        if problem is None:
            return None
        subject = self._subject(problem)
        if subject is None:
            return None
        # The set lost and doubled signs here and there: its numbers are found again by their order.
        own, theirs = numbers_of(problem.question), numbers_of(paired["question"])
        if [mention.readings for mention in own] != [mention.readings for mention in theirs]:
            return None
        gone = {(own[place].start, own[place].end) for place, mention in enumerate(theirs) if mention in missing}
        question = subject.question
        dropped = {name for place in question.places if (place.start, place.end) in gone for name in place.variables}
        if dropped:
            return self.certified(subject.system, dropped), ConstraintRoute.SOLUTION
        loose = gone <= {(mention.start, mention.end) for mention in question.loose}
        # A solution may hold results of algebra that it does not write out, and so not name what they come from.
        known = all(subject.values[name] in CONSTANTS for name in question.unlocated)
        return (SolverOutcome.UNUSED, ConstraintRoute.SOLUTION) if loose and known else None

    def _subject(self, problem: Problem) -> VariantSubject | None:
        """Return a problem with the constraints of what a model wrote about it, else of its compiled solution."""
        for response in self.responses.get(problem.problem_id, {}).values():
            with suppress(UnfitError):
                return VariantSubject(open_source(problem, response))
        with suppress(UnfitError, Refusal):
            return VariantSubject(open_source(problem, formalize(problem)))
        return None

    def searched(self, paired: Record, missing: Sequence[NumberMention]) -> tuple[SolverOutcome, ConstraintRoute]:
        """Judge by the smallest expressions over the numbers that give the answer."""
        outcome = self._searched(numbers_of(paired["question"]), Fraction(str(paired["answer"][0])), missing)
        return outcome, ConstraintRoute.SEARCH

    def _searched(
        self, found: Sequence[NumberMention], answer: Fraction, missing: Sequence[NumberMention]
    ) -> SolverOutcome:
        numbers = numbered(found)
        dropped = {f"n{place}" for place, mention in enumerate(found) if mention in missing} & set(numbers)
        expressions = smallest(numbers, answer) if dropped else []
        using = [expression for expression in expressions if dropped & expression.variables]
        if not using:
            return SolverOutcome.UNUSED if expressions or not dropped else SolverOutcome.NO_EXPRESSION
        rest = {name: choices for name, choices in numbers.items() if name not in dropped}
        without = len(rest) > 1 and any(True for _ in search(rest, answer, missing=0, extra=False))
        if without or len(using) < len(expressions):
            return SolverOutcome.AMBIGUOUS
        facts = tuple(
            Fact(
                f"fact:n{place}",
                f"n{place}",
                mention.readings[0],
                FactSource.TEXT,
                mention.text,
                (mention.start, mention.end),
            )
            for place, mention in enumerate(found)
            if f"n{place}" in using[0].variables
        )
        bounds = (
            Bound(f"not-negative:{fact.variable}", fact.variable, BoundKind.NOT_NEGATIVE, fact.words) for fact in facts
        )
        steps = (ConstraintStep("step:answer", "answer", using[0].expression, ""),)
        return self.certified(ConstraintSystem(facts, steps, tuple(bounds), "answer"), dropped & using[0].variables)

    def reaches_another(self, pair: JudgedPair) -> bool:
        """Tell whether an expression of all numbers of the answerable problem gives the answer plus one."""
        paired = pair.paired or {"question": "", "answer": [0]}
        numbers = numbered(numbers_of(paired["question"]))
        return any(True for _ in search(numbers, Fraction(str(paired["answer"][0])) + 1, missing=0, extra=False))

    def certified(self, system: ConstraintSystem, dropped: set[str]) -> SolverOutcome:
        """Return whether the constraints without some facts are proved to leave several answers."""
        given = {fact.variable: fact.value for fact in system.facts}
        facts = tuple(fact for fact in system.facts if fact.variable not in dropped)
        left = ConstraintSystem(facts, system.steps, system.bounds, system.answer)
        if not left.free:
            return SolverOutcome.UNUSED
        own = {name: given[name] for name in left.free}
        others = [{**own, name: value} for name in left.free for value in _others(own[name])]
        for problem_class, outcome in _PROVED.items():
            try:
                certify(problem_class, left, witnesses=[own, *others], solver=self.solver)
            except (VariantNotCertified, SolverUndecided):
                continue
            return outcome
        return SolverOutcome.NOT_CERTIFIED


def _others(value: Exact) -> list[Exact]:
    """Return other values of a quantity: near ones, its parts and multiples; of a share these first."""
    near = [value + sign * step for step in range(1, 13) for sign in (1, -1)]
    far = [
        value * factor
        for size in range(2, 11)
        for factor in (Fraction(size), Fraction(1, size), Fraction(size - 1, size))
    ]
    return [number for number in ([*far, *near] if 0 < value < 1 else [*near, *far]) if number > 0]


def numbered(found: Sequence[NumberMention]) -> dict[str, Choices]:
    """Return the numbers of a text as they may enter an expression; none where they are too many."""
    numbers = {
        f"n{place}": readings(f"n{place}", mention.readings)
        for place, mention in enumerate(found)
        if mention.readings[0] > 0
    }
    return numbers if len(numbers) <= MOST_NUMBERS else {}


def smallest(numbers: Mapping[str, Choices], answer: Exact) -> list[AnswerExpression]:
    """Return the expressions that leave out the fewest numbers, and of these the ones without constants if there are any."""
    for missing in range(max(1, len(numbers))):
        for extra in (False, True):
            found = list(search(numbers, answer, missing=missing, extra=extra))
            if found:
                return found
    return []


def letters(text: str) -> str:
    """Return the letters and digits of a text."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def measure(data: Path) -> str:
    """Judge every unanswerable problem and return the figures as Markdown."""
    head = "## Unanswerable problems of UMWP\n\n    python -m benchmarks umwp"
    if not (data / FILE).is_file():
        return f"{head}\n\nNot measured: the data are not there."
    judge = open_judge(data)
    judged = judge.all()
    missing = [pair for pair in judged if pair.record["category"] == 1]
    share = sum(pair.outcome is SolverOutcome.REPRESENTED for pair in missing)
    said = (
        f"Of {len(missing):,} problems of the category “missing”, {share:,} ({share / len(missing):.1%}) are represented: the two texts "
        "align, the numbers that the unanswerable one lacks or makes vague are known, and without these facts the constraints of the "
        "answerable one have two solutions with different answers, certified. An expression that was searched for gives the answer and "
        "may still be another one than meant; the larger it is, the more likely. Where a number is known to everybody, as a cup has 8 "
        "ounces, the problem without it is represented although a reader may answer it."
    )
    parts = [head, said, _outcomes(judged), _routes(judge, missing), _sampled(judged)]
    return "\n\n".join(parts)


def open_judge(data: Path) -> UmwpJudge:
    """Return the judge of the set, with the published solutions of the problems that it took from GSM8K."""
    lines = (data / FILE).read_text(encoding="utf-8").splitlines()
    names = [name for name in ("train", "test") if (data / "gsm8k" / f"{name}.jsonl").is_file()]
    problems = [problem for name in names for problem in load_corpus(f"gsm8k-{name}={data / 'gsm8k' / name}.jsonl")]
    written = data / DATASETS["templates"][1]
    ids = frozenset(problem.problem_id for problem in problems)
    return UmwpJudge(
        {record["id"]: record for record in map(json.loads, lines)},
        {letters(problem.question): problem for problem in problems},
        load_responses([written], ids).accepted if written.is_file() else {},
        open_solver(SolverName.Z3),
    )


def _outcomes(judged: Sequence[JudgedPair]) -> str:
    counts = Counter((pair.record["category"], pair.outcome) for pair in judged)
    head = " | ".join(f"{number} {name}" for number, name in CATEGORIES.items())
    rows = [f"| unanswerable problems, by category | {head} |", "|---" * (len(CATEGORIES) + 1) + "|"]
    for outcome in SolverOutcome:
        if any(counts[number, outcome] for number in CATEGORIES):
            figures = " | ".join(f"{counts[number, outcome]:,}" for number in CATEGORIES)
            rows.append(f"| {outcome} | {figures} |")
    totals = " | ".join(f"{sum(pair.record['category'] == number for pair in judged):,}" for number in CATEGORIES)
    return "\n".join([*rows, f"| all | {totals} |"])


def _routes(judge: UmwpJudge, missing: Sequence[JudgedPair]) -> str:
    """Say where the constraints came from, whether both ways agree where both can be gone, and how easily a search succeeds."""
    counts = Counter(
        (pair.route, pair.outcome is SolverOutcome.REPRESENTED) for pair in missing if pair.route is not None
    )
    said = "; ".join(
        f"{route}: {counts[route, True]:,} of {counts[route, True] + counts[route, False]:,}"
        for route in ConstraintRoute
    )
    compiled = [pair for pair in missing if pair.route is ConstraintRoute.SOLUTION and pair.paired is not None]
    agree = other = 0
    for pair in compiled:
        outcome, _ = judge.searched(pair.paired or {}, pair.missing)
        same = (outcome is SolverOutcome.REPRESENTED) == (pair.outcome is SolverOutcome.REPRESENTED)
        agree += same
        other += not same
    easy = Counter(bool(judge.reaches_another(pair)) for pair in missing if pair.route is ConstraintRoute.SEARCH)
    return (
        f"Represented, of those whose constraints come from {said}. The search alone says the same of {agree:,} of the {agree + other:,} that "
        f"have such a formalization. Of {easy.total():,} problems searched, {easy[True]:,} have an expression of all their numbers for the answer plus one as well."
    )


def _sampled(judged: Sequence[JudgedPair]) -> str:
    """Say how many of the findings of the sample are right by hand."""
    if not SAMPLE.exists():
        return "No sample was judged by hand."
    table = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    found = {pair.record["id"]: pair.outcome.name for pair in judged}
    parts = []
    for represented in (True, False):
        rows = [row for row in table if (row["outcome"] == SolverOutcome.REPRESENTED.name) is represented]
        right = sum(row["right"] for row in rows)
        still = sum(found.get(row["id"]) == row["outcome"] for row in rows)
        parts.append(
            f"{right} of {len(rows)} {'represented' if represented else 'of the rest'} ({still} found so today)"
        )
    return (
        f"Drawn by lot from “missing” (seed {SEED}) and judged by hand, the finding is right for {' and '.join(parts)}."
    )


def draw(judged: Sequence[JudgedPair]) -> list[JudgedPair]:
    """Return the sample of the category “missing”: represented ones, then the rest."""
    missing = sorted((pair for pair in judged if pair.record["category"] == 1), key=_lot)
    represented = [pair for pair in missing if pair.outcome is SolverOutcome.REPRESENTED]
    rest = [pair for pair in missing if pair.outcome is not SolverOutcome.REPRESENTED]
    return [*represented[:SIZE], *rest[:SIZE]]


def _lot(pair: JudgedPair) -> str:
    """Return what orders the problems by chance, whatever is found of them."""
    return hashlib.sha256(repr((SEED, pair.record["id"])).encode()).hexdigest()


def main() -> int:
    """Print the sample with its texts, and the record to fill in for each."""
    data = data_folder()
    for pair in draw(open_judge(data).all()):
        paired = pair.paired or {"question": "", "answer": None}
        print(f"\n=== {pair.outcome}{f' ({pair.route})' if pair.route else ''} {pair.detail}")
        print(
            f"  answerable: {paired['question'].strip()} {paired['answer']}\n  unanswerable: {pair.record['question'].strip()}"
        )
        print(json.dumps({"id": pair.record["id"], "outcome": pair.outcome.name, "right": None}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
