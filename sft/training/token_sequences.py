"""Token sequences with targets, made of samples, problems and chats in JSONL files."""

from __future__ import annotations

import hashlib
import inspect
import json
import multiprocessing
import os
import random
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.command_line.runnable_commands import runnable
from harness.constraint_system import ProblemClass
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record as read_sample
from harness.paths import cache_folder
from harness.solution.labels import ErrorType
from sft.datasets import level_labels, level_rows, prompts
from sft.datasets.level_labels import LabelForm, Level
from sft.datasets.level_rows import rendered_sample, row_of
from sft.datasets.prompts import instruction_of, problem_completion, problem_prompt
from sft.datasets.surface_forms import LEVEL_FORM as FORM
from sft.models import line_marks as marks, problem_marks, text_generation
from sft.models.line_marks import MarkWriter, TargetKind
from sft.models.problem_marks import ProblemWriter, tail_of
from sft.models.text_generation import chat_prompt
from sft.samples import items, solution_text as reading
from sft.samples.items import Sample, Truth
from sft.samples.problem_sample import ProblemSample
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

MOST_WEIGHT = 1_000
FEW = 5_000
"""Fewer records are tokenised by this process alone."""
_SOURCES = (items, marks, reading, problem_marks, text_generation, level_labels, level_rows, prompts)
_PROBE = "Problem: 3 pens cost $1.50 each, 20% off.\nSolution:\nL1: 3*1.5 = 4.50 // right\n"


@dataclass(frozen=True, slots=True)
class TokenSequences:
    """Token sequences, one after the other in flat arrays.

    `ids` are the token ids and `kinds` the kinds of target of all tokens; sequence n goes from `offsets[n]` to
    `offsets[n + 1]`, and its loss is multiplied by `weights[n]`. `groups` has a hash of each sequence's problem; sequences of one problem must not be split. `dropped`
    counts samples without a target, such as one whose erroneous line is not among its lines.
    """

    ids: npt.NDArray[np.int32]
    kinds: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.int64]
    groups: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.float32]
    dropped: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Return the number of tokens of each sequence."""
        return np.diff(self.offsets)

    def take(self, chosen: npt.NDArray[Any]) -> TokenSequences:
        """Return the sequences of a mask or of numbers."""
        numbers = np.flatnonzero(chosen) if chosen.dtype == np.bool_ else chosen
        spans = [slice(self.offsets[number], self.offsets[number + 1]) for number in numbers]
        empty = slice(0, 0)
        return TokenSequences(
            np.concatenate([self.ids[span] for span in spans or [empty]]),
            np.concatenate([self.kinds[span] for span in spans or [empty]]),
            np.concatenate([[0], np.cumsum(self.lengths[numbers])]).astype(np.int64),
            self.groups[numbers],
            self.weights[numbers],
            self.dropped,
        )


@dataclass(frozen=True, slots=True)
class TokenizingPlan:
    """How records become sequences: `tail_share` of the samples go on to the JSON verdict, and `max_length` tokens are kept.

    With a `level`, samples and problems become its prompt and its completion, with `labels` as words or numbers; a sequence that
    is too long is left out, since its end is the completion.
    """

    tail_share: float = 0.0
    max_length: int = 1024
    level: str = ""
    labels: str = "words"


def sample_files(files: Iterable[Path | str]) -> list[Path]:
    """Return the paths of files of samples.

    Raises:
        HarnessError: one is no file, or is empty.
    """
    paths = [Path(file) for file in files]
    for path in paths:
        if not path.is_file() or not path.stat().st_size:
            why = "is empty" if path.is_file() else "no such file"
            raise HarnessError(
                f"{path}: {why}; expected JSONL of samples, make them: {runnable('oracle-factory datasets --run RUN --out DIR')}"
            )
    return paths


def load_sequences(
    files: Iterable[Path | str],
    tokenizer: Any,
    *,
    tail_share: float,
    max_length: int,
    level: str = "",
    labels: str = "words",
) -> TokenSequences:
    """Return the sequences of JSONL files, from the cache if they are there; the settings are those of `TokenizingPlan`.

    Raises:
        HarnessError: a file cannot be read, a record has no known form, or no sequence has a target.
    """
    plan = TokenizingPlan(tail_share, max_length, level, labels)
    paths = sample_files(files)
    kept = cache_folder() / "tokenised" / f"{_key(paths, tokenizer, plan)}.npz"
    if kept.is_file():
        with np.load(kept) as stored:
            arrays = {name: stored[name] for name in ("ids", "kinds", "offsets", "groups", "weights")}
            return TokenSequences(**arrays, dropped=int(stored["dropped"]))
    sequences = _tokenised(paths, RecordTokenizer(tokenizer, plan), plan)
    if not len(sequences):
        raise HarnessError(f"no sequence with a target in {', '.join(map(str, paths))}: {sequences.dropped} dropped")
    kept.parent.mkdir(parents=True, exist_ok=True)
    partial = kept.with_name(f".{kept.stem}.{os.getpid()}.npz")
    np.savez(
        partial,
        ids=sequences.ids,
        kinds=sequences.kinds,
        offsets=sequences.offsets,
        groups=sequences.groups,
        weights=sequences.weights,
        dropped=np.int64(sequences.dropped),
    )
    partial.replace(kept)
    return sequences


def _key(paths: Sequence[Path], tokenizer: Any, plan: TokenizingPlan) -> str:
    """Return a name that changes with the files, the tokenizer, the settings and the code that makes sequences."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    for module in (*_SOURCES, inspect.getmodule(_key)):
        digest.update(inspect.getsource(module).encode() if module is not None else b"")
    probe = [len(tokenizer), tokenizer.encode(_PROBE), getattr(tokenizer, "chat_template", None)]
    digest.update(json.dumps([probe, asdict(plan)]).encode())
    return digest.hexdigest()[:32]


def _tokenised(paths: Iterable[Path], tokenising: RecordTokenizer, plan: TokenizingPlan) -> TokenSequences:
    ids: list[npt.NDArray[np.int32]] = [np.zeros(0, np.int32)]
    kinds: list[npt.NDArray[np.uint8]] = [np.zeros(0, np.uint8)]
    offsets, groups, weights, dropped = [0], [], [], 0
    for tokenised, name in _in_parallel(tokenising, list(_records(paths))):
        max_length = plan.max_length
        cut = tokenised is not None and bool(plan.level) and len(tokenised.ids) > max_length
        if tokenised is None or cut or not tokenised.weight or not any(tokenised.kinds[:max_length]):
            dropped += 1
            continue
        ids.append(np.array(tokenised.ids[:max_length], np.int32))
        kinds.append(np.array(tokenised.kinds[:max_length], np.uint8))
        offsets.append(offsets[-1] + len(ids[-1]))
        weights.append(tokenised.weight)
        groups.append(int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:8], "big"))
    return TokenSequences(
        np.concatenate(ids),
        np.concatenate(kinds),
        np.array(offsets, np.int64),
        np.array(groups, np.uint64),
        np.array(weights, np.float32),
        dropped,
    )


def _records(paths: Iterable[Path]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in paths:
        for number, record in read_records(path):
            if not isinstance(record, dict):
                raise HarnessError(f"{path}:{number}: expected a JSON object, found {str(record)[:80]!r}")
            yield f"{path}:{number}", record


def _in_parallel(
    tokenising: RecordTokenizer, records: list[tuple[str, dict[str, Any]]]
) -> Iterator[tuple[TokenizedRecord | None, str]]:
    """Yield the sequence and the problem of each record, in order; many records are divided among processes."""
    if len(records) < FEW:
        yield from map(tokenising.named_sequence, records)
        return
    # Forked, so that the tokenizer is not loaded again in each process.
    with multiprocessing.get_context("fork").Pool() as pool:
        yield from pool.imap(tokenising.named_sequence, records, chunksize=200)


@dataclass(frozen=True, slots=True)
class TokenizedRecord:
    """The token ids of a sequence, the kind of target of each, and the weight of its loss; none is learnt from where that is 0."""

    ids: Sequence[int]
    kinds: Sequence[int]
    weight: float = 1.0


class RecordTokenizer:
    """Tokenises records: samples and problems with marks, chats by the tokenizer's template.

    A share of the samples, chosen by their ids, continues with the verdict in JSON. With a level, samples and problems are chats.
    """

    def __init__(self, tokenizer: Any, plan: TokenizingPlan) -> None:
        self._tokenizer, self._plan = tokenizer, plan
        self._writer, self._problems = MarkWriter(tokenizer), ProblemWriter(tokenizer)

    def sequence(self, record: Mapping[str, Any]) -> TokenizedRecord | None:
        """Return the sequence of a record, `None` if it has no place for its mark.

        Raises:
            KeyError, TypeError, ValueError, AttributeError, MalformedRecordError: the record has no known form.
        """
        if self._plan.level:
            row = level_row(Level(self._plan.level), LabelForm(self._plan.labels), record)
            return None if row is None else self._chat(row)
        if "messages" in record or "completion" in record:
            return self._chat(record)
        if "class_label" in record:
            return self._problem(record)
        sample = Sample.of_record(record)
        item = read_item(sample.question, sample.solution)
        if sample.truth.line and sample.truth.line not in item.places():
            return None
        sequence = self._writer.write(item, sample.truth, tail=self._tail(sample.sample_id, sample.truth))
        return TokenizedRecord(sequence.ids, sequence.kinds)

    def named_sequence(self, located: tuple[str, Mapping[str, Any]]) -> tuple[TokenizedRecord | None, str]:
        """Return the sequence of a record and the name of its problem.

        Raises:
            HarnessError: the record has no known form.
        """
        where, record = located
        name = str(record.get("problem_id") or record.get("question") or record.get("prompt") or where)
        try:
            weight = _weight(record)
            sequence = self.sequence(record)
            return None if sequence is None else replace(sequence, weight=weight), name
        except (KeyError, TypeError, ValueError, AttributeError, MalformedRecordError) as error:
            raise HarnessError(
                f"{where}: expected a sample, a problem or a chat, found none: {str(error)[:120]}"
            ) from None

    def _tail(self, name: str, truth: Truth) -> str:
        explained = truth.line and truth.explanation and truth.error_type in set(map(str, ErrorType))
        if (truth.flawed and not explained) or not self._drawn(name):
            return ""
        return json.dumps(truth.record(), ensure_ascii=False)

    def _drawn(self, name: str) -> bool:
        return random.Random(f"tail:{name}").random() < self._plan.tail_share

    def _problem(self, record: Mapping[str, Any]) -> TokenizedRecord:
        problem_class = ProblemClass(record["class_label"])
        reason = record.get("reason") or ""
        name = str(record.get("sample_id") or record["question"])
        tail = tail_of(problem_class, reason) if reason and self._drawn(name) else ""
        sequence = self._problems.write(record["question"], problem_class, tail=tail)
        return TokenizedRecord(sequence.ids, sequence.kinds)

    def _chat(self, record: Mapping[str, Any]) -> TokenizedRecord:
        """Return a chat whose last turn is the target, but for the spans of `given`."""
        prompt, completion = _turns(record)
        tokenizer = self._tokenizer
        ids = list(chat_prompt(tokenizer, prompt))
        kinds = [TargetKind.GIVEN] * len(ids)
        for text, kind in _parts(completion, record.get("given", ()), tokenizer.eos_token or "\n"):
            tokens = tokenizer.encode(text, add_special_tokens=False)
            ids += tokens
            kinds += [kind] * len(tokens)
        return TokenizedRecord(ids, kinds)


def _parts(completion: str, given: Sequence[tuple[int, int]], end: str) -> Iterator[tuple[str, TargetKind]]:
    """Yield the parts of a completion and whether each is learnt; `given` are spans in order.

    Raises:
        ValueError: a span is not after the one before it, or ends after the text.
    """
    place = 0
    for start, stop in given:
        if not place <= start < stop <= len(completion):
            raise ValueError(
                f"given: expected spans in order within {len(completion)} characters, found {start}, {stop}"
            )
        if place < start:
            yield completion[place:start], TargetKind.MARK
        yield completion[start:stop], TargetKind.GIVEN
        place = stop
    yield completion[place:] + end, TargetKind.MARK


def level_row(level: Level, labels: LabelForm, record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return prompt and completion of a sample or problem at a level, `None` if its label lacks what the level needs.

    Raises:
        KeyError, TypeError, ValueError, MalformedRecordError: the record is no sample of this level, or its prompt asks for another.
    """
    if "completion" in record:
        if not _as_text(record["prompt"]).endswith(instruction_of(level, labels)):
            raise ValueError(f"the prompt is not that of level {level} with labels as {labels}")
        return record
    if level is Level.VALIDATOR:
        if "class_label" not in record:
            return None
        problem = read_sample(ProblemSample, record)
        return {"prompt": problem_prompt(problem.question), "completion": problem_completion(problem)}
    if "class_label" in record:
        return None
    sample = Sample.of_record(record)
    # An engine reads the question as an item has it.
    sample = replace(sample, question=read_item(sample.question, "").question)
    shown = rendered_sample(sample, FORM)
    return None if shown is None else row_of(level, sample, shown, labels=labels)


def _as_text(prompt: Any) -> str:
    return prompt if isinstance(prompt, str) else str(prompt[-1]["content"])


def _weight(record: Mapping[str, Any]) -> float:
    """Return the weight of a record, 1 where it has none.

    Raises:
        ValueError: it is not a number from 0 to `MOST_WEIGHT`.
    """
    weight = record.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= MOST_WEIGHT:
        raise ValueError(f"weight: expected a number from 0 to {MOST_WEIGHT:,}, found {str(weight)[:40]}")
    return float(weight)


def _turns(record: Mapping[str, Any]) -> tuple[list[dict[str, str]], str]:
    """Return the turns before the last one, and the text of the last one."""
    if "messages" in record:
        turns = list(record["messages"])
    else:
        turns = [*_as_turns(record["prompt"], "user"), *_as_turns(record["completion"], "assistant")]
    if len(turns) < 2 or turns[-1]["role"] != "assistant":
        raise ValueError("the last of two turns or more is not the assistant's")
    last = turns[-1]
    return turns[:-1], str(last["content"])


def _as_turns(content: Any, role: str) -> Iterator[dict[str, str]]:
    if isinstance(content, str):
        yield {"role": role, "content": content}
    else:
        yield from content
