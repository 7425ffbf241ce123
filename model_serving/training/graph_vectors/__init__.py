"""Training and evaluation of the graph vectors."""
