"""The sequences that a model is trained on: prompt and completion of samples, problems and chats in JSONL files, as tokens."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import read_records
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record as read_sample
from sft.datasets.levels import LabelForm, Level, LevelForm
from sft.datasets.rows import LEVEL_FORM, rendered_sample, row_of, row_of_problem
from sft.models.text_generation import chat_prompt
from sft.samples.items import ProblemSample, Sample
from sft.samples.solution_text import read_item

IGNORED = -100
"""The label of a token that is not learnt, as transformers has it."""
MOST_WEIGHT = 1_000


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """A sequence: its tokens, their labels, the weight of its loss, and the problem that it is of."""

    ids: list[int]
    labels: list[int]
    weight: float
    problem: str


@dataclass(frozen=True, slots=True)
class ExampleForm:
    """How records become sequences: the level of samples and problems with its labels, empty for chats as they are, and the most tokens."""

    level: str = ""
    labels: str = LabelForm.WORDS
    max_length: int = 1024


def level_of(files: Sequence[Path | str]) -> str:
    """Return the level on which files are trained that name none: `validator` for problems, `max` for solutions, none for chats."""
    record = next((record for path in sample_files(files) for _, record in read_records(path)), None)
    if not isinstance(record, dict) or _is_chat(record):
        return ""
    return str(Level.VALIDATOR if "class_label" in record else Level.MAX)


def sample_files(files: Iterable[Path | str]) -> list[Path]:
    """Return the paths of files of samples; raises `HarnessError` where one is not a file, or is empty."""
    paths = [Path(file) for file in files]
    for path in paths:
        if not path.is_file() or not path.stat().st_size:
            make = runnable("oracle-factory datasets --run RUN --out DIR")
            why = "is empty" if path.is_file() else "no such file"
            raise HarnessError(f"{path}: {why}; expected JSONL of samples, make them: {make}")
    return paths


def read_samples(files: Iterable[Path | str]) -> list[Sample]:
    """Return the samples of JSONL files, plain or .gz; raises `HarnessError` where a file cannot be read, or a record is not a sample."""
    samples = []
    for path in map(Path, files):
        for number, record in read_records(path):
            try:
                samples.append(Sample.of_record(record))
            except MalformedRecordError as error:
                expected = "expected a solution with its label, as `datasets` writes samples-train.jsonl"
                raise HarnessError(f"{path}:{number}: is not a sample ({str(error)[:120]}); {expected}") from None
    return samples


def read_examples(files: Iterable[Path | str], tokenizer: Any, form: ExampleForm) -> list[TrainingExample]:
    """Return the sequences of JSONL files.

    A record without a target at the level, of weight 0, or with more tokens than the most is left out: its end is the completion.
    Raises `HarnessError` where a file cannot be read, a record has no known form, or there is no sequence.
    """
    paths = sample_files(files)
    examples = []
    for path in paths:
        for number, record in read_records(path):
            if not isinstance(record, dict):
                raise HarnessError(f"{path}:{number}: expected a JSON object, found {str(record)[:80]!r}")
            try:
                example = example_of_record(record, f"{path}:{number}", tokenizer, form)
            except (KeyError, TypeError, ValueError, AttributeError, MalformedRecordError) as error:
                message = f"{path}:{number}: expected a sample, a problem or a chat, found none: {str(error)[:120]}"
                raise HarnessError(message) from None
            if example is not None and example.weight and len(example.ids) <= form.max_length:
                examples.append(example)
    if not examples:
        message = f"no sequence with a target of at most {form.max_length:,} tokens in {', '.join(map(str, paths))}"
        raise HarnessError(message)
    return examples


def example_of_record(
    record: Mapping[str, Any], where: str, tokenizer: Any, form: ExampleForm
) -> TrainingExample | None:
    """Return the sequence of a record, `None` if it has no target at the level; raises what a malformed record raises."""
    weight = record.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= MOST_WEIGHT:
        raise ValueError(f"weight: expected a number from 0 to {MOST_WEIGHT:,}, found {str(weight)[:40]}")
    row = level_row(LevelForm(Level(form.level), LabelForm(form.labels)), record) if form.level else record
    if row is None:
        return None
    *prompt, answer = _turns(row)
    ids = list(chat_prompt(tokenizer, prompt))
    labels = [IGNORED] * len(ids)
    for text, learnt in _pieces(str(answer["content"]), row.get("given", ()), tokenizer.eos_token or "\n"):
        tokens = tokenizer.encode(text, add_special_tokens=False)
        ids += tokens
        labels += tokens if learnt else [IGNORED] * len(tokens)
    problem = str(record.get("problem_id") or record.get("question") or record.get("prompt") or where)
    return TrainingExample(ids, labels, float(weight), problem)


def level_row(asked: LevelForm, record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return prompt and completion of a sample or problem at a level, `None` if its label lacks what the level needs.

    Raises:
        KeyError, TypeError, ValueError, MalformedRecordError: the record is not a sample of this level, or its prompt asks for another.
    """
    if _is_chat(record):
        if not _turns(record)[-2]["content"].endswith(asked.instruction):
            raise ValueError(f"the prompt is not that of level {asked.level} with labels as {asked.labels}")
        return record
    if (asked.level is Level.VALIDATOR) != ("class_label" in record):
        return None
    if asked.level is Level.VALIDATOR:
        return row_of_problem(read_sample(ProblemSample, record))
    sample = Sample.of_record(record)
    # An engine reads the question as an item has it.
    sample = replace(sample, question=read_item(sample.question, "").question)
    shown = rendered_sample(sample, LEVEL_FORM)
    return None if shown is None else row_of(asked, sample, shown)


def _is_chat(record: Mapping[str, Any]) -> bool:
    return "completion" in record or "messages" in record


def _turns(record: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the turns of a chat, two or more, the last of which is the assistant's."""
    turns = list(record.get("messages", ()))
    for name, role in () if turns or "messages" in record else (("prompt", "user"), ("completion", "assistant")):
        content = record[name]
        turns += [{"role": role, "content": content}] if isinstance(content, str) else list(content)
    if len(turns) < 2 or turns[-1]["role"] != "assistant":
        raise ValueError("the last of two turns or more is not the assistant's")
    return turns


def _pieces(completion: str, given: Sequence[tuple[int, int]], end: str) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a completion and whether each is learnt; `given` are spans in order, which are not.

    Raises:
        ValueError: a span is not after the one before it, or ends after the text.
    """
    place = 0
    for start, stop in given:
        if not place <= start < stop <= len(completion):
            message = f"given: expected spans in order within {len(completion)} characters, found {start}, {stop}"
            raise ValueError(message)
        if place < start:
            yield completion[place:start], True
        yield completion[start:stop], False
        place = stop
    yield completion[place:] + end, True
