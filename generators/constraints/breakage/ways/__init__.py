"""The ways to break an SMT-LIB2 program, one per module, registered by `way`."""
