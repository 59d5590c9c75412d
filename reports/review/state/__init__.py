"""The state of a review: decisions, drafts and leases in one SQLite file."""
