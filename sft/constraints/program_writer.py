"""The writer of programs: batches of problems to a language model, free or under the grammar, whole or clause by clause.

A program is written in one run of the model. Clause by clause, the clauses are the problem's own: the tokens of a clause are the only
ones that are allowed in their places, so that nothing is read twice. Under the grammar a program declares names and values that are
words of the problem, and asserts what is declared and the problem's numbers.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from harness.reply import answer_part, fenced_blocks
from harness.smtlib.grammar import CHECK, VALUE, GrammarWords, clause_grammar, opened_enumeration
from harness.text.numbers import mentions
from harness.text.words import letter_runs
from sft.constraints import output_forms
from sft.models import text_generation
from sft.models.base_model import LoadedModel

SMALL = (*map(str, range(25)), "100")
"""Numerals that a program may have though its problem does not: places, hours, the digits' values."""
FURTHER_NAMES = ("number", "ones", "tens", "hundreds", "total")
"""Names that a program may declare though its problem does not say them."""
MOST_AFTER_A_CLAUSE = 120
"""Tokens that are written after one clause at most; a model that was not trained seldom ends a part by itself."""
SAMPLING = {"do_sample": True, "temperature": 0.8, "top_p": 0.95, "top_k": 0}
_BEGINNING = re.compile(r"\((?:set-|declare-|define-|assert\b)")
_LONGEST_NAME = 3
"""The words of a name: `three_point_throws`."""
_LAST_TOKENS = 24
"""The number of last tokens that are decoded to detect the end of a free program, which has half as many."""


@dataclass(frozen=True, slots=True)
class WrittenProgram:
    """A generated text, the program in it, and whether the text was cut at the maximum number of tokens."""

    text: str
    program: str
    cut: bool


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

    @property
    def program(self) -> str:
        """Return the program without its clauses."""
        if not self.text.startswith(output_forms.HEAD):
            return program_in(self.text)
        lines = output_forms.without_clauses(self.text.splitlines()).splitlines()
        return "\n".join([*lines[:-1], *output_forms.ending(lines)]) if lines[-1:] == [CHECK] else "\n".join(lines)

    @property
    def end(self) -> str:
        """Return what ends the part: the mark of the next clause, or the question to the solver."""
        return output_forms.MARK if self.clauses else CHECK


@dataclass(frozen=True, slots=True)
class ProgramWriter:
    """A model that writes batches of programs in a form, each part of at most `most` tokens, `held` to the grammar or not.

    Decoding is greedy; with a `seed`, texts are sampled, the same ones each time.
    """

    loaded: LoadedModel
    form: output_forms.OutputForm = output_forms.OutputForm.PROGRAM
    batch: int = 16
    most: int = 320
    held: bool = False
    seed: int | None = None

    @property
    def by_clause(self) -> bool:
        """Tell whether the clauses of a problem are given."""
        return self.form is output_forms.OutputForm.CLAUSES

    @property
    def part_limit(self) -> int:
        """Return the most tokens of a part."""
        return min(self.most, MOST_AFTER_A_CLAUSE) if self.by_clause else self.most

    def write(
        self,
        chats: Sequence[Sequence[dict[str, str]]],
        known: Callable[[int], bool] = lambda _: False,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> Iterator[dict[int, WrittenProgram]]:
        """Yield the programs of a batch by the numbers of their chats, the last turns of which are or begin with the problems.

        A batch has chats of similar length; one whose chats are all `known` is skipped. Batches are the same in each run, so that an
        interrupted run can continue with the same results. Where `goes_on` says no after a token, the batch ends with the complete programs.
        """
        order = sorted(range(len(chats)), key=lambda number: (len(chats[number][-1]["content"]), number))
        for start in range(0, len(order), self.batch):
            numbers = order[start : start + self.batch]
            if not all(map(known, numbers)):
                programs = self._programs([chats[number] for number in numbers], goes_on)
                yield {number: program for number, program in zip(numbers, programs, strict=True) if program}

    def _programs(
        self, chats: Sequence[Sequence[dict[str, str]]], goes_on: Callable[[], bool]
    ) -> list[WrittenProgram | None]:
        """Return the program of each chat, `None` where it was interrupted."""
        import torch

        tokenizer, most = self.loaded.tokenizer, self.part_limit
        rows, prompts, lengths = [], [], []
        for chat in chats:
            problem = chat[-1]["content"]
            clauses = list(output_forms.clause_texts(problem)) if self.by_clause else []
            text = f"{output_forms.HEAD}\n" if self.by_clause or self.held else ""
            text += f"{output_forms.MARK} {clauses.pop(0)}\n" if clauses else ""
            turns = output_forms.chat_turns(output_forms.CLAUSE_BY_CLAUSE, "") if self.by_clause else chat
            rows.append(_Row(clauses, grammar_words(problem), text))
            begun = tokenizer.encode(text, add_special_tokens=False)
            prompts.append([*text_generation.chat_prompt(tokenizer, turns), *begun])
            lengths.append(sum(len(tokenizer.encode(clause)) + most + 2 for clause in ["", *clauses]))
        stop = text_generation.Interruption(goes_on)
        options: dict[str, Any] = {} if self.seed is None else SAMPLING
        mask = _PartMask(self, rows, max(map(len, prompts)))
        with torch.random.fork_rng():
            torch.manual_seed(self.seed or 0)
            text_generation.generated_tokens(
                self.loaded, prompts, max(lengths), logits_processor=[mask], stopping_criteria=[stop], **options
            )
        return [
            None if stop.interrupted and not row.done else WrittenProgram(row.text, row.program, row.cut)
            for row in rows
        ]


class _PartMask:
    """A logits processor of transformers that lets a model write after a clause, and gives it the next one."""

    def __init__(self, writer: ProgramWriter, rows: Sequence[_Row], prompt_length: int) -> None:
        self._rows, self._most, self._tokenizer = rows, writer.part_limit, writer.loaded.tokenizer
        self._free = not (writer.by_clause or writer.held)
        self._prompt_length = prompt_length
        self._tokens = text_generation.grammar_tokens(writer.loaded) if writer.held else None
        for row in rows:
            self._begin_part(row)

    def __call__(self, ids: Any, logits: Any) -> Any:
        """Return the logits: rows x vocabulary, both in and out."""
        import torch

        if ids.shape[1] > self._prompt_length:
            for row, token in zip(self._rows, ids[:, -1].tolist(), strict=True):
                self._continue_row(row, token)
        logits = logits.float()
        held = []
        for number, row in enumerate(self._rows):
            if row.given or row.done:
                only = row.given[0] if row.given else self._tokenizer.eos_token_id
                logits[number] = float("-inf")
                logits[number, only] = 0.0
            elif row.matcher is not None:
                held.append(number)
        if held:
            allowed = text_generation.allowed_tokens([self._rows[number].matcher for number in held], logits.shape[1])
            logits[held] = logits[held].masked_fill(~torch.from_numpy(allowed).to(logits.device), float("-inf"))
        return logits

    def _continue_row(self, row: _Row, token: int) -> None:
        """Continue a row by a token, which ends its part or not."""
        if row.done:
            return
        if row.given:
            row.given.pop(0)
            if not row.given:
                self._begin_part(row)
            return
        row.part.append(token)
        ended = token == self._tokenizer.eos_token_id
        full = len(row.part) >= self._most
        if self._free:
            if ended or full or is_complete(self._decoded(row.part[-_LAST_TOKENS:])):
                row.text, row.done = self._decoded(row.part), True
                row.cut = not ended and CHECK not in row.text
            return
        text = self._decoded(row.part)
        body, found, _ = f"\n{text}".partition(f"\n{row.end}")
        if found or ended or full:
            self._end_part(row, f"{body[1:]}\n" if found and body else body[1:], found=bool(found))
        elif row.matcher is not None:
            begun = _declared_lines(text)
            if begun == row.begun:
                row.matcher.consume_token(token)
            else:
                row.begun, row.matcher = begun, self._matcher(row, begun)

    def _end_part(self, row: _Row, body: str, *, found: bool) -> None:
        """Add the part to the program; an unfinished part loses its last line."""
        row.cut = row.cut or not found
        row.text += (body if found else body[: body.rfind("\n") + 1]) + row.end
        row.part, row.done = [], not row.clauses
        if not row.done:
            clause = f" {row.clauses.pop(0)}\n"
            row.text += clause
            given = clause if found else f"\n{output_forms.MARK}{clause}"
            row.given = self._tokenizer.encode(given, add_special_tokens=False)

    def _begin_part(self, row: _Row) -> None:
        row.part, row.begun = [], ""
        row.matcher = None if self._tokens is None else self._matcher(row, "")

    def _matcher(self, row: _Row, begun: str) -> Any:
        from llguidance import LLMatcher

        commands = output_forms.without_clauses(row.text.splitlines())
        grammar = clause_grammar(commands, begun, row.end, row.words, last=row.end == CHECK)
        return text_generation.grammar_matcher(self._tokens, LLMatcher.grammar_from_lark(grammar), row.part)

    def _decoded(self, tokens: Sequence[int]) -> str:
        return str(self._tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False))


def grammar_words(problem: str) -> GrammarWords:
    """Return the vocabulary of a program for a problem: its words and chains of them as names, its words as values, its numbers."""
    words = [word for word in letter_runs(problem.casefold()) if word.isascii()]
    chains = ["_".join(words[at : at + size]) for size in range(1, _LONGEST_NAME + 1) for at in range(len(words))]
    own = [numeral for mention in mentions(problem) for value in mention.readings if (numeral := _numeral(value))]
    vocabulary = ([*chains, *FURTHER_NAMES], [word.capitalize() for word in words], [*own, *SMALL])
    return GrammarWords(*(tuple(dict.fromkeys(entries)) for entries in vocabulary))


def _numeral(value: Fraction | int) -> str:
    """Return a number as a numeral or a decimal, empty where it is negative or has no short one."""
    for places in range(4):
        scaled = value * 10**places
        if scaled >= 0 and scaled == int(scaled):
            digits = str(int(scaled)).zfill(places + 1)
            return f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return ""


def _declared_lines(part: str) -> str:
    """Return the complete declarations that a part begins with, with their line ends, and an enumeration up to a value after them."""
    complete = ""
    for line in part.splitlines(keepends=True):
        if not (line.startswith("(declare-") and line.endswith("\n")):
            return complete + opened_enumeration(line)
        complete += line
    return complete


def is_complete(text: str) -> bool:
    """Tell whether a text has a whole program that cannot continue."""
    _, checked, rest = text.partition(CHECK)
    rest = rest.lstrip()
    return bool(checked and rest) and (rest.startswith(VALUE) or not VALUE.startswith(rest))


def program_in(text: str) -> str:
    """Return the program in a text: the content of a code fence, otherwise the text from the first parenthesis to the end of the program."""
    text = answer_part(text)
    text = next((block.text for block in fenced_blocks(text) if "(" in block.text), text)
    # Reasoning before a program may have parentheses of its own.
    begun = _BEGINNING.search(text)
    _, opened, rest = text[begun.start() if begun else 0 :].partition("(")
    program, checked, rest = (opened + rest).partition(CHECK)
    value = VALUE if rest.lstrip().startswith(VALUE) else ""
    return f"{program}{checked}\n{value}".strip() if checked else program.strip()
