"""The parts of a record by the names that published data sets give its fields: its question, solution, answer, equation, steps and labels."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.text.characters import kind_of, one_line


class Role(enum.StrEnum):
    """What a field holds."""

    QUESTION = "question"
    CONTEXT = "context"
    SOLUTION = "solution"
    REFERENCE = "reference"
    ANSWER = "answer"
    EQUATION = "equation"
    OPTIONS = "options"
    STEPS = "steps"
    LABELS = "labels"
    TURNS = "turns"
    IDENTIFIER = "id"


ROLES: dict[Role, str] = {
    Role.QUESTION: "question problem query prompt instruction input sQuestion iQuestion question_text modified_problem_text question.problem",
    Role.CONTEXT: "context body passage",
    Role.SOLUTION: "solution response output completion rationale generation generated_solution model_solution",
    Role.REFERENCE: "gold_solution reference_solution reference ground_truth_solution question.ground_truth_solution",
    Role.ANSWER: (
        "answer expected_answer final_answer final_ans target correct answerKey correct_answer ground_truth gold_answer"
        " ground_truth_answer lSolutions reward_model.ground_truth question.ground_truth_answer"
    ),
    Role.EQUATION: "equation lEquations formula",
    Role.OPTIONS: "options choices",
    Role.STEPS: "steps completions label.steps",
    Role.LABELS: "labels",
    Role.TURNS: "messages conversations conversation",
    Role.IDENTIFIER: "problem_id id sample_id task_id unique_id uuid iIndex",
}
"""The names of the fields of each role, in any case; `a.b` is the field `b` of the object `a`. A context stands before its question."""
ROLE_OF = {name.casefold(): role for role, names in ROLES.items() for name in names.split()}
OPTION_OF = {Role.QUESTION: "--question-field", Role.SOLUTION: "--solution-field", Role.ANSWER: "--answer-field"}
MOST_NAMED = 8
"""The fields that a message on a record names."""
LONGEST_NAME = 200
LONGEST_PLACE = 4
_SPEAKERS = {"user": "user", "human": "user", "assistant": "assistant", "gpt": "assistant", "model": "assistant"}
_UNSAID = {"system", "developer"}
"""The roles of turns that are left out."""
_TOGETHER = ["instruction", "input"]
"""The two fields of Alpaca that are one question."""
_OF_OBJECTS = {Role.CONTEXT, Role.ANSWER, Role.OPTIONS}
"""The roles whose field may be an object, or is unread where it is one."""
_SHEPHERD_MARK = "\u043a\u0438"
"""What stands behind each step in Math-Shepherd, whose questions and steps are one text."""


@dataclass(frozen=True, slots=True)
class FieldNames:
    """The fields that a user names for the parts of a record; empty where the names of published data sets are looked for."""

    question: str = ""
    solution: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class RecordFields:
    """The parts of a record as texts, empty where it has none.

    `solutions` are all worked texts by field, among them references and a worked answer; `answer` is the value that the record states,
    `option` the text of the option that it names. `given` is the record, `record` has the names that layouts of labelled solutions know; `taken` names the
    fields of each part, and `unread` says of a part why it was not read.
    """

    given: Mapping[str, Any]
    record: dict[str, Any]
    question: str = ""
    solution: str = ""
    answer: str = ""
    option: str = ""
    equation: str = ""
    options: str = ""
    identifier: str = ""
    solutions: Mapping[str, str] = field(default_factory=dict)
    taken: Mapping[Role, str] = field(default_factory=dict)
    unread: Mapping[Role, str] = field(default_factory=dict)

    @property
    def gold(self) -> str | None:
        """Return the value that the record states, of an option its text; `None` where it states none."""
        return self.option or (None if self.answer == self.solution.strip() else self.answer or None)

    def missing(self, *roles: Role) -> str:
        """Return why one of the parts cannot be used, and which option names its field; empty if all are there."""
        for role in roles:
            if role not in self.taken:
                why = self.unread.get(role) or f"no {role} in the fields {named_fields(self.given)}"
                return f"{why}; name its field by {OPTION_OF[role]}" if role in OPTION_OF else why
        return ""


@dataclass(slots=True)
class TakenFields:
    """Counts of the fields that were taken for each part of the records of a file."""

    counts: Counter[tuple[tuple[Role, str], ...]] = field(default_factory=Counter)

    def add(self, taken: Mapping[Role, str]) -> None:
        """Count what was taken of a record."""
        self.counts[tuple(taken.items())] += 1

    def __str__(self) -> str:
        """Return the fields of the commonest forms of record, such as `question from Body and Question, answer from Answer`."""
        forms = [
            (", ".join(f"{role} from {names}" for role, names in taken) or "none")
            + (f" ({count:,} record{'' if count == 1 else 's'})" if len(self.counts) > 1 else "")
            for taken, count in self.counts.most_common(3)
        ]
        return one_line(f"fields: {'; '.join(forms)}", limit=500) if forms else ""


def named_fields(record: Mapping[str, Any]) -> str:
    """Return the names of the fields of a record for a message."""
    return one_line(", ".join(map(repr, list(record)[:MOST_NAMED])) or "none", limit=LONGEST_NAME)


def read_fields(record: Mapping[str, Any], named: FieldNames = FieldNames()) -> RecordFields:  # frozen
    """Return the parts of a record, by the fields that the user named, or else by the names of published data sets.

    A part is unread where two fields differ that may hold it, where its field holds something else than such a part, or where a conversation is
    not one question with at most one reply; what a system says is left out.
    """
    reader = _FieldReader(record)
    steps = reader.steps()
    question = reader.question(named.question)
    solution = reader.text(Role.SOLUTION, named.solution)
    answer, option = reader.answer(named.answer)
    if Role.STEPS in reader.unread and not solution:
        reader.unread[Role.SOLUTION] = reader.unread[Role.STEPS]
    elif steps and not solution and Role.SOLUTION not in reader.unread:
        solution, reader.taken[Role.SOLUTION] = steps, reader.taken.pop(Role.STEPS)
        reader.solutions[reader.taken[Role.SOLUTION]] = steps
    elif not solution and Role.SOLUTION not in reader.unread and reader.worked:
        reader.taken[Role.SOLUTION], solution = reader.worked[0]
    reader.solutions.update((name, text) for name, text in reader.texts(Role.REFERENCE) + reader.worked)
    for role, text in ((Role.QUESTION, question), (Role.SOLUTION, solution)):
        if text and reader.record.get(role) != text and reader.taken[role] not in reader.steps_fields:
            reader.record[str(role)] = text
    return RecordFields(
        record,
        reader.record,
        question,
        solution,
        answer,
        option,
        reader.text(Role.EQUATION),
        " ".join(reader.options),
        reader.identifier(),
        reader.solutions,
        {role: names for role, names in reader.taken.items() if role not in reader.unread},
        reader.unread,
    )


class _FieldReader:
    """The fields of a record by role, and what was taken of them."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.given = record
        self.record = dict(record)
        self.taken: dict[Role, str] = {}
        self.unread: dict[Role, str] = {}
        self.solutions: dict[str, str] = {}
        self.worked: list[tuple[str, str]] = []
        self.options: list[str] = []
        self.steps_fields: set[str] = set()
        self.found: dict[Role, list[tuple[str, Any]]] = {role: [] for role in Role}
        for name, value in self._fields():
            role = ROLE_OF.get(name.casefold())
            if role is None or value is None or value == [] or (role not in _OF_OBJECTS and isinstance(value, Mapping)):
                continue
            self.found[role].append((name, value))
        for role in (Role.QUESTION, Role.SOLUTION, Role.TURNS):
            for name, value in list(self.found[role]):
                if are_turns(value):
                    self._add_turns(role, name, value)

    def _fields(self) -> Iterator[tuple[str, Any]]:
        for name, value in self.given.items():
            yield str(name), value
            if isinstance(value, Mapping):
                yield from ((f"{name}.{inner}", item) for inner, item in value.items())

    def _add_turns(self, role: Role, name: str, turns: list[Any]) -> None:
        """Put the question and the reply of a conversation among the texts of their roles."""
        self.found[role].remove((name, turns))
        said: dict[str, str] = {}
        for turn in turns:
            speaker, text = str(turn.get("role", turn.get("from"))), turn.get("content", turn.get("value"))
            if isinstance(text, list) and all(isinstance(part, dict) and part.get("type") == "text" for part in text):
                text = "\n".join(str(part.get("text")) for part in text)
            speaker = _SPEAKERS.get(speaker, speaker)
            if speaker in _UNSAID:
                continue
            if speaker not in _SPEAKERS.values() or speaker in said or not isinstance(text, str):
                what = f"expected one text of the user and one of the assistant in {name!r}"
                for part in (Role.QUESTION, Role.SOLUTION):
                    self.unread[part] = f"{what}, found {len(turns)} turns"
                return
            said[speaker] = text
        for speaker, part in (("user", Role.QUESTION), ("assistant", Role.SOLUTION)):
            if said.get(speaker):
                self.found[part].append((name, said[speaker]))

    def texts(self, role: Role, named: str = "") -> list[tuple[str, str]]:
        """Return the texts of a role by field; of the named field alone, if one is named."""
        found = self.found[role]
        if named:
            fields = [(name, value) for name, value in self._fields() if name == named]
            turns = [(name, text) for name, text in found if name == named and isinstance(text, str)]
            found = turns or fields
            self.unread.pop(role, None)
            if not fields:
                self.unread[role] = f"no field {named!r} for the {role} among {named_fields(self.given)}"
        found = [(name, value[0] if isinstance(value, list) and len(value) == 1 else value) for name, value in found]
        texts = [(name, value) for name, value in found if isinstance(value, str)]
        if role is Role.QUESTION and any(_SHEPHERD_MARK in text for _, text in texts):
            self.unread[role] = (
                f"{texts[0][0]!r} holds a question and marked steps, as in Math-Shepherd; use its stepwise form"
            )
        if found and not texts:
            self.unread.setdefault(role, f"expected text as {role} in {found[0][0]!r}, found {kind_of(found[0][1])}")
        return [] if role in self.unread else texts

    def text(self, role: Role, named: str = "") -> str:
        """Return the one text of a role; all texts of solutions are kept by field."""
        texts = self.texts(role, named)
        if role is Role.SOLUTION:
            self.solutions.update(texts)
        return self._one(role, texts)

    def _one(self, role: Role, texts: list[tuple[str, str]]) -> str:
        texts = [(name, text) for name, text in texts if text.strip()] or texts
        if not texts:
            return ""
        if any(not _same(text, texts[0][1]) for _, text in texts):
            self.unread[role] = f"two fields may hold the {role}: {' and '.join(repr(name) for name, _ in texts)}"
            return ""
        self.taken[role] = texts[0][0]
        return texts[0][1]

    def question(self, named: str) -> str:
        """Return the question behind its context; the two fields of Alpaca are one question."""
        texts = self.texts(Role.QUESTION, named)
        if sorted(name.casefold() for name, _ in texts) == sorted(_TOGETHER):
            texts.sort(key=lambda entry: _TOGETHER.index(entry[0].casefold()))
            names, joined = " and ".join(name for name, _ in texts), "\n".join(text for _, text in texts)
            texts = [(names, joined)]
        question = self._one(Role.QUESTION, texts)
        contexts = [] if named else self.found[Role.CONTEXT]
        if not question or not contexts:
            return question
        parts = [part for _, context in contexts for part in (context if isinstance(context, list) else [context])]
        if not all(isinstance(part, str) for part in parts):
            self.unread[Role.QUESTION] = f"expected text in {contexts[0][0]!r}, found {kind_of(contexts[0][1])}"
            return ""
        self.taken[Role.QUESTION] = " and ".join([*(name for name, _ in contexts), self.taken[Role.QUESTION]])
        return " ".join([*map(str.strip, parts), question])

    def answer(self, named: str) -> tuple[str, str]:
        """Return the value that the record states, and the text of the option that it names; a worked answer is a solution, too."""
        found = self.found[Role.ANSWER]
        if named:
            found = [(name, value) for name, value in self._fields() if name == named]
            if not found:
                self.unread[Role.ANSWER] = f"no field {named!r} for the answer among {named_fields(self.given)}"
        elif "mistake_index" in self.given:  # BIG-Bench-Mistake: `answer` is where the steps end, `target` is right
            found = [(name, value) for name, value in found if name != "answer"] or found
        values: list[tuple[str, str]] = []
        number = False
        for name, value in found:
            item = value[0] if isinstance(value, list) and len(value) == 1 else value
            if isinstance(item, bool):
                continue
            if not isinstance(item, str | int | float):
                self.unread.setdefault(Role.ANSWER, f"expected one answer in {name!r}, found {kind_of(value)}")
                continue
            number = number or isinstance(item, int)
            before, mark, after = parted_answer(str(item))
            worked = bool(before.strip()) if mark else "\n" in after.strip()
            if worked or "=" in after:
                self.worked.append((name, str(item)))
            if mark or not worked:
                values.append((name, after.strip()))
        worked_fields = dict(self.worked)
        plain = [entry for entry in values if entry[0] not in worked_fields] or values
        answer = "" if Role.ANSWER in self.unread else self._one(Role.ANSWER, plain)
        option = self._option(answer, number=number)
        return ("", "") if Role.ANSWER in self.unread else (answer, option)

    def _option(self, answer: str, *, number: bool) -> str:
        """Return the text of the option that an answer names by its letter or place; also fill the options."""
        for _, options in self.found[Role.OPTIONS]:
            lettered = options
            if isinstance(options, Mapping) and isinstance(options.get("text"), list):
                lettered = dict(zip(options.get("label", ()), options["text"], strict=False))
            if isinstance(lettered, Mapping):
                lettered = [f"{label}) {text}" for label, text in lettered.items()]
            self.options += map(str, lettered) if isinstance(lettered, list) else [str(lettered)]
        if any(isinstance(options, str) for _, options in self.found[Role.OPTIONS]):
            return ""  # one text of all options
        bare = [option.strip().lstrip("(") for option in self.options]
        marked = all(option[1:2] in {")", ".", ":"} for option in bare)
        texts = [option[2:].strip() if marked else option for option in bare]
        if len(answer) == 1 and answer.isalpha() and answer.isascii():
            letters = (
                [option[0].upper() for option in bare]
                if marked
                else [chr(ord("A") + place) for place in range(len(bare))]
            )
            return dict(zip(letters, texts, strict=True)).get(answer.upper(), "")
        if number and answer.isdecimal() and len(answer) < LONGEST_PLACE and int(answer) < len(texts):
            if answer in texts and texts[int(answer)] != answer:
                self.unread[Role.ANSWER] = f"the answer {answer} may be the place of an option or its text"
            return texts[int(answer)]
        return ""

    def steps(self) -> str:
        """Return the steps one a line; put them and their labels where layouts of labelled solutions look for them."""
        for name, value in self.found[Role.STEPS]:
            steps = value
            if name.casefold() == "completions" and not self.found[Role.LABELS]:
                continue  # samples of one prompt
            if isinstance(value, list) and all(isinstance(step, Mapping) and "completions" in step for step in value):
                steps, self.record["labels"] = self._rated(value)
                self.record.pop("label", None)
            if not isinstance(steps, list) or not all(isinstance(step, str) for step in steps):
                continue  # the layout of a labelled solution says what it expects
            ends = self.given.get("answer") if "mistake_index" in self.given else None
            if isinstance(ends, str | int | float):
                steps = [*steps, f"#### {ends}"]
            self.taken[Role.STEPS], self.record["steps"] = name, steps
            self.steps_fields.add(name)
            return "\n".join(" ".join(step.split()) for step in steps)
        return ""

    def _rated(self, steps: list[Any]) -> tuple[list[str], list[bool]]:
        """Return the chosen completion of each step as PRM800K rates them, and whether it is not rated as wrong."""
        texts: list[str] = []
        right: list[bool] = []
        for place, step in enumerate(steps, start=1):
            given, chosen, human = (
                step["completions"] or [],
                step.get("chosen_completion"),
                step.get("human_completion"),
            )
            if isinstance(chosen, int) and 0 <= chosen < len(given):
                completion = given[chosen]
            elif isinstance(human, Mapping):
                completion = {"rating": 1, **human}
            elif given and all(isinstance(other, Mapping) and other.get("rating") == -1 for other in given):
                completion = given[0]  # wrong, whichever of them continues the steps
            elif len(given) == 1:
                completion = given[0]
            elif given:
                self.unread[Role.STEPS] = f"step {place} has {len(given)} completions, and none is chosen"
                break
            else:
                break
            text, rating = completion.get("text"), completion.get("rating")
            if not isinstance(text, str) or rating not in {-1, 0, 1}:
                self.unread[Role.STEPS] = f"step {place} has no text with a rating of -1, 0 or 1"
                break
            texts.append(text)
            right.append(rating != -1)
        return (texts, right) if Role.STEPS not in self.unread else ([], [])

    def identifier(self) -> str:
        """Return the id of the record, by the first name of the role that it has."""
        found = {name.casefold(): value for name, value in self.found[Role.IDENTIFIER]}
        for name in ROLES[Role.IDENTIFIER].casefold().split():
            value = found.get(name)
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value):
                return str(value)
        return ""


def are_turns(value: Any) -> bool:
    """Tell whether a value is a conversation, which belongs to one record."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(turn, dict) and not {"role", "from"}.isdisjoint(turn) for turn in value)
    )


def parted_answer(text: str) -> tuple[str, str, str]:
    """Return the text before the last `####`, the mark, and the answer behind it, which later lines may repeat behind a colon."""
    before, mark, after = text.rpartition("####")
    answer, *others = [line.strip() for line in after.strip().split("\n")]
    repeated = bool(mark and others) and all(_same(line.rpartition(":")[2], answer) for line in others if line)
    return before, mark, answer if repeated else after


def _same(left: str, right: str) -> bool:
    """Tell whether two texts are the same, their spacing apart, or the same number."""
    if left.split() == right.split():
        return True
    try:
        return float(left) == float(right)
    except ValueError:
        return False
