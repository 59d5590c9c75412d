"""The repair of broken SMT-LIB2 programs without a language model and without a change of meaning."""
