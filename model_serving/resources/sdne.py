"""``/v1/SDNE``."""

from model_serving.models.graph_vectors import sdne
from model_serving.resources.graph_vectors import GRAPHS, GraphVectorResource, request_schema


class SDNE(GraphVectorResource):
    """Squeeze each node's edges through a narrow layer that draws neighbours together.

    A deep autoencoder with first- and second-order loss (Wang et al., 2016).
    """

    load = staticmethod(sdne.load)
    graphs = tuple(name for name in GRAPHS if name != "power")  # there it finds links no better than common neighbours
    request_schema = staticmethod(request_schema(graphs))
    example = {"action": "neighbors", "nodes": "1", "graph": "karate", "top": 5}
