"""Generators: pictures drawn from noise."""
