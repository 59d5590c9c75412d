"""Tests of programs clause by clause: their form, what is learnt of them, and how a model writes them."""

from __future__ import annotations

from functools import cache

import pytest
from llguidance import LLMatcher

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from harness.smtlib.grammar import clause_grammar, opened_enumeration
from harness.smtlib.grammar_notation import GrammarNotation
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, walk
from harness.smtlib.script import read_script
from sft.constraints.clause_form import HEAD, clause_program, clause_texts, given_spans
from sft.constraints.clause_writer import ClauseWriter, words_of
from sft.constraints.prompts import CLAUSE_BY_CLAUSE, OutputForm, chat_of, chat_turns, example_of
from sft.models.text_generation import grammar_tokens
from sft.training.examples import IGNORED, ExampleForm, example_of_record
from sft.training.tiny_models import tiny_loaded
from tests.sft.constraints.fakes import tiny_problem

PROBLEMS = [problem for domain in DOMAINS for problem in domain.problems(25, seed=3, size=ProblemSize.MEDIUM)]


@cache
def model():  # noqa: ANN201  # a model of transformers
    """Return a small model that has learnt nothing."""
    return tiny_loaded("smollm2-135m", seed=1)


def test_a_program_clause_by_clause_asserts_the_same() -> None:
    """It is a program with the same commands, its assertions in the order of the text; its comments are the text."""
    for problem in PROBLEMS:
        stated = clause_program(problem.problem, problem.program, problem.stated)
        before, after = read_script(problem.program), read_script(stated.text)
        assert after.valid
        assert {declaration.name: declaration.sort for declaration in after.declarations} == {
            declaration.name: declaration.sort for declaration in before.declarations
        }
        assert sorted(map(write_node, after.assertions)) == sorted(map(write_node, before.assertions))
        assert " ".join(clause.text for clause in stated.clauses).split() == problem.problem.split()


def test_a_clue_is_behind_its_words() -> None:
    """An assertion that a sentence states is behind the clause in which its words begin."""
    placed = 0
    for problem in PROBLEMS:
        clauses = clause_program(problem.problem, problem.program, problem.stated).clauses
        assertions = [f"(assert {write_node(node)})" for node in read_script(problem.program).assertions]
        for words, assertion in zip(problem.stated, assertions, strict=False):
            if words:
                placed += 1
                behind = [clause.text.casefold() for clause in clauses if assertion in clause.commands]
                assert any(" ".join(words.split()).casefold().partition(";")[0][:12] in text for text in behind)
    assert placed > 200


def test_a_constant_is_declared_where_it_is_first_needed() -> None:
    """No constant is declared behind a clause before the first one that says its name or asserts something of it."""
    for problem in PROBLEMS:
        said = ""
        for clause in clause_program(problem.problem, problem.program, problem.stated).clauses:
            said += clause.text.casefold()
            asserted = " ".join(line for line in clause.commands if line.startswith("(assert "))
            for line in clause.commands:
                name = line.split()[1]
                if line.startswith("(declare-const ") and name != "answer":
                    assert name in asserted or all(word.removesuffix("s") in said for word in name.split("_"))


def test_the_words_of_clauses_are_given() -> None:
    """What is learnt of a program is the program: the logic and the comments are given, the mark that ends what is behind a clause is not."""
    for problem in PROBLEMS[::25]:
        chat = chat_of(example_of(problem, OutputForm.CLAUSES))
        text = chat["completion"]
        assert chat["given"] == [list(span) for span in given_spans(text)]
        first, *others = [text[start:stop] for start, stop in chat["given"]]
        clauses = clause_texts(problem.problem)
        assert [first, *others] == [f"{HEAD}\n; {clauses[0]}\n", *(f" {clause}\n" for clause in clauses[1:])]
        tokenizer = model().tokenizer
        tokens = example_of_record(chat, "chat", tokenizer, ExampleForm())
        assert tokens is not None
        learnt = tokenizer.decode([label for label in tokens.labels if label != IGNORED])
        written = text.removeprefix(first).splitlines()
        assert learnt.removesuffix(tokenizer.eos_token) == "".join(
            f"{line}\n" if not line.startswith(";") else ";" for line in written
        ).removesuffix("\n")


def test_the_grammar_takes_a_value_once() -> None:
    """Behind a clause, an enumeration has words of the problem, and none twice."""
    words = words_of("Which is longest, the brown, the yellow or the red rope?")
    start = "(declare-datatypes ((Thing 0)) (((Red)"

    def takes(more: str) -> bool:
        begun = opened_enumeration(start + more.rpartition(" (")[0])
        grammar = clause_grammar("(set-logic ALL)", begun, GrammarNotation.LARK, "(check-sat)", words, last=True)
        tokens = model().tokenizer.encode(start + more, add_special_tokens=False)
        matcher = LLMatcher(grammar_tokens(model()), LLMatcher.grammar_from_lark(grammar), log_level=0)
        assert not matcher.is_error()
        return bool(matcher.try_consume_tokens(tokens) == len(tokens))

    assert takes(" (Yellow) (Brown)")
    assert not takes(" (Yellow) (Red)")
    assert not takes(" (Red)")
    assert not takes(" (Blue)")


@pytest.mark.parametrize("most", [6, pytest.param(24, marks=pytest.mark.slow)])
def test_a_model_writes_behind_each_clause(most: int) -> None:
    """Held to the grammar, it declares words and asserts numerals of the problem; free or held, the clauses are the problem's, each time the same."""
    problems = [tiny_problem(0).problem]
    chats = [chat_turns(CLAUSE_BY_CLAUSE, problem) for problem in problems]
    for held in (True, False):
        writer = ClauseWriter(model(), batch=2, most=most, held=held, seed=2)
        (written,) = writer.write(chats)
        if held:
            assert [written == again for again in writer.write(chats)] == [True]
        for number, problem in enumerate(problems):
            text = written[number].text
            lines = text.splitlines()
            assert [line[2:] for line in lines if line.startswith("; ")] == list(clause_texts(problem)) or not held
            if held:
                script = read_script(written[number].program)
                atoms = [atom for node in script.assertions for atom in walk(node) if isinstance(atom, Atom)]
                numerals = {atom.text for atom in atoms if atom.kind is AtomKind.NUMERAL}
                assert numerals <= {*words_of(problem).numerals}
                assert {declaration.name for declaration in script.declarations} <= {*words_of(problem).names, "answer"}
                assert not [fault for fault in script.faults if fault.kind.name in {"STRAY_TEXT", "UNDECLARED"}]
        assert list(writer.write(chats, known=lambda _: True)) == []
