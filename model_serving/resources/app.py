"""``/v1/APP``."""

from model_serving.models.graph_vectors import app
from model_serving.resources.graph_vectors import GraphVectorResource, request_schema


class APP(GraphVectorResource):
    """Find where walks from a node end: source and target vectors that tell directions.

    Rooted PageRank by the end points of walks (Zhou et al., 2017).
    """

    load = staticmethod(app.load)
    request_schema = staticmethod(request_schema())
    example = {"action": "links", "pairs": [["dailykos.com", "atrios.blogspot.com"]], "graph": "polblogs"}
