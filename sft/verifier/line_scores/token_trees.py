"""A solution and the twins of its lines as one tree of tokens, so that one pass of the model scores all of them.

The tree begins with the solution, token after token; then follow the tokens in which the twins of a line differ from it,
each below the token before it. A token attends to itself and to the tokens above it, so a twin costs only the tokens from
the first changed one on.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from harness.solution.labels import FINAL_ANSWER
from sft.samples.items import UnreadLine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sft.models.line_marks import MarkWriter
    from sft.samples.items import Item
    from sft.verifier.model_scores import Twin

MOST_TOKENS = 2_000
MOST_OF_QUESTION = 1_000
MOST_OF_PLACE = 400
MOST_OF_TWINS = 1_500
"""Limits in tokens: of an item, its question, one of its places, and what the twins of an item have besides it."""
GAP = " … "
ROOM = 20
"""Characters that a place takes besides its text."""


@dataclass(slots=True)
class TokenTree:
    """A tree of tokens in a row: `parents` has the place of the token above each, -1 for the first.

    `wanted` holds pairs of a place and a token whose log-probability after that place is needed, each pair once. `places`
    and `twins` name the log-probabilities to sum.
    """

    ids: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    wanted: dict[tuple[int, int], int] = field(default_factory=dict)
    places: list[PlaceTokens] = field(default_factory=list)
    twins: list[TwinTokens] = field(default_factory=list)

    def add(self, token: int, parent: int) -> int:
        """Add a token below another and return its place in the row."""
        self.ids.append(token)
        self.parents.append(parent)
        self.depths.append(0 if parent < 0 else self.depths[parent] + 1)
        return len(self.ids) - 1

    def want(self, parent: int, token: int) -> int:
        """Request the log-probability of a token after a place and return its number among the requests."""
        return self.wanted.setdefault((parent, token), len(self.wanted))


@dataclass(frozen=True, slots=True)
class PlaceTokens:
    """A place of the item: the numbers of its tokens in `TokenTree.wanted`, and the place in the row before its mark."""

    name: str
    tokens: tuple[int, ...]
    asked: int


@dataclass(frozen=True, slots=True)
class TwinTokens:
    """A twin: its tokens from the first difference on, those of the line from there on, and the place before its mark."""

    twin: Twin
    tokens: tuple[int, ...]
    instead: tuple[int, ...]
    asked: int


def row_of(writer: MarkWriter, item: Item, twins: Sequence[Twin] = ()) -> TokenTree:
    """Return the row of an item and of as many of the twins as fit, in their order.

    Text beyond 2,000 tokens is left out: the middle of the question, the middle of a line, the last places.
    """
    item = shortened_item(writer, item)
    sequence = writer.write(item, None)
    row = TokenTree()
    for place, token in enumerate(sequence.ids[: sequence.asked[-1] + 1] if sequence.asked else ()):
        row.add(token, place - 1)
    spans: dict[str, tuple[int, int]] = {}
    for name, (start, end), asked in zip(item.places(), sequence.spans, sequence.asked, strict=True):
        row.places.append(PlaceTokens(name, tuple(row.want(at - 1, row.ids[at]) for at in range(start, end)), asked))
        spans[name] = start, end
    room = MOST_OF_TWINS
    children: dict[tuple[int, int], int] = {}
    for twin in twins:
        if twin.place in spans and room > 0:
            before = len(row.ids)
            _branch(row, children, writer, twin, spans[twin.place])
            room -= len(row.ids) - before
    return row


def _branch(
    row: TokenTree, children: dict[tuple[int, int], int], writer: MarkWriter, twin: Twin, span: tuple[int, int]
) -> None:
    """Add a twin to the row; a beginning that it shares with another twin is not added again.

    The first token after the text is summed too, so that a text that continues has a cost that a text that ends does not have.
    """
    start, end = span
    own = row.ids[start:end]
    text = writer.text(twin.text, twin.place)[:MOST_OF_PLACE]
    same = 0
    while same < min(len(own), len(text)) and own[same] == text[same]:
        same += 1
    at = start + same - 1
    tokens = []
    for number, token in enumerate((*text[same:], *writer.ask)):
        if number <= len(text) - same:
            tokens.append(row.want(at, token))
        known = children.get((at, token))
        if known is None:
            known = children[at, token] = row.add(token, at)
        at = known
    instead = tuple(row.want(place - 1, row.ids[place]) for place in range(start + same, end + 1))
    row.twins.append(TwinTokens(twin, tuple(tokens), instead, at))


def shortened_item(writer: MarkWriter, item: Item) -> Item:
    """Return an item that takes at most 2,000 tokens."""
    question = _shortened(
        item.question, MOST_OF_QUESTION, lambda text: len(writer.prompt(replace(item, question=text)))
    )
    lines = tuple(_shortened(line, MOST_OF_PLACE, lambda text: len(writer.text(text, "L1"))) for line in item.lines)
    answer = item.answer
    if answer is not None:
        answer = _shortened(answer, MOST_OF_PLACE, lambda text: len(writer.text(text, FINAL_ANSWER)))
    item = replace(item, question=question, lines=lines, answer=answer)
    while len((sequence := writer.write(item, None)).ids) > MOST_TOKENS and sequence.asked:
        kept = sum(1 for asked in sequence.asked if asked < MOST_TOKENS - len(writer.end) - len(writer.marks) * 4)
        kept = max(1, min(kept, len(sequence.asked) - 1))
        item = replace(item, lines=item.lines[:kept], annotated=item.annotated[:kept], answer=None)
    return item


def unread_by_model(writer: MarkWriter, item: Item) -> tuple[UnreadLine, ...]:
    """Return the places that a model does not read whole, since the item takes more tokens than it is given."""
    # A token has at least one character, but for the marks and the labels of places.
    longest = max((len(text) for text in (*item.lines, item.answer or "")), default=0)
    size = len(item.question) + sum(map(len, item.lines)) + ROOM * len(item.places())
    if size <= MOST_OF_QUESTION and longest <= MOST_OF_PLACE // 2:
        return ()
    short = shortened_item(writer, item)
    read = {"question": short.question, **dict(zip(short.places(), (*short.lines, short.answer), strict=False))}
    whole = {"question": item.question, **dict(zip(item.places(), (*item.lines, item.answer), strict=False))}
    reason = f"the model reads at most {MOST_TOKENS:,} tokens, and {MOST_OF_PLACE} of a line"
    return tuple(UnreadLine(place, reason) for place, text in whole.items() if read.get(place) != text)


def _shortened(text: str, most: int, length: Callable[[str], int]) -> str:
    """Return a text whose middle is left out until it has at most as many tokens."""
    while (tokens := length(text)) > most and len(text) > len(GAP):
        half = max(0, int(len(text) * most / tokens * 0.45))
        text = text[:half] + GAP + text[len(text) - half :]
    return text
