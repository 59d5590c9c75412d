"""Which mistakes does a person make in thinking? One mutation operator a file, registered by `mutation_operator`."""
