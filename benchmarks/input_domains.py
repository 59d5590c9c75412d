"""Benchmark of input domains: how many inputs of real answers have which domain, and how many a guessed cap."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.sessions import DATASETS, available
from harness.corpora.problems import load_corpus
from harness.corpora.responses import load_responses
from harness.program.candidate import read_program
from oracles.equivalence.input_domain import domain_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from harness.domain import Parameter


def measure(data: Path) -> str:
    """Count the domains of the inputs of each data set and return them as Markdown."""
    rows = []
    for name in DATASETS:
        if not available(name, data):
            rows.append(f"| {name} | not measured: the data are not there | | |")
            continue
        domains = Counter(str(domain_of(parameter)) for parameter in _parameters(name, data))
        guessed = sum(count for domain, count in domains.items() if "guessed" in domain)
        named = ", ".join(f"{count:,} {domain}" for domain, count in domains.most_common())
        rows.append(f"| {name} | {domains.total():,} | {guessed:,} ({guessed / domains.total():.1%}) | {named} |")
    head = "| inputs of | inputs | with a guessed cap | by domain |\n|---|---|---|---|"
    return "\n".join(["## Domains of inputs", "", "    python -m benchmarks input_domains", "", head, *rows])


def _parameters(name: str, data: Path) -> Iterator[Parameter]:
    corpus, answers = DATASETS[name]
    problems = frozenset(problem.problem_id for problem in load_corpus(str(data / corpus)))
    for responses in load_responses([data / answers], problems).accepted.values():
        for response in responses.values():
            program = read_program(response)
            yield from program.parameters if program is not None else ()
