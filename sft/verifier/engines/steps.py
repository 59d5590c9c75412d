"""The engine of a trained step classifier: a sentence encoder that marks the first wrong line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.solution.labels import FINAL_ANSWER
from sft.models.step_encoder import StepEncoder, StepProbabilities, load_steps
from sft.samples.items import Item
from sft.samples.solution_judgement import Engine, Judgement
from sft.verifier.engine_registry import EngineSettings, engine


@dataclass(frozen=True, slots=True)
class StepsEngine:
    """Calls the first line wrong whose probability reaches the threshold; the confidence counts that as even."""

    encoder: StepEncoder
    name: str = "steps"

    def judge(self, items: Sequence[Item]) -> Iterator[Judgement]:
        """Yield a judgement on each item, in order."""
        too_long = Judgement.unjudged(f"longer than the {self.encoder.longest} tokens that the encoder reads")
        for found in self.encoder.probabilities(items):
            yield too_long if found is None else self._judgement(found)

    def _judgement(self, found: StepProbabilities) -> Judgement:
        threshold = self.encoder.threshold
        # The odds against those at the threshold.
        odds = found.flawed * (1 - threshold), (1 - found.flawed) * threshold
        chance = odds[0] / (sum(odds) or 1.0)
        place = next((index for index, wrong in enumerate(found.wrong) if wrong >= threshold), None)
        if place is None:
            return Judgement(flawed=False, confidence=1 - chance)
        kind, line = found.kinds[place], found.places[place]
        where = "The final answer" if line == FINAL_ANSWER else line
        why = f"{where} is the first place that the step classifier calls wrong; the likeliest kind is “{str(kind).replace('_', ' ')}”."
        return Judgement.of_error(kind, line, why, chance)


@engine("steps")
def open_steps(settings: EngineSettings) -> Engine:
    """Return the engine of the step classifier in `--adapter`; raises `HarnessError` where none is named, or the folder holds none."""
    return StepsEngine(load_steps(settings.adapter, settings.device, model=settings.model))
