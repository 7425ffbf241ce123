"""The corpora: fetched from package registries, checked, and read as plain Python values."""
