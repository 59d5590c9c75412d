"""The command `python -m benchmarks`, which measures the stages on real data and writes `benchmarks/RESULTS.md`.

`python -m benchmarks` measures everything but what takes hours; `python -m benchmarks soundness speed` measures only those sections, and the others
keep their last results. What stands below the heading `Notes` of a section is written by hand, and kept. Real data are read from `$SHARED_DATA`, else `../shared/data`; without them, the sections say so.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from pathlib import Path

from benchmarks import (
    alignment_swaps,
    answer_probability,
    audit,
    clause_alignment,
    collusion,
    differential,
    edited_audit,
    encoders,
    equations,
    formalization,
    model_accuracy,
    mutation,
    public_data,
    review_page,
    review_state,
    scale,
    scale_large,
    smt_generation,
    soundness,
    speed,
    tampering,
    templates,
    validator,
    variants,
    verifier,
    verifier_symbolic,
    verifier_travel,
)
from harness.paths import data_folder

SECTIONS = {
    "formalization": formalization.measure,
    "templates": templates.measure,
    "equations": equations.measure,
    "scale": scale.measure,
    "scale_large": scale_large.measure,
    "mutation": mutation.measure,
    "audit": audit.measure,
    "edited_audit": edited_audit.measure,
    "review_page": review_page.measure,
    "review_state": review_state.measure,
    "variants": variants.measure,
    "public_data": public_data.measure,
    "verifier_symbolic": verifier_symbolic.measure,
    "verifier": verifier.measure,
    "verifier_travel": verifier_travel.measure,
    "validator": validator.measure,
    "smt_generation": smt_generation.measure,
    "clause_alignment": clause_alignment.measure,
    "differential": differential.measure,
    "soundness": soundness.measure,
    "alignment_swaps": alignment_swaps.measure,
    "encoders": encoders.measure,
    "answer_probability": answer_probability.measure,
    "collusion": collusion.measure,
    "model_accuracy": model_accuracy.measure,
    "tampering": tampering.measure,
    "speed": speed.measure,
}
ONLY_BY_NAME = frozenset({"scale_large"})
"""Sections that take hours, and are measured only where they are named."""
NOTES = "\n### Notes\n"
RESULTS = Path(__file__).parent / "RESULTS.md"


def main(names: list[str]) -> int:
    """Measure the named sections, all by default, and write them."""
    unknown = [name for name in names if name not in SECTIONS]
    if unknown:
        print(f"no section {unknown[0]!r}; there are {', '.join(SECTIONS)}", file=sys.stderr)
        return 2
    data = data_folder()
    for name in names or [name for name in SECTIONS if name not in ONLY_BY_NAME]:
        print(f"measuring {name} …", flush=True)
        measured = SECTIONS[name](data).strip()
        print(measured, flush=True)
        # Other sections may have been written while this one was measured.
        kept = _kept()
        kept[name] = "\n\n".join(filter(None, (measured, _notes(kept.get(name, "")))))
        machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
        head = f"# Results\n\nEvery figure here was printed by the command above it, last on {machine}. `make bench` measures all of them but *A million answers* and the last ones, which take hours.\n"
        order = [*(name for name in SECTIONS if name in kept), *(name for name in kept if name not in SECTIONS)]
        body = "\n".join(f"\n<!-- {section} -->\n{kept[section]}\n" for section in order)
        RESULTS.write_text(f"{head}{body}", encoding="utf-8")
    return 0


def _notes(section: str) -> str:
    """Return the notes that somebody wrote below the figures of a section, with their heading; measuring anew keeps them."""
    _, heading, notes = section.partition(NOTES)
    return f"{heading}{notes}".strip()


def _kept() -> dict[str, str]:
    """Return the sections of the last results."""
    if not RESULTS.exists():
        return {}
    parts = re.split(r"<!-- (\w+) -->", RESULTS.read_text(encoding="utf-8"))
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
