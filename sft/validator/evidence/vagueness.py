"""Evidence from quantities in vague words, such as `several`, by whether the answer needs their values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from harness.constraint_system import ProblemClass
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS, is_plural, singular_noun
from harness.text.numbers import mentions
from sft.samples.evidence_registry import Signal
from sft.samples.problem_judgement import ProblemFinding
from sft.validator.case import ProblemCase, problem_evidence
from sft.validator.problem_text import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.validator.problem_text import ProblemText

_LISTS = word_lists(__file__)

_CERTAIN = re.compile(
    rf"\b(?:an? (?:certain|unknown|unspecified|given|set|fixed|particular|undisclosed)(?: [a-z]+){{0,2}}? (?:{_LISTS.either('certain')})|certain (?:number|amount)s?|an? (?:number|percentage|fraction|amount) of|(?<!the )some (?:amount|number|percentage|fraction)|unknown|unspecified|somewhat|a bit (?:more|less)|a handful|an hourly rate)\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:(?<!the )several|a few|quite a few|(?<!the )(?<!the next )(?<!the last )(?<!the first )(?<!very )(?<!only )(?<!only have )few|(?<!how )(?<!as )(?<!so )many times|numerous|lots of|plenty of|dozens of)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"(?<!how )(?<!as )(?<!so )(?<!too )(?<!that )(?<!this )(?<!at )(?<!are )\bmany (?!as\b|more\b|people like\b)[a-z]+",
    re.IGNORECASE,
)
_SOME = re.compile(r"\bsome(?: (?:of|more|other|extra|additional))?(?= [a-z])(?! other\b)", re.IGNORECASE)
_ARTICLE = re.compile(rf"\ban? (?:{_LISTS.either('article')})\b(?! (?:of|is|was|equal|for|making)\b)", re.IGNORECASE)
_COMPARED = re.compile(
    r" (?P<word>more|less|fewer|older|younger|taller|shorter|longer|heavier|faster|slower|cheaper)(?P<noun>(?: [a-z]+){0,3}?) than (?P<after>(?=\S))",
    re.IGNORECASE,
)
_MEASURED = re.compile(
    rf"\d|%|\b(?:{_LISTS.either('measured')})\b",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\b(?:between \$?\d[\d.,]* and \$?\d|(?<!score of )(?<!from )(?<!ratio of )(?<![\d$])(?<!\d[.,])\$?\d[\d.,]*+ (?:to|or) (?:\$?\d|more\b|less\b|fewer\b)|(?<!\d )(?<!\d [a-z]{4} )(?:more|less|fewer|greater|higher|lower) than \$? ?\d[\d.,]*(?! ?times|%| percent|/)|at (?:least|most) \$? ?\d|"
    rf"(?:{_LISTS.either('before_limit')}) (?:over|under|up to) \$? ?\d[\d.,]*(?! years? old| years of age))"
)
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_RULE = re.compile(rf"\b(?:{_LISTS.either('rule')})\b", re.IGNORECASE)
_IF = re.compile(r"\b(?:if|when|whenever|once|unless|until|since|because)\b", re.IGNORECASE)
_CONSEQUENCE = re.compile(
    r",|\d|\b(?:he|she|they|you|it|we|there|customers?) (?:gets?|will|can|is|are|has|have|receives?|pays?|earns?)\b"
)
_GIVEN = re.compile(
    r"^[^.;?!]{0,60}?(?:\((?:exactly |namely |to be exact,? )?[$€£]?[\w.]+|\b(?:exactly|namely|to be (?:exact|precise)|that is|which is|i\.e\.))",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"\b(?:to|can|could|would|will|for|and|by) (?:[a-z]+ )?$|\b(?:went|decides?|decided|wants?|wanted|needs?|likes?|loves?|after|while) (?:[a-z]+ )*$",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|every)\b[^.;?!]*$", re.IGNORECASE)
_INFINITIVE = re.compile(r"\bto (?:[a-z]+ ){1,2}$|\bas $", re.IGNORECASE)
# A clause with one of these says where the quantities end, so that one that is unknown follows from the others.
_OUTCOME = re.compile(rf"\b(?:{_LISTS.either('outcome')})\b", re.IGNORECASE)
_ASKED_ALONE = re.compile(
    r"^how (?:many|much)(?: more| of (?:them|these|those)| are| did| does| do| will| were| was| have| has| had)\b",
    re.IGNORECASE,
)
_COUNT_ASKED = re.compile(r"\bhow (?:(?P<many>many)|much)\b(?P<behind>.*)", re.IGNORECASE | re.DOTALL)
_END_ASKED = re.compile(
    r"\b(?:left|now|remain\w*|total|altogether|in all|more|fewer|less|after|still|end)\b", re.IGNORECASE
)
_FROM_TO = re.compile(r"\bfrom \$?\d[\w.,$%° ]{0,24} to \$?\d", re.IGNORECASE)
_WHICH = re.compile(r"\bwhich\b", re.IGNORECASE)
_RATIO = re.compile(r"\b(?:ratio|proportion|odds|score)\b", re.IGNORECASE)
_RATED = re.compile(r"\b(?:each|every|per|apiece)\b", re.IGNORECASE)
_TIMED = re.compile(r"\b(?:every|per|(?:each|an?) (?:day|hour|week|month|year))\b", re.IGNORECASE)
_ELIDED = frozenset(["are", "did", "does", "do", "was", "were", "has", "have", "had"])
_CLAUSES = re.compile(r"[.;?!]")
SURE = frozenset(["certain", "several", "some", "compared"])
ROLES = ("aside", "valued", "asked_valued", "asked_settled", "asked", "settled", "idle", "needed", "basis")
"""Roles of a vague quantity: said as a purpose, counted later (and asked for), asked for (with or without an outcome stated), not asked
for where an outcome is stated, named nowhere else, none of these, or what a rate or a sum with a number is made of."""
UNKNOWN = "unknown"
"""The role of the unknown that the question asks for, which no feature counts: every problem has one."""
_HARMLESS = frozenset([UNKNOWN, "aside", "valued", "asked_settled", "settled"])

_finding = partial(ProblemFinding, "vagueness", ProblemClass.UNDERSPECIFIED)


@dataclass(frozen=True, slots=True)
class _Vague:
    sort: str
    start: int
    end: int
    given: bool
    role: str


def _vague_quantities(problem: ProblemText) -> Iterator[_Vague]:
    text, seen = problem.text, -1
    matches = [
        (match.start(), sort, match)
        for sort, pattern in (
            ("certain", _CERTAIN),
            ("several", _SEVERAL),
            ("article", _ARTICLE),
            ("several", _MANY),
            ("some", _SOME),
        )
        for match in pattern.finditer(text)
    ]
    numbered = [(number.mention.start, number.mention.end + 1) for number in problem.numbers]
    for start, sort, match in sorted(matches, key=lambda match: match[0]):
        if start >= seen and not any(left <= start <= right for left, right in numbered):
            seen = match.end()
            end = match.start() + len("many") if match.re is _MANY else match.end()
            yield _Vague(
                sort,
                start,
                match.end(),
                _given(problem, match.end()),
                _role(problem, start, _article_end(problem, start, end, sort), sort),
            )
    for match in _COMPARED.finditer(text):
        sentence = problem.sentences[problem.sentence_at(match.start())]
        before = " ".join(text[sentence.start : match.start()].split()[-4:])
        after = " ".join(text[match.end() : sentence.end].split()[:5])
        noun = match["noun"].split()
        stated = mentions(before) or _MEASURED.search(before) is not None
        by = re.search(r"\bby\b|\d", after) is not None or (not noun and mentions(after) != [])
        if not stated and not by:
            yield _Vague("compared", match.start("word"), match.end(), _given(problem, match.end()), "needed")


def _role(problem: ProblemText, start: int, end: int, sort: str = "") -> str:
    """Return the role of the vague quantity at a place, one of `ROLES`."""
    sentence = problem.sentences[problem.sentence_at(start)] if problem.sentences else None
    if sort == "article" and sentence is not None and _IF.search(sentence.text) and sentence.end <= problem.inquiry:
        return "aside"
    noun, before = _head(problem.text[end : end + 80]), problem.text[max(0, start - 40) : start]
    settled = _settled(problem, start)
    asked = {singular_noun(word) for word in words_of(problem.asked)}
    if noun in {"dollar", "cent"} and "money" in asked:
        noun = "money"
    if _INFINITIVE.search(before) or "following" in problem.text[end : end + 60]:
        return "aside"
    if not settled and _EACH.search(before):
        return "basis"  # "each box holds some pens"
    if sort != "article" and _unknown(problem, noun, end, settled=settled):
        return UNKNOWN
    counted = noun and any(
        number.noun == noun and number.mention.start > end and not _different(number.kind) for number in problem.numbers
    )
    same = problem.sentence_at(start)
    if counted and not settled and any(number.noun == noun and number.sentence == same for number in problem.numbers):
        return "basis"  # "some pens on Monday and 6 pens on Tuesday"
    if (
        noun
        and not counted
        and not settled
        and re.search(rf"\b(?:each|every|per)(?: of the)? {re.escape(noun)}", problem.text, re.IGNORECASE)
    ):
        return "basis"  # "some pens. Each of the pens costs $3"
    if counted and not settled:
        return "asked_valued" if noun in asked else "valued"
    if (noun and noun in asked) or (not noun and _ASKED_ALONE.match(problem.asked)):
        return "asked_settled" if settled else "asked"
    if _ASKED_ALONE.match(problem.asked) and settled:
        return "asked_settled"
    if _PURPOSE.search(before):
        return "aside"
    if settled:
        return "settled"
    named = [singular_noun(word) for word in words_of(problem.text)]
    place = problem.sentence_at(start)
    beside = any(number.sentence == place for number in problem.numbers)
    plain = any(is_plural(word) and singular_noun(word) == noun for word in words_of(problem.text[end : end + 80]))
    if sort == "some" and not plain:
        return "aside"  # "some furniture" is no number of things
    return "idle" if noun and named.count(noun) < 2 and not (beside and plain) else "needed"


def _unknown(problem: ProblemText, noun: str, end: int, *, settled: bool) -> bool:
    """Tell whether a vague quantity is the unknown: the question asks for it, and the numbers of the text can give it.

    `He bought a number of pens for $6 at 50 cents each. How many did he buy?` An end that is asked for (`how many are left`) is
    no unknown of this sort.
    """
    match = _COUNT_ASKED.search(problem.asked)
    if match is None or _END_ASKED.search(match["behind"]):
        return False
    words = words_of(match["behind"])
    elided = match["many"] is not None and bool(words) and words[0] in _ELIDED
    if not elided and noun not in {singular_noun(word) for word in words[:3]}:
        return False
    if settled or _FROM_TO.search(problem.told) is not None:
        return True
    rated = any(number.rate for number in problem.numbers) or _RATED.search(problem.told) is not None
    return rated and len(problem.numbers) > 1 and _TIMED.search(_CLAUSES.split(problem.text[end : end + 60])[0]) is None


def _article_end(problem: ProblemText, start: int, end: int, sort: str) -> int:
    """Return where the noun of a vague phrase is looked for: `a discount` holds its noun itself."""
    return problem.text.find(" ", start) if sort == "article" else end


def _different(kind: tuple[str, ...]) -> bool:
    return bool({"more", "fewer", "less", "other", "extra", "new", "additional"} & set(kind))


def _head(behind: str) -> str:
    """Return the noun of the phrase that a vague word begins: its first plural, otherwise its first content word."""
    words = words_of(_CLAUSES.split(behind)[0])[:6]
    content = [word for word in words if word not in FUNCTION_WORDS]
    plural = next((word for word in words if is_plural(word)), "")
    return singular_noun(plural or (content[0] if content else ""))


def _settled(problem: ProblemText, start: int) -> bool:
    """Tell whether a sentence from a place on, or a total before it, states an outcome with a number."""
    for number in problem.numbers:
        sentence = problem.sentences[number.sentence]
        if sentence.end <= start and not re.search(r"\b(?:total|altogether|in all)\b", sentence.text, re.IGNORECASE):
            continue
        if number.mention.start < problem.inquiry or sentence.start > problem.inquiry:
            words = problem.text[sentence.start : min(sentence.end, max(problem.inquiry, number.mention.end))]
            if _OUTCOME.search(words):
                return True
    return False


def _hypothetical(problem: ProblemText, match: re.Match[str]) -> bool:
    """Tell whether a range belongs to a difference, a wish, a rule, a ratio or a group: `5 pounds less than 20`, `if you buy more than 5`.

    What the question names or offers is no quantity of the problem: `how many are under 6`, `which is cheaper, 3 or 5`.
    """
    sentence = problem.sentences[problem.sentence_at(match.start())]
    before = problem.text[sentence.start : match.start()]
    offered = sentence.end > problem.inquiry and _WHICH.search(before) is not None
    if match.group().rstrip(" .,;") in problem.asked or offered or _RATIO.search(before):
        return True
    if _THAN.search(match.group()) and mentions(before[-24:]):
        return True
    if _RULE.search(before):
        return True
    # An "if" with a consequence that is not the question; in "If at least 60 left. How many stayed?" it tells a fact.
    condition = _IF.search(before)
    if condition is None or sentence.end > problem.inquiry:
        return False
    return (
        bool(before[: condition.start()].strip())
        or _CONSEQUENCE.search(problem.text[match.end() : sentence.end]) is not None
    )


def _given(problem: ProblemText, end: int) -> bool:
    match = _GIVEN.match(problem.text[end : end + 120])
    return match is not None and bool(mentions(problem.text[end + match.start() : end + match.end() + 30]))


@problem_evidence("vagueness")
def vagueness(case: ProblemCase) -> Signal[ProblemFinding]:
    """Quantities in vague words, with no value beside them."""
    problem = case.problem
    quantities = list(_vague_quantities(problem))
    open_ones = [quantity for quantity in quantities if quantity.start < problem.inquiry and not quantity.given]
    features: dict[str, float] = {}
    for sort in ("certain", "several", "some"):
        for role in ROLES[:-1]:
            features[f"{sort}_{role}"] = any(quantity.sort == sort and quantity.role == role for quantity in open_ones)
    features["vague_basis"] = any(quantity.role == "basis" for quantity in open_ones)
    for sort in ("article", "compared"):
        features[f"vague_{sort}"] = min(
            2, sum(quantity.sort == sort and quantity.role in {"needed", "settled", "idle"} for quantity in open_ones)
        )
    features["vague_given"] = min(2, sum(quantity.given for quantity in quantities))
    ranges = [match for match in _RANGE.finditer(problem.text) if not _hypothetical(problem, match)]
    firm = [
        number
        for number in problem.numbers
        if not any(match.start() <= number.mention.start < match.end() for match in ranges)
    ]
    beside = {number.sentence for number in firm}
    mostly = bool(ranges) and len(firm) <= len(ranges)
    # A limit in a sentence of its own may be said of a quantity that the rest gives; a range among the numbers is needed.
    mixed = [match for match in ranges if problem.sentence_at(match.start()) in beside]
    features["ranges_mostly"] = mostly
    features["ranges_beside"] = bool(mixed) and not mostly
    features["ranges_apart"] = bool(ranges) and not mixed and not mostly
    features["ranges_more"] = len(ranges) > 1
    findings = [
        _finding(
            problem.text[max(0, quantity.start - 20) : quantity.end + 30].strip(),
            f'"{problem.text[quantity.start : quantity.end]}" has no value.',
        )
        for quantity in open_ones
        if quantity.sort in SURE and quantity.role not in _HARMLESS
    ]
    if len(ranges) > 1 or mostly:
        words = ", ".join(match.group() for match in ranges[:3])
        findings.append(
            _finding(words, "These are ranges, not values." if len(ranges) > 1 else "This is a range, not a value.")
        )
    return Signal(features, tuple(findings))
