"""The page of oracles: problems, graphs, pairs, programs side by side."""
