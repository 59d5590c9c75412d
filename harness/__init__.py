"""The base of every stage: domain types, corpora, the program language, the store and the pytest plugin."""
