"""Taggers: their recipes, one module a model, and how they are measured."""
