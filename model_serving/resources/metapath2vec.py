"""``/v1/Metapath2Vec``."""

from model_serving.models.graph_vectors import metapath2vec
from model_serving.resources.graph_vectors import TYPED_GRAPHS, TypedGraphVectorResource, node_types, request_schema


class Metapath2Vec(TypedGraphVectorResource):
    """Find like nodes among several kinds of nodes, by walks that keep to a scheme of kinds.

    Skip-gram over meta-path walks (Dong et al., 2017).
    """

    load = staticmethod(metapath2vec.load)
    request_schema = staticmethod(request_schema(TYPED_GRAPHS, types=node_types))
    example = {"action": "neighbors", "nodes": "package:vim", "top": 5}
