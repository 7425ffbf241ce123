"""Networks (tensors to tensors) and served models (Python values to Python values); nothing here knows HTTP."""
