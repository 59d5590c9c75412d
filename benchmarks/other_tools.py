"""Benchmark beside other tools that run on two cores: Math-Verify for answers, and the majority vote of the same programs for verdicts."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from math_verify import parse, verify

from benchmarks.sessions import records, require
from benchmarks.verify_by_oracle import ANSWERS, SEVEN
from harness.corpora.problems import load_corpus, read_records
from harness.domain import Response
from harness.program.lifter import read_candidate
from oracle_factory.rewards import is_right

if TYPE_CHECKING:
    Judge = Callable[[str, str], bool | None]

NUMBERS = tuple(
    Fraction(number, 100) for number in (1, 25, 75, 100, 150, 225, 700, 1200, 2050, 120000, 850000, 125000000)
)
"""Values of answers: cents, quarters, small and large whole numbers."""


def measure(data: Path) -> dict[str, Any]:
    """Return the verdicts of each tool on answers of models with their gold answers, on forms of one number, and of a majority vote without gold answers."""
    require("programs", ANSWERS, "gsm8k/test.jsonl", data=data)
    gold = {own.problem_id: str(own.gold) for own in load_corpus(str(data / "gsm8k" / "test.jsonl"))}
    answers = list(records(data / ANSWERS))
    given = [(record["solution"], gold[record["problem_id"]], record["is_correct"]) for record in answers]
    judges: dict[str, Judge] = {"math_verify": by_math_verify, "oracle_factory": is_right}
    judged_by = {
        name: {"answers": judged(judge, given), "forms": judged(judge, forms())} for name, judge in judges.items()
    }
    return {**judged_by, "majority_vote": majority_vote(data, answers)}


def by_math_verify(answer: str, truth: str) -> bool:
    """Tell by Math-Verify, with its settings as they come, whether a text gives an answer."""
    return bool(verify(parse(truth), parse(answer)))


def judged(judge: Judge, given: Iterable[tuple[str, str, bool]]) -> dict[str, Any]:
    """Return how many texts are judged rightly, wrongly and not at all, the first of those judged wrongly, and the milliseconds that each takes."""
    cases = list(given)
    began = time.perf_counter()
    said = [judge(text, truth) for text, truth, _ in cases]
    seconds = time.perf_counter() - began
    wrong = [case for case, verdict in zip(cases, said, strict=True) if verdict not in {case[2], None}]
    return {
        "cases": len(cases),
        "right": len(cases) - len(wrong) - said.count(None),
        "not_judged": said.count(None),
        "wrong": len(wrong),
        "first_wrong": wrong[:12],
        "milliseconds": 1000 * seconds / len(cases),
    }


def forms() -> Iterator[tuple[str, str, bool]]:
    """Yield a text of each form of each number with the number, and with one that differs from it in a digit, a place or a sign."""
    for number in NUMBERS:
        for text in forms_of(number):
            reply = f"The answer is {text}."
            yield reply, plain(number), True
            yield from ((reply, plain(other), False) for other in (number + 1, number * 10, -number, number * 1000))


def forms_of(number: Fraction) -> Iterator[str]:
    """Yield the forms in which answers of word problems give a number: decimals, groups, currency, percent, fractions, mixed numbers, LaTeX."""
    decimal, whole, rest = plain(number), int(number), number - int(number)
    yield from (decimal, f"${decimal}", f"{decimal} apples", rf"\boxed{{{decimal}}}", f"**{decimal}**")
    if whole >= 1000:
        grouped = f"{whole:,}"
        yield from (grouped, f"${grouped}.00", rf"\boxed{{{grouped.replace(',', '{,}')}}}")
    if rest:
        top, bottom = number.as_integer_ratio()
        yield from (
            f"{top}/{bottom}",
            rf"\frac{{{top}}}{{{bottom}}}",
            f"{plain(100 * number)}%",
            rf"${plain(100 * number)}\%$",
        )
    if rest and whole:
        top, bottom = rest.as_integer_ratio()
        yield from (f"{whole} {top}/{bottom}", rf"{whole}\frac{{{top}}}{{{bottom}}}")


def plain(number: Fraction) -> str:
    """Write a number with at most two decimals."""
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def majority_vote(data: Path, answers: list[dict[str, Any]]) -> dict[str, int]:
    """Return how many answers are told right or wrong by the commonest value of seven programs a problem, as Math-Verify reads the answer."""
    values: dict[str, Counter[str]] = defaultdict(Counter)
    for _, record in read_records(data / "formalizations" / "programs.jsonl.gz"):
        if record["model"] in SEVEN:
            outcome = read_candidate(Response(record["problem_id"], record["model"], record["response"])).outcome
            if outcome is not None and isinstance(outcome.value, int | Fraction):
                values[record["problem_id"]][str(float(outcome.value))] += 1
    votes = {problem: counts.most_common(1)[0][0] for problem, counts in values.items()}
    said = [
        by_math_verify(record["solution"], votes[record["problem_id"]]) if record["problem_id"] in votes else None
        for record in answers
    ]
    return {
        "answers": len(answers),
        "right": sum(verdict == record["is_correct"] for verdict, record in zip(said, answers, strict=True)),
    }
