"""Which domains do constraint problems come from? One module each; see `generators.constraints.problem.domain`."""
