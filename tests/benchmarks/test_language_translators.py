"""Tests of the translation between constraint languages: it keeps the meaning and reports what it cannot translate."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING

import z3
from hypothesis import given, settings, strategies as st

from benchmarks.constraint_languages import domain_programs as ranked, enumeration_programs as enumerated
from benchmarks.constraint_languages.translation import OptionClaim, TranslationFailure
from harness.corpora.problems import read_records
from harness.smtlib.script import read_script
from oracles.constraints.equivalence import equivalences
from tests.cases import cases
from tests.harness.smtlib.random_scripts import refusals

if TYPE_CHECKING:
    from pathlib import Path

VARIABLES = ("ann", "bob", "cy")
DECLARED = "Variables:\nann [IN] [1, 2, 3]\nbob [IN] [1, 2, 3]\ncy [IN] [1, 3]\n"
SHELVES = """# Declarations
books = EnumSort([atlas, novel, "Tom's Diary"])
shelves = EnumSort([1, 2, 3])
placed = Function([books] -> [shelves])
lent = Function([books] -> [bool])

# Constraints
Distinct([b:books], placed(b)) ::: each book has a shelf of its own
placed(atlas) < placed(novel) ::: the atlas is below the novel
ForAll([b:books], Implies(placed(b) == 3, lent(b))) ::: what is on the third shelf is lent
Count([b:books], lent(b)) == 1 ::: one book is lent
placed("Tom's Diary") != 3

# Options
Question ::: Which must be true?
"""


def holds(program: str, formula: str) -> bool | None:
    """Tell whether a program entails a formula, `None` where it entails neither it nor its negation."""
    entailed = []
    for claim in (f"(not {formula})", formula):
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(program.replace("(check-sat)", f"(assert {claim})"))
        entailed.append(solver.check() == z3.unsat)
    return True if entailed[0] else False if entailed[1] else None


def numbers(random: Random, depth: int) -> str:
    """Return the value of a sum, computed by Python."""
    if depth == 0 or random.random() < 0.6:
        return random.choice([*VARIABLES, str(random.randint(0, 4))])
    return f"{random.choice(VARIABLES)} {random.choice('+-')} {numbers(random, depth - 1)}"


def formula(random: Random, depth: int) -> str:
    """Return the value of a formula, computed by Python."""
    choice = random.random()
    if depth == 0 or choice < 0.5:
        signs = random.choice([["<"], ["<="], ["=="], ["!="], [">"], ["<=", "<"], ["<", "<"]])
        return "".join(f"{numbers(random, 1)} {sign} " for sign in signs) + numbers(random, 1)
    if choice < 0.6:
        return f"not ({formula(random, depth - 1)})"
    joined = f"{formula(random, depth - 1)} {random.choice(['and', 'or'])} {formula(random, depth - 1)}"
    return f"({joined})" if random.random() < 0.5 else joined


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_constraints_mean_what_they_mean_in_python(seed: int) -> None:
    """The solutions of a translated list of constraints are those that Python itself finds by trying all values."""
    random = Random(seed)
    constraints = [formula(random, 2) for _ in range(2)]
    found = ranked.translate(
        f"{DECLARED}Constraints:\n" + "\n".join(f"{constraint} ::: said" for constraint in constraints)
    )
    assert found.whole
    program = z3.Solver(ctx=z3.Context())
    program.from_string(found.program)
    for values in product((1, 2, 3), (1, 2, 3), (1, 2, 3)):
        given_values = dict(zip(VARIABLES, values, strict=True))
        expected = values[2] != 2 and all(eval(constraint, {}, given_values) for constraint in constraints)
        program.push()
        for name, value in given_values.items():
            program.add(z3.Int(name, program.ctx) == value)
        assert (program.check() == z3.sat) is expected, (constraints, given_values)
        program.pop()


@cases(
    ("option", "claim", "expected"),
    [
        ("is_valid(placed(novel) == 3)", OptionClaim.MUST, True),
        ("is_valid(placed(atlas) == 1)", OptionClaim.MUST, None),
        ("is_sat(lent(novel))", OptionClaim.CAN, True),
        ('is_unsat(lent("Tom\'s Diary"))', OptionClaim.CANNOT, False),
        ("is_exception(is_sat(placed(novel) == 1))", OptionClaim.CANNOT, False),
        ("is_exception(is_valid(placed(atlas) == 1))", OptionClaim.NEED_NOT, None),
        ("is_valid(Exists([b:books, s:shelves], And(placed(b) == s, s > 2, lent(b))))", OptionClaim.MUST, True),
        ("is_valid(Not(lent(atlas)) And Not(lent(novel)))", OptionClaim.MUST, False),
        ("is_valid(placed(novel) in [1, 2])", OptionClaim.MUST, False),
        ("is_valid(Count([b:books], placed(b) > 1) == 2)", OptionClaim.MUST, True),
    ],
)
def test_options_mean_what_a_reader_takes_them_for(option: str, claim: OptionClaim, expected: bool | None) -> None:
    """What an option claims is read, and its formula follows, or its negation, or neither."""
    found = enumerated.translate(f"{SHELVES}{option} ::: (A)\n")
    assert found.whole
    (only,) = found.options
    assert (only.letter, only.claim) == ("A", claim)
    assert holds(found.program, only.formulas[0]) is expected
    assert read_script(found.program).valid
    assert refusals(found.program) == {}


@cases(
    ("line", "failure"),
    [
        ("placed(globe) == 1", TranslationFailure.UNDECLARED),
        ("ForAll([g:girls], lent(g))", TranslationFailure.UNKNOWN_SORT),
        ("placed(atlas, 1)", TranslationFailure.WRONG_ARITY),
        ("placed(atlas) == lent(novel)", TranslationFailure.WRONG_SORT),
        ("placed(atlas) == ", TranslationFailure.UNREADABLE),
        ("And(lent(atlas)", TranslationFailure.UNREADABLE),
    ],
)
def test_what_has_no_translation_is_told(line: str, failure: TranslationFailure) -> None:
    """The line is named with the reason, and the rest is translated."""
    text = SHELVES.replace('placed("Tom\'s Diary") != 3', line)
    found = enumerated.translate(f"{text}is_valid(lent(novel)) ::: (A)\n")
    assert [(gap.failure, text.splitlines()[gap.line - 1]) for gap in found.untranslated] == [(failure, line)]
    assert len(found.options) == 1
    assert read_script(found.program).valid


def test_an_order_that_is_only_listed_is_said_to_be_assumed() -> None:
    """Names of an enumeration that are compared are ordered as they are listed, and the translation says so."""
    text = "# Declarations\ndays = EnumSort([Mon, Tue, Wed])\ntour = Function([days] -> [bool])\n# Constraints\nForAll([d:days], Implies(d > Mon, tour(d)))\n# Options\nis_valid(tour(Tue)) ::: (A)\n"
    found = enumerated.translate(text)
    assert found.assumed
    assert holds(found.program, found.options[0].formulas[0]) is True
    assert holds(found.program, "(tour Mon)") is None


def test_names_of_smtlib_are_given_others() -> None:
    """A name that the other language allows and SMT-LIB2 reserves is renamed at every place."""
    text = "# Declarations\nSet = EnumSort([select, store])\nbag = Function([Set] -> [bool])\n# Constraints\nbag(select)\n# Options\nis_valid(bag(store)) ::: (A)\n"
    found = enumerated.translate(text)
    assert found.whole
    assert refusals(found.program) == {}


@given(st.one_of(st.text(max_size=150), st.text("()[]{}:,=<>!+-'\" abA1\n", max_size=150)))
@settings(max_examples=25, deadline=None)
def test_any_text_is_translated_or_told(text: str) -> None:
    """Neither translation raises on any line, and its output is valid, except that it may have no assertions."""
    for found in (ranked.translate(f"{DECLARED}Constraints:\n{text}"), enumerated.translate(f"{SHELVES}{text}")):
        kinds = {fault.kind.value for fault in read_script(found.program).faults}
        assert kinds <= {"no-assertion"}


def test_formulas_that_grow_too_large_are_told() -> None:
    """Nested quantifiers over many values are reported as untranslated instead of being expanded."""
    values = ", ".join(f"v{number}" for number in range(60))
    text = f"# Declarations\nthings = EnumSort([{values}])\nnear = Function([things, things] -> [bool])\n# Constraints\nForAll([a:things, b:things, c:things], Implies(And(near(a, b), near(b, c)), near(a, c)))\n"
    found = enumerated.translate(text)
    assert [gap.failure for gap in found.untranslated] == [TranslationFailure.TOO_LARGE]


def test_published_conversions_say_the_same(shared_data: Path) -> None:
    """Our translation of a model's list of constraints is equivalent to the published translation of that list."""
    path = shared_data / "smt" / "logical_deduction.jsonl.gz"
    records = [record for _, record in read_records(path)][::30]
    pairs = [
        (ranked.translate(example["raw_program"]).program, f"{example['smtlib']}\n(check-sat)\n") for example in records
    ]
    assert [verdict.status.name for verdict in equivalences(pairs, workers=1)] == ["CONFIRMED"] * len(records)
