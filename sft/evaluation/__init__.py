"""How good is a verifier: items, engines and baselines, metrics with intervals, and a sealed stage of all of it."""
