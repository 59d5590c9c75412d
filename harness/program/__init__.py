"""The formalization language: the code of an LLM becomes a program that is evaluated exactly and never executed."""
