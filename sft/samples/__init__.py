"""What is judged and how judgements are written."""
