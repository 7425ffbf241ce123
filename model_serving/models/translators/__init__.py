"""Translators: English and Chinese sentences into each other."""
