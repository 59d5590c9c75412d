"""The files of a dataset: rows, manifest, card, and their upload."""
