"""Fixtures of the tests of earlier versions."""

from tests.properties.conftest import embeddings_cache, terminal

__all__ = ["embeddings_cache", "terminal"]
