"""``/v1/Node2Vec``."""

from model_serving.models.graph_vectors import node2vec
from model_serving.resources.graph_vectors import GraphVectorResource, request_schema
from model_serving.resources.schemas import number


class Node2Vec(GraphVectorResource):
    """Find nodes alike by biased walks, which stay near or go far as you say: the first choice.

    Skip-gram with negative sampling over second-order walks (Grover and Leskovec, 2016, arXiv:1607.00653).
    """

    load = staticmethod(node2vec.load)
    settings = ("p", "q")
    request_schema = staticmethod(
        request_schema(
            p=number("Of walks on your graph: above 1 they seldom go straight back", 0.05, 20, default=1),
            q=number("Above 1 they stay near where they came from, below 1 they go far", 0.05, 20, default=1),
        )
    )
    example = {"action": "neighbors", "nodes": ["dailykos.com", "instapundit.com"], "graph": "polblogs", "top": 5}
