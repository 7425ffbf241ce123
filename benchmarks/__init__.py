"""Measurements of the running service, each one command: ``python -m benchmarks.serving --help``."""
