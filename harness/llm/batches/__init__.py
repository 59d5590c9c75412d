"""Batch requests: many requests are submitted together at a lower price and answered within a day."""

from harness.llm.batches.client import BatchClient, BatchCollection, BatchSubmission

__all__ = ["BatchClient", "BatchCollection", "BatchSubmission"]
