"""Datasets and recipes: what turns corpora into the artifacts under ``data/``. Nothing that serves imports this."""
