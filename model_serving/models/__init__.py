"""Networks (tensors to tensors) and served models (Python values to Python values); nothing here knows HTTP."""

from model_serving.models.reproducible import steady_sums

steady_sums()
