"""Protection against leakage: protected problems that are kept out of datasets, and splits that share no problem."""

import enum
import hashlib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from harness.corpora.field_roles import FieldNames, Role, read_fields
from harness.corpora.problems import read_records
from harness.corpora.record_layouts import no_record
from harness.errors import HarnessError
from harness.text.words import masked_words, words_of

SPLITS = ("train", "validation", "test")
GRAM = 13
KNOWN = 4_096
"""So many questions are known to be protected or not; the solutions of a problem are read one after another."""
SHARE = 0.5
"""Two questions that share this part of the shorter question's runs are nearly the same.

GSM8K train, 6,392 problems against the 1,081 reserved ones: 20 reach it by words, 31 with names masked. By reading, these are
the same problem with other numbers, other names or another question."""


class ProtectionReason(enum.StrEnum):
    """The reason why a problem counts as protected."""

    ID = "same id"
    GRAM = "13-gram of the question"
    NEAR = "nearly the same question"


def origin(problem_id: str) -> str:
    """Return the id of the problem that an edited one was made from: `gsm8k-train-12` for `gsm8k-train-12:renumbered:ab12`."""
    return problem_id.partition(":")[0].strip()


@dataclass(frozen=True, slots=True)
class ProtectedProblem:
    """A problem that no set may hold, by id, by question, or by both; either may be empty."""

    problem_id: str
    question: str


@dataclass(slots=True)
class QuestionIndex:
    """An index of questions by runs of 13 words, and by runs of words with numbers masked.

    Numbers in digits or words become one mark. One of the two views of nearness also masks capitalised words, so that
    neither other numbers nor other names hide a problem.
    """

    _grams: set[int] = field(default_factory=set)
    _runs: dict[tuple[int, int], list[int]] = field(default_factory=lambda: defaultdict(list))
    _sizes: list[tuple[int, ...]] = field(default_factory=list)

    def add(self, question: str) -> None:
        """Add a question; it is numbered from zero."""
        self._grams |= _grams(question)
        views = _views(question)
        for view, runs in enumerate(views):
            for run in runs:
                self._runs[view, run].append(len(self._sizes))
        self._sizes.append(tuple(map(len, views)))

    def same(self, question: str) -> bool:
        """Tell whether a question shares 13 words in a row, or all of its words if it has fewer, with one of the index."""
        return not self._grams.isdisjoint(_grams(question))

    def near(self, question: str) -> list[int]:
        """Return the numbers of the questions that are nearly the same, in order."""
        numbers: set[int] = set()
        for view, runs in enumerate(_views(question)):
            shared = Counter(number for run in runs for number in self._runs.get((view, run), ()))
            numbers.update(
                number for number, count in shared.items() if count >= SHARE * min(len(runs), self._sizes[number][view])
            )
        return sorted(numbers)


def _grams(text: str) -> set[int]:
    return _runs([word.casefold() for word in words_of(unicodedata.normalize("NFKC", text))], GRAM)


def _views(question: str) -> tuple[set[int], set[int]]:
    return _runs(masked_words(question, names=False), 4), _runs(masked_words(question, names=True), 5)


def _runs(words: list[str], length: int) -> set[int]:
    """Return the runs of `length` words as numbers of 64 bits; a shorter text is one run, an empty text has none."""
    if not words:
        return set()
    places = range(max(1, len(words) - length + 1))
    return {text_hash(" ".join(words[place : place + length])) for place in places}


def text_hash(text: str) -> int:
    """Return a hash of 64 bits of a text."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


class Fence:
    """Keeps protected problems out: `why` returns the reason of a protected problem, `require` raises for one.

    Every written sample passes `require`, even after an earlier check.
    """

    def __init__(self, protected: Iterable[ProtectedProblem] = ()) -> None:
        problems, self._questions = list(protected), QuestionIndex()
        self._ids = {origin(problem.problem_id) for problem in problems if problem.problem_id}
        for problem in problems:
            if problem.question.strip():
                self._questions.add(problem.question)
        self._reason = lru_cache(KNOWN)(self._reason_of)

    def why(self, problem_id: str, question: str) -> ProtectionReason | None:
        """Return the reason why a problem is protected, `None` if it is not."""
        return ProtectionReason.ID if origin(problem_id) in self._ids else self._reason(question)

    def _reason_of(self, question: str) -> ProtectionReason | None:
        if self._questions.same(question):
            return ProtectionReason.GRAM
        return ProtectionReason.NEAR if self._questions.near(question) else None

    def require(self, problem_id: str, question: str) -> None:
        """Refuse a protected problem; raises `HarnessError` where the problem is protected."""
        why = self.why(problem_id, question)
        if why is not None:
            raise HarnessError(f"{problem_id[:80]!r}: refused, a protected problem ({why}); nothing was written")


def read_evaluation(
    path: Path, corpus: Mapping[str, str], fields: FieldNames | None = None
) -> Iterator[ProtectedProblem]:
    """Yield the problems of an evaluation file of records with an id, a question, or both.

    `corpus` gives the questions of problems that are only named, by id; `fields` are those that the user names.
    Raises `HarnessError` where the file cannot be read, or a record names no problem.
    """
    for number, record in read_records(path):
        read = read_fields(record if isinstance(record, dict) else {}, fields or FieldNames())
        question = read.question or corpus.get(origin(read.identifier), "")
        if Role.QUESTION in read.unread or not (read.identifier or question.strip()):
            why = read.missing(Role.QUESTION) if isinstance(record, dict) else no_record(record)
            message = f"{path}:{number}: expected a question or an id in a record of an evaluation file: {why}"
            raise HarnessError(message)
        yield ProtectedProblem(read.identifier, question)


def groups_of(questions: Mapping[str, str]) -> dict[str, str]:
    """Return for each problem id the id that names its group; problems with nearly the same question are one group."""
    from scipy.cluster.hierarchy import DisjointSet

    names, known = sorted(questions), QuestionIndex()
    groups = DisjointSet(names)
    for name in names:
        for number in known.near(questions[name]):
            groups.merge(names[number], name)
        known.add(questions[name])
    return {name: min(group) for group in groups.subsets() for name in group}


def split_groups(traits: Mapping[str, Iterable[str]], shares: Sequence[float], *, seed: int) -> dict[str, str]:
    """Return the split of each group so that every trait is divided among the splits by `shares`.

    Traits describe a group's samples: `tier:2`, `type:operator_swap`, `position:last`. The rarest trait is assigned first,
    each group to the split that lacks it most. Source: Sechidis, Tsoumakas and Vlahavas, On the stratification of
    multi-label data, 2011.
    """
    left = {name: frozenset(labels) for name, labels in traits.items()}
    order = sorted(left, key=lambda name: (text_hash(f"{seed}:split:{name}"), name))
    holders: dict[str, set[str]] = defaultdict(set)
    for name, labels in left.items():
        for trait in labels:
            holders[trait].add(name)
    lacking = {trait: [share * len(names) for share in shares] for trait, names in holders.items()}
    room = [share * len(left) for share in shares]
    split: dict[str, str] = {}

    def deal(name: str, wanted: Sequence[float]) -> None:
        place = max(range(len(shares)), key=lambda number: (wanted[number], room[number], -number))
        split[name] = SPLITS[place]
        room[place] -= 1
        for trait in left[name]:
            lacking[trait][place] -= 1
            holders[trait].discard(name)

    while any(holders.values()):
        rarest = min((trait for trait in holders if holders[trait]), key=lambda trait: (len(holders[trait]), trait))
        for name in [member for member in order if member in holders[rarest]]:
            deal(name, lacking[rarest])
    for name in order:
        if name not in split:
            deal(name, room)
    return split
