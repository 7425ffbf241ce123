"""``/v1/LINE``."""

from model_serving.models.graph_vectors import line
from model_serving.resources.graph_vectors import GraphVectorResource, request_schema
from model_serving.resources.schemas import one_of


class LINE(GraphVectorResource):
    """Find nodes joined by edges and nodes with the same neighbours, half a vector each.

    First- and second-order proximity by drawn edges (Tang et al., 2015, arXiv:1503.03578).
    """

    load = staticmethod(line.load)
    settings = ("order",)
    request_schema = staticmethod(
        request_schema(order=one_of(*line.ORDERS, description="Of your graph: both proximities, or one alone"))
    )
    example = {"action": "links", "pairs": [["1", "2"], ["1", "34"]], "graph": "karate"}
