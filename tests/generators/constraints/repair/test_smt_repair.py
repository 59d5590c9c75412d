"""Tests of program repair: it mends broken programs, keeps their meaning and reports every change."""

from __future__ import annotations

import time
from random import Random

import pytest
from hypothesis import example, given, settings, strategies as st

from generators.constraints.breakage.breakage import WAYS, break_program
from generators.constraints.repair.edit_kind import EDITS, AmbiguousError, EditKind, ProgramDraft
from generators.constraints.repair.program_repair import LONGEST, repair
from generators.constraints.repair.repair_record import RepairMethod
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.script import read_script
from oracles.constraints.equivalence import equivalences
from tests.cases import cases
from tests.generators.constraints.repair.mistake_grammar import FAMILIES, written
from tests.generators.constraints.repair.mistakes_of_models import FAMILIES as MISTAKES, TRAPS, mistake_of
from tests.harness.smtlib.random_scripts import draw_program, refusals

FRUIT = "(declare-const apples Int)\n(declare-const pears Int)\n"
PIECES = [
    "(assert ",
    "(declare-const x Int)",
    ")",
    "(",
    "\n",
    "x",
    "(check-sat)",
    "|",
    '"',
    "-3",
    "&&",
    "And(",
    ",",
    "[",
    "]",
    "< 3",
    "```",
    "≤",
    "é",
    "Int",
    "# a",
    "// b",
    "not",
]


@cases("kind", list(EDITS))
def test_each_kind_does_what_its_examples_say(kind: EditKind) -> None:
    """A kind of edit is among those made of its example, or proposes nothing; the program is as it says, and certain if no fault is left."""
    for shown in kind.examples:
        repaired = repair(shown.before)
        assert (repaired.program, repaired.certain) == (shown.after, shown.certain and not repaired.faults_left)
        if kind.name not in {edit.kind for edit in repaired.edits}:
            try:
                assert list(kind.propose(ProgramDraft(shown.before))) == []
            except AmbiguousError:
                assert repaired.ambiguous
        if not repaired.faults_left:
            assert refusals(repaired.program) == {}


def test_some_example_of_each_kind_is_mended() -> None:
    """Every kind of edit has an example that is valid after it and was not before."""
    for kind in EDITS:
        mended = [
            shown for shown in kind.examples if not read_script(shown.before).valid and read_script(shown.after).valid
        ]
        assert mended, kind.name


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_a_valid_program_is_left_as_it_is(seed: int) -> None:
    """Nothing is done to a program without faults."""
    program = draw_program(Random(seed)).program
    assert repair(program) == repair(program)
    assert (repair(program).program, repair(program).by) == (program, RepairMethod.NONE)


@given(st.integers(0, 10**6), st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_repairing_twice_is_repairing_once(seed: int, count: int) -> None:
    """A repaired program is not changed by a second repair, and the same text is repaired alike."""
    found = break_program(draw_program(Random(seed)).program, count, str(seed))
    if found is not None:
        once = repair(found.program)
        assert repair(found.program) == once
        again = repair(once.program)
        assert again.program == once.program
        assert again.edits == ()


@given(st.one_of(st.text(max_size=120), st.lists(st.sampled_from(PIECES), max_size=30).map("".join)))
@settings(max_examples=100, deadline=None)
@example("(assert " * 150)
@example("And(" * 150)
@example("(x " * 150 + "&&")
@example("(declare-const x Int)\n(assert (" + "x + " * 400 + "x = 3))")
def test_any_text_is_repaired_or_left(text: str) -> None:
    """No text raises; a repair that claims success is valid, and its edits are listed at places of the text."""
    repaired = repair(text)
    assert repaired.repaired == (repaired.by is not RepairMethod.NONE and read_script(repaired.program).valid)
    assert all(0 <= edit.at.offset <= len(text) for edit in repaired.edits)


@pytest.mark.slow
@cases("unit", ["(", "(assert And(x > 3, ", "x + ", "a || ", "(assert (> v w))\n", "```\n(assert x)\n", '|"', "// x\n"])
def test_a_hostile_text_takes_seconds(unit: str) -> None:
    """A text of the longest length that repeats one thing is repaired or left in bounded time."""
    start = time.process_time()
    repair(unit * (LONGEST // len(unit)))
    assert time.process_time() - start < 15


def test_the_readable_part_has_every_readable_assertion() -> None:
    """A fault of the whole, as a missing check, is no fault of the command at which it is placed."""
    head = "".join(f"(declare-const x{number} Int)\n" for number in range(LONGEST // 20))
    broken = f"{head}(assert (> x1\n(assert (< x1 x2))\n"
    found = repair(broken, guarantee=True)
    assert found.by is RepairMethod.PARTIAL
    assert [write_node(node) for node in read_script(found.program).assertions] == ["(< x1 x2)"]


@pytest.mark.slow
def test_repair_takes_time_in_proportion() -> None:
    """A program of 30,000 constants, or with a conjunction of 60,000 terms, that lacks its check is repaired in time linear in its length."""
    constants = "".join(f"(declare-const x{number} Int)\n" for number in range(30_000)) + "(assert (< x1 x2))\n"
    names = " ".join(f"p{number % 1_000}" for number in range(60_000))
    wide = "".join(f"(declare-const p{number} Bool)\n" for number in range(1_000)) + f"(assert (and {names}))\n"
    for text in (constants, wide):
        start = time.process_time()
        assert repair(text).repaired
        assert time.process_time() - start < 10


@pytest.mark.slow
def test_a_long_unreadable_rest_takes_seconds() -> None:
    """Of 30,000 constants followed by unreadable text, the readable part is found in a few readings of the text."""
    constants = "".join(f"(declare-const x{number} Int)\n" for number in range(30_000))
    for rest in ("(assert (> x1 x2)\n(((((\n(assert x3 y z\n", "(assert (~~ x1 ` x2))\n)))\n(assert foo(bar\n"):
        start = time.process_time()
        found = repair(f"{constants}(assert (< x1 x2))\n{rest}", guarantee=True)
        assert time.process_time() - start < 10
        assert (found.by, len(read_script(found.program).assertions)) == (RepairMethod.PARTIAL, 1)


def test_a_text_that_is_too_long_is_left() -> None:
    """Beyond the limit of size, a repair only sets the logic and adds the check."""
    repaired = repair(" " * LONGEST + "(assert (x < 3))")
    assert {edit.kind for edit in repaired.edits} <= {"logic", "missing_check"}
    assert "(assert (x < 3))" in repaired.program
    assert repaired.faults_left


@pytest.mark.parametrize(("count", "least"), [(40, 18), pytest.param(90, 41, marks=pytest.mark.slow)])
def test_no_repair_says_something_else_without_saying_so(count: int, least: int) -> None:
    """Programs broken in one to three ways are repaired to equivalent ones, or the repair is marked, or faults are left."""
    pairs = []
    for seed in range(count):
        program = draw_program(Random(f"meaning:{seed}")).program
        found = break_program(program, seed % 3 + 1, f"meaning:{seed}")
        repaired = None if found is None else repair(found.program)
        if repaired is not None and repaired.repaired and repaired.certain:
            pairs.append((program, repaired.program))
    assert len(pairs) >= least
    verdicts = list(equivalences(pairs, workers=1))
    assert [pair for pair, verdict in zip(pairs, verdicts, strict=True) if verdict.status.name == "REFUTED"] == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [40, pytest.param(100, marks=pytest.mark.slow)])
def test_other_notations_are_repaired_and_never_silently_to_something_else(count: int) -> None:
    """Of programs in the notations of other languages at least three in four become equivalent; the others are marked or left."""
    pairs, left = [], 0
    for seed in range(count):
        random = Random(f"notation:{seed}")
        program = draw_program(random).program
        text = written(program, FAMILIES[random.choice(sorted(FAMILIES))], random)
        repaired = None if text is None else repair(text)
        if repaired is not None and repaired.faults_left:
            left += 1
        elif repaired is not None:
            pairs.append((program, repaired))
    verdicts = list(equivalences([(program, repaired.program) for program, repaired in pairs], workers=1))
    refuted = [
        (pair[0], pair[1].program)
        for pair, verdict in zip(pairs, verdicts, strict=True)
        if verdict.status.name == "REFUTED" and pair[1].certain
    ]
    assert refuted == []
    assert sum(verdict.status.name == "CONFIRMED" for verdict in verdicts) >= 0.75 * (len(pairs) + left)


@pytest.mark.parametrize("count", [60, pytest.param(150, marks=pytest.mark.slow)])
def test_mistakes_of_models_are_never_silently_another_program(count: int) -> None:
    """Of mistakes that a reader understands three in four become equivalent; no repair of a lost meaning says that it is certain."""
    understood, lost, left = [], [], 0
    for seed in range(count):
        random = Random(f"mistake:{seed}")
        program = draw_program(random).program
        name = random.choice(sorted(MISTAKES if seed % 3 else TRAPS))
        text = mistake_of(name, program, random)
        repaired = None if text is None else repair(text)
        if repaired is None:
            continue
        if repaired.faults_left:
            left += name in MISTAKES
        elif name in MISTAKES:
            understood.append((program, repaired))
        elif repaired.certain:
            lost.append((program, repaired))
    pairs = [*understood, *lost]
    verdicts = list(equivalences([(program, repaired.program) for program, repaired in pairs], workers=1))
    assert [
        (program, repaired.program)
        for (program, repaired), verdict in zip(pairs, verdicts, strict=True)
        if verdict.status.name == "REFUTED" and repaired.certain
    ] == []
    equivalent = sum(verdict.status.name == "CONFIRMED" for verdict in verdicts[: len(understood)])
    assert equivalent >= 0.75 * (len(understood) + left)


@cases(
    "text",
    [
        "(declare-const x Int)\n(assert (> x six))\n(check-sat)\n",
        "(declare-const x Int)\n(assert (=> (> x 3) then (< x 9)))\n(check-sat)\n",
        "(declare-const x Int)\n(assert (=! x 3))\n(check-sat)\n",
        "(declare-const x Int)\n(declare-const y Int)\n(assert (left_of x y))\n(check-sat)\n",
        "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(assert (< y fo",
        "(declare-const red book Int)\n(declare-const big pen Int)\n(assert (< red book big pen))\n(check-sat)\n",
        "(declare-const apples Int)\n(declare-const pears Int)\n(assert (> apples 3))\n(assert (< plums 9 apples))\n(check-sat)\n",
        "(declare-const p Bool)\n(assert (not p))\np\n(check-sat)\n",
        "(declare-const x Int)\n(assert (> x 3))\nthen \\(x \\succ 9\\)\n(check-sat)\n",
    ],
)
def test_a_lost_meaning_is_never_restored_for_certain(text: str) -> None:
    """Where the text does not say what was meant, faults are left or the repair says that it may be another program."""
    repaired = repair(text)
    assert repaired.faults_left or not repaired.certain


@cases(
    ("broken_text", "program"),
    [
        ("(assert (apples < pears))", "(assert (< apples pears))"),
        ("(assert apples<pears)", "(assert (< apples pears))"),
        ("(assert (apples - pears >= 3))", "(assert (>= (- apples pears) 3))"),
        ("(assert (and apples > 3 pears > 4))", "(assert (and (> apples 3) (> pears 4)))"),
        ("(assert (apples > 3 and pears > 4))", "(assert (and (> apples 3) (> pears 4)))"),
        ("(assert (not apples = 3))", "(assert (not (= apples 3)))"),
        (
            "(assert And(apples > 3, Or(pears == 4, pears == 5)))",
            "(assert (and (> apples 3) (or (= pears 4) (= pears 5))))",
        ),
        ("(assert (Implies (apples > 3) (pears > 4)))", "(assert (=> (> apples 3) (> pears 4)))"),
        ("(assert (3 < apples <= 9))", "(assert (and (< 3 apples) (<= apples 9)))"),
        ("(assert (= apples -3))", "(assert (= apples (- 3)))"),
        ("(assert (=> (> apples 3) pears = 4))", "(assert (=> (> apples 3) (= pears 4)))"),
        ("(assert (== apples (2 * pears)))", "(assert (= apples (* 2 pears)))"),
        ("(assert (neq apples pears))", "(assert (distinct apples pears))"),
        ("(assert (≠ apples pears)) # they differ", "(assert (distinct apples pears)) ; they differ"),
        ("(assert (Distinct [apples, pears]))", "(assert (distinct apples pears))"),
        ("(assert (= apples 3.0))", "(assert (= apples 3))"),
        ("apples + pears == 12", "(assert (= (+ apples pears) 12))"),
        ("(assert (if (> apples 3) (> pears 4) (> pears 5)))", "(assert (ite (> apples 3) (> pears 4) (> pears 5)))"),
        ("(assert (exists ((k Int)) (apples == 2*k)))", "(assert (exists ((k Int)) (= apples (* 2 k))))"),
    ],
)
def test_a_formula_is_read_as_it_is_meant(broken_text: str, program: str) -> None:
    """Formulas in the notation of other languages become the formulas that a person reads in them."""
    repaired = repair(f"{FRUIT}{broken_text}\n(check-sat)\n")
    assert (repaired.program, repaired.certain) == (f"{FRUIT}{program}\n(check-sat)\n", True)


@cases(
    "text",
    [
        "(assert (not (> apples 3) (> pears 4)))",
        "(assert (not apples = 3 and pears = 4))",
        "(assert (and (> apples 3) or (> pears 4)))",
        "(assert (apples != pears != 4))",
        "(assert (- apples))",
        "(declare-const apples Bool)\n(assert (> apples 3))",
    ],
)
def test_what_can_be_read_in_several_ways_is_left(text: str) -> None:
    """Where an edit could mean two things none is made, and the fault is still reported."""
    repaired = repair(f"{FRUIT}{text}\n(check-sat)\n")
    assert repaired.faults_left
    assert text in repaired.program


def test_similar_names_are_two_names() -> None:
    """An undeclared `start_b` is not taken for the declared `start_a`, nor `box2` for `box1`: both are declared."""
    repaired = repair(
        "(declare-const start_a Int)\n(declare-const box1 Int)\n(assert (< start_a start_b box1 box2))\n"
        "(assert (< 1 start_b box2))\n(check-sat)\n"
    )
    assert {edit.kind for edit in repaired.edits} == {"undeclared_name"}
    assert repaired.certain


def test_a_name_that_may_be_misspelt_is_no_certain_repair() -> None:
    """Neither taking a name for a declared one nor declaring one that is nearly alike is certain."""
    for text in ("(assert (> aples 3))", "(assert (> appless 3))\n(assert (< appless 9))"):
        assert not repair(f"{FRUIT}{text}\n(check-sat)\n").certain


def test_names_are_declared_as_their_uses_demand() -> None:
    """Sorts come from all uses: a function's arguments, a formula, a real number, an enumeration."""
    text = (
        "(declare-datatype Color ((red) (green)))\n(assert (=> p (= (f c 2) 1.5)))\n(assert (= c red))\n(check-sat)\n"
    )
    found = {
        declaration.name: (declaration.sorts, declaration.sort)
        for declaration in read_script(repair(text).program).declarations
    }
    assert found == {"p": ((), "Bool"), "f": (("Color", "Int"), "Real"), "c": ((), "Color")}


def test_a_sort_nothing_demands_is_said_to_be_assumed() -> None:
    """Int is assumed only where nothing contradicts it, and the edit says so."""
    (first, *_) = repair("(assert (= a b))\n(check-sat)\n").edits
    assert (first.after.split()[2].rstrip(")\n"), first.certain) == ("Int", False)
    assert "Int" in first.note


def test_edits_stand_where_the_text_was() -> None:
    """The place of an edit is that in the text as given, though other edits came before it."""
    text = "Here:\n```\n(declare-const x int)\n(assert (x > 3))\n(assert (&& (< x 9) (> x 4)))\n(check-sat)\n```\n"
    lines = text.splitlines()
    for edit in repair(text).edits:
        first = edit.before.split("\n")[0]
        assert lines[edit.at.line - 1][edit.at.column - 1 :].startswith(first), edit


@given(st.integers(0, 60), st.integers(0, 400))
@settings(max_examples=60, deadline=None)
def test_a_cut_text_is_not_certain(seed: int, lost: int) -> None:
    """A program that lost its end may have lost assertions: a certain repair has the check or names nothing open."""
    program = draw_program(Random(f"cut:{seed}")).program
    cut = program[: max(0, len(program) - lost)].rstrip()
    repaired = repair(cut)
    if not (repaired.repaired and repaired.certain):
        return
    before, after = read_script(cut), read_script(repaired.program)
    open_at_end = any(fault.kind is ScriptFaultKind.UNCLOSED for fault in before.faults)
    assert not open_at_end or any(command.head == "check-sat" for command in before.commands)
    assert len(after.assertions) >= cut.count("(assert")


@pytest.mark.parametrize("formula", ["(= n m +1)", "(<= n m -2)", "(!= n m 3)", "(not= n m 3)", "(<> n m 3)"])
def test_comparisons_that_can_be_read_otherwise_are_not_certain(formula: str) -> None:
    """A signed number behind two arguments may be a sum, and an unequal of three may deny that all are equal."""
    head = "(declare-const n Int)\n(declare-const m Int)\n"
    repaired = repair(f"{head}(assert {formula})\n(check-sat)\n")
    assert not (repaired.repaired and repaired.certain)
    assert repair(f"{head}(assert (!= n m))\n(assert (> n -3))\n(check-sat)\n").certain


def test_a_repair_that_contradicts_the_rest_is_not_certain() -> None:
    """Where the readable part has a solution and the repaired program has none, the repair is not certain."""
    found = repair("(declare-const a Int)\n(declare-const b Int)\n(assert (< a b))\n(assert (a > b))\n(check-sat)\n")
    assert found.doubts == ("the assertions that were repaired contradict the others",)
    assert not found.certain


def test_every_way_is_mended_somewhere() -> None:
    """For each way of breaking there are programs that the repair restores exactly, layout aside."""
    mended = set()
    for way in WAYS:
        for seed in range(40):
            program = draw_program(Random(f"{way.name}:{seed}")).program
            text = way.apply(program, Random(seed))
            if text is not None and repair(text).repaired and read_script(repair(text).program).assertions:
                mended.add(way.name)
                break
    assert mended == {way.name for way in WAYS}
