"""Tests of the laws by which a repair is certain: what beside the commands may change what they say makes it uncertain."""

from __future__ import annotations

import itertools
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

from generators.constraints.repair.program_repair import repair
from generators.constraints.repair.syntax.remarks import is_neutral
from harness.domain import Status
from harness.smtlib.script import read_script
from oracles.constraints.equivalence import equivalences
from tests.cases import cases
from tests.harness.smtlib.random_scripts import draw_program

_WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=9)
_HEAD = "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n"


def _assertions(program: str) -> list[int]:
    return [number for number, line in enumerate(program.splitlines()) if line.startswith("(assert")]


@given(st.integers(0, 10**6), st.lists(_WORD, min_size=1, max_size=4), st.booleans())
@settings(max_examples=60)
def test_unknown_words_beside_an_assertion_are_not_certain(seed: int, words: list[str], before: bool) -> None:
    """A short remark before or after one assertion makes the repair uncertain, unless it is known to change nothing."""
    program = draw_program(Random(seed)).program
    remark, lines = " ".join(words), program.splitlines()
    places = _assertions(program)
    place = Random(seed).choice(places)
    lines[place] = f"{remark}\n{lines[place]}" if before else f"{lines[place]} {remark}"
    repaired = repair("\n".join(lines))
    assert repaired.faults_left or not repaired.certain or is_neutral(remark, read_script(program).scope.symbols)


@given(
    st.integers(0, 10**6), st.lists(_WORD, min_size=1, max_size=3), st.sampled_from(["{}: ", "# {}: ", "{} ", "[{}] "])
)
@settings(max_examples=30)
def test_an_unknown_label_on_every_line_is_not_certain(seed: int, words: list[str], form: str) -> None:
    """Words that stand before every command, such as `rejected:`, may say something of all of them."""
    program = draw_program(Random(seed)).program
    label = " ".join(words)
    repaired = repair("\n".join(f"{form.format(label)}{line}" for line in program.splitlines()))
    assert repaired.faults_left or not repaired.certain or is_neutral(label, read_script(program).scope.symbols)


@given(
    st.integers(0, 10**6),
    st.sampled_from(["eval", "simplify"]),
    st.sampled_from(["Here is what NOT to write:", "This is wrong.", "The second assertion must be dropped."]),
    st.integers(0, 2),
)
@settings(max_examples=30)
def test_what_is_not_asserted_or_rejected_is_not_certain(seed: int, head: str, sentence: str, where: int) -> None:
    """A formula that is only printed before the question, and a sentence that rejects the program, leave a doubt."""
    program = draw_program(Random(seed)).program
    lines = program.splitlines()
    names = read_script(program).scope.symbols
    speaking = [
        place
        for place in _assertions(program)
        if lines[place].count("(") > 1
        and any(name in lines[place] for name in names)
        and lines.count(lines[place]) == 1
    ]
    if where == 2 and speaking:
        place = Random(seed).choice(speaking)
        lines[place] = lines[place].replace("(assert ", f"({head} ", 1)
        text = "\n".join(lines)
    else:
        text = f"{sentence}\n{program}" if where else f"{program}\n{sentence}"
    repaired = repair(text)
    assert repaired.faults_left or not repaired.certain


@given(st.integers(0, 10**6), st.text("[]{}<>~?@^&|=+≠≈±✗✓☐†§←→…0123456789", min_size=1, max_size=5), st.integers(0, 2))
@settings(max_examples=60)
def test_a_mark_on_one_assertion_is_not_certain(seed: int, sign: str, where: int) -> None:
    """Signs and numbers beside a single assertion make the repair uncertain."""
    program = draw_program(Random(seed)).program
    lines = program.splitlines()
    place = Random(seed).choice(_assertions(program))
    lines[place] = (f"{sign} {lines[place]}", f"{sign}\n{lines[place]}", f"{lines[place]} {sign}")[where]
    repaired = repair("\n".join(lines))
    assert repaired.faults_left or not repaired.certain


@given(st.integers(0, 10**6), st.integers(0, 100), st.sampled_from(["", "Or:\n", "Alternatively:\n", "Final:\n"]))
@settings(max_examples=40)
def test_two_programs_that_differ_are_not_certain(seed: int, lost: int, between: str) -> None:
    """Where a program is followed by one that lacks one of its assertions, the repair is uncertain."""
    program = draw_program(Random(seed)).program
    lines, places = program.splitlines(), _assertions(program)
    formulas = [lines[place] for place in places]
    drop = places[lost % len(places)]
    other = "\n".join(line for number, line in enumerate(lines) if number != drop)
    repaired = repair(f"{program}\n{between}{other}")
    assert repaired.faults_left or not repaired.certain or formulas.count(lines[drop]) > 1


@given(st.integers(0, 60), st.integers(2, 60), st.sampled_from(["[{}, {}]", "({} {})", "{{{}, {}}}", "range({}, {})"]))
@settings(max_examples=30)
def test_two_numbers_may_be_an_interval(low: int, width: int, brackets: str) -> None:
    """A list of two numbers that something is in is never certainly a choice of the two."""
    repaired = repair(f"{_HEAD}(assert (in x {brackets.format(low, low + width)}))\n(check-sat)\n")
    assert repaired.faults_left or not repaired.certain


@cases(
    "text",
    [
        f"{_HEAD}(assert (< x y) :weight 0.5)\n(check-sat)\n",
        f"{_HEAD}(declare-const z Int 0)\n(assert (< x z))\n(check-sat)\n",
        f"{_HEAD}(assert (<= x 5 hours))\n(assert (<= y 30 minutes))\n(check-sat)\n",
        f"{_HEAD}(assert (= y (* 60 hours)))\n(assert (< x 9))\n(check-sat)\n",
        f"{_HEAD}(assert (x <- 3))\n(check-sat)\n",
        f"{_HEAD}(assert (<= x 5 quux))\n(assert (<= y 3 quux))\n(check-sat)\n",
        f"{_HEAD}(assert (<= x 1O))\n(check-sat)\n",
        f"{_HEAD}Case 1:\n(assert (< x 9))\nCase 2:\n(assert (> x 90))\n(check-sat)\n",
        f"{_HEAD}(assert (< x 9)) // removed\n(check-sat)\n",
        "(declare-const x Int) | (declare-const x Int)\n(declare-const y Int) | (declare-const y Int)\n(assert (> x 3)) | (assert (> x 4))\n(check-sat)\n",
        f"{_HEAD}[x] (assert (< x 9))\n[ ] (assert (< x 8))\n(check-sat)\n",
        f"{_HEAD}(assert (<= 1[1] y 3))\n(check-sat)\n",
        f"Version A | Version B\n{_HEAD}(assert (< x 9)) | (assert (< x 9))\n(check-sat)\n",
        f"{_HEAD}Do not include this:\n(assert (< x 9))\n(check-sat)\n",
        f"{_HEAD}if (flag) {{\n(assert (< x 9))\n}}\n(check-sat)\n",
    ],
)
def test_what_may_weaken_or_replace_an_assertion_is_not_certain(text: str) -> None:
    """Weights, values beside a sort, several units, digits that are letters, cases and withdrawals leave faults or a doubt."""
    repaired = repair(text)
    assert repaired.faults_left or not repaired.certain


@cases(
    "text",
    [
        f"{_HEAD}Next, the second clue:\n(assert (< x 9))\n(check-sat)\n",
        f"Sure! Here it is:\n{_HEAD}(assert (< x 9))\n(check-sat)\nIs there anything else?\n",
        f"{_HEAD}(assert (< x 9)) // the upper bound\n(check-sat)\n",
        f"{_HEAD}### Constraints\n(assert (< x 9))\n(check-sat)\n",
    ],
)
def test_a_heading_that_changes_nothing_is_certain(text: str) -> None:
    """Headings and greetings do not make a repair uncertain."""
    assert repair(text).certain


_SIGNS = "-−–—+!~¬^'`*/\\%#&|=<>.,:;?@$_°√"
_NEGATIONS = {"Bool": "!~¬-−–—", "Int": "-−–—"}
_DECORATIONS = frozenset(
    {(sign, "") for sign in "&:?@$._"} | {("", sign) for sign in ".,_\\"} | {(sign, sign) for sign in "*_`'$|"}
)
"""Signs before and behind a name that mean nothing: they quote it, stress it, mark a variable in another language, or close a formula of LaTeX."""


_FORMULAS = {"Bool": ("(or q {})", "(not {})"), "Int": ("(> {} 3)", "(= 4 (* 2 {}))")}


@pytest.mark.parametrize("often", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("sort", _FORMULAS)
def test_a_sign_at_a_name_is_never_certainly_nothing(sort: str, often: int) -> None:
    """A sign before, after or around a declared name makes the repair uncertain, unless it quotes or negates."""
    head = f"(declare-const alpha {sort})\n(declare-const q Bool)\n(assert q)\n"
    pairs = []
    for sign, (before, behind), formula in itertools.product(_SIGNS, ((1, 0), (0, 1), (1, 1)), _FORMULAS[sort][:often]):
        left, right = sign * often * before, sign * often * behind
        written = formula.format(f"{left}alpha{right}")
        repaired = repair(f"{head}(assert {written})\n(check-sat)\n")
        if repaired.faults_left or not repaired.certain:
            continue
        meant = "alpha"
        if sign in _NEGATIONS[sort] and not right:
            meant = f"({'not' if sort == 'Bool' else '-'} alpha)" if len(left) % 2 else "alpha"
        else:
            assert (left, right) in _DECORATIONS or set(left + right) <= set("*_`'$|.,"), (written, repaired.program)
        pairs.append((repaired.program, f"{head}(assert {formula.format(meant)})\n(check-sat)\n"))
    assert len(pairs) > 5
    for (program, expected), verdict in zip(pairs, equivalences(pairs), strict=True):
        assert verdict.status is Status.CONFIRMED, (program, expected)


@cases(
    "formula",
    [
        "x is 3 more than y",
        "x is at least 3 less than y",
        "x = y more than 3",
        "x is no more than y less 2",
        "x ≡ 3 mod 5",
        "x ≡ y mod 5",
        "x = 3 (mod 5)",
        "x = 3 mod 5",
        "x = y mod 5",
        "x → y",
        "x -> y",
        "x ==> y",
        "x ⇨ y",
        "x \\rightarrow y",
        "p <= q",
        "p > q",
        "p = q = p",
        "iff p q p",
        "not not p",
        "! not p",
        "> x 3 false",
        "= Y y",
    ],
)
def test_relations_that_other_languages_mean_otherwise_are_not_certain(formula: str) -> None:
    """A sum in words, a congruence, an arrow between numbers, an order of truth values: what is written for them is no certain reading."""
    head = f"{_HEAD}(declare-const p Bool)\n(declare-const q Bool)\n(assert q)\n"
    for text in (f"(assert ({formula}))", f"(assert {formula})"):
        repaired = repair(f"{head}{text}\n(check-sat)\n")
        assert repaired.faults_left or not repaired.certain, repaired.program


@cases(
    "formula, meant",
    [
        ("x mod 5 = 3", "(= (mod x 5) 3)"),
        ("(x mod 5) = 3", "(= (mod x 5) 3)"),
        ("x = (y mod 5)", "(= x (mod y 5))"),
        ("x is at least 3", "(>= x 3)"),
        ("x > y > 3", "(> x y 3)"),
        ("p => q", "(=> p q)"),
        ("p -> q", "(=> p q)"),
    ],
)
def test_relations_that_have_one_reading_are_certain(formula: str, meant: str) -> None:
    """Doubts about other languages do not affect clearly written programs."""
    head = f"{_HEAD}(declare-const p Bool)\n(declare-const q Bool)\n(assert q)\n"
    repaired = repair(f"{head}(assert ({formula}))\n(check-sat)\n")
    assert repaired.certain, repaired.doubts
    assert f"(assert {meant})" in repaired.program


@pytest.mark.parametrize(
    "label", ["not", "false", "unless p", "if p", "optional", "soft", "maybe", "deleted", "wrong", "one of them"]
)
def test_a_label_that_takes_back_is_not_certain(label: str) -> None:
    """A text, a keyword or a word with a colon that may weaken or negate its assertion is not read as its name."""
    word = label.split(maxsplit=1)[0]
    texts = [f'"{label}" (> x 5)', f'(> x 5) "{label}"']
    if word != "one":  # a number alone is a name
        texts += [f":{word} (> x 5)", f"(> x 5) :{word}", f"{word}: (> x 5)"]
    for text in texts:
        repaired = repair(f"{_HEAD}(declare-const p Bool)\n(assert p)\n(assert {text})\n(check-sat)\n")
        assert repaired.faults_left or not repaired.certain, (text, repaired.program)
