"""What the template stage found: verdicts by claim, the causes of refutations, and the tiers."""

from collections.abc import Sequence

from harness.records.template import TierRecord
from harness.text.characters import one_line
from reports.views.artefacts import SealedStage, command_of
from reports.views.formalization_sections import status_table, steps_table
from reports.views.record_titles import STATUSES, TRACE_CLAIMS
from reports.views.tables import Prose, Section, Tone, command_section, count_table, ranked

SHOWN_TIERS = 5


def template_sections(stage: SealedStage, steps: Sequence[tuple[str, int, int]] = ()) -> list[Section]:
    """Return the sections of a template stage; `steps` are those from templates to solutions, which a page counts."""
    counts = stage.manifest["counts"]
    head = [Prose(f"{counts['templates']:,} templates of {counts['problems']:,} problems", Tone.STRONG)]
    failed = sum(count for name, count in counts["causes"].items() if name.startswith("structure: "))
    if counts["steps"]:
        kept, share = counts["steps"] - failed, 1 - failed / counts["steps"]
        head.append(Prose(f"{kept:,} of {counts['steps']:,} steps give back their line ({share:.1%})"))
    if counts["tiers"] and "tiers.jsonl" in stage.manifest["files"]:
        head.append(Prose(_tiers(stage)))
    claims = {(claim, status): counts.get(f"{claim} {status}", 0) for claim in TRACE_CLAIMS for status in STATUSES}
    command = command_of(stage.run)
    return [
        Section("", head),
        Section("Claims", [status_table("claim", claims, "none")]),
        *([Section("From templates to solutions", [steps_table(steps)])] if steps else []),
        Section("Findings by cause", [count_table("cause", dict(ranked(counts["causes"])))]),
        command_section({"look at one:": f"{command} --trace ID", "in a browser:": f"{command} --traces"}),
    ]


def _tiers(stage: SealedStage) -> str:
    """Return how many tiers are as published, and the first that are not."""
    counts = stage.manifest["counts"]
    text = f"tiers: {counts['tiers as published']:,} of {counts['tiers']:,} problems as published"
    differing = [
        f"{one_line(record.problem_id)} {record.published} → {record.tier}"
        for record in stage.records(TierRecord, "tiers.jsonl")
        if record.published is not None and record.published != record.tier
    ]
    if not differing:
        return text
    shown = ", ".join([*differing[:SHOWN_TIERS], *(["…"] if len(differing) > SHOWN_TIERS else [])])
    return f"{text}; others (published → found, all in tiers.jsonl): {shown}"
