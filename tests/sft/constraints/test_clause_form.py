"""Tests of programs clause by clause: their form, what is learnt of them, and how a model writes them."""

from __future__ import annotations

from functools import cache

from generators.constraints.problem.domain import DOMAINS, ProblemSize
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, AtomKind, walk
from harness.smtlib.script import read_script
from sft.constraints.clause_form import clause_program, clause_texts, given_spans
from sft.constraints.clause_writer import SMALL, ClauseWriter
from sft.constraints.prompts import CLAUSE_BY_CLAUSE, OutputForm, chat_of, chat_turns, example_of
from sft.models.line_marks import TargetKind
from sft.training.tiny_models import tiny_loaded
from sft.training.token_sequences import RecordTokenizer, TokenizingPlan
from tests.sft.constraints.fakes import tiny_problem

PROBLEMS = [problem for domain in DOMAINS for problem in domain.problems(25, seed=3, size=ProblemSize.MEDIUM)]


@cache
def model():  # noqa: ANN201  # a model of transformers
    """Return a small model that has learnt nothing."""
    return tiny_loaded("smollm2-135m", seed=1)


def test_a_program_clause_by_clause_asserts_the_same() -> None:
    """It is a program with the same commands, its assertions in the order of the text; its comments are the text."""
    for problem in PROBLEMS:
        stated = clause_program(problem.problem, problem.program)
        before, after = read_script(problem.program), read_script(stated.text)
        assert after.valid
        assert after.declarations[-1].name == before.declarations[-1].name
        assert sorted(map(write_node, after.assertions)) == sorted(map(write_node, before.assertions))
        assert " ".join(clause.text for clause in stated.clauses).split() == problem.problem.split()


def test_the_words_of_clauses_are_given() -> None:
    """What is learnt of a program is the program: the comments are given, the mark that ends the assertions of a clause is not."""
    for problem in PROBLEMS[::10]:
        chat = chat_of(example_of(problem, OutputForm.CLAUSES))
        text = chat["completion"]
        assert chat["given"] == [list(span) for span in given_spans(text)]
        given = [text[start:stop] for start, stop in chat["given"]]
        assert given == [f" {clause}\n" for clause in clause_texts(problem.problem)]
        tokenizer = model().tokenizer
        tokens = RecordTokenizer(tokenizer, TokenizingPlan()).sequence(chat)
        assert tokens is not None
        learnt = tokenizer.decode(
            [token for token, kind in zip(tokens.ids, tokens.kinds, strict=True) if kind is not TargetKind.GIVEN]
        )
        assert learnt.removesuffix(tokenizer.eos_token) == "".join(
            f"{line}\n" if not line.startswith(";") else ";" for line in text.splitlines()
        ).removesuffix("\n")


def test_a_model_writes_behind_each_clause() -> None:
    """Held to the grammar, it asserts declared names and numerals of the problem; free or held, the clauses are the problem's, each time the same."""
    problems = [tiny_problem(number).problem for number in (0, 4)]
    chats = [chat_turns(CLAUSE_BY_CLAUSE, problem) for problem in problems]
    for held in (True, False):
        writer = ClauseWriter(model(), batch=2, most=24, held=held, seed=2)
        (written,) = writer.write(chats)
        assert [written == again for again in writer.write(chats)] == [True]
        for number, problem in enumerate(problems):
            text = written[number].text
            lines = text.splitlines()
            assert [line[2:] for line in lines if line.startswith("; ")] == list(clause_texts(problem)) or not held
            if held:
                script = read_script(written[number].program)
                atoms = [atom for node in script.assertions for atom in walk(node) if isinstance(atom, Atom)]
                numerals = {atom.text for atom in atoms if atom.kind is AtomKind.NUMERAL}
                assert numerals <= {*SMALL, *"".join(c if c.isdigit() else " " for c in problem).split()}
                assert not [fault for fault in script.faults if fault.kind.name in {"STRAY_TEXT", "UNDECLARED"}]
        assert list(writer.write(chats, known=lambda _: True)) == []
