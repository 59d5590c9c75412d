"""Diagnosis of a solution by the programs of its problem: right or wrong, the first wrong line, and the proof."""
