"""Tests of the registry contract: an entry from outside is available everywhere without a change to other files."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.constraints.problem.domain import DOMAINS
from generators.flaws.mutation_operator import OPERATORS
from generators.flaws.slip import SLIPS
from generators.variants.variant_operator import VARIANT_OPERATORS
from harness.llm.provider import PROVIDERS
from harness.program.dialect import DIALECTS
from harness.registry import PLUGINS, Registry
from harness.store.run_folder import code_fingerprint
from sft.validator.problem_text import PROBLEM_EVIDENCE
from sft.verifier.case import EVIDENCE
from sft.verifier.engine_registry import ENGINES
from tests.cases import cases

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parents[2]
REGISTRIES: tuple[Registry[Any], ...] = (
    *(DIALECTS, PROVIDERS, SLIPS, OPERATORS, VARIANT_OPERATORS, DOMAINS),
    *(EVIDENCE, PROBLEM_EVIDENCE, ENGINES),
)
ENTRIES = "tests.harness.throwaway_entries"
NAME = "throwaway"
SURVEY = """
import json

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from generators.flaws.mutation_operator import OPERATORS
from generators.flaws.slip import SLIPS
from generators.variants.variant_operator import VARIANT_OPERATORS
from harness.domain import Response
from harness.llm.provider import PROVIDERS, split_model_name
from harness.program.dialect import DIALECTS
from harness.program.lifter import lift
from properties.stages import mutation, variant
from sft.samples.solution_text import read_item
from sft.validator.problem_text import PROBLEM_EVIDENCE
from sft.validator.validator import text_validator
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.decision import decide
from sft.verifier.diagnosis.diagnosis import diagnosis_model
from sft.verifier.engine_registry import ENGINES, open_engine
from sft.verifier.engines.symbolic import judgement
from snapshots import test_mutations, test_variants

registries = (DIALECTS, PROVIDERS, SLIPS, OPERATORS, VARIANT_OPERATORS, DOMAINS, EVIDENCE, PROBLEM_EVIDENCE, ENGINES)
item = read_item("How many?", "1 + 1 = 2\\nthrowaway 2 * 3 = 6\\nFINAL ANSWER: 6")
case = Case(item)
judged = judgement(item)
signals = {"throwaway": EVIDENCE.signals_of(case)["throwaway"]}
chances = dict.fromkeys(("correct", "computational_error", "skipped_step"), 0.0) | {"conceptual_error": 1.0}
decided = decide(case, signals, chances, {"throwaway": 1.0}, diagnosis_model().diagnosis)
problem = text_validator().judge(["A throwaway has 3 pens. How many pens are left?"])
print(json.dumps({
    "registries without it": [one.package for one in registries if not any("throwaway" in entry.name for entry in one)],
    "provider": split_model_name("throwaway:x"),
    "dialect": lift(Response("p", "m", "ans = 2\\nthrowaway_answer = 1")).dialect,
    "mutation operators": [name for name in mutation.MutationRun.operators if "throwaway" in name],
    "variant operators": [name for name in variant.VariantRun.operators if "throwaway" in name],
    "snapshots": [name for suite in (test_mutations, test_variants) for name in suite.names() if "throwaway" in name],
    "domain": next(iter(DOMAINS.require("throwaway").problems(1, seed=0, size=ProblemSize.SMALL))).domain,
    "symbolic": [judged.flawed, judged.line, judged.error_type, judged.confidence],
    "decision": [hint.kind.name for hint in decided.evidence],
    "validator": [one.kind for judgement in problem for one in judgement.evidence if one.kind == "throwaway"],
    "engine": [one.flawed for one in open_engine("throwaway").judge([item])],
}))
"""


def run(*arguments: str) -> str:
    """Return what a Python process prints that has the throw-away entries as a plugin."""
    environment = {**os.environ, PLUGINS: ENTRIES, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr[-2_000:]
    return done.stdout


@cases("registry", REGISTRIES)
def test_a_registry_holds_a_file_an_entry(registry: Registry[Any]) -> None:
    """The folder of a registry holds entries only, those that share all but a line in one file, and its `__init__` a docstring."""
    package = importlib.import_module(registry.package)
    modules = [module.name for module in pkgutil.iter_modules(package.__path__)]
    assert len(list(registry)) >= len(modules)
    assert len(Path(package.__file__ or "").read_text("utf-8").splitlines()) == 1


def test_an_entry_from_outside_is_found_everywhere() -> None:
    """Each registry has it, and whoever reads the registry finds it: recognition, lists, evidence, types, sentences."""
    found = json.loads(run("-c", SURVEY).splitlines()[-1])
    assert found == {
        "registries without it": [],
        "provider": [NAME, "x"],
        "dialect": NAME,
        "mutation operators": [NAME, f"{NAME}_operator"],
        "variant operators": [f"{NAME}_variant"],
        "snapshots": [NAME, f"{NAME}_operator", f"{NAME}_variant"],
        "domain": NAME,
        "symbolic": [True, "L2", "scoping_precedence", 0.9],
        "decision": [NAME],
        "validator": [NAME],
        "engine": [False],
    }


def test_plugins_count_in_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results that a plugin had part in are never taken for those of the packages alone."""
    alone = code_fingerprint(ROOT, ("harness",))
    monkeypatch.setenv(PLUGINS, ENTRIES)
    assert code_fingerprint(ROOT, ("harness",)) != alone
