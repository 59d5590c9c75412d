"""English sentences built from clauses: lists, articles, number words, conclusions and text layouts."""

from collections.abc import Sequence
from random import Random

from harness.text.nouns import article_of
from harness.text.numbers import ORDINALS as ALL_ORDINALS, write_cardinal

ORDINALS = ALL_ORDINALS[:10]
LARGEST_IN_WORDS = 12
TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}
_KNOWN = ("This is known", "Here is what we know", "We are told the following", "The following is true")


def sentence(clause: str) -> str:
    """Return a clause with a capital and, unless it has one, a full stop."""
    ended = clause if clause[-1] in ".?!" else f"{clause}."
    return capitalized(ended)


def capitalized(words: str) -> str:
    """Return words with a capital."""
    return words[:1].upper() + words[1:]


def article(noun: str) -> str:
    """Return a noun with its indefinite article."""
    return f"{article_of(noun)} {noun}"


def number(count: int) -> str:
    """Return a small number as a word."""
    return write_cardinal(count) if 0 <= count <= LARGEST_IN_WORDS else str(count)


def counted(count: int, single: str, many: str) -> str:
    """Return `one person` or `two people`."""
    return f"{number(count)} {single if count == 1 else many}"


def together(clauses: Sequence[str]) -> str:
    """Return clauses joined by `and`, with commas where they would run into each other."""
    if len(clauses) == 1:
        return clauses[0]
    comma = "," if len(clauses) > 2 or any("," in clause for clause in clauses) else ""
    return f"{', '.join(clauses[:-1])}{comma} and {clauses[-1]}"


def inference_sentence(premises: Sequence[str], conclusion: str, rng: Random) -> str:
    """Return a sentence with premises and conclusion."""
    all_of_it = together(premises)
    match len(premises), rng.randrange(3):
        case 1, 0:
            return sentence(f"{all_of_it}, so {conclusion}")
        case 1 | 2, 1:
            return sentence(f"since {all_of_it}, {conclusion}")
        case 1, _:
            return sentence(f"because {all_of_it}, {conclusion}")
        case 2, 0:
            return sentence(f"{premises[0]}, and {premises[1]}, so {conclusion}")
        case _, 2:
            return f"{sentence(all_of_it)} Therefore {conclusion}."
        case _:
            return f"{sentence(all_of_it)} It follows that {conclusion}."


def contradiction_sentence(premises: Sequence[str], rng: Random) -> str:
    """Return a sentence that says that all of this cannot be true."""
    if len(premises) == 1:
        return f"{sentence(premises[0])} That is impossible."
    end = rng.choice(("This cannot all be true", "These contradict each other", "All of this together is impossible"))
    return f"{sentence(together(premises))} {end}."


def layout(opening: str, clues: Sequence[str], question: str, rng: Random) -> str:
    """Return a text: the opening, the clues in one of several layouts, the question."""
    form = rng.randrange(8)
    if form == 0 and len(clues) > 2:
        body = " ".join(f"({place}) {sentence(clue)}" for place, clue in enumerate(clues, start=1))
    elif form == 1 and len(clues) > 1:
        body = f"{rng.choice(_KNOWN)}: {'; '.join(clues)}."
    elif form in {2, 3} and len(clues) > 1:
        place = rng.randrange(len(clues) - 1)
        joined = f"{clues[place]}, and {clues[place + 1]}"
        body = " ".join(map(sentence, [*clues[:place], joined, *clues[place + 2 :]]))
    else:
        body = " ".join(map(sentence, clues))
    return " ".join(part for part in (opening, body, question) if part)
