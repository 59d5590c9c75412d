"""The domains of constraint problems, one per module, registered by `generators.constraints.problem.domain`."""
