"""Settings and logging: what is read once, at the edge."""
