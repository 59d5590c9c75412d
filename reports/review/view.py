"""What does the review page show of a candidate and of an audit, as plain JSON?"""

from typing import TypedDict


class LineView(TypedDict):
    """One line of the flawed solution, which a person edits.

    `label` is `L3`, or `FA` for the last line `#### 72`, which is the `answer` line. `text` is what the field holds, `own` the
    candidate's text, to go back to. `folded` lines stand before the error and are not edited; `erroneous` is the labelled line.
    """

    label: str
    text: str
    own: str
    folded: bool
    erroneous: bool
    answer: bool


class SolutionLine(TypedDict):
    """One line of the correct solution; `label` as in `LineView`."""

    label: str
    text: str


class ValueView(TypedDict):
    """A value that the change made another: `after` is `None` where its step is left out.

    `name` is its variable in words, `line` the line of the correct solution that states it (empty where none does); `before` and
    `after` are numbers as a solution writes them.
    """

    name: str
    variable: str
    line: str
    before: str
    after: str | None


class ChangeView(TypedDict):
    """What was changed: one sentence, the values of that step, and what follows from it."""

    sentence: str
    line: str
    values: list[ValueView]
    follows: list[ValueView]


class FactsView(TypedDict):
    """What a reviewer may want to know of a candidate; `plausibility` is from 0 to 1, a `tier` is `none` without one."""

    problem_id: str
    tier: str
    position: str
    error_class: str
    error_type: str
    operator: str
    model: str
    plausibility: float
    plausibility_reasons: list[str]


class CandidateView(TypedDict):
    """All that the page shows before anything is typed.

    `edits` are the reasons why a person has to read this one, none where nothing speaks against it; `explanation` is what the
    field holds, `own_explanation` the candidate's; `line` is the label of the erroneous line.
    """

    candidate_id: str
    version: str
    problem: str
    solution: list[SolutionLine]
    line: str
    lines: list[LineView]
    explanation: str
    own_explanation: str
    correction: str
    change: ChangeView
    edits: list[str]
    facts: FactsView


class FindingView(TypedDict):
    """What speaks against a text; `where` is `L3`, `FA` or `explanation`, of a line that is gone the label it had.

    `start` and `end` count UTF-16 units, as JavaScript does, in the text that `where` names; both are 0 where the whole is meant.
    `status` is `refuted` or `unknown`; `found` is the text marked, or what is missing.
    """

    kind: str
    where: str
    start: int
    end: int
    found: str
    message: str
    status: str


class PieceView(TypedDict):
    """A stretch of a line, and whether the other solution lacks it."""

    text: str
    changed: bool


class DiffLine(TypedDict):
    """A line of the correct solution against one of the edited text; a side that lacks it is `None`."""

    before_label: str | None
    after_label: str | None
    before: list[PieceView] | None
    after: list[PieceView] | None
    differs: bool


class AuditView(TypedDict):
    """What the audit says of the texts as they stand: `clean` without findings, `edited` where they are not the candidate's."""

    findings: list[FindingView]
    diff: list[DiffLine]
    clean: bool
    edited: bool
