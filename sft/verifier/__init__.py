"""The solution verifier: evidence, engines, decisions."""
