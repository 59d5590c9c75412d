"""Benchmark of constraint program repair: broken programs restored, and programs from models repaired."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from benchmarks import smt_real
from generators.constraints.breakage.breakage import WAYS, break_program
from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.constraints.repair.program_repair import repair
from harness.domain import Status
from harness.paths import data_folder
from harness.smtlib.script import read_script
from oracles.constraints.equivalence import equivalences
from tests.generators.constraints.repair.mistake_grammar import FAMILIES, mixed, written
from tests.harness.smtlib.random_scripts import draw_program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from generators.constraints.repair.repair_record import RepairResult
    from harness.domain import Verdict

PROBLEMS = 25
"""Problems of each domain and size."""
DRAWN = 120
"""Programs drawn by chance, which hold what the domains do not."""
NOTATIONS = 6
"""Families of other notations in which each program is written."""
SEED = 23
OUTCOMES = ("proved", "marked", "left", "undecided", "silent")
_MEANING = {
    "proved": "equivalent",
    "marked": "something else, and said so",
    "left": "not repaired",
    "undecided": "undecided",
    "silent": "**something else, silently**",
}
Table = "Mapping[str, Counter[str]]"


@dataclass(frozen=True, slots=True)
class RepairCase:
    """A program, what it was broken to, and in which ways."""

    program: str
    text: str
    ways: tuple[str, ...]


def measure(data: Path) -> str:
    """Break, repair and compare; repair and translate what models wrote; return the figures as Markdown."""
    own = [
        problem.program
        for domain in DOMAINS
        for size in (ProblemSize.SMALL, ProblemSize.MEDIUM)
        for problem in domain.problems(PROBLEMS, seed=SEED, size=size)
    ]
    drawn = [draw_program(Random(f"{SEED}:{number}")).program for number in range(DRAWN)]
    single = judged(_singly(own))
    rows = {"own, one way": single, "drawn, one way": judged(_singly(drawn))}
    for count, word in ((2, "two ways"), (3, "three ways")):
        rows[f"own, {word} at once"] = judged(_together(own, count))
        rows[f"drawn, {word} at once"] = judged(_together(drawn, count))
    rows["own, another notation"] = judged(_noted(own))
    rows["drawn, another notation"] = judged(_noted(drawn))
    rows["own, two notations at once"] = judged(_mixed(own))
    said = (
        f"{len(own):,} programs of the domains, small and medium, and {len(drawn):,} drawn by chance with what the domains lack (real numbers, "
        f"functions, declared sorts, negative numbers), broken in {len(list(WAYS))} registered ways, each alone, or two or three drawn by chance. "
        "*Equivalent* is proved both ways by z3 and by cvc5. A program that could have been another one as well is no repair: where it may be, the "
        "repair says so, and where it says nothing it must be equivalent. "
        f"*Another notation*: {len(FAMILIES)} families of a grammar of mistakes (operators, placement, brackets, declarations, assertions and wrappers "
        "as other languages write them), six drawn by chance for each program. The repairs were written with these families in view."
    )
    parts = [
        f"## Repair of SMT-LIB2\n\n    python -m benchmarks smt_repair\n\n{said}",
        table("programs", {name: total(found) for name, found in rows.items()}),
        "By the way it was broken in, one at a time, programs of both kinds:",
        table("way", _ways([single, rows["drawn, one way"]])),
        _speed(own),
        smt_real.measure(data),
    ]
    return "\n\n".join(parts)


def _singly(programs: Sequence[str]) -> list[RepairCase]:
    found = []
    for number, program in enumerate(programs):
        for way in WAYS:
            text = way.apply(program, Random(f"{SEED}:{number}:{way.name}"))
            if text is not None:
                found.append(RepairCase(program, text, (way.name,)))
    return found


def _together(programs: Sequence[str], count: int) -> list[RepairCase]:
    found = []
    for number, program in enumerate(programs):
        made = break_program(program, count, f"{SEED}:{number}")
        if made is not None:
            found.append(RepairCase(program, made.program, made.ways))
    return found


def _noted(programs: Sequence[str]) -> list[RepairCase]:
    cases = []
    for number, program in enumerate(programs):
        random = Random(f"{SEED}:{number}:notation")
        for name in random.sample(sorted(FAMILIES), NOTATIONS):
            text = written(program, FAMILIES[name], random)
            if text is not None and not read_script(text).valid:
                cases.append(RepairCase(program, text, (name,)))
    return cases


def _mixed(programs: Sequence[str]) -> list[RepairCase]:
    drawn = [(program, mixed(program, Random(f"{SEED}:{number}:mixed"), 2)) for number, program in enumerate(programs)]
    return [
        RepairCase(program, *text) for program, text in drawn if text is not None and not read_script(text[0]).valid
    ]


def judged(cases: Sequence[RepairCase]) -> dict[str, Counter[str]]:
    """Return the outcomes of the repairs by way, and of all under an empty name."""
    repaired = [repair(case.text) for case in cases]
    verdicts = equivalences([(case.program, mended.program) for case, mended in zip(cases, repaired, strict=True)])
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for case, mended, verdict in zip(cases, repaired, verdicts, strict=True):
        came_of_it = outcome(case, mended, verdict)
        for way in ("", *case.ways):
            found[way][came_of_it] += 1
    return found


def outcome(case: RepairCase, repaired: RepairResult, verdict: Verdict) -> str:
    """Return what became of a broken program."""
    if read_script(case.text).valid:
        message = f"not broken by {', '.join(case.ways)}:\n{case.text}"
        raise AssertionError(message)
    if repaired.faults_left:
        return "left"
    if verdict.status is Status.CONFIRMED:
        return "proved"
    if not repaired.certain:
        return "marked"
    return "silent" if verdict.status is Status.REFUTED else "undecided"


def total(found: Mapping[str, Counter[str]]) -> Counter[str]:
    """Return the outcomes of all repairs."""
    return found[""]


def _ways(several: Sequence[Mapping[str, Counter[str]]]) -> dict[str, Counter[str]]:
    names = sorted({name for found in several for name in found if name})
    return {
        name.replace("_", " "): sum((Counter(found.get(name, {})) for found in several), Counter()) for name in names
    }


def table(first: str, rows: Mapping[str, Counter[str]]) -> str:
    """Return outcomes as a table in Markdown."""
    lines = [
        f"| {first} | broken | {' | '.join(_MEANING[outcome] for outcome in OUTCOMES)} |",
        "|---|---:|" + "---:|" * len(OUTCOMES),
    ]
    for name, found in rows.items():
        count = sum(found.values())
        share = f"{found['proved']:,} ({found['proved'] / count:.1%})" if count else "·"
        rest = " | ".join(f"{found[outcome]:,}" if found[outcome] else "·" for outcome in OUTCOMES[1:])
        lines.append(f"| {name} | {count:,} | {share} | {rest} |")
    return "\n".join(lines)


def _speed(programs: Sequence[str]) -> str:
    texts = [case.text for case in _together(programs, 3)]
    start = time.process_time()
    for text in texts:
        repair(text)
    took = time.process_time() - start
    return f"Repairing a program of the domains that is broken in three ways takes {1000 * took / len(texts):.1f} ms on one core ({len(texts):,} programs)."


def show(data: Path, name: str, count: int, seed: str) -> None:
    """Print repairs drawn by chance, to be read: `own`, `logical_deduction` or `arlsat`."""
    random = Random(seed)
    if name == "own":
        programs = [draw_program(Random(f"{seed}:{number}")).program for number in range(count)]
        for number, program in enumerate(programs):
            made = break_program(program, random.randint(1, 3), f"{seed}:{number}")
            if made is not None:
                _print(made.program, repair(made.program))
        return
    for text, program in smt_real.pairs(data, name, count, random):
        print(f"{text}\n  --->\n{program}\n{'-' * 80}")


def _print(text: str, repaired: RepairResult) -> None:
    print(f"{text}\n  ---> by {repaired.by}\n{repaired.program}")
    for edit in repaired.edits:
        print(json.dumps(edit.record(), ensure_ascii=False))
    print("-" * 80)


def main() -> None:
    """Print the section, or with arguments `show NAME COUNT SEED` repairs to be read."""
    data = data_folder()
    if sys.argv[1:2] == ["show"]:
        show(data, sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        print(measure(data))


if __name__ == "__main__":
    main()
