"""``/v1/HIN2Vec``."""

from model_serving.models.graph_vectors import hin2vec
from model_serving.resources.graph_vectors import TYPED_GRAPHS, TypedGraphVectorResource, node_types, request_schema


class HIN2Vec(TypedGraphVectorResource):
    """Find related nodes among several kinds of nodes, each kind of relation with a vector of its own.

    Nodes and relations learned together (Fu et al., 2017).
    """

    load = staticmethod(hin2vec.load)
    request_schema = staticmethod(request_schema(TYPED_GRAPHS, types=node_types))
    example = {"action": "neighbors", "nodes": "package:mutt", "top": 5}
