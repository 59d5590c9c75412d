"""Tests of programs clause by clause: they say the same in the order of the text, and only what is written is learnt."""

from functools import cache

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from harness.records.constraint import ConstraintProblem
from harness.smtlib.s_expressions import write_node
from harness.smtlib.script import read_script
from sft.constraints.output_forms import (
    HEAD,
    OutputForm,
    chat_of,
    clause_commands,
    clause_program,
    clause_texts,
    example_of,
    given_spans,
)
from sft.training.examples import IGNORED, ExampleForm, example_of_record
from tests.sft.constraints.fakes import tiny_model


@cache
def problems() -> list[ConstraintProblem]:
    """Return problems of each domain."""
    return [problem for domain in DOMAINS for problem in domain.problems(8, seed=3, size=ProblemSize.MEDIUM)]


def test_a_program_clause_by_clause_asserts_the_same() -> None:
    """It is a program with the same commands, its comments are the text, and a constant is declared where it is first named or used."""
    for problem in problems():
        clauses = clause_commands(problem.problem, problem.program, problem.stated)
        before = read_script(problem.program)
        after = read_script(clause_program(problem.problem, problem.program, problem.stated))
        assert after.valid
        assert {(declaration.name, declaration.sort) for declaration in after.declarations} == {
            (declaration.name, declaration.sort) for declaration in before.declarations
        }
        assert sorted(map(write_node, after.assertions)) == sorted(map(write_node, before.assertions))
        assert " ".join(text for text, _ in clauses).split() == problem.problem.split()
        said = ""
        for text, commands in clauses:
            said += text.casefold()
            asserted = " ".join(line for line in commands if line.startswith("(assert "))
            for line in commands:
                name = line.split()[1]
                if line.startswith("(declare-const ") and name != "answer":
                    assert name in asserted or all(word.removesuffix("s") in said for word in name.split("_"))


def test_a_clue_is_after_its_words() -> None:
    """An assertion that a sentence states is after the clause in which its words begin."""
    placed = 0
    for problem in problems():
        clauses = clause_commands(problem.problem, problem.program, problem.stated)
        assertions = [f"(assert {write_node(node)})" for node in read_script(problem.program).assertions]
        for words, assertion in zip(problem.stated, assertions, strict=False):
            if words:
                placed += 1
                texts = [text.casefold() for text, commands in clauses if assertion in commands]
                assert any(" ".join(words.split()).casefold().partition(";")[0][:12] in text for text in texts)
    assert placed > 60


def test_the_words_of_clauses_are_given() -> None:
    """What is learnt of a program is the program: the logic and the comments are given, the mark that ends what is after a clause is not."""
    tokenizer = tiny_model().tokenizer
    for problem in problems()[::8]:
        chat = chat_of(example_of(problem, OutputForm.CLAUSES))
        text = chat["completion"]
        assert chat["given"] == [list(span) for span in given_spans(text)]
        first, *others = clause_texts(problem.problem)
        given = [text[start:stop] for start, stop in chat["given"]]
        assert given == [f"{HEAD}\n; {first}\n", *(f" {clause}\n" for clause in others)]
        tokens = example_of_record(chat, "chat", tokenizer, ExampleForm())
        assert tokens is not None
        learnt = tokenizer.decode([label for label in tokens.labels if label != IGNORED])
        written = text.removeprefix(given[0]).splitlines()
        assert learnt.removesuffix(tokenizer.eos_token) == "".join(
            f"{line}\n" if not line.startswith(";") else ";" for line in written
        ).removesuffix("\n")
