"""The provenance of flaws and variants in words: the oracle, the size of its clique and its confidence."""

import math
from collections.abc import Mapping
from typing import Any

from harness.json_form import MalformedRecordError, read_record
from harness.records.provenance import SourceProvenance, SourceRule

STANDINGS: Mapping[str, str] = {
    "oracle": "the oracle of its clique",
    "other member": "another member of its clique",
    "confirmed by UT-1": "confirmed by UT-1 alone",
}
"""The standing of a source within its clique, as manifests name it, in words."""


def provenance_phrase(provenance: SourceProvenance | None, model: str) -> str:
    """Return the provenance of a record that was made from a model's formalization."""
    if provenance is None:
        return "not recorded"
    if not provenance.formalized or provenance.clique_size is None or provenance.confidence is None:
        return "UT-1 alone: the run had no formalization stage"
    right = (
        "" if provenance.p_right is None else f", probability {probability_text(provenance.p_right)} that it is right"
    )
    if provenance.clique_size == 1:
        return f"a clique of one, confidence 0{right}: no other formalization passed UT-1"
    oracle = "the oracle" if provenance.oracle == model else f"a member; the oracle is {provenance.oracle}"
    return f"a clique of {provenance.clique_size}, confidence {provenance.confidence:.2f}{right}: {oracle}"


def support_phrase(provenance: SourceProvenance | None) -> str:
    """Return in a few words the support of a record's oracle."""
    if provenance is None:
        return "provenance not recorded"
    if not provenance.formalized or provenance.clique_size is None or provenance.confidence is None:
        return "UT-1 alone"
    right = "" if provenance.p_right is None else f", p_right {probability_text(provenance.p_right)}"
    return f"clique of {provenance.clique_size}, confidence {provenance.confidence:.2f}{right}"


def probability_text(probability: float) -> str:
    """Return a probability in three decimals, cut rather than rounded up, so that 1.000 is certain."""
    return f"{math.floor(probability * 1000) / 1000:.3f}"


def selection_phrase(manifest: Mapping[str, Any]) -> str:
    """Return how the sources of a sealed stage were chosen; empty where the manifest does not say."""
    try:
        rule = read_record(SourceRule, manifest.get("sources"))
    except MalformedRecordError:
        return ""
    if not rule.formalized:
        return "The run had no formalization stage: sources are what UT-1 alone confirms, and no record has an oracle."
    asked = []
    if rule.min_clique > 1:
        asked.append(f"at least {rule.min_clique:,} formalizations that agree")
    if rule.min_confidence > 0:
        asked.append(f"a confidence of at least {rule.min_confidence:g}")
    needed = f"; a problem needed {' and '.join(asked)}" if asked else ""
    return f"Sources are members of the clique of each problem, its oracle first{needed}."
