"""The words of a question for the quantities of a program: what its numbers count, and what is asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from generators.formalizations.annotation.variable_names import is_content, name_after, quote
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import renamed
from harness.solution.trace import Trace, TraceEntry
from harness.text.nouns import FUNCTION_WORDS, is_plural, phrase_at
from harness.text.numbers import NumberMention, mentions, whole_as_int
from harness.text.sentences import sentences_of

_ASKED = re.compile(r"\bhow many\b", re.IGNORECASE)
_LETTERS = re.compile(r"[a-z]+")
_HOW = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)
_OF = re.compile(r" of((?: [a-z]+){1,2})\b")
_AND = re.compile(r" and ([a-z]+)\b")
_COMPARED = re.compile(r"^(?:more|fewer|less) ")
_NAMELESS = re.compile(r"(?:number|step)_\d+|answer")
_OPERATIONS = {"+": "sum", "-": "difference", "*": "product", "/": "quotient"}
DOLLARS = "dollars"
_MONEY = re.compile(
    r"\bhow much\b.*\b(?:cost|pay|money|spen[dt]|earn|paid|price|change|dollars?|charge)", re.IGNORECASE
)


@dataclass(frozen=True)
class QuestionWords:
    """A question with what its numbers count."""

    text: str

    @cached_property
    def mentions(self) -> tuple[NumberMention, ...]:
        """Return the numbers of the question."""
        return tuple(mentions(self.text))

    def meant(self, value: Exact) -> list[NumberMention]:
        """Return the numbers that plainly have a value, else those that can mean it."""
        plain = [mention for mention in self.mentions if mention.readings[0] == value]
        return plain or [mention for mention in self.mentions if value in mention.readings]

    def noun_of(self, mention: NumberMention) -> str:
        """Return the plural noun that a number counts, with the words before it; `dollars`; or an empty text."""
        if self.text[: mention.start].rstrip().endswith("$"):
            return DOLLARS
        return self.noun_at(mention.end)

    def noun_at(self, start: int) -> str:
        """Return the plural noun phrase after a place, `pieces of junk mail`, empty where there is none."""
        phrase = phrase_at(self.text, start)
        if phrase is None:
            return ""
        end = phrase.end
        also = _AND.match(self.text, end)
        if also is not None and is_plural(also[1]):
            end = also.end()
        noun = self.text[start:end].strip()
        of = _OF.match(self.text, end)
        more = [] if of is None else of[1].split()
        while more and more[-1] in FUNCTION_WORDS:
            more.pop()
        noun = noun if not more or set(more) & FUNCTION_WORDS else f"{noun} of {' '.join(more)}"
        noun = _COMPARED.sub("", noun)
        return DOLLARS if noun in {"dollars", "bucks"} else noun

    @cached_property
    def asked(self) -> str:
        """Return the noun that is asked for: `apples` of `How many more apples …`, `dollars` of a price, else an empty text."""
        asked = list(_ASKED.finditer(self.text))
        if asked:
            return self.noun_at(asked[-1].end())
        # A price is a number of dollars where the question has one.
        priced = any(self.noun_of(mention) == DOLLARS for mention in self.mentions)
        return DOLLARS if priced and _MONEY.search(self.text) else ""

    def name_of(self, mention: NumberMention, taken: Collection[str]) -> str:
        """Return a name for a number of the words after it, with the word before it where the name is taken."""
        name = name_after(self.text, mention.end, mention.start, fallback="number")
        sentence = next((each for each in sentences_of(self.text) if each.start <= mention.start < each.end), None)
        before = self.text[sentence.start if sentence is not None else 0 : mention.start]
        words = [word for word in _LETTERS.findall(before.lower()) if is_content(word)]
        return f"{name}_{words[-1]}" if name in taken and words and words[-1] not in name.split("_") else name

    def asked_name(self, taken: Collection[str]) -> str:
        """Return a name for what is asked for, of the words after `how many` or `how much`; of more of them where it is taken."""
        asked = list(_HOW.finditer(self.text))
        if not asked:
            return "result"
        name = name_after(self.text, asked[-1].end(), fallback="result")
        words = [word for word in _LETTERS.findall(self.text[asked[-1].end() :].lower()) if is_content(word)]
        more = [word for word in words if word not in name.split("_")]
        return f"{name}_{more[0]}" if name in taken and more else name


def named_by_question(question: str, program: Trace) -> Trace:
    """Return the trace of an equation with its numbers named after the words of the question.

    A number that stands in the question once is one input, however often the equation writes it; one that stands there several
    times stays without words, because the equation does not say which is meant.
    """
    words = QuestionWords(question)
    names: dict[str, str] = {}
    taken: set[str] = set()
    shared: dict[Exact, str] = {}
    comments: dict[str, str] = {}

    def unique(name: str) -> str:
        chosen, count = name, 1
        while chosen in taken:
            count += 1
            chosen = f"{name}_{count}"
        taken.add(chosen)
        return chosen

    nouns = nouns_of(words, program)
    for entry in program.entries:
        if not _NAMELESS.fullmatch(entry.variable):
            names[entry.variable] = unique(entry.variable)
        elif entry.expression is None:
            value = whole_as_int(entry.value)
            meant = words.meant(value)
            if len(meant) == 1 and value not in shared:
                mention = meant[0]
                shared[value] = unique(words.name_of(mention, taken))
                comments[shared[value]] = quote(question, mention.start, mention.end)
            names[entry.variable] = shared.get(value) or unique("number")
        else:
            noun = nouns[entry.variable].replace(" ", "_").lower()
            kind = (
                _OPERATIONS.get(entry.expression.operator, "result") if isinstance(entry.expression, ir.Binary) else ""
            )
            name = f"{kind}_of_{noun}" if noun else kind
            if entry.variable == program.result:
                name = words.asked_name(taken)
            names[entry.variable] = unique(name if name.isidentifier() else kind or "result")
    return _renamed(program, names, comments)


def _renamed(program: Trace, names: Mapping[str, str], comments: Mapping[str, str]) -> Trace:
    entries: dict[str, TraceEntry] = {}
    for entry in program.entries:
        name, expression = names[entry.variable], entry.expression
        if name in entries:
            continue
        for read in entry.reads if expression is not None else ():
            if expression is not None and names[read] != read:
                expression = renamed(expression, read, names[read])
        entries[name] = TraceEntry(
            name,
            entry.value,
            entry.role,
            entry.line,
            expression,
            comments.get(name, entry.comment),
            tuple(dict.fromkeys(names[read] for read in entry.reads)),
        )
    return Trace(tuple(entries.values()), names[program.result])


def nouns_of(words: QuestionWords, program: Trace) -> dict[str, str]:
    """Return the noun that each variable counts, empty where it is not known.

    Sums and differences count what both sides count, as far as the last words of these agree.
    """
    nouns: dict[str, str] = {}
    for entry in program.entries:
        noun = ""
        match entry.expression:
            case None:
                meant = words.meant(whole_as_int(entry.value))
                noun = words.noun_of(meant[0]) if len(meant) == 1 else ""
            case ir.Binary("+" | "-", ir.Name(left), ir.Name(right)):
                noun = _shared(nouns[left], nouns[right])
            case ir.Binary("*" | "/", ir.Name(left), ir.Name(right)):
                money = [nouns[left] == DOLLARS, nouns[right] == DOLLARS]
                noun = DOLLARS if money in ([True, False], [False, True]) and not money[1] else ""
            case ir.Name(copied):
                noun = nouns[copied]
        nouns[entry.variable] = noun
    return nouns


def _shared(left: str, right: str) -> str:
    """Return the common part of two noun phrases: `cookies` of `salty cookies` and `sweet cookies`, `pages` of pages of two books."""
    counted = [phrase.partition(" of ")[0].split() for phrase in (left, right)]
    if left == right or left.partition(" of ")[2] != right.partition(" of ")[2]:
        return left if left == right else " ".join(counted[0]) if counted[0] == counted[1] else ""
    words: list[str] = []
    for first, second in zip(*map(reversed, counted), strict=False):
        if first != second:
            break
        words.insert(0, first)
    return " ".join(words)
