"""Tests of program repair: what both solvers accept stays, what is broken is mended, and a meaning that is lost is not restored for certain."""

import os
import re
import subprocess
import sys
import time
from random import Random

import pytest
from hypothesis import example, given, settings, strategies as st

from generators.constraints.error_injection import break_program
from generators.constraints.repair.program_repair import LONGEST, RULES, RepairMethod, repair
from harness.domain import Status
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.script import read_script
from oracles.constraints.equivalence import equivalent
from tests.cases import cases, lines_beside
from tests.harness.smtlib.random_scripts import draw_program, refusals

HEAD = "(declare-const x Int)\n(declare-const y Int)\n(declare-const p Bool)\n(declare-const q Bool)\n"
CHECK = "(check-sat)\n"
PIECES = [
    *("(assert ", "(declare-const x Int)", ")", "(", "\n", "x", CHECK, "|", '"', "-3", "&&", "And(", ",", "[", "]"),
    *("< 3", "```", "≤", "é", "Int", "# a", "// b", "not", "\\land ", "</think>", "(let ((v 1)) ", "((_ is x) y)"),
]
X = "(assert (> x 3))\n"
GOOD = f"{HEAD}{X}{CHECK}"
N = "(declare-const n Int)\n"
EXAMPLES = {row["rule"]: (row["broken"], row["repaired"]) for row in lines_beside(__file__, "repairs.jsonl")}


@cases("name", EXAMPLES)
def test_each_rule_mends_its_fault_for_certain(name: str) -> None:
    """A rule is among those made of its example, the result is as it says, certain, and both solvers read it."""
    before, after = EXAMPLES[name]
    repaired = repair(before)
    assert EXAMPLES.keys() | {"misspelt_name", "moved_parenthesis"} == {rule.name for rule in RULES}
    assert name in {edit.kind for edit in repaired.edits}
    assert (repaired.program, repaired.certain, repaired.doubts) == (after, True, ())
    assert refusals(repaired.program) == {}


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_a_valid_program_is_left_as_it_is(seed: int) -> None:
    """Nothing is done to a program without faults."""
    program = draw_program(Random(seed))
    assert (repair(program).program, repair(program).by) == (program, RepairMethod.NONE)


@cases(
    "program",
    [
        f"{HEAD}(assert (> x -3))\n{CHECK}",
        f"{HEAD}(push 1)\n(assert (> x 3))\n{CHECK}(pop 1)\n(assert (< x 3))\n{CHECK}",
        f'(declare-const s String)\n(assert (= (str.len s) 3))\n(echo "now")\n{CHECK}',
        f"(declare-const v (_ BitVec 8))\n(assert (= (bvadd v #x01) #x05))\n{CHECK}",
        f"(declare-const a (Array Int Int))\n(assert (= (select a 1) 2))\n{CHECK}",
        f"(define-fun-rec f ((n Int)) Int (ite (< n 1) 0 (f (- n 1))))\n(assert (= (f 2) 0))\n{CHECK}",
        f"{HEAD}(assert (= (^ x 2) 9))\n{CHECK}",
        f"(declare-datatypes ((C 0)) (((red) (green))))\n(declare-const h C)\n(assert (is-green h))\n{CHECK}",
        f"(set-logic HO_ALL)\n(declare-const f (-> Int Int))\n(assert (= f (lambda ((n Int)) (+ n 1))))\n{CHECK}",
        f"{HEAD}{CHECK}(assert (> x 3))\n",
        f"{HEAD}{CHECK}",
    ],
)
def test_what_both_solvers_accept_is_returned_unchanged(program: str) -> None:
    """Whatever our reader thinks: other theories, commands that print, negative literals, an assertion after the question."""
    assert not read_script(program).valid
    assert refusals(program) == {}
    repaired = repair(program)
    assert (repaired.program, repaired.edits) == (program, ())
    assert {fault.kind for fault in repaired.faults_left} <= {ScriptFaultKind.NO_ASSERTION}


SORTS = "(declare-sort Thing 0)\n(declare-fun cat (Thing) Bool)\n"


@given(
    st.lists(
        st.tuples(st.sampled_from("xyz"), st.sampled_from(["Thing", "Int"])), min_size=1, unique_by=lambda pair: pair[0]
    )
)
def test_names_without_their_parentheses_get_them(pairs: list[tuple[str, str]]) -> None:
    """In pairs of a name and its sort, bound or declared, whatever their number; the arity of a sort that takes none is added."""
    body = "{}(assert (forall ({}) (exists ((t Thing)) (cat t))))\n(check-sat)\n"
    each = "".join(f"(declare-const {name}_1 {sort})\n" for name, sort in pairs)
    after = SORTS + body.format(each, " ".join(f"({name} {sort})" for name, sort in pairs))
    together = f"(declare-const {' '.join(f'{name}_1 {sort}' for name, sort in pairs)})\n"
    before = SORTS.replace(" 0", "") + body.format(together, " ".join(f"{name} {sort}" for name, sort in pairs))
    repaired = repair(before)
    assert (repaired.program, repaired.certain) == (after, True)


@given(st.integers(1, 64))
def test_an_indexed_sort_gets_its_underscore(bits: int) -> None:
    """A bit-vector is a sort that our reader does not know; both solvers do."""
    after = f"(declare-const v (_ BitVec {bits}))\n(assert (= v v))\n{CHECK}"
    assert repair(after.replace("(_ ", "(")).program == after


USES = {"Int": ("x", "(> {0} 3)", "(< {0} y)"), "Bool": ("p", "(or q {0})", "(not {0})")}


@given(st.sampled_from([*USES]), st.lists(st.sampled_from([*USES]), max_size=3))
def test_a_signature_that_is_left_out_is_inferred_from_all_uses(sort: str, sorts: list[str]) -> None:
    """The sort of a constant is certain where its uses settle it; a function that nothing declares is never certain."""
    term = f"(v {' '.join(USES[given][0] for given in sorts)})" if sorts else "v"
    uses = "".join(f"(assert {use.format(term)})\n" for use in USES[sort][1:]) + CHECK
    whole = f"(declare-fun v ({' '.join(sorts)}) {sort})\n" if sorts else f"(declare-const v {sort})\n"
    repaired = repair(f"{HEAD}{'' if sorts else '(declare-const v)'}\n{uses}")
    assert [line for line in repaired.program.splitlines() if line] == f"{HEAD}{whole}{uses}".splitlines()
    assert (repaired.repaired, repaired.certain) == (True, not sorts)


@cases(
    "text",
    [
        *("(declare-const v)\n(assert (= v v))", "(assert (> (v x) (v x y)))", "(assert (= (v p) (v x)))"),
        *("(assert (at-most 1 p p))", "(assert (at-least 1 p p))"),
    ],
)
def test_a_signature_on_which_the_uses_do_not_agree_is_left_out(text: str) -> None:
    """Uses that fit several sorts say nothing of a declared name, and of an undeclared one uses that fit none; functions of z3 are nobody's own."""
    assert repair(f"{HEAD}{text}\n{CHECK}").faults_left


@cases(
    ("text", "new"),
    [
        ("(assert (> (age bob) 3))", ["(declare-const bob Int)", "(declare-fun age (Int) Int)"]),
        (
            "(declare-const bob Person)\n(assert (old bob))",
            ["(declare-sort Person 0)", "(declare-fun old (Person) Bool)"],
        ),
    ],
)
def test_what_nothing_declares_is_declared_with_a_doubt(text: str, new: list[str]) -> None:
    """A function, its argument, and a sort."""
    repaired = repair(f"{text}\n{CHECK}")
    assert set(new) <= set(repaired.program.splitlines())
    assert repaired.repaired
    assert not repaired.certain


@cases(
    "thought", ["<think>\n(assert false)\n</think>\n", "(check-sat)</think>", "<|channel|>analysis<|message|>x<|end|>"]
)
def test_the_thoughts_of_a_model_are_no_part_of_its_program(thought: str) -> None:
    """Whatever the tags are, and where a fence follows."""
    for text in (thought + GOOD, f"{thought}So:\n```smt2\n{GOOD}```\n"):
        repaired = repair(text)
        assert (repaired.program.strip(), repaired.certain) == (GOOD.strip(), True)


@cases("text", ["((_ repeat 9999) ((_ repeat 9999) #b1))", "(_ bv1 1000000000)", f"{'(concat ' * 40}#b1{' #b1)' * 40}"])
def test_terms_wider_than_their_text_reach_no_solver(text: str) -> None:
    """A bit-vector of a billion bits is left with its faults at once."""
    start = time.process_time()
    assert repair(f"(assert (= {text} {text}))\n{CHECK}").faults_left
    assert time.process_time() - start < 2


@given(st.integers(0, 10**6), st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_repairing_twice_is_repairing_once(seed: int, count: int) -> None:
    """A repaired program is not changed by a second repair, and the same text is repaired alike."""
    found = break_program(draw_program(Random(seed)), count, str(seed))
    if found is not None:
        once = repair(found.program)
        assert repair(found.program) == once
        assert (repair(once.program).program, repair(once.program).edits) == (once.program, ())


@given(st.one_of(st.text(max_size=120), st.lists(st.sampled_from(PIECES), max_size=30).map("".join)))
@settings(max_examples=100, deadline=None)
@example("(assert " * 150)
@example("And(" * 150)
@example("(x " * 150 + "&&")
@example("(declare-const x Int)\n(assert (" + "x + " * 400 + "x = 3))")
@example("(declare-const x Int)\n(assert (" + "x - " * 400 + "x = 3))")
@example(f"(declare-const x Int)\n(assert (= 1 {'(' * 30}x + 1{')**4' * 30}))\n{CHECK}")
def test_any_text_is_repaired_or_left(text: str) -> None:
    """No text raises; a repair that claims success is accepted, its edits are at places of the text, and a guaranteed one is valid."""
    repaired = repair(text)
    assert repaired.repaired == (repaired.by is not RepairMethod.NONE and not repaired.faults_left)
    assert not repaired.repaired or refusals(repaired.program) == {}
    assert all(0 <= edit.at.offset <= len(text) for edit in repaired.edits)
    assert repair(text, guarantee=True).faults_left == ()


@cases(
    "unit",
    ["(", "(assert And(x > 3, ", "x + ", "(assert (> v w))\n", "```\n(assert x)\n", '|"', "x > 3\n", "(let ((v 1)) "],
)
def test_a_hostile_text_ends_in_two_seconds(unit: str) -> None:
    """A text of the longest length that repeats one thing is repaired or left in bounded time (twice that on a busy machine)."""
    start = time.process_time()
    repair(f"{HEAD}{unit * LONGEST}"[:LONGEST])
    assert time.process_time() - start < 4


def test_a_text_that_is_too_long_is_left() -> None:
    """Beyond the limit of size, a repair only sets the logic and adds the check."""
    repaired = repair(" " * LONGEST + "(assert (x < 3))")
    assert {edit.kind for edit in repaired.edits} <= {"logic", "missing_check"}
    assert "(assert (x < 3))" in repaired.program
    assert repaired.faults_left


@pytest.mark.parametrize(("count", "least"), [(40, 15), pytest.param(200, 80, marks=pytest.mark.slow)])
def test_no_repair_says_something_else_without_saying_so(count: int, least: int) -> None:
    """Programs broken in one to three ways are repaired to equivalent ones, or the repair is marked, or faults are left."""
    pairs = []
    for seed in range(count):
        program = draw_program(Random(f"meaning:{seed}"))
        found = break_program(program, seed % 3 + 1, f"meaning:{seed}")
        if found is not None and (repaired := repair(found.program)).repaired and repaired.certain:
            pairs.append((program, repaired.program))
    assert len(pairs) >= least
    assert [pair for pair in pairs if equivalent(*pair).status is Status.REFUTED] == []


NUMBERS = st.deferred(
    lambda: st.sampled_from(["x", "y", "3"]) | _applied(["+", "*", "-"], NUMBERS, 3) | _applied(["mod"], NUMBERS, 2)
)
TRUTHS = st.deferred(lambda: st.sampled_from(["p", "q"]) | APPLICATIONS)
APPLICATIONS = st.deferred(
    lambda: (
        _applied(["and", "or", "xor", "="], TRUTHS, 3)
        | _applied(["not", "let ((v 3))", "exists ((k Int))"], TRUTHS, 1)
        | _applied(["=>", "="], TRUTHS, 2)
        | _applied(["<", "=", "distinct"], NUMBERS, 3)
    )
)


def _applied(names: list[str], terms: st.SearchStrategy[str], most: int) -> st.SearchStrategy[str]:
    listed = st.lists(terms, min_size=min(2, most), max_size=most).map(" ".join)
    return st.tuples(st.sampled_from(names), listed).map(lambda parts: f"({' '.join(parts)})")


@given(APPLICATIONS, st.data())
@settings(max_examples=60, deadline=None)
def test_a_parenthesis_that_was_lost_added_or_moved_is_certain_only_where_it_was(
    term: str, data: st.DataObject
) -> None:
    """An operator that is closed early or late: a certain repair is equivalent to the program before, or the text was a program."""
    line = f"(assert {term})"
    tokens = re.findall(r"[()]|[^\s()]+", line)
    old = data.draw(st.sampled_from([place for place, token in enumerate(tokens) if token in {"(", ")"} and place]))
    new = data.draw(st.integers(2, len(tokens)))
    way = data.draw(st.sampled_from(["lost", "added", "moved"]))
    kept = [token for place, token in enumerate(tokens) if way == "added" or place != old]
    broken = " ".join(kept if way == "lost" else [*kept[:new], tokens[old], *kept[new:]])
    repaired = repair(f"{HEAD}{broken}\n{CHECK}")
    if repaired.repaired and repaired.certain:
        before = f"{HEAD}{line}\n{CHECK}"
        verdict = equivalent(before, repaired.program)
        assert verdict.status is not Status.REFUTED, (line, broken, repaired.program)


@cases("binder", ["let ((v 6))", "forall ((v Int))", "exists ((v Int))"])
def test_a_command_that_binds_names_is_mended_for_certain_as_any_other(binder: str) -> None:
    """The last parenthesis of a command is lost."""
    line = f"(assert ({binder} (and p q (< v x y))))"
    repaired = repair(f"{HEAD}{line[:-1]}\n{CHECK}")
    assert (repaired.program, repaired.certain) == (f"{HEAD}{line}\n{CHECK}", True)


@cases(
    ("early", "reading"),
    [
        ("(= (+ x) y 10)", "(= (+ x y) 10)"),
        ("(=> p q) p", "(=> p q p)"),
        ("(or p q) q", "(or p q q)"),
        ("(not (and p q) q)", "(not (and p q q))"),
        ("(= (+ x y 10))", "(= (+ x y) 10)"),
        ("(- x (- y) 3)", None),
        ("(or (and p) (not q) (xor p) q)", None),
        ("(not p q)", None),
    ],
)
def test_an_operator_that_is_closed_early_is_closed_later_where_one_reading_fits(
    early: str, reading: str | None
) -> None:
    """Such a repair is never certain; where no reading fits or several do, the faults are left."""
    repaired = repair(f"{HEAD}(assert {early})\n{CHECK}")
    assert repaired.program == f"{HEAD}(assert {reading or early})\n{CHECK}"
    assert repaired.repaired == (reading is not None)
    assert not (repaired.repaired and repaired.certain)


@cases(
    ("names", "uses", "certain"),
    [
        ("red pens", ["(> (+ 1 {0}) 3)", "(= {0} 7)"], False),
        ("red pens", ["(= {0} 7)"], False),
        ("total cost of x", ["(< {0} 7 9)"], False),
        ("n m", ["(= {0} 7)", "(< n 9)"], True),
        ("x y", ["(> {0})", "(distinct {0})"], True),
    ],
)
def test_names_before_one_sort_are_several_only_where_they_cannot_be_one(
    names: str, uses: list[str], certain: bool
) -> None:
    """A name with a space would stand wherever its words do: where such a program has no more faults, which was meant is not certain."""
    asserted = "".join(f"(assert {use.format(names)})\n" for use in uses)
    assert repair(f"(declare-const {names} Int)\n{asserted}{CHECK}").certain is certain


def test_a_repair_says_which_readings_there_are() -> None:
    """Of a parenthesis that may stand in two places, as a doubt; of an operator that may be closed in two, beside the fault."""
    lost = repair(f"{HEAD}(assert (= (- x y 3))\n{CHECK}")
    assert lost.edits[0].note == "it may be (assert (= (- x y) 3)) or (assert (= (- x) y 3))"
    early = repair(f"{HEAD}(assert (= x (+ y) 3 4))\n{CHECK}")
    assert early.ambiguous == (
        "moved_parenthesis: it may be (assert (= x (+ y 3 4))) or (assert (= x (+ y 3) 4)) or (assert (= (+ x y) 3 4))",
    )


def test_what_a_comment_asserts_is_not_counted_as_kept() -> None:
    """Assertions are those of commands."""
    assert repair(f"{HEAD}; (assert p)\n(assert (x > 3))\n{CHECK}").kept == (1, 1)


@cases("text", ["9:30", "25%", ".5", "x[1]", "((_ pble 2 1 1) p q)", "(not p q)"])
def test_what_no_term_is_is_left_with_its_name(text: str) -> None:
    """A time, a percentage, a number without its zero, an index: no edit, and the fault shows the text."""
    for form in ("(assert (= x {}))", "(assert (x >= {}))"):
        repaired = repair(f"{HEAD}{form.format(text)}\n{CHECK}")
        assert not repaired.repaired
        assert any(text.strip("()")[:12] in fault.message for fault in repaired.faults_left)


@cases("text", lines_beside(__file__, "lost_meanings.jsonl"))
def test_a_lost_meaning_is_never_restored_for_certain(text: str) -> None:
    """Where the text does not say what was meant, faults are left or the repair says that it may be another program."""
    repaired = repair(text)
    assert repaired.faults_left or not repaired.certain, repaired.program


@given(
    st.integers(0, 10**6),
    st.text("abcdefghijklmnopqrstuvwxyz []{}<>~?@=≠✗§0123456789", min_size=1, max_size=12),
    st.integers(0, 2),
)
@settings(max_examples=60, deadline=None)
def test_a_remark_beside_an_assertion_is_not_certain(seed: int, remark: str, where: int) -> None:
    """Words and signs before, above or after one assertion may take it back."""
    lines = draw_program(Random(seed)).splitlines()
    place = Random(seed).choice([number for number, line in enumerate(lines) if line.startswith("(assert")])
    lines[place] = (f"{remark} {lines[place]}", f"{remark}\n{lines[place]}", f"{lines[place]} {remark}")[where]
    repaired = repair("\n".join(lines))
    assert repaired.faults_left or not repaired.certain or not remark.strip(" \t;")


@given(st.integers(0, 60), st.integers(0, 400))
@settings(max_examples=40, deadline=None)
def test_a_cut_text_is_not_certain(seed: int, lost: int) -> None:
    """A program that lost its end may have lost assertions: a certain repair has the check or leaves nothing open."""
    program = draw_program(Random(f"cut:{seed}"))
    cut = program[: max(0, len(program) - lost)].rstrip()
    repaired = repair(cut)
    if repaired.repaired and repaired.certain:
        before, after = read_script(cut), read_script(repaired.program)
        open_at_end = any(fault.kind is ScriptFaultKind.UNCLOSED for fault in before.faults)
        assert not open_at_end or any(command.head == "check-sat" for command in before.commands)
        assert len(after.assertions) >= cut.count("(assert")


def test_the_order_of_hashes_changes_no_repair() -> None:
    """Where a function and its arguments are undeclared, the name that settles the others first is the first in the text."""
    asserted = "(assert (= (appointed court) court))\\n(assert (= (appointed appellate) appellate))\\n(check-sat)"
    code = f"from generators.constraints.repair.program_repair import repair\nprint([edit.record() for edit in repair('{asserted}').edits])"
    found = set()
    for seed in ("1", "3"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
        found.add(done.stdout)
    assert len(found) == 1
    assert "appointed" in found.pop()
