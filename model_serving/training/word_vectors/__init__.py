"""Recipes for the word vectors, and what they share: counts, windows, noise, evaluation."""
