"""The sentences and phrases of explanations and of reasoning traces."""
