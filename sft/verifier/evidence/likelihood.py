"""Evidence from the language model: the marks after the lines, and lines that are less likely than their twins."""

from __future__ import annotations

from math import exp, log
from operator import attrgetter
from typing import TYPE_CHECKING

from harness.solution.labels import FINAL_ANSWER, ErrorClass
from sft.models.line_marks import CLASS_OF, Mark
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import Hint
from sft.verifier.case import evidence
from sft.verifier.model_scores import MARKED, TWIN, Scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sft.verifier.case import Case
    from sft.verifier.model_scores import PlaceScore, Twin

LEAST = 1e-6
LARGEST_GAIN = 30.0
"""In nats: gains are cut to this size, so that a single feature does not outweigh all others."""
SURE = 0.5
MOST_HINTS = 3
LONGEST = 200
_FAMILIES = {
    "operand": ("operand", "statement"),
    "operator": ("operator", "turned"),
    "added": ("added",),
    "dropped": ("dropped",),
    "factor": ("unit", "share"),
    "result": ("result",),
}


@evidence("likelihood", needs_scores=True)
def likelihood(case: Case) -> Signal[Hint]:
    """The model's marks, the likelihood of each line, and that of its twins."""
    scores = case.scores or Scores(())
    features = {**_marks(scores), **_lines(scores.places), **_twins(scores)}
    return Signal(features, tuple(_hints(scores)))


def _marks(scores: Scores) -> dict[str, float]:
    """Return the distribution of the first error, and the greatest hazards."""
    first = scores.first_error()
    hazards = [1 - place.marks[Mark.RIGHT] for place in scores.places]
    ordered = sorted(hazards, reverse=True)
    flawed = sum(first.values())
    place = hazards.index(ordered[0]) if hazards else 0
    by_mark = {mark: sum(chance for (_, erroneous), chance in first.items() if erroneous is mark) for mark in CLASS_OF}
    answers = [hazard for score, hazard in zip(scores.places, hazards, strict=True) if score.place == FINAL_ANSWER]
    return {
        "flawed": _logit(flawed) if hazards else 0.0,
        **{f"flawed_{mark}": _log(chance) if hazards else 0.0 for mark, chance in by_mark.items()},
        "hazard_max": _logit(ordered[0]) if hazards else 0.0,
        "hazard_second": _logit(ordered[1]) if len(ordered) > 1 else 0.0,
        "hazard_mean": sum(hazards) / max(1, len(hazards)),
        "hazard_answer": answers[0] if answers else 0.0,
        "hazard_place": place / max(1, len(hazards) - 1),
    }


def _lines(places: Sequence[PlaceScore]) -> dict[str, float]:
    """Return the mean log-likelihood of the lines by token, in nats, and that of the worst line."""
    each = [place.loglik / max(1, place.tokens) for place in places if place.place != FINAL_ANSWER]
    mean = sum(each) / max(1, len(each))
    return {
        "loglik_mean": mean,
        "loglik_worst": min(each, default=0.0) - mean,
        "loglik_answer": sum(place.loglik for place in places if place.place == FINAL_ANSWER),
    }


def _twins(scores: Scores) -> dict[str, float]:
    """Return the gains of the best twins, in nats, and the doubts about the lines."""
    own = {place.place: place for place in scores.places}
    of_place: dict[str, list[Twin]] = {}
    for twin in scores.twins:
        if twin.place in own:
            of_place.setdefault(twin.place, []).append(twin)
    answer = of_place.pop(FINAL_ANSWER, [])
    lines = [twin for group in of_place.values() for twin in group]
    doubts = sorted((doubt(twin.gain for twin in group) for group in of_place.values()), reverse=True)
    steps = sorted((doubt(twin.step for twin in group) for group in of_place.values()), reverse=True)
    mended = [_log(twin.right) - _log(own[twin.place].marks[Mark.RIGHT]) for twin in (*lines, *answer)]
    both = [bounded_gain(twin.gain) + mend for twin, mend in zip((*lines, *answer), mended, strict=True)]
    worst = max(scores.places, key=lambda place: 1 - place.marks[Mark.RIGHT], default=None)
    at_worst = [] if worst is None else of_place.get(worst.place, answer if worst.place == FINAL_ANSWER else [])
    best = max(lines, key=attrgetter("gain"), default=None)
    return {
        "gain_max": bounded_gain(best.gain) if best is not None else -LARGEST_GAIN,
        **{f"gain_{family}": _best(lines, kinds) for family, kinds in _FAMILIES.items()},
        "gain_answer": max((bounded_gain(twin.gain) for twin in answer), default=-LARGEST_GAIN),
        "gain_at_hazard": max((bounded_gain(twin.gain) for twin in at_worst), default=-LARGEST_GAIN),
        "gains_above": sum(twin.gain > 0 for twin in lines),
        "doubt_max": doubts[0] if doubts else 0.0,
        "doubt_second": doubts[1] if len(doubts) > 1 else 0.0,
        "doubt_sum": sum(doubts),
        "doubt_answer": doubt(twin.gain for twin in answer),
        "step_max": steps[0] if steps else 0.0,
        "step_sum": sum(steps),
        "mended_max": max(mended, default=0.0),
        "mended_likely": max(both, default=-LARGEST_GAIN),
        "mended_at_hazard": max((twin.right - worst.marks[Mark.RIGHT] for twin in at_worst), default=0.0)
        if worst is not None
        else 0.0,
        "twins": len(lines),
    }


def _best(twins: Iterable[Twin], kinds: tuple[str, ...]) -> float:
    return max((bounded_gain(twin.gain) for twin in twins if twin.kind in kinds), default=-LARGEST_GAIN)


def doubt(gains: Iterable[float]) -> float:
    """Return minus the logarithm, in nats, of a line's share of the probability among itself and its twins."""
    return log(1 + sum(exp(bounded_gain(gain)) for gain in gains))


def bounded_gain(gain: float) -> float:
    """Return a gain within 30 nats either way."""
    return max(-LARGEST_GAIN, min(LARGEST_GAIN, gain))


def _log(chance: float) -> float:
    return log(max(LEAST, chance))


def _logit(chance: float) -> float:
    chance = min(1 - LEAST, max(LEAST, chance))
    return log(chance / (1 - chance))


def _hints(scores: Scores) -> Iterable[Hint]:
    """Yield the marked errors, and the twins that are more likely than their line and more probably right."""
    own = {place.place: place.marks[Mark.RIGHT] for place in scores.places}
    for (place, mark), chance in scores.first_error().items():
        if chance >= SURE:
            yield Hint(place, MARKED, CLASS_OF[mark], f"{mark}, by {chance:.0%}")
    better = [twin for twin in scores.twins if twin.gain > 0 and twin.right > own.get(twin.place, 1.0)]
    for twin in sorted(better, key=attrgetter("gain"), reverse=True)[:MOST_HINTS]:
        error_class = ErrorClass.COMPUTATIONAL if twin.kind == "result" else ErrorClass.CONCEPTUAL
        yield Hint(twin.place, TWIN, error_class, twin.change[:LONGEST], twin.text[:LONGEST])
