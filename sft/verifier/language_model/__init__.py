"""Judgements of solutions by a language model, fine-tuned or asked without examples."""
