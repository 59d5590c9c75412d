"""The whole factory by one command: from a corpus and answers of models to datasets by level."""
