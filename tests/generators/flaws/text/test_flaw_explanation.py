"""Tests of flaw explanations: names, variables and equations are written as a person writes them."""

from random import Random

from generators.flaws.text.explanation import explain
from tests.generators.flaws.flaw_laws import flaws_or_none, worded


def test_names_are_written_as_names() -> None:
    """Though variables have none."""
    facts = {"name": lambda: "the sandra saved", "right": lambda: "1 + 2 = 3"}
    text = explain(("{name} should be {right}, as sandra's.",), Random(0), facts, frozenset({"sandra"}))
    assert text == "The Sandra saved should be 1 + 2 = 3, as Sandra's."


def test_only_what_is_said_is_put_into_words() -> None:
    """A fact that the sentence does not name is never asked for."""

    def unasked() -> str:
        raise AssertionError

    assert explain(("{right} it is.",), Random(0), {"right": lambda: "so", "wrong": unasked}) == "So it is."


def test_a_flawed_solution_names_people() -> None:
    """As the question does."""
    source = worded(
        "# L1\nsandra_pens = 3 # 3\ntim_pens = 4 # 4\nboth = sandra_pens + tim_pens\n# L2\nlost = 2 # 2\nleft = both - lost\nanswer = left\nreturn answer",
        "{sandra_pens} + {tim_pens} = <<{sandra_pens}+{tim_pens}={both}>>{both}",
        "{both} - {lost} = <<{both}-{lost}={left}>>{left}",
        question="If Sandra has 3 pens and Tim 4, and 2 are lost, how many are left?",
    )
    said = [flaw.label.error_details.explanation for flaw in flaws_or_none(source)]
    assert any("Sandra" in sentence or "Tim" in sentence for sentence in said)
    assert not [sentence for sentence in said if "sandra" in sentence or "tim " in sentence]
