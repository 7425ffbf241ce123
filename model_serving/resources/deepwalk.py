"""``/v1/DeepWalk``."""

from model_serving.models.graph_vectors import deepwalk
from model_serving.resources.graph_vectors import GraphVectorResource, request_schema


class DeepWalk(GraphVectorResource):
    """Find nodes that meet the same nodes on random walks: walks read as sentences.

    Skip-gram with hierarchical softmax over walks of 40 nodes (Perozzi et al., 2014, arXiv:1403.6652).
    """

    load = staticmethod(deepwalk.load)
    request_schema = staticmethod(request_schema())
    example = {"action": "neighbors", "nodes": "Notre Dame", "graph": "football", "top": 5}
