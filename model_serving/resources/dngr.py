"""``/v1/DNGR``."""

from model_serving.models.graph_vectors import dngr
from model_serving.resources.graph_vectors import GraphVectorResource, request_schema


class DNGR(GraphVectorResource):
    """Squeeze what a random surfer meets through a stack of denoising autoencoders.

    Random surfing, pointwise mutual information, autoencoders (Cao et al., 2016).
    """

    load = staticmethod(dngr.load)
    request_schema = staticmethod(request_schema())
    example = {"action": "neighbors", "nodes": "34", "graph": "karate", "top": 5}
