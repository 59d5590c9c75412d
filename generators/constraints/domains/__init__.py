"""The domains of constraint problems, one per module, registered by `generators.constraints.problem.domain`.

Satisfiability and uniqueness are known by construction: a small world is listed whole, an amount is a function of earlier ones.
"""
