"""Loading of problem corpora by name or path, and the selection or exclusion of problems."""

import codecs
import contextlib
import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.answers.gold_answer import read_gold
from harness.command_line.runnable_commands import optional_packages
from harness.corpora.field_roles import FieldNames, RecordFields, Role, TakenFields, parted_answer, read_fields
from harness.corpora.record_layouts import no_record, text_records
from harness.domain import Problem
from harness.errors import HarnessError
from harness.paths import ROOT
from harness.store.spool import ReadOnDemand, Spool

CORPORA = ROOT / "corpora"
BUNDLED = "mini"
"""The corpus that is bundled, with answers of models."""
GZIP = b"\x1f\x8b"
TABLE_SUFFIXES = (".parquet", ".arrow")
_TABLE_MARKS = (b"ARROW1", b"PAR1")
"""The first bytes of Parquet files, and of Arrow files."""
FILE_SUFFIXES = (".jsonl", *TABLE_SUFFIXES)
"""The files of records in a folder; those of JSON lines may be `.gz`."""
_RANGE = re.compile(r"(\d*):(\d*)")
_EXAMPLES = {
    "tier1_examples": (4, 1372, 3946, 4258, 4764, 6126),
    "tier2_examples": (310, 2300, 2401, 2918, 4215, 4822),
    "tier3_examples": (5, 72, 964, 2332, 2422, 3592, 3822, 4746, 5531),
    "tier4_examples": (1, 672, 3847, 4847, 5040, 6216),
    "tier1_final": (3946, 4258, 6126),
    "tier2_final": (2401, 2918, 4822),
    "tier3_final": (5, 964, 2422, 3822),
    "tier4_final": (3847, 4847, 5040, 7037),
}
"""The example problems of the tiers as the design lists them, candidates and final choice: places in the split train of GSM8K."""
_FIELDS_OF_A_RUN = {"solution", "gold", "tier"}


class SpooledCorpus(Sequence[Problem]):
    """The problems of a corpus in its order."""

    def __init__(self, name: str, named: FieldNames | None = None) -> None:
        """Read a corpus by the fields that the user names; `fields` are those that were taken. Errors as in `corpus_problems`; a repeated id is one, too."""
        self._problems: Spool[Problem] = Spool()
        self.places: dict[str, int] = {}
        self.fields = TakenFields()
        for place, problem in enumerate(corpus_problems(name, named, self.fields)):
            first = self.places.setdefault(problem.problem_id, place)
            if first != place:
                raise HarnessError(
                    f"corpus {name!r}: the problem id {problem.problem_id!r} occurs twice, in records {first + 1} and {place + 1}; ids must be unique: rename or remove one of them"
                )
            self._problems.append(problem)

    def __len__(self) -> int:
        return len(self._problems)

    def __getitem__(self, place: Any) -> Any:  # an int or a slice
        return self._problems[place]


class SelectedProblems(ReadOnDemand[Problem]):
    """The problems at some places of a corpus by id, in its order; `fields` are those that were taken."""

    def __init__(self, corpus: SpooledCorpus, places: Sequence[int]) -> None:
        """Take the problems at the places, which are sorted."""
        self.fields = corpus.fields
        whole = len(places) == len(corpus)
        chosen = corpus.places if whole else {corpus[place].problem_id: place for place in places}
        super().__init__(chosen, lambda problem_id: corpus[chosen[problem_id]])


def answers_of(corpus: str, how: str) -> tuple[str, ...]:
    """Return the answers bundled with a corpus, which are judged where a user names none.

    Where there are none, a `HarnessError` says by `how` some are named.
    """
    if corpus != BUNDLED:
        raise HarnessError(f"corpus {corpus!r}: no formalizations are named; {how}")
    return str(CORPORA / BUNDLED / "formalizations.jsonl"), "annotation"


def load_corpus(name: str, named: FieldNames | None = None) -> list[Problem]:
    """Return the problems of a corpus; errors as in `SpooledCorpus`."""
    return list(SpooledCorpus(name, named))


def corpus_problems(name: str, named: FieldNames | None = None, taken: TakenFields | None = None) -> Iterator[Problem]:
    """Yield the problems of `mini`, `gsm8k:train`, `gsm8k:test`, a file of GSM8K-style records, `problems.jsonl` of a run's stage, or `PREFIX=path`.

    A file holds lines of JSON, plain or `.gz`, or is a table in Parquet or Arrow; a folder holds such files, whose problems follow each other
    in the order of their names, such as a dataset saved by the library `datasets`. Ids are the records' own `problem_id` or `id`; records
    without one are numbered from zero as `PREFIX-N`, where the prefix defaults to the names of the folder and the file:
    `gsm8k/train.jsonl` gives `gsm8k-train-0`. Repeated ids are not detected here. `named` are the fields that the user names; `taken` counts those that
    are taken. No such corpus, a broken record, or no records are a `HarnessError`.
    """
    named, taken = named or FieldNames(), taken or TakenFields()
    if name == BUNDLED:
        return _numbered([CORPORA / BUNDLED / "problems.jsonl"], BUNDLED, name, named, taken)
    if re.fullmatch(r"gsm8k:\w+", name):
        return _from_hub(name.partition(":")[2])
    prefix, separator, rest = name.partition("=")
    prefixed = bool(separator) and not Path(name).exists()
    path = Path(rest if prefixed else name)
    files = [path] if path.is_file() else record_files(path) if name and path.is_dir() else []
    if not files:
        found = "a folder without files of records" if name and path.is_dir() else "no such file"
        raise HarnessError(
            f"corpus {name!r}: {found}; give a file of JSON lines, Parquet or Arrow, a folder of such files, mini, gsm8k:train or gsm8k:test"
        )
    stem = path.name.removesuffix(".gz")
    stem = next((stem.removesuffix(suffix) for suffix in FILE_SUFFIXES if stem.endswith(suffix)), stem)
    prefix = prefix if prefixed else f"{path.resolve().parent.name}-{stem}"
    return _numbered(files, prefix, str(path), named, taken)


def record_files(folder: Path) -> list[Path]:
    """Return the files of records in a folder, sorted, without caches of the library `datasets`.

    Of a dataset of several splits a `HarnessError` names these.
    """
    if (folder / "dataset_dict.json").is_file():
        splits = sorted(path.name for path in folder.iterdir() if path.is_dir())
        raise HarnessError(f"{folder}: is a dataset of several splits; give one of them: {', '.join(splits)[:200]}")
    files = (path for path in folder.iterdir() if path.is_file() and not path.name.startswith("cache-"))
    return sorted(path for path in files if path.name.removesuffix(".gz").endswith(FILE_SUFFIXES))


def read_records(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the number and record of each record of a file, `.gz` or plain, in UTF-8 or UTF-16; a line that is no JSON gives its error.

    Lines of JSON have the number of their line; records of a JSON array, columns, a wrapped list, CSV, TSV, Parquet or Arrow are numbered from one.
    A file that cannot be read, or of unknown layout, is a `HarnessError`.
    """
    try:
        with path.open("rb") as plain:
            yield from stream_records(plain, path)
    except OSError as error:
        raise HarnessError(f"{path}: cannot be read ({error.strerror or error})") from None


def stream_records(stream: io.BufferedReader, path: Path, *, every_line: bool = False) -> Iterator[tuple[int, Any]]:
    """Yield the number and record of each record of an open file or pipe as `read_records` does; with `every_line` an empty line gives an error."""
    begins = stream.peek(len(_TABLE_MARKS[0]))
    try:
        if path.suffix in TABLE_SUFFIXES or begins.startswith(_TABLE_MARKS):
            from harness.corpora.table_rows import table_rows  # Arrow is an extra, and takes a while to import

            yield from enumerate(table_rows(path), start=1)
            return
        packed = path.suffix == ".gz" or begins.startswith(GZIP)
        source = io.BufferedReader(gzip.GzipFile(fileobj=stream)) if packed else stream
        if source.peek(len(_TABLE_MARKS[0])).startswith(_TABLE_MARKS):
            raise HarnessError(f"{path}: is a packed table; unpack it by gunzip")
        wide = source.peek(2)[:2] in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}
        text = io.TextIOWrapper(source, encoding="utf-16" if wide else "utf-8-sig", errors="replace", newline=None)
        try:
            yield from text_records(text, Path(path.name.removesuffix(".gz")).suffix, every_line=every_line)
        finally:
            with contextlib.suppress(ValueError):  # it may be closed by now
                text.detach()  # whoever opened the stream closes it
    except ValueError as error:
        raise HarnessError(f"{path}: {error}") from None
    except (OSError, EOFError, zlib.error) as error:
        raise HarnessError(f"{path}: cannot be read to its end ({getattr(error, 'strerror', None) or error})") from None


@dataclass(frozen=True, slots=True)
class Exclusion:
    """The problems of a corpus that no stage may use, by id; `file` and `sha256` identify the list."""

    file: str
    sha256: str
    problems: Mapping[str, Problem]

    def record(self) -> dict[str, Any]:
        """Return the entry of the manifest."""
        return {"file": self.file, "sha256": self.sha256, "problems": len(self.problems)}


def read_exclusion(path: Path, problems: Sequence[Problem], *, option: str = "--harness-exclude") -> Exclusion:
    """Read a JSON list of zero-based lines of the corpus or ids of problems, as `option` names it.

    Any other file, or one that names what the corpus lacks, is a `HarnessError`.
    """
    try:
        data = path.read_bytes()
        listed = json.loads(data)
    except (OSError, ValueError, RecursionError) as error:
        raise HarnessError(f"{option} {str(path)!r}: cannot be read as JSON ({str(error)[:200]})") from None
    if not isinstance(listed, list) or not all(type(item) in {int, str} for item in listed):
        raise HarnessError(
            f"{option} {str(path)!r}: expected a JSON list of zero-based lines of the corpus or ids of problems, such as [0, 7] or [{json.dumps(problems[0].problem_id)}]"
        )
    by_id = {problem.problem_id: place for place, problem in enumerate(problems)}
    places: set[int] = set()
    for item in listed:
        place = by_id.get(item, -1) if isinstance(item, str) else item
        if not 0 <= place < len(problems):
            raise HarnessError(
                f"{option} {str(path)!r}: the corpus has no {str(item)[:80]!r}; it has {len(problems)} problems, 0 to {len(problems) - 1}, with ids like {problems[0].problem_id!r}"
            )
        places.add(place)
    excluded = {problems[place].problem_id: problems[place] for place in sorted(places)}
    return Exclusion(path.name, hashlib.sha256(data).hexdigest(), excluded)


def selected_places(
    problems: Sequence[Problem],
    *,
    wanted: str | None = None,
    part: str | None = None,
    exclusion: Exclusion | None = None,
    prefix: str = "--harness-",
) -> Sequence[int]:
    """Return the places of the problems that `--harness-problems` and `--harness-slice` select, without excluded ones, in corpus order.

    `wanted` is a comma-separated list of ids, zero-based ranges `0:70` and lists of examples `tier3_final`, both of which omit
    excluded problems, though ranges count them; `part` is `3/8`, the third of eight interleaved parts of the rest; `prefix` begins the names of the options in messages.
    An unknown or excluded id, an empty range, nothing left, or a slice outside 1..n is a `HarnessError`.
    """
    excluded = {} if exclusion is None else exclusion.problems
    kept: Sequence[int] = range(len(problems))
    ids = f"ids look like {problems[0].problem_id!r}, ranges like 0:70" if len(problems) else ""

    def refusal(item: str, why: str) -> HarnessError:
        return HarnessError(f"{prefix}problems {item!r}: {why}")

    if wanted:
        by_id = {problem.problem_id: place for place, problem in enumerate(problems)}
        places: set[int] = set()
        for item in filter(None, (item.strip() for item in wanted.split(","))):
            bounds = _RANGE.fullmatch(item)
            if item in _EXAMPLES and item not in by_id:
                listed = [f"gsm8k-train-{place}" for place in _EXAMPLES[item]]
                if lacking := [name for name in listed if name not in by_id]:
                    raise refusal(item, f"lists problems of gsm8k:train, and the corpus has no {lacking[0]!r}; {ids}")
                places.update(by_id[name] for name in listed)
                continue
            if bounds is None and item not in by_id:
                raise refusal(item, f"no such problem id; {ids}")
            if item in excluded:
                raise refusal(item, f"{prefix}exclude removes this problem from every stage")
            chosen: Sequence[int] = (
                [by_id[item]] if bounds is None else kept[int(bounds[1] or 0) : int(bounds[2]) if bounds[2] else None]
            )
            if not chosen:
                raise refusal(item, f"empty; the corpus has {len(problems)} problems, 0:{len(problems)}")
            places.update(chosen)
        if not places:
            raise refusal(wanted, f"selects no problem; {ids}")
        kept = sorted(places)
    if excluded:
        kept = [place for place in kept if problems[place].problem_id not in excluded]
        if not kept:
            raise refusal(wanted or "0:", f"{prefix}exclude removes all of them from every stage")
    if part:
        match = re.fullmatch(r"(\d+)/(\d+)", part)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise HarnessError(f"{prefix}slice {part!r}: expected K/N with 1 <= K <= N, such as 3/8")
        kept = kept[int(match[1]) - 1 :: int(match[2])]
    return kept


def _numbered(
    files: Iterable[Path], prefix: str, source: str, named: FieldNames, taken: TakenFields
) -> Iterator[Problem]:
    place = 0
    for path in files:
        for line, record in read_records(path):
            if not isinstance(record, dict):
                raise HarnessError(f"{path}:{line}: {no_record(record)}")
            fields = read_fields(record, named)
            unread = [role for role in (Role.SOLUTION, Role.ANSWER) if role in fields.unread]
            if problem := fields.missing(Role.QUESTION, *unread):
                raise HarnessError(f"{path}:{line}: {problem}")
            taken.add(fields.taken)
            yield _problem(fields, f"{prefix}-{place}")
            place += 1
    if not place:
        raise HarnessError(f"{source}: the corpus is empty; expected one JSON object a line")


def _problem(fields: RecordFields, default_id: str) -> Problem:
    """Return a problem of a record, or as `problems.jsonl` of a stage holds it."""
    record = fields.record
    solution, gold, tier = fields.solution, fields.gold, record.get("tier")
    if "answer" not in record and record.keys() >= _FIELDS_OF_A_RUN:
        gold = record["gold"] if isinstance(record["gold"], str) else None
    else:
        body, separator, value = parted_answer(solution)
        if gold and not solution and "####" not in str(record.get("answer")) and read_gold(gold) is None:
            body, gold = gold, None  # words without a mark are how the answer is found
        solution = (body if separator or not solution else solution).rstrip("\n")
        gold = gold or value.strip() if separator else gold
    return Problem(
        problem_id=fields.identifier or default_id,
        question=fields.question,
        solution=solution,
        gold=gold or None,
        tier=tier if type(tier) is int else None,
    )


def _from_hub(split: str) -> Iterator[Problem]:
    """Yield a split of openai/gsm8k through the `datasets` library."""
    with optional_packages("corpus gsm8k"):
        import datasets  # an extra: importing it costs seconds, and only this corpus needs it
    try:
        rows = datasets.load_dataset("openai/gsm8k", "main", split=split)
    except (OSError, ValueError, RuntimeError) as error:
        raise HarnessError(
            f"corpus gsm8k:{split}: openai/gsm8k could not be loaded ({type(error).__name__}: {str(error)[:200]}); give a JSONL path instead"
        ) from None
    return (_problem(read_fields(dict(row)), f"gsm8k-{split}-{place}") for place, row in enumerate(rows))
