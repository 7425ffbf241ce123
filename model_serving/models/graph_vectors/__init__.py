"""Graph vectors: nodes as points in a space where nodes in like places are near."""
