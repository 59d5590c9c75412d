"""Asking by the day and for less: many questions handed in at once, and their answers fetched when the provider has them."""

from harness.llm.batches.client import BatchClient, BatchCollection, BatchSubmission

__all__ = ["BatchClient", "BatchCollection", "BatchSubmission"]
