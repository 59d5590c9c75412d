"""Templates of things in an order and of amounts that are compared."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generators.constraints.repair.templates.problem_statements import (
    MOST_NAMES,
    ProblemReading,
    clauses,
    statements,
    symbols,
)
from harness.text.lexicon import word_lists
from harness.text.numbers import ORDINALS, TEENS, UNITS

_LISTS = word_lists(__file__)

_WORDS = (*UNITS, *TEENS)[1:13]
_ORDINALS = ORDINALS[:10]
_COUNT = rf"(?:\d+|{'|'.join(_WORDS)})"
_LOW = _LISTS.either("low")
_HIGH = _LISTS.either("high")
_LIST = re.compile(
    rf"\b{_COUNT}\s+([a-z][\w -]*?)(?::|,|\bcalled\b|\bnamed\b)\s*((?:[^.;:?!,]+,\s*)+(?:and\s+)?[^.;:?!,]+)",
    re.IGNORECASE,
)
_NO_NAMES = _LISTS.words("no_names")
_ARTICLE = re.compile(r"^(?:and|a|an|the|two|one)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The subjects of a text: its things with their symbols, and how many places there are."""

    things: dict[str, str]
    places: int

    def named(self, text: str) -> str | None:
        """Return the symbol of the thing a text names, by its longest name in it."""
        folded = f" {text.lower()} "
        names = [name for name in self.things if re.search(rf"\b{re.escape(name.lower())}\b", folded)]
        return self.things[max(names, key=len)] if names else None


def ordered_things(sentences: Sequence[str]) -> ProblemReading | None:
    """Return the reading of a text that lists things in a row and says where they stand; `None` where it does not."""
    frame = _ordered(sentences)
    if frame is None:
        return None
    names = list(frame.things.values())
    always = [*(f"(<= 1 {name} {frame.places})" for name in names), f"(distinct {' '.join(names)})"]
    return ProblemReading(dict.fromkeys(names, "Int"), always, _facts(sentences, lambda clause: _place(frame, clause)))


def compared_amounts(sentences: Sequence[str]) -> ProblemReading | None:
    """Return the reading of a text that compares amounts; `None` where it does not."""
    frame = _counted(sentences)
    if frame is None:
        return None
    constants = dict.fromkeys(frame.things.values(), "Int")
    return ProblemReading(constants, (), _facts(sentences, lambda clause: _amount(frame, clause)))


def claim_formula(problem: str, sentence: str) -> str | None:
    """Return the meaning of a further sentence about the things of a problem, as the template of the problem would write it."""
    frame = _ordered(statements(problem))
    return None if frame is None else _place(frame, sentence)


def _facts(sentences: Sequence[str], read: Callable[[str], str | None]) -> list[tuple[str, str]]:
    return [(fact, clause) for clause in clauses(sentences) if (fact := read(clause)) is not None]


def _ordered(sentences: Sequence[str]) -> _Frame | None:
    """Return the frame of things in a row: they are listed, and each has a place."""
    for sentence in sentences:
        if (listed := _LIST.search(sentence)) is not None:
            items = [_ARTICLE.sub("", _ARTICLE.sub("", item.strip())) for item in re.split(r",|\band\b", listed[2])]
            names = [item for item in items if item and len(item.split()) <= 3]
            if 1 < len(names) <= MOST_NAMES:
                return _Frame(symbols(names), len(names))
    return None


def _counted(sentences: Sequence[str]) -> _Frame | None:
    """Return the frame of amounts: whatever is compared has a number."""
    names: dict[str, None] = {}
    for clause in clauses(sentences):
        for pattern, _ in _AMOUNTS:
            if match := pattern.search(clause):
                keys = [key for key in ("left", "right") if key in pattern.groupindex]
                names.update((_ARTICLE.sub("", match[key].strip()).lower(), None) for key in keys)
    kept = [name for name in names if name and not _NO_NAMES & set(name.split())]
    return _Frame(symbols(kept), 0) if 0 < len(kept) <= MOST_NAMES else None


_UNSURE = re.compile(rf"\b(?:{_LISTS.either('unsure')})\b", re.IGNORECASE)
_NOT = re.compile(r"(?:\bnot\b|n't\b)\s*", re.IGNORECASE)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _WORDS.index(text.lower()) + 1


def _place(frame: _Frame, clause: str) -> str | None:
    """Return the statement of a clause about places; `None` where it is not clear."""
    text = clause.lower().rstrip(" .")
    if _UNSURE.search(text):
        return None
    if len(parts := _NOT.split(text)) > 1:
        fact = _place(frame, " ".join(parts)) if len(parts) == 2 else None
        return None if fact is None else f"(not {fact})"
    for words, sign in ((_COMPARED[0], "<"), (_COMPARED[1], ">")):
        if match := words.search(text):
            left, right = frame.named(text[: match.start()]), frame.named(text[match.end() :])
            return f"({sign} {left} {right})" if left and right and left != right else None
    name, place = frame.named(text), _position(text, frame.places)
    return f"(= {name} {place})" if name and place else None


_COMPARED = (
    re.compile(rf"\b(?:to the left of|ahead of|in front of|above|before|(?:{_LOW})\s+than)\b"),
    re.compile(rf"\b(?:to the right of|behind|below|after|(?:{_HIGH})\s+than)\b"),
)


def _position(text: str, places: int) -> int | None:
    """Return the place a phrase such as `third from the left` or `second-newest` names."""
    ordinal = next((number for number, word in enumerate(_ORDINALS, 1) if re.search(rf"\b{word}\b", text)), None)
    number = ordinal or 1
    if re.search(r"\bto[ -]last\b|from the (?:right|end)\b", text):
        place = places - number + 1
    elif re.search(r"from the (?:left|start|beginning)\b", text) or re.search(rf"\b(?:{_LOW})\b", text):
        place = number
    elif re.search(rf"\b(?:{_HIGH})\b|\blast\b", text):
        place = places - number + 1
    elif ordinal is not None:
        place = number
    else:
        return None
    return place if 1 <= place <= places else None


_THING = r"(?<![\w-])(?P<{}>(?:the\s+)?[A-Za-z][\w-]*+(?:\s[a-z][\w-]*+)?)"
_LEFT, _RIGHT = _THING.format("left"), _THING.format("right")
_VERB = rf"(?:{_LISTS.either('verbs')})"
_MORE = r"(?:\w+\s+)?(?:more|longer|older|taller|heavier|later)(?:\s\w+)?"
_FEWER = r"(?:\w+\s+)?(?:fewer|less|shorter|younger|lighter|earlier)(?:\s\w+)?"
_NUMBER = rf"(?P<number>{_COUNT})"
_AMOUNTS = tuple(
    (re.compile(rf"{_LEFT}\s+{_VERB}\s+{predicate}", re.IGNORECASE), term)
    for predicate, term in (
        (
            rf"(?P<number>{_COUNT}|twice)\s*(?:times)?\s+as\s+\w+(?:\s\w+)?\s+as\s+{_RIGHT}",
            "(= {left} (* {number} {right}))",
        ),
        (rf"{_NUMBER}\s+{_MORE}\s+than\s+{_RIGHT}", "(= {left} (+ {right} {number}))"),
        (rf"{_NUMBER}\s+{_FEWER}\s+than\s+{_RIGHT}", "(= {left} (- {right} {number}))"),
        (rf"(?:at most|no more than|up to)\s+{_NUMBER}\b", "(<= {left} {number})"),
        (rf"(?:at least|no less than|no fewer than)\s+{_NUMBER}\b", "(>= {left} {number})"),
        (rf"(?:more|greater)\s+than\s+{_NUMBER}\b", "(> {left} {number})"),
        (
            rf"(?:exactly\s+)?{_NUMBER}\b(?!\s+(?:times|\w+\s+(?:more|less|fewer|longer|shorter)))",
            "(= {left} {number})",
        ),
    )
)
_TOGETHER = re.compile(
    rf"\b(?:together|altogether|in total|add up to|in all)\b.*?\b(?P<number>{_COUNT})\b", re.IGNORECASE
)


def _amount(frame: _Frame, clause: str) -> str | None:
    """Return the statement of a clause about amounts."""
    if _UNSURE.search(clause) or _NOT.search(clause):
        return None
    if (total := _TOGETHER.search(clause)) is not None:
        things = frame.things.items()
        named = [symbol for name, symbol in things if re.search(rf"\b{re.escape(name)}\b", clause, re.IGNORECASE)]
        names = named if len(named) > 1 else list(frame.things.values())
        return f"(= (+ {' '.join(names)}) {_number(total['number'])})" if len(names) > 1 else None
    for pattern, term in _AMOUNTS:
        if match := pattern.search(clause):
            left = frame.named(match["left"])
            right = frame.named(match["right"]) if "right" in pattern.groupindex else ""
            number = 2 if match["number"].lower() == "twice" else _number(match["number"])
            return None if left is None or right is None else term.format(left=left, right=right, number=number)
    return None
