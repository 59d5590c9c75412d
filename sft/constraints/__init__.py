"""How is a language model taught to write programs in SMT-LIB2, helped by what solvers say, and measured?"""
