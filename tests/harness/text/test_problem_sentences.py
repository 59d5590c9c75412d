"""Tests of problem sentences: where the sentences of a question end, and which one asks for the answer."""

from hypothesis import given, strategies as st

from harness.text.sentences import sentences_of
from tests.cases import cases, texts

PIECES = ["Mr. Oak", "J. Birch", "a.m.", "3.5", "$4.20", '"Go!"', "(yes)", "Box A", *".?! \n9", "it", "How"]
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=30).map(" ".join))


@cases(
    "marked",
    [
        *texts("""A crate holds 3.5 pounds. ¦It is full. | Mr. Oak has 3 hens. ¦Mrs. Elm has 4. | Tom J. Birch mows. ¦He rests.
A. B. Cross sells pens. ¦They are blue. | There are 3 ducks on Pond A. ¦If 2 leave, how many stay?
Barn A has 4 doors, as Barn B. ¦Barn C has 2. | It opens at 9 a.m. and shuts at 5 p.m. ¦Each hour 3 come.
"Take 3!" she said. ¦"Why?" he asked. | He says "Stop." ¦Then 2 stop. | Flour is $4. ¦$3 is left.
No. 7 wins 4 prizes. | Is it 3?¦Or 4?"""),
        "Line one\n¦and line two",
        "  ",
    ],
)
def test_sentences(marked: str) -> None:
    """Abbreviations, initials, decimals and times of day end no sentence; quotes belong to theirs. A bar marks where one begins."""
    expected = [sentence.strip() for sentence in marked.split("¦") if sentence.strip()]
    assert [sentence.text for sentence in sentences_of(marked.replace("¦", ""))] == expected


@given(TEXTS)
def test_sentences_cover_the_text(text: str) -> None:
    """All but white space is in exactly one sentence, and each says what stands at its place."""
    end = 0
    for sentence in sentences_of(text):
        assert sentence.start >= end
        assert not text[end : sentence.start].strip()
        assert text[sentence.start : sentence.end] == sentence.text == sentence.text.strip() != ""
        end = sentence.end
    assert not text[end:].strip()
