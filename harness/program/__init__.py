"""The formalization language: what an LLM wrote becomes a program that is evaluated exactly and never executed."""
