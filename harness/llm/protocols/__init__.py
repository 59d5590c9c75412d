"""The message formats of providers: chat completions, Anthropic's messages, and batches."""
