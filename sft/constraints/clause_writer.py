"""The writer of programs clause by clause: a model writes the declarations and assertions after each clause it is given.

The clauses are the problem's own, so that the model copies no text. Under the grammar it declares names and values that are words
of the problem, and asserts what is declared and the problem's numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.smtlib.grammar import CHECK, GrammarWords, clause_grammar, opened_enumeration
from harness.smtlib.grammar_notation import GrammarNotation
from harness.text.numbers import mentions
from sft.constraints.clause_form import HEAD, MARK, clause_texts, ending, without_clauses
from sft.constraints.program_writer import TEMPERATURE, TOP_P, WrittenProgram
from sft.constraints.prompts import CLAUSE_BY_CLAUSE, OutputForm, prompt_turns
from sft.models.text_generation import (
    GrammarMask,
    Interruption,
    allowed_tokens,
    chat_prompt,
    generated_tokens,
    grammar_tokens,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from fractions import Fraction

    from sft.constraints.program_writer import GoesOn
    from sft.models.base_model import LoadedModel

SMALL = (*map(str, range(25)), "100")
"""Numerals that a program may have though its problem does not: places, hours, the digits' values."""
FURTHER_NAMES = ("number", "ones", "tens", "hundreds", "total")
"""Names that a program may declare though its problem does not say them."""
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_NAME = 3
"""The words of a name: `three_point_throws`."""
_DECLARES = "(declare-"


def words_of(problem: str) -> GrammarWords:
    """Return the vocabulary of a program for a problem: its words and chains of them as names, its words as values, its numbers."""
    words = [word for word in _WORD.findall(problem.casefold()) if word.isascii()]
    chains = ["_".join(words[at : at + size]) for size in range(1, _LONGEST_NAME + 1) for at in range(len(words))]
    own = [numeral for mention in mentions(problem) for value in mention.readings if (numeral := _numeral(value))]
    return GrammarWords(
        tuple(dict.fromkeys([*chains, *FURTHER_NAMES])),
        tuple(dict.fromkeys(word.capitalize() for word in words)),
        tuple(dict.fromkeys([*own, *SMALL])),
    )


def _numeral(value: Fraction | int) -> str:
    """Return a number as a numeral or a decimal, empty where it is negative or has no short one."""
    for places in range(4):
        scaled = value * 10**places
        if scaled >= 0 and scaled == int(scaled):
            digits = str(int(scaled)).zfill(places + 1)
            return f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return ""


@dataclass(slots=True)
class _Row:
    """A program that is written: its text, the clauses that it is still given, the tokens that are given next, and its part.

    The part is what the model writes after the last clause. `cut` tells whether a part was too long.
    """

    clauses: list[str]
    words: GrammarWords
    text: str
    given: list[int] = field(default_factory=list)
    part: list[int] = field(default_factory=list)
    begun: str = ""
    matcher: Any = None
    done: bool = False
    cut: bool = False
    total: int = field(init=False)

    def __post_init__(self) -> None:
        self.total = max(1, len(self.clauses))

    @property
    def fixed(self) -> bool:
        """Tell whether the next token is known: the clause that is given, or the end."""
        return bool(self.given) or self.done

    def share(self, most: int) -> float:
        """Return the share of the program that is written, where the part after a clause has a limited number of tokens."""
        if self.done:
            return 1.0
        return (self.total - len(self.clauses) - 1 + min(1.0, len(self.part) / most)) / self.total

    @property
    def program(self) -> str:
        """Return the program without its clauses."""
        lines = without_clauses(self.text.splitlines()).splitlines()
        return "\n".join([*lines[:-1], *ending(lines)]) if lines[-1:] == [CHECK] else "\n".join(lines)

    @property
    def end(self) -> str:
        """Return what ends the part: the mark of the next clause, or the question to the solver."""
        return MARK if self.clauses else CHECK


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

    def drawing(self, seed: int) -> ClauseWriter:
        """Return the writer with sampling."""
        return replace(self, seed=seed)

    def write(
        self,
        chats: Sequence[Sequence[dict[str, str]]],
        known: Callable[[int], bool] = lambda _: False,
        goes_on: GoesOn = lambda _: True,
    ) -> Iterator[dict[int, WrittenProgram]]:
        """Yield the programs of a batch by the numbers of their chats, the last turns of which are the problems.

        A batch has problems of similar length; one whose chats are all `known` is skipped. Where `goes_on` says no, the
        batch ends with the programs that are complete.
        """
        order = sorted(range(len(chats)), key=lambda number: (len(chats[number][-1]["content"]), number))
        for start in range(0, len(order), self.batch):
            numbers = order[start : start + self.batch]
            if not all(map(known, numbers)):
                problems = [chats[number][-1]["content"] for number in numbers]
                written = self._written(problems, goes_on)
                yield {number: program for number, program in zip(numbers, written, strict=True) if program}

    def _written(self, problems: Sequence[str], goes_on: GoesOn) -> list[WrittenProgram | None]:
        """Return the program of each problem, `None` where it was interrupted."""
        import torch

        tokenizer = self.loaded.tokenizer
        rows = [_Row(list(clause_texts(problem)), words_of(problem), f"{HEAD}\n") for problem in problems]
        prompt = chat_prompt(tokenizer, prompt_turns(OutputForm.CLAUSES, CLAUSE_BY_CLAUSE, ""))
        prompts = []
        for row in rows:
            if row.clauses:
                row.text += f"{MARK} {row.clauses.pop(0)}\n"
            prompts.append([*prompt, *tokenizer.encode(row.text, add_special_tokens=False)])
        stop = Interruption(lambda _: goes_on(sum(row.share(self.most) for row in rows)))
        options: dict[str, Any] = {
            "logits_processor": [_PartMask(self, rows, max(map(len, prompts)))],
            "stopping_criteria": [stop],
        }
        if self.seed is not None:
            options |= {"do_sample": True, "temperature": TEMPERATURE, "top_p": TOP_P, "top_k": 0}
        longest = max(
            sum(len(tokenizer.encode(clause)) + self.most + 2 for clause in ["", *row.clauses]) for row in rows
        )
        with torch.random.fork_rng():
            torch.manual_seed(self.seed or 0)
            generated_tokens(self.loaded, prompts, longest, **options)
        return [
            None if stop.interrupted and not row.done else WrittenProgram(row.text, row.program, row.cut)
            for row in rows
        ]


class _PartMask(GrammarMask):
    """A logits processor that lets a model write after a clause, and gives it the next one.

    A program is written in one run of the model, so that nothing is read twice: the tokens of a clause are the only ones that
    are allowed in their places.
    """

    def __init__(self, writer: ClauseWriter, rows: Sequence[_Row], given: int) -> None:
        super().__init__([None] * len(rows), given)
        self._rows, self._most, self._tokenizer = rows, writer.most, writer.loaded.tokenizer
        self._tokens = grammar_tokens(writer.loaded) if writer.held else None
        for row in rows:
            self._begin_part(row)

    def __call__(self, ids: Any, logits: Any) -> Any:
        """Return the logits: rows x vocabulary, both in and out."""
        import torch

        if ids.shape[1] > self.given:
            for row, token in zip(self._rows, ids[:, -1].tolist(), strict=True):
                self._take(row, token)
        logits = logits.float()
        held = [number for number, row in enumerate(self._rows) if row.matcher is not None and not row.fixed]
        for number, row in enumerate(self._rows):
            if row.fixed:
                only = row.given[0] if row.given else self._tokenizer.eos_token_id
                kept = float(logits[number, only])
                logits[number] = float("-inf")
                logits[number, only] = kept
        if held:
            allowed = allowed_tokens([self._rows[number].matcher for number in held], logits.shape[1])
            logits[held] = logits[held].masked_fill(~torch.from_numpy(allowed).to(logits.device), float("-inf"))
        return logits

    def _take(self, row: _Row, token: int) -> None:
        """Continue a row by a token, which ends its part or not."""
        if row.done:
            return
        if row.given:
            row.given.pop(0)
            if not row.given:
                self._begin_part(row)
            return
        row.part.append(token)
        text = self._decoded(row.part)
        body, found, _ = _partition(text, row.end)
        ended = token == self._tokenizer.eos_token_id
        if found or ended or len(row.part) >= self._most:
            self._end_part(row, body, found=bool(found))
        elif row.matcher is not None:
            begun = _declared_lines(text)
            if begun == row.begun:
                row.matcher.consume_token(token)
            else:
                row.begun = begun
                row.matcher = self._matcher(row)

    def _end_part(self, row: _Row, body: str, *, found: bool) -> None:
        """Add the part to the program; an unfinished part loses its last line."""
        if not found:
            row.cut = True
            body = body[: body.rfind("\n") + 1]
        row.text += body + row.end
        row.part = []
        row.done = not row.clauses
        if not row.done:
            clause = f" {row.clauses.pop(0)}\n"
            row.text += clause
            row.given = self._tokenizer.encode(clause if found else f"\n{MARK}{clause}", add_special_tokens=False)

    def _begin_part(self, row: _Row) -> None:
        row.part, row.begun = [], ""
        row.matcher = self._matcher(row) if self._tokens is not None else None

    def _matcher(self, row: _Row) -> Any:
        from llguidance import LLMatcher

        commands = without_clauses(row.text.splitlines())
        grammar = clause_grammar(commands, row.begun, GrammarNotation.LARK, row.end, row.words, last=row.end == CHECK)
        matcher = LLMatcher(self._tokens, LLMatcher.grammar_from_lark(grammar), log_level=0)
        if matcher.is_error() or matcher.try_consume_tokens(row.part) < len(row.part):
            raise ValueError(f"the grammar of a part does not take {self._decoded(row.part)!r}: {matcher.get_error()}")
        return matcher

    def _decoded(self, tokens: Sequence[int]) -> str:
        return str(self._tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False))


def _declared_lines(part: str) -> str:
    """Return the complete declarations that a part begins with, with their line ends, and an enumeration up to a value after them."""
    lines = part.splitlines(keepends=True)
    count = next(
        (number for number, line in enumerate(lines) if not (line.startswith(_DECLARES) and line.endswith("\n"))),
        len(lines),
    )
    return "".join([*lines[:count], opened_enumeration(lines[count]) if count < len(lines) else ""])


def _partition(text: str, end: str) -> tuple[str, str, str]:
    """Return what stands before the end of a part at the beginning of a line, that end, and what follows."""
    if text.startswith(end):
        return "", end, text[len(end) :]
    body, found, rest = text.partition(f"\n{end}")
    return (f"{body}\n", end, rest) if found else (text, "", "")
