"""The parts of a record by the names that published data sets give its fields: its question, solution, answer, equation, steps and labels."""

import ast
import enum
import io
import itertools
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from harness.corpora.table_rows import is_missing
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
    ENDING = "ending"
    LABELS = "labels"
    TURNS = "turns"
    IDENTIFIER = "id"


ROLES: dict[Role, str] = {
    Role.QUESTION: (
        "question problem query prompt instruction+input instruction input sQuestion iQuestion question_text"
        " modified_problem_text question.problem"
    ),
    Role.CONTEXT: "context body passage",
    Role.SOLUTION: "solution response output completion rationale generation generated_solution model_solution",
    Role.REFERENCE: "gold_solution reference_solution reference ground_truth_solution question.ground_truth_solution",
    Role.ANSWER: (
        "answer expected_answer final_answer final_ans target correct answerKey correct_answer ground_truth gold_answer"
        " ground_truth_answer lSolutions reward_model.ground_truth question.ground_truth_answer"
    ),
    Role.EQUATION: "equation lEquations formula",
    Role.OPTIONS: "options choices",
    Role.STEPS: "steps completions@labels model_output_steps label.steps",
    Role.ENDING: "answer@mistake_index",
    Role.LABELS: "labels",
    Role.TURNS: "messages conversations conversation",
    Role.IDENTIFIER: "problem_id id sample_id task_id unique_id uuid iIndex",
}
"""The names of the fields of each role, in any case. `a.b` is the field `b` of the object `a`, `a+b` are two fields that are one text in
this order, and `a@b` is the field `a` of a record that has `b`. A context stands before its question; an ending is what the steps end in."""
ROLE_OF = {name.casefold(): role for role, names in ROLES.items() for name in names.split()}
OPTION_OF = {Role.QUESTION: "--question-field", Role.SOLUTION: "--solution-field", Role.ANSWER: "--answer-field"}
MOST_NAMED = 8
"""The fields that a message on a record names."""
LONGEST_NAME = 200
LONGEST_PLACE = 4
LONGEST_LITERAL = 20_000
_SPEAKERS = {"user": "user", "human": "user", "assistant": "assistant", "gpt": "assistant", "model": "assistant"}
_UNSAID = {"system", "developer"}
"""The roles of turns that are left out."""
_BESIDE = {name.partition("@")[0]: name.split("@") for name in ROLE_OF if "@" in name}
_JOINED = [name.split("+") for name in ROLE_OF if "+" in name]
_OF_OBJECTS = {Role.CONTEXT, Role.ANSWER, Role.OPTIONS}
"""The roles whose field may be an object, or is unread where it is one."""
_MARKS = {"\u043a\u0438": "a question and marked steps, as in Math-Shepherd; use its stepwise form"}
"""What a question holds beside its own text where it has one of these marks."""


@dataclass(frozen=True, slots=True)
class FieldNames:
    """The fields that a user names for the parts of a record; empty where the names of published data sets are looked for."""

    question: str = ""
    solution: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True)
class RecordFields:
    """The parts of a record as texts, empty where it has none.

    `solutions` are all worked texts by field, among them references and a worked answer; `reference` is the one that is right beside a solution; `answer` is the value that the record states,
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
    reference: str = ""
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
    return _FieldReader(record, named).fields()


class _FieldReader:
    """The fields of a record by role, and what was taken of them."""

    def __init__(self, record: Mapping[str, Any], named: FieldNames) -> None:
        self.given, self.named = record, named
        self.taken: dict[Role, str] = {}
        self.unread: dict[Role, str] = {}
        self.found: defaultdict[Role, list[tuple[str, Any]]] = defaultdict(list)
        names = {name.casefold() for name, _ in self._fields()}
        for name, value in self._fields():
            if is_missing(value) or value == []:
                continue
            beside = _BESIDE.get(name.casefold())
            role = ROLE_OF["@".join(beside)] if beside and beside[1] in names else ROLE_OF.get(name.casefold())
            if role in {Role.QUESTION, Role.SOLUTION, Role.TURNS} and are_turns(value):
                self._add_turns(name, value)
            elif role is not None and (role in _OF_OBJECTS or not isinstance(value, Mapping)):
                self.found[role].append((name, value))

    def fields(self) -> RecordFields:
        """Return all parts."""
        steps, right = self._steps()
        question = self._question()
        texts = self._texts(Role.SOLUTION, self.named.solution)
        solutions, solution = dict(texts), self._one(Role.SOLUTION, texts)
        answer, option, worked = self._answer()
        if solution:
            self.unread.pop(Role.STEPS, None)  # such as their number
        elif Role.SOLUTION not in self.unread:
            if Role.STEPS in self.unread:
                self.unread[Role.SOLUTION] = self.unread[Role.STEPS]
            elif steps or worked:
                name, solution = (self.taken.pop(Role.STEPS), "\n".join(steps)) if steps else worked[0]
                self.taken[Role.SOLUTION] = name
                solutions[name] = solution
        references = self._texts(Role.REFERENCE)
        reference = self._one(Role.REFERENCE, references) or next((text for _, text in worked if text != solution), "")
        solutions.update(references + worked)
        canonical = {Role.QUESTION: question, Role.SOLUTION: solution, Role.STEPS: steps, Role.LABELS: right}
        return RecordFields(
            self.given,
            {**self.given, **{str(role): part for role, part in canonical.items() if part}},
            question,
            solution,
            answer,
            option,
            equation=self._one(Role.EQUATION, self._texts(Role.EQUATION)),
            options=" ".join(f"{letter} {text}".strip() for letter, text in self._options()),
            identifier=self._identifier(),
            solutions=solutions,
            reference=reference,
            taken={role: names for role, names in self.taken.items() if role not in self.unread},
            unread=self.unread,
        )

    def _fields(self) -> Iterator[tuple[str, Any]]:
        for name, value in self.given.items():
            yield str(name), value
            if isinstance(value, Mapping):
                yield from ((f"{name}.{inner}", item) for inner, item in value.items())

    def _add_turns(self, name: str, turns: list[Any]) -> None:
        """Put the question and the reply of a conversation among the texts of their roles."""
        said: dict[str, str] = {}
        for turn in turns:
            speaker, text = str(turn.get("role", turn.get("from"))), turn.get("content", turn.get("value"))
            if isinstance(text, list) and all(isinstance(part, dict) and part.get("type") == "text" for part in text):
                text = "\n".join(str(part.get("text")) for part in text)
            speaker = _SPEAKERS.get(speaker, speaker)
            if speaker in _UNSAID:
                continue
            if speaker not in _SPEAKERS.values() or speaker in said or not isinstance(text, str):
                what = f"expected one text of the user and one of the assistant in {name!r}, found {len(turns)} turns"
                self.unread |= dict.fromkeys((Role.QUESTION, Role.SOLUTION), what)
                return
            said[speaker] = text
        for speaker, part in (("user", Role.QUESTION), ("assistant", Role.SOLUTION)):
            if said.get(speaker):
                self.found[part].append((name, said[speaker]))

    def _named_fields(self, role: Role, named: str) -> list[tuple[str, Any]]:
        """Return the fields of a role; of the named field alone, if one is named."""
        found = self.found[role]
        if not named:
            return found
        self.unread.pop(role, None)
        said = [entry for entry in found if entry[0] == named]  # in a conversation of that name
        found = said or [(name, value) for name, value in self._fields() if name == named]
        if not found:
            self.unread[role] = f"no field {named!r} for the {role} among {named_fields(self.given)}"
        return found

    def _texts(self, role: Role, named: str = "") -> list[tuple[str, str]]:
        """Return the texts of a role by field."""
        found = [(name, sole_item(value)) for name, value in self._named_fields(role, named)]
        texts = [(name, value) for name, value in found if isinstance(value, str)]
        if found and not texts:
            self.unread.setdefault(role, f"expected text as {role} in {found[0][0]!r}, found {kind_of(found[0][1])}")
        return [] if role in self.unread else texts

    def _one(self, role: Role, texts: list[tuple[str, str]]) -> str:
        """Return the one text of a role."""
        texts = [(name, text) for name, text in texts if text.strip()] or texts
        if not texts:
            return ""
        if any(not _same(text, texts[0][1]) for _, text in texts):
            self.unread[role] = f"two fields may hold the {role}: {' and '.join(repr(name) for name, _ in texts)}"
            return ""
        self.taken[role] = texts[0][0]
        return texts[0][1]

    def _question(self) -> str:
        """Return the question behind its context."""
        texts = self._texts(Role.QUESTION, self.named.question)
        by_name = {name.casefold(): (name, text) for name, text in texts}
        for joined in _JOINED:
            if sorted(by_name) == sorted(joined):
                names, parts = zip(*(by_name[name] for name in joined), strict=True)
                texts = [(" and ".join(names), "\n".join(filter(str.strip, parts)))]
        question = self._one(Role.QUESTION, texts)
        contexts = [] if self.named.question or not question else self.found[Role.CONTEXT]
        before = [part for _, context in contexts for part in (context if isinstance(context, list) else [context])]
        for mark, meaning in _MARKS.items():
            if mark in question:
                self.unread[Role.QUESTION] = f"{self.taken[Role.QUESTION]!r} holds {meaning}"
        if not all(isinstance(part, str) for part in before):
            self.unread[Role.QUESTION] = f"expected text in {contexts[0][0]!r}, found {kind_of(contexts[0][1])}"
        if not question or Role.QUESTION in self.unread:
            return ""
        self.taken[Role.QUESTION] = " and ".join([*(name for name, _ in contexts), self.taken[Role.QUESTION]])
        return " ".join([*map(str.strip, before), question])

    def _answer(self) -> tuple[str, str, list[tuple[str, str]]]:
        """Return the value that the record states, the text of the option that it names, and the answers that are worked solutions."""
        values: list[tuple[str, str]] = []
        worked: dict[str, str] = {}
        number = False
        for name, value in self._named_fields(Role.ANSWER, self.named.answer):
            item = sole_item(value)
            if isinstance(item, bool):
                continue
            if not isinstance(item, str | int | float):
                self.unread.setdefault(Role.ANSWER, f"expected one answer in {name!r}, found {kind_of(value)}")
                continue
            number = number or isinstance(item, int)
            before, mark, after = parted_answer(str(item))
            with_steps = bool(before.strip()) if mark else "\n" in after.strip()
            if with_steps or "=" in after:
                worked[name] = str(item)
            if mark or not with_steps:
                values.append((name, after.strip()))
        plain = [entry for entry in values if entry[0] not in worked] or values
        answer = "" if Role.ANSWER in self.unread else self._one(Role.ANSWER, plain)
        option = self._option(answer, number=number)
        return (*(("", "") if Role.ANSWER in self.unread else (answer, option)), list(worked.items()))

    def _options(self) -> list[tuple[str, str]]:
        """Return the options with their letters, those of their places where none are written; one text of all has no letter."""
        pairs: list[tuple[Any, Any]] = []
        for _, options in self.found[Role.OPTIONS]:
            if isinstance(options, Mapping):
                texts = options.get("text")
                pairs += (
                    zip(options.get("label", ()), texts, strict=False) if isinstance(texts, list) else options.items()
                )
            elif isinstance(options, list):
                bare = [str(option).strip().lstrip("(") for option in options]
                marked = all(option[1:2] in {")", ".", ":"} for option in bare)
                letters = [option[0] if marked else chr(ord("A") + place) for place, option in enumerate(bare)]
                pairs += zip(letters, [option[2:] if marked else option for option in bare], strict=True)
            else:
                pairs.append(("", options))
        return [(str(letter).upper(), str(text).strip()) for letter, text in pairs]

    def _option(self, answer: str, *, number: bool) -> str:
        """Return the text of the option that an answer names by its letter or place."""
        options = dict(self._options())
        texts = list(options.values())
        if len(answer) == 1 and answer.isalpha() and answer.isascii():
            return options.get(answer.upper(), "")
        if not number or "" in options or len(answer) >= LONGEST_PLACE or not answer.isdecimal():
            return ""
        if answer in texts and texts[int(answer) :][:1] not in ([], [answer]):
            self.unread[Role.ANSWER] = f"the answer {answer} may be the place of an option or its text"
        return "".join(texts[int(answer) :][:1])

    def _steps(self) -> tuple[list[str], list[bool]]:
        """Return the steps, each one line, with their ending, and whether each is right where they are rated."""
        read: list[tuple[str, list[str], list[bool]]] = []
        for name, value in self.found[Role.STEPS]:
            steps, right = texts_of(value), list[bool]()
            if isinstance(value, list) and all(isinstance(step, Mapping) and "completions" in step for step in value):
                steps, right = self._rated(value)
            if steps:
                read.append((name, [" ".join(step.split()) for step in steps], right))
            else:
                self.unread.setdefault(Role.STEPS, f"expected a list of texts in {name!r}, found {repr(value)[:60]}")
        if not read:
            return [], []
        name, steps, right = read[0]
        if any(other != steps for _, other, _ in read):
            names = " and ".join(repr(name) for name, *_ in read)
            self.unread[Role.STEPS] = f"two fields may hold the steps: {names}"
            return [], []
        self.taken[Role.STEPS] = name
        self.unread.pop(Role.STEPS, None)
        endings = [item for _, item in self.found[Role.ENDING] if isinstance(item, str | int | float)]
        return steps + [f"#### {item}" for item in endings], right

    def _rated(self, steps: list[Any]) -> tuple[list[str], list[bool]]:
        """Return the completion that continues the steps, of each as PRM800K rates them, and whether it is not rated as wrong."""
        texts: list[str] = []
        right: list[bool] = []
        for place, step in enumerate(steps, start=1):
            given, chosen, human = (step.get(key) for key in ("completions", "chosen_completion", "human_completion"))
            choices = [each if isinstance(each, Mapping) else {} for each in (given if isinstance(given, list) else ())]
            if type(chosen) is int and 0 <= chosen < len(choices):
                choices = [choices[chosen]]
            elif isinstance(human, Mapping):
                choices = [{"rating": 1, **human}]
            elif all(choice.get("rating") == -1 for choice in choices):
                choices = choices[:1]  # all are wrong, whichever of them continues the steps
            if not choices:
                break
            text, rating = choices[0].get("text"), choices[0].get("rating")
            if len(choices) > 1:
                self.unread[Role.STEPS] = f"step {place} has {len(choices)} completions, and none is chosen"
            elif not isinstance(text, str) or rating not in (-1, 0, 1):
                self.unread[Role.STEPS] = f"step {place} has no text with a rating of -1, 0 or 1"
            else:
                texts.append(text)
                right.append(rating != -1)
                continue
            return [], []
        return texts, right

    def _identifier(self) -> str:
        """Return the id of the record, by the first name of the role that it has."""
        found = {name.casefold(): value for name, value in self.found[Role.IDENTIFIER]}
        values = (found.get(name) for name in ROLES[Role.IDENTIFIER].casefold().split())
        return next((str(value) for value in values if type(value) in {str, int} and str(value)), "")


def sole_item(value: Any) -> Any:
    """Return the item of a list of one, any other value itself."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def listed(value: Any) -> Any:
    """Return the list whose literal a text is, as CSV files hold lists; any other value itself.

    Texts without a comma between them, as numpy writes lists, are no list: Python would make one text of them.
    """
    if not isinstance(value, str) or not value.lstrip().startswith("[") or len(value) > LONGEST_LITERAL:
        return value
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(value.strip()).readline))
        if any(left.type == right.type == tokenize.STRING for left, right in itertools.pairwise(tokens)):
            return value
        return ast.literal_eval(value.strip())  # literals only: nothing is evaluated
    except (ValueError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        return value


def texts_of(value: Any) -> list[str]:
    """Return the texts of a list, of its literal, or the lines of a text; empty for anything else."""
    value = listed(value)
    if isinstance(value, str):
        return [] if value.lstrip().startswith("[") else [line for line in value.split("\n") if line.strip()]
    return value if isinstance(value, list) and all(isinstance(item, str) for item in value) else []


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
