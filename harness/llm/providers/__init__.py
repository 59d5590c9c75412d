"""The registered model providers, one module for each provider."""
