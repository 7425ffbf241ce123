"""``/v1/GraRep``."""

from model_serving.models.graph_vectors import grarep
from model_serving.resources.graph_vectors import GraphVectorResource, request_schema
from model_serving.resources.schemas import integer


class GraRep(GraphVectorResource):
    """Tell nodes by where walks of one to four steps end, each number of steps for itself.

    Singular vectors of log-shifted k-step chances (Cao et al., 2015).
    """

    load = staticmethod(grarep.load)
    settings = ("steps",)
    request_schema = staticmethod(
        request_schema(steps=integer("Of the longest walks on your graph", 1, 8, default=grarep.STEPS)),
    )
    example = {"action": "neighbors", "nodes": "FloridaState", "graph": "football", "top": 5}
