"""Tests of stated orders on generated problems: variants are certified, and no record whose order is turned round, moved or dropped is confirmed."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from generators.flaws.solution.example_solutions import example_source
from generators.variants.variant_source import VariantSubject
from harness.domain import Status
from harness.records.content_digest import with_digest
from oracles.certificates.solvers import SolverName, open_solver
from oracles.recheck.record_recheck import recheck
from oracles.recheck.variants.variant_fields import variant_digest
from oracles.variants.smtlib_script import contradiction, uniqueness
from oracles.variants.system_record import system_of_record, values_of_record
from properties.stages.certified_variants import make_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROBLEMS = 24
SOLVER = open_solver(SolverName.Z3)
NAMES = ("Ida", "Ulf", "Petra", "Tomas", "Vera", "Emil")
NUMBERS = range(13, 98)
Record = dict[str, Any]


def problem(seed: int) -> tuple[str, str, dict[str, int]]:
    """Return the code and the question of a problem that tells the amounts of two people, and those amounts."""
    random = Random(seed)
    first, second = random.sample(NAMES, 2)
    base, more, price = random.sample(NUMBERS, 3)
    verb, things = random.choice((("has", "cards"), ("picked", "baskets of plums"), ("owns", "old lamps")))
    times = random.choice((2, 3, 4))
    words = {2: "twice", 3: "three times", 4: "4 times"}[times]
    told, code, amount = random.choice(
        [
            (
                f"{second} {verb} {words} as many {things} as {first}.",
                f"times = {times} # {words} as many {things}\nother = base * times",
                base * times,
            ),
            (
                f"{second} {verb} {more} more {things} than {first}.",
                f"more = {more} # {more} more {things}\nother = base + more",
                base + more,
            ),
            (
                f"{second} {verb} 5 fewer {things} than {first} did.",
                f"fewer = 5 # 5 fewer {things}\nother = base - fewer",
                base - 5,
            ),
            (
                f"{second} {verb} half as many {things} as {first}.",
                f"half = 2 # half as many {things}\nother = base / half",
                base // 2,
            ),
            (f"{second} {verb} {more} {things}.", f"other = {more} # {more} {things}", more),
        ]
    )
    if "half" in told:
        base -= base % 2
        amount = base // 2
    question = (
        f"{first} {verb} {base} {things}. {told} Each of the {things} is sold for ${price}. How much money is made?"
    )
    lines = f"# L1\nbase = {base} # {base} {things}\n{code}\ntotal = base + other\n# L2\nprice = {price} # {price} dollars\nmoney = total * price"
    return lines, question, {first: base, second: amount}


@cache
def orders() -> list[tuple[Record, dict[str, int]]]:
    """Return the records of stated orders of generated problems, each with the amounts that its people have."""
    records = []
    for seed in range(PROBLEMS):
        code, question, amounts = problem(seed)
        made = make_from(VariantSubject(example_source(code, question)), seed=0, solver=SOLVER)
        records += [(record, amounts) for record in made.records if record["operator"] == "stated_order"]
    return records


def stated(record: Record) -> str:
    """Return the sentence that a record puts in."""
    (edit,) = record["edits"]
    return str(edit["after"]).strip()


def resealed(record: Record, text: str | None = None) -> Record:
    """Return a record whose id, script and digest follow from its other fields."""
    record = {**record, "modified_problem_text": text or record["modified_problem_text"]}
    system = system_of_record(record["system"])
    models = [values_of_record(model) for model in record["models"]]
    if record["class_label"] == 0:
        script = contradiction(system, tuple(record["core"]))
    else:
        script = uniqueness(system, models[0], models[0][system.answer])
    record["certificate"] = {**record["certificate"], "smtlib": script}
    digest = variant_digest(record["modified_problem_text"])
    record["variant_id"] = f"{record['problem_id']}:{record['operator']}:{digest}"
    return with_digest(record)


def said_otherwise(record: Record, sentence: str) -> Record:
    """Return a record that states another sentence wherever it quotes its own."""
    changed: Record = deepcopy(record)
    own = stated(record)
    shift = len(sentence) - len(own)
    (edit,) = changed["edits"]
    edit["after"] = edit["after"].replace(own, sentence)
    for bound in changed["system"]["bounds"]:
        bound["words"] = bound["words"].replace(own, sentence)
    for fact in changed["system"]["facts"]:
        if fact["span"] is not None and fact["span"][0] > edit["span"][0]:
            fact["span"] = [place + shift for place in fact["span"]]
    changed["reasoning_trace"] = changed["reasoning_trace"].replace(own.removesuffix("."), sentence.removesuffix("."))
    return resealed(changed, changed["modified_problem_text"].replace(own, sentence))


def opposite(sentence: str) -> str:
    """Return the sentence that names the same two with the other comparative."""
    pairs = {"more": "fewer", "fewer": "more"}
    return re.sub(r"\b(more|fewer)\b", lambda match: pairs[match[1]], sentence)


def exchanged(sentence: str) -> str:
    """Return the sentence that names the two the other way round."""
    first, *middle, second = sentence.removesuffix(".").split()
    return f"{second} {' '.join(middle)} {first}."


def with_bound(record: Record, change: Callable[[Record], None]) -> Record:
    """Return a record whose stated order is changed in its constraints alone."""
    changed = deepcopy(record)
    change(next(bound for bound in changed["system"]["bounds"] if bound["name"].startswith("order:")))
    return resealed(changed)


def turned(bound: Record) -> None:
    """Exchange the lesser and the greater quantity."""
    bound["variable"], bound["limit"] = bound["limit"], bound["variable"]


def renamed(bound: Record) -> None:
    """Call a stated order by another kind."""
    bound["name"] = bound["name"].replace("order:", "told:")


def attacks(record: Record) -> Iterator[tuple[str, Record]]:
    """Yield what an attacker who computes everything anew would try."""
    sentence = stated(record)
    third = next(name for name in NAMES if name not in sentence)
    yield "another comparative", said_otherwise(record, opposite(sentence))
    yield "the other way round", said_otherwise(record, exchanged(sentence))
    yield "somebody else", said_otherwise(record, sentence.replace(sentence.split()[0], third))
    yield "other things", said_otherwise(record, re.sub(r"(more|fewer) [\w ]+ than", r"\1 pens than", sentence))
    yield "no order", said_otherwise(record, f"{sentence.split()[0]} likes plums.")
    yield "a negation", said_otherwise(record, re.sub(r"(more|fewer)", r"no \1", sentence))
    yield "another bound", with_bound(record, turned)
    yield "another limit", with_bound(record, lambda bound: bound.update(limit="total"))
    if record["class_label"] == 1:
        yield "another kind", with_bound(record, renamed)
        dropped = deepcopy(record)
        bounds = dropped["system"]["bounds"]
        dropped["system"]["bounds"] = [bound for bound in bounds if not bound["name"].startswith("order:")]
        yield "no bound", resealed(dropped)
    renamed_operator = {**record, "operator": "stated_quantity"}
    yield "another operator", resealed(renamed_operator)


@pytest.mark.slow
def test_orders_of_generated_problems_are_labelled_right() -> None:
    """Each problem gives a contradiction and a near-twin; the twin's sentence is true of the amounts, the other's is false."""
    records = orders()
    assert len({record["problem_id"] + record["question"] for record, _ in records}) >= PROBLEMS * 3 // 4
    for record, amounts in records:
        assert recheck(record, SOLVER).status is Status.CONFIRMED
        sentence = stated(record)
        first, second = sentence.split()[0], sentence.removesuffix(".").split()[-1]
        true = (amounts[first] > amounts[second]) is (" more " in sentence)
        assert true is (record["class_label"] == 1), record["modified_problem_text"]


def test_no_attack_on_a_stated_order_is_confirmed() -> None:
    """With id, script and digest computed anew; the sentence that says the same of both in other words is the only one allowed."""
    tried = 0
    for record, _ in orders():
        for name, attacked in attacks(record):
            found = recheck(attacked, SOLVER)
            assert found.status is not Status.CONFIRMED, (
                name,
                attacked["modified_problem_text"],
                attacked["system"]["bounds"],
            )
            tried += 1
    assert tried >= 8 * PROBLEMS


def test_half_in_the_place_of_twice_is_refused() -> None:
    """A half can be read as the divisor two, so that the fact still holds; the amounts that the text says then are not those of the step."""
    tried = 0
    for record, _ in orders():
        if " twice " not in record["question"]:
            continue
        changed = deepcopy(record)
        changed["question"] = record["question"].replace(" twice ", " half ")
        for edit in changed["edits"]:
            edit["span"] = [place - 1 for place in edit["span"]]
        for fact in changed["system"]["facts"]:
            fact["words"] = fact["words"].replace(" twice ", " half ")
            if fact["span"] is not None:
                start, end = fact["span"]
                place = record["modified_problem_text"].index(" twice ") + 1
                fact["span"] = [start - (start > place), end - (end > place)]
        changed["reasoning_trace"] = changed["reasoning_trace"].replace("twice ", "half ")
        found = recheck(resealed(changed, record["modified_problem_text"].replace(" twice ", " half ")), SOLVER)
        assert found.status is Status.REFUTED
        assert "compares" in str(found.reason)
        tried += 1
    assert tried > 1


def test_a_stated_order_behind_a_change_is_refused() -> None:
    """The statement is moved behind the sentence that follows, where an amount may have changed: the sentences before it no longer tell the two."""
    for record, _ in orders():
        moved = deepcopy(record)
        (edit,) = moved["edits"]
        start = edit["span"][0]
        end = record["question"].index(". How") + 1
        shift = len(edit["after"])
        edit["span"] = [end, end]
        for fact in moved["system"]["facts"]:
            if fact["span"] is not None and fact["span"][0] > start:
                fact["span"] = [place - shift for place in fact["span"]]
        question = record["question"]
        moved = resealed(moved, f"{question[:end]}{edit['after']}{question[end:]}")
        found = recheck(moved, SOLVER)
        assert (found.status, "before" in str(found.reason)) == (Status.REFUTED, True), found.reason
