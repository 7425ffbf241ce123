"""Serve trained PyTorch models over HTTP: one schema-validated ``POST /v1/<Model>`` each."""

__version__ = "0.1.0"
