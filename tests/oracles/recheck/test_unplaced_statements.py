"""Tests of the re-check on what a variant's system says beyond the numbers of its text: it cannot make a solvable problem contradictory."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from harness.constraint_system import Bound, BoundKind, ConstraintSystem, Fact, FactSource
from harness.domain import Status
from harness.records.content_digest import with_digest
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.file_consistency import FileConsistency
from oracles.recheck.record_recheck import recheck
from oracles.recheck.variants.unplaced_statements import unplaced_problem
from oracles.variants.smtlib_script import contradiction
from oracles.variants.system_record import system_of_record
from tests.cases import cases
from tests.certified_records import certified_variant_records
from tests.oracles.variants.constraint_systems import PEARS, QUESTION

Record = dict[str, Any]
SOLVER = open_solver(SolverName.Z3)
NAMED = "Sam shares it between 2 sons, Ken and Tony."
SHARED = "There are 50 people. 80% of them are boys."


def _named(words: str, value: int) -> ConstraintSystem:
    first = Fact("fact:sons", "sons", 3, FactSource.TEXT, NAMED, (22, 23))
    return replace(PEARS, facts=(first, Fact("again:sons", "sons", value, FactSource.TEXT, words)), bounds=())


def _part(sign: str) -> tuple[str, ConstraintSystem]:
    text = SHARED.replace("80%", f"80{sign}")
    facts = (
        Fact("fact:people", "people", 50, FactSource.TEXT, text[:20], (10, 12)),
        Fact("fact:boys", "boys", 80, FactSource.TEXT, text[21:], (21, 23)),
    )
    return text, ConstraintSystem(
        facts, (), (Bound("part:boys", "boys", BoundKind.AT_MOST, text[21:], "people"),), "boys"
    )


def _with(*bounds: Bound, facts: tuple[Fact, ...] = ()) -> tuple[str, ConstraintSystem]:
    return QUESTION, replace(PEARS, facts=(*PEARS.facts, *facts), bounds=(*PEARS.bounds, *bounds))


SYSTEMS: dict[str, tuple[str, ConstraintSystem, bool]] = {
    "as it is": (*_with(), True),
    "another value from nowhere": (*_with(facts=(Fact("fact:again", "given", 8, FactSource.TEXT, "8 pears"),)), False),
    "what everybody knows, otherwise": (
        *_with(facts=(Fact("fact:x", "each", 7, FactSource.WORLD_KNOWLEDGE, ""),)),
        False,
    ),
    "two names": (NAMED, _named("Ken and Tony", 2), True),
    "two names for three": (NAMED, _named("Ken and Tony", 3), False),
    "names of another text": (NAMED, _named("Ann and Bo", 2), False),
    "all of a share": (*_with(Bound("at-most-all:given", "given", BoundKind.AT_MOST, "", 100)), True),
    "a limit from nowhere": (*_with(Bound("at-most-8:given", "given", BoundKind.AT_MOST, "", 8)), False),
    "more than another quantity": (*_with(Bound("part:given", "given", BoundKind.AT_MOST, "", "each")), False),
    "more than there are": (*_part(""), True),
    "a percentage as a number of things": (*_part("%"), False),
    "percent as a number of things": (*_part(" percent"), False),
}


@cases("name", SYSTEMS)
def test_what_stands_nowhere_contradicts_nothing(name: str) -> None:
    """A fact without a place beside one that has one, unless it counts names, and a limit that neither nature, a step nor the text sets, are refused."""
    text, system, accepted = SYSTEMS[name]
    assert (unplaced_problem(text, system) is None) is accepted


CHANGES = {
    "nothing": None,
    "another step": ("steps", "expression", "a + b + b"),
    "another fact from nowhere": ("facts", "value", "8"),
    "a fact that stood in the text": ("facts", "span", None),
    "another limit": ("bounds", "limit", "24"),
}


@cases("change", CHANGES)
def test_variants_of_a_formalization_share_what_their_texts_do_not_say(change: str) -> None:
    """In one file, a step, a fact without a place and a bound are the same for all variants of a formalization."""
    system = {
        "answer": "total",
        "steps": [{"name": "step:total", "variable": "total", "expression": "a + b"}],
        "facts": [
            {
                "name": "fact:days",
                "variable": "days",
                "value": "7",
                "span": [3, 4] if change == "a fact that stood in the text" else None,
            }
        ],
        "bounds": [{"name": "at-most-7:a", "variable": "a", "kind": "at_most", "limit": "7"}],
    }
    other = deepcopy(system)
    if (changed := CHANGES[change]) is not None:
        part, field, value = changed
        other[part][0][field] = value  # type: ignore[index]  # a list of dicts
    consistency = FileConsistency()
    records = [
        {"variant_id": str(place), "problem_id": "p", "model": "m", "system": constraint_system}
        for place, constraint_system in enumerate((system, other))
    ]
    found = [consistency.problem(place, record) for place, record in enumerate(records, start=1)]
    assert [reason is None for reason in found] == [True, change == "nothing"]


@pytest.mark.slow
def test_no_solvable_twin_becomes_contradictory_by_a_fact_from_nowhere() -> None:
    """Each near-twin that says a number again, with a fact more that says another one nowhere, is refused as a contradiction."""
    tried = 0
    for record in certified_variant_records():
        again = next((fact for fact in record["system"]["facts"] if fact["name"].startswith("restated:")), None)
        if record["class_label"] != 1 or again is None:
            continue
        made: Record = deepcopy(record)
        other = {**again, "name": "fact:other", "value": f"{int(again['value'].partition('/')[0]) + 1}", "span": None}
        made["system"]["facts"].append({**other, "words": ""})
        trace = "The numbers of the problem do not fit together. So the problem contradicts itself."
        made |= {
            "class_label": 0,
            "twin_of": None,
            "core": [again["name"], "fact:other"],
            "models": [],
            "solution": None,
        }
        made |= {"gold": None, "reasoning_trace": trace}
        made["certificate"] = {
            "smtlib": contradiction(system_of_record(made["system"]), made["core"]),
            "expect": "unsat",
        }
        tried += 1
        assert recheck(with_digest(made), SOLVER).status is Status.REFUTED
    assert tried > 2
