"""Generators: their recipes, one module a model, and how their pictures are measured."""
