"""English sentences for the terms of the mutation stage: discard reasons, certificate claims and proofs."""

from collections.abc import Mapping
from dataclasses import dataclass

from reports.views.records import Flaw


@dataclass(frozen=True, slots=True)
class DiscardReason:
    """Why a change gave no flawed solution: in few words, and in a sentence."""

    brief: str
    sentence: str


REASONS: Mapping[str, DiscardReason] = {
    "absurd": DiscardReason("absurd value", "A value would be absurd for its unit: half a person, less than nothing."),
    "unwritable": DiscardReason(
        "unwritable", "A value cannot be written where the old one stood: a fraction without end, say."
    ),
    "elsewhere": DiscardReason(
        "two errors", "A second line would state a false equation: not one single point of failure."
    ),
    "same_answer": DiscardReason("same answer", "The answer stays the same, though a value differs."),
    "equivalent": DiscardReason("equivalent", "Proved to give the same answer whatever the inputs: no mistake."),
    "same_answer_here": DiscardReason("same answer here", "Another computation, but the same answer to this question."),
    "perhaps_equivalent": DiscardReason(
        "perhaps equivalent", "The same answer here, and neither proof nor counterexample."
    ),
    "no_equation": DiscardReason("no equation", "The line states no equation that would become false."),
    "not_stated": DiscardReason("not stated", "The line does not state the value that changes."),
    "not_shown": DiscardReason("not shown", "The line works out something else than the program's step does."),
    "unread": DiscardReason(
        "unreadable", "A changed line says something that cannot be read, so nothing is certain of it."
    ),
    "doubted": DiscardReason("doubted", "The text, read again, does not say for certain what the label says."),
    "stale": DiscardReason("old value left", "The words would still say the old value."),
    "earlier": DiscardReason("said before", "An earlier line mentions the value already."),
    "duplicate": DiscardReason("duplicate", "Another change gives the very same text."),
    "fails": DiscardReason("cannot compute", "The changed solution cannot be computed: a division by zero, say."),
}
_CLAIMS = {
    "one-false-equation": "exactly one equation is false, and all that follows is consistent with it",
    "inequivalent-mutant": "every equation is true, one step is not the solution's, and the answer differs",
}


def reason_for(why: str) -> DiscardReason:
    """Return what a reason says; one that is not known says its own name."""
    return REASONS.get(why) or DiscardReason(spaced(why), spaced(why))


def spaced(name: str) -> str:
    """Return the name of an operator, a type or a class as words."""
    return name.replace("_", " ")


def claim_of(flaw: Flaw) -> str:
    """Return what the certificate of a flawed solution claims, in half a sentence."""
    claim = flaw["certificate"]["claim"]
    return _CLAIMS.get(claim, claim)


def proof_of(flaw: Flaw) -> list[str]:
    """Return what is proved of a flawed solution, a sentence each: the one change, and that nothing else is wrong."""
    certificate, change = flaw["certificate"], flaw["certificate"]["change"]
    line, variable, before, after = (change.get(key, "") for key in ("line", "variable", "from", "to"))
    place = "In the final answer" if line == "FA" else f"On {line}"
    if certificate["mutant"] is None:
        codes = {name: code for _, name, code in certificate["oracle"]["steps"]}
        said = f"{place} the solution says {variable} = {after}, but {codes.get(variable, variable)} gives {before}."
        rest = len(certificate["oracle"]["steps"]) - 1
        others = f"The other {rest} steps hold exactly" if rest != 1 else "The other step holds exactly"
        return [said, f"{others} for the values that the text states.", _answers(flaw)]
    if line == "FA":
        said = f"{place} the solution reports {after}, but the question asks for {before}."
    elif not after:
        said = f"The step {variable} = {before} is missing."
    elif not before:
        said = f"{place} stands a step that the solution has not: {variable} = {after}."
    else:
        said = f"{place} the solution works out {variable} as {after}, not as {before}."
    return [said, "Every step holds exactly for the values that the text states.", _answers(flaw)]


def _answers(flaw: Flaw) -> str:
    right, wrong = (answer_of(flaw[key]) for key in ("solution", "flawed_solution"))
    return f"With the numbers of the question the answer is {wrong}, where {right} is right."


def answer_of(solution: str) -> str:
    """Return what stands after the last `####` of a solution."""
    return solution.rpartition("####")[2].strip()
