"""Shared pieces of networks, tensors to tensors, batch first."""
