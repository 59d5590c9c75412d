"""Reading corpora, responses and labelled solutions."""
