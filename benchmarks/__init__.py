"""Measurements of all stages on real data, run by `make bench`, with results in `RESULTS.md`."""
