"""Sequence taggers: Chinese words, parts of speech and names."""
