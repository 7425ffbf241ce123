"""``/v1/HOPE``."""

from model_serving.models.graph_vectors import hope
from model_serving.resources.graph_vectors import GraphVectorResource, request_schema
from model_serving.resources.schemas import one_of


class HOPE(GraphVectorResource):
    """Keep a proximity of all pairs of nodes, directions included: exact, fast, without chance.

    Katz and three other proximities by their singular vectors (Ou et al., 2016).
    """

    load = staticmethod(hope.load)
    settings = ("proximity",)
    request_schema = staticmethod(
        request_schema(
            proximity=one_of(*hope.PROXIMITIES, description="Of your graph: what products of vectors shall be near"),
        ),
    )
    example = {
        "action": "links",
        "pairs": [["dailykos.com", "atrios.blogspot.com"], ["atrios.blogspot.com", "dailykos.com"]],
        "graph": "polblogs",
    }
