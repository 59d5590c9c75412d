"""Which languages of small worlds are there? A module each; see `generators.constraints.language`."""
