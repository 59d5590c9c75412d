"""The mutation operators for conceptual errors, one file for each, registered by `mutation_operator`."""
