"""Word vectors: words as points in a space where like words are near."""
