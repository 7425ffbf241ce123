"""Recipes and measurements of the translators."""
