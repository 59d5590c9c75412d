"""How is a broken program in SMT-LIB2 mended without asking a model, and without saying something else?"""
