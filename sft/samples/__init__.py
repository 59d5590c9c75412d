"""The judged items and the form of judgements."""
