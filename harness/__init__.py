"""What every stage stands on: domain types, corpora, the program language, the store and the pytest plugin."""
