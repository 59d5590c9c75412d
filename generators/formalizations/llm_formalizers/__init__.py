"""Formalizations of any corpus by any model, with prompts, repair of refused answers, and costs."""
