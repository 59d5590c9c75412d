"""The options of sessions of pytest, in one table: what declares them, and what names those that decide what an item judges."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest


def finite(text: str) -> float:
    """Return a finite number; errors as argparse expects of a type."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"expected a number such as 0.5, found {text!r}")
    return number


def positive(text: str) -> int:
    """Return a whole number from 1 to a million; errors as argparse expects of a type."""
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 1_000_000):
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to 1,000,000, found {text!r}")
    return int(text)


def _repeated(metavar: str, about: str) -> dict[str, Any]:
    return {"action": "append", "default": [], "metavar": metavar, "help": f"{about}; may be given again"}


def _one(default: Any, metavar: str, about: str, type_: Any = str) -> dict[str, Any]:
    return {"default": default, "metavar": metavar, "help": about, "type": type_}


OPTIONS: Mapping[str, dict[str, Any]] = {
    "corpus": _one(
        "mini",
        "NAME|PATH",
        "mini, gsm8k:train, gsm8k:test, or a GSM8K-style JSONL path (PREFIX=path names the problems PREFIX-N)",
    ),
    "formalizations": _repeated(
        "PATH", "JSONL {problem_id, model, response}, plain or .gz, or a folder PROBLEM_ID/MODEL.py"
    ),
    "labels": _repeated(
        "PATH",
        "labelled solutions to audit, JSONL {problem_id, flawed_solution, label}, plain or .gz; without --harness-formalizations, only they are judged",
    ),
    "solutions": _repeated(
        "PATH",
        "solutions to judge by programs or worked solutions, JSONL {problem_id, solution}, plain or .gz; without --harness-formalizations, only they are judged",
    ),
    "problems": _one(
        None, "0:70|ID,…", "only these problems of the corpus: zero-based ranges and ids, comma-separated"
    ),
    "exclude": _one(
        None, "FILE", "problems that no stage may use: a JSON list of zero-based lines of the corpus or ids"
    ),
    "slice": _one(None, "K/N", "only the K-th of N interleaved parts of the problems"),
    "run": _one(
        None,
        "NAME",
        "the run's folder, a name under --harness-runs or a path; an unfinished run of that name is continued",
    ),
    "runs": _one("runs", "DIR", "where runs are kept (default: runs)"),
    "seed": _one(0, "N", "seed of everything random (default: 0)", int),
    "oracle": {
        "choices": ("parameters", "random"),
        "default": "parameters",
        "help": "which member of the clique becomes the oracle (default: the one with most parameters)",
    },
    "weights": _one("0.7,0.3", "ALIGNED,SIMILARITY", "weights of the pairwise quality score (default: 0.7,0.3)"),
    "bonus": _one("1.0,1.1,1.2,1.3", "TWO,THREE,…", "confidence bonus for cliques of 2, 3, 4, 5 and more"),
    "strict": {
        "choices": ("yes", "no"),
        "default": "yes",
        "help": "whether every refuted pair separates two formalizations (default: yes); with no, only differences of logic and rounding do",
    },
    "min_confidence": _one(
        None,
        "X",
        "the confidence that a problem needs: of --harness-gate=consensus (default: 0.5) and of the oracles that flaws and variants are made from (default: any)",
        finite,
    ),
    "min_clique": _one(
        1,
        "N",
        "the formalizations that must agree on a problem before flaws and variants are made of it (default: 1, which UT-1 confirms)",
        positive,
    ),
    "family": _repeated(
        "NAME=PATTERN",
        "one model under several prompts or settings: the models whose names match the pattern, as gpt=*/gpt-4o/*, count as samples of one",
    ),
    "max_pairs": _one(
        1_000,
        "N",
        "the most pairs of formalizations of a problem that have an item each; a problem with more has one item, which compares classes (default: 1000)",
        positive,
    ),
    "smt_count": _one(25, "N", "the number of constraint problems of each domain to judge (default: 25)", int),
    "smt_seed": _one(0, "N", "seed of constraint problems (default: 0)", int),
    "smt_problems": _repeated(
        "FILE",
        "judge these constraint problems instead: JSONL {problem, program, …}, plain or .gz, or CSV with these columns",
    ),
    "gate": {
        "choices": ("findings", "consensus", "none"),
        "default": "findings",
        "help": "what fails the session: every finding (default), a problem below --harness-min-confidence, or machinery errors only",
    },
    "report": {
        "choices": ("html", "none"),
        "default": "html",
        "help": "whether to write runs/<run>/report/index.html (default: html)",
    },
}
"""The options by name, each with what pytest's parser takes."""
REPRODUCTION_DEFAULTS: Mapping[str, Any] = {
    name: option["default"] for name, option in OPTIONS.items() if name not in {"gate", "report"}
}
"""The defaults of the options that an item and its verdict depend on."""


def add_session_options(parser: pytest.Parser) -> None:
    """Declare the options `--harness-*`."""
    group = parser.getgroup("harness", "oracle-factory")
    for name, option in OPTIONS.items():
        group.addoption(f"--harness-{name.replace('_', '-')}", **option)


def reproduction_options(config: pytest.Config) -> list[str]:
    """Return the options that an item and its verdict depend on, without those at their defaults."""
    options = []
    for option, default in REPRODUCTION_DEFAULTS.items():
        value = config.getoption(f"harness_{option}", default)
        if value != default:
            values = value if isinstance(value, list) else [value]
            options += [f"--harness-{option.replace('_', '-')}={text}" for text in values]
    return options
