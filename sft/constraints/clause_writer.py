"""The writer of programs clause by clause: a model writes the declarations, then the assertions behind each clause it is given.

The clauses are the problem's own, so that the model copies no text. Under the grammar it declares what it likes and asserts
declared names and the problem's numbers only.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.smtlib.grammar import ANSWER, CHECK, VALUE, assertions_grammar, head_grammar
from harness.smtlib.grammar_notation import GrammarNotation
from harness.text.numbers.number_mentions import mentions
from sft.constraints.clause_form import MARK, clause_texts, without_clauses
from sft.constraints.program_writer import TEMPERATURE, TOP_P, WrittenProgram
from sft.models.text_generation import GrammarMask, chat_prompt, generated_tokens, grammar_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sft.models.base_model import LoadedModel

_BEYOND = 12
"""The number of last tokens that are decoded to detect the end of a part."""
SMALL = (*map(str, range(25)), "100")
"""Numerals that a program may have though its problem does not: places, hours, the digits' values."""


@dataclass(slots=True)
class _Row:
    """A program that is written: its tokens with the prompt, its text, the clauses it is still given, whether a part was cut."""

    tokens: list[int]
    clauses: list[str]
    numerals: tuple[str, ...]
    text: str = ""
    cut: bool = False

    @property
    def program(self) -> str:
        """Return the program without its clauses."""
        program = without_clauses(self.text.splitlines())
        asks_value = any(line.startswith(f"(declare-const {ANSWER} ") for line in program.splitlines())
        return f"{program}\n{VALUE}" if program.endswith(CHECK) and asks_value else program


@dataclass(frozen=True, slots=True)
class ClauseWriter:
    """A model that writes batches of programs clause by clause, each part of at most `most` tokens, `held` to the grammar or not.

    Decoding is greedy; with a `seed`, texts are sampled, the same ones each time.
    """

    loaded: LoadedModel
    batch: int = 16
    most: int = 160
    held: bool = False
    seed: int | None = None
    _kept: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def drawing(self, seed: int) -> ClauseWriter:
        """Return the writer with sampling."""
        return replace(self, seed=seed)

    def write(
        self, chats: Sequence[Sequence[dict[str, str]]], known: Callable[[int], bool] = lambda _: False
    ) -> Iterator[dict[int, WrittenProgram]]:
        """Yield the programs of a batch by the numbers of their chats, the last turns of which are the problems.

        A batch has problems of similar length; one whose chats are all `known` is skipped.
        """
        order = sorted(range(len(chats)), key=lambda number: (len(chats[number][-1]["content"]), number))
        for start in range(0, len(order), self.batch):
            numbers = order[start : start + self.batch]
            if not all(map(known, numbers)):
                rows = [self._row(chats[number]) for number in numbers]
                yield dict(zip(numbers, self._written(rows), strict=True))

    def _row(self, chat: Sequence[dict[str, str]]) -> _Row:
        problem = chat[-1]["content"]
        own = [str(reading) for mention in mentions(problem) for reading in mention.readings]
        numerals = tuple(dict.fromkeys([*(number for number in own if number.isdigit()), *SMALL]))
        return _Row(chat_prompt(self.loaded.tokenizer, chat), list(clause_texts(problem)), numerals)

    def _written(self, rows: list[_Row]) -> list[WrittenProgram]:
        import torch

        with torch.random.fork_rng():
            torch.manual_seed(self.seed or 0)
            self._go_on(rows)
            while waiting := [row for row in rows if row.clauses]:
                for row in waiting:
                    given = f" {row.clauses.pop(0)}\n"
                    row.text += given
                    row.tokens += self.loaded.tokenizer.encode(given, add_special_tokens=False)
                self._go_on(waiting)
        return [WrittenProgram(row.text, row.program, row.cut) for row in rows]

    def _go_on(self, rows: Sequence[_Row]) -> None:
        """Let the model write a part of each program, up to the mark of the next clause or the question to the solver."""
        longest = max(len(row.tokens) for row in rows)
        ends = [CHECK if row.text and not row.clauses else MARK for row in rows]
        options: dict[str, Any] = {"stopping_criteria": [_PartEnded(self.loaded.tokenizer, longest, ends)]}
        if self.held:
            options["logits_processor"] = [GrammarMask([self._matcher(row) for row in rows], longest)]
        if self.seed is not None:
            options |= {"do_sample": True, "temperature": TEMPERATURE, "top_p": TOP_P, "top_k": 0}
        parts = generated_tokens(self.loaded, [row.tokens for row in rows], self.most, **options)
        for row, end, part in zip(rows, ends, parts, strict=True):
            self._add(row, end, part)

    def _add(self, row: _Row, end: str, part: list[int]) -> None:
        """Add a written part; one that was cut loses its last line."""
        tokenizer = self.loaded.tokenizer
        text = str(tokenizer.decode(part, skip_special_tokens=True, clean_up_tokenization_spaces=False))
        body, found, _ = _partition(text, end)
        if not found:
            row.cut = True
            body = body[: body.rfind("\n") + 1]
        part_text = body + end if row.text or body.endswith("\n") else f"{body}\n{end}"
        row.text += part_text
        # A part that ended as it should keeps its own tokens.
        row.tokens += tokenizer.encode(part_text, add_special_tokens=False)

    def _matcher(self, row: _Row) -> Any:
        from llguidance import LLMatcher

        if "tokens" not in self._kept:
            self._kept["tokens"] = grammar_tokens(self.loaded)
        if not row.text:
            grammar = head_grammar(GrammarNotation.LARK, MARK)
        else:
            commands = without_clauses(row.text.splitlines())
            last = not row.clauses
            grammar = assertions_grammar(
                commands,
                GrammarNotation.LARK,
                CHECK if last else MARK,
                row.numerals,
                least=int(last and "(assert " not in commands),
            )
        matcher = LLMatcher(self._kept["tokens"], LLMatcher.grammar_from_lark(grammar), log_level=0)
        if matcher.is_error():
            raise ValueError(f"the grammar of a part: {matcher.get_error()}")
        return matcher


def _partition(text: str, end: str) -> tuple[str, str, str]:
    """Return what stands before the end of a part at the beginning of a line, that end, and what follows."""
    if text.startswith(end):
        return "", end, text[len(end) :]
    body, found, rest = text.partition(f"\n{end}")
    return (f"{body}\n", end, rest) if found else (text, "", "")


class _PartEnded:
    """A stopping criterion of transformers: the part of each row ends with its mark at the beginning of a line."""

    def __init__(self, tokenizer: Any, given: int, ends: Sequence[str]) -> None:
        self._tokenizer, self._given, self._ends = tokenizer, given, ends

    def __call__(self, ids: Any, _scores: Any, **_: Any) -> Any:
        """Return for each row whether its part is complete."""
        import torch

        length = ids.shape[1] - self._given
        rows = ids[:, max(self._given, ids.shape[1] - _BEYOND) :].tolist()
        ended = []
        for row, end in zip(rows, self._ends, strict=True):
            text = self._tokenizer.decode(row)
            ended.append(f"\n{end}" in text or (length <= _BEYOND and text.startswith(end)))
        return torch.tensor(ended, device=ids.device)
