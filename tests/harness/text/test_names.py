"""Tests of names: variables are put into words, and personal names are told from other words."""

from harness.text.names import proper_names, variable_words, with_names
from tests.cases import cases, rows


@cases(
    "variable, words",
    [
        ("_", ""),
        *rows(
            "total_cost → total cost | num_red_apples → number of red apples | no_of_pens → number of pens | num → num | __x__ → x | TOTAL → total"
        ),
    ],
)
def test_variables_are_spoken(variable: str, words: str) -> None:
    """A variable is spoken without underscores and abbreviations."""
    assert variable_words(variable) == words


@cases(
    "question, names",
    [
        *rows("""Sandra saved $10. Then Sandra ate with Tim at New York High School. → sandra tim
How much has Sandra saved on Monday, Sunday and May 3? → sandra monday sunday"""),
        *(
            (question, "")
            for question in ("If Rose buys a rose and Will will pay, who is Mark?", "HOW MANY for NASA?", "")
        ),
    ],
)
def test_names_are_those_of_the_question(question: str, names: str) -> None:
    """Capitals within a sentence, of words that stand nowhere else without; a word of ours is none."""
    assert proper_names(question) >= set(names.split())
    assert not proper_names(question) & {"will", "rose", "may", "mark", "nasa", "then", "how", "if", "high", "new"}


def test_names_get_their_capitals() -> None:
    """Names get capitals where they are whole words, and no other word does."""
    assert with_names("the ann saved, annual", {"ann"}) == "the Ann saved, annual"
    assert with_names("the ann saved", ()) == "the ann saved"
