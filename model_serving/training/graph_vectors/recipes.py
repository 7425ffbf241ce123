"""The ten methods as they are trained: where each is from, on which graphs, and with which settings."""

from model_serving.models.graph_vectors import (
    app,
    deepwalk,
    dngr,
    grarep,
    hin2vec,
    hope,
    line,
    metapath2vec,
    node2vec,
    sdne,
)
from model_serving.training.graph_vectors.training import SIZES, TYPED, GraphVectorTraining

GRAPH_VECTORS = {
    "DeepWalk": GraphVectorTraining(
        deepwalk,
        "Perozzi, Al-Rfou and Skiena, 2014, DeepWalk: Online Learning of Social Representations, arXiv:1403.6652",
    ),
    "Node2Vec": GraphVectorTraining(
        node2vec,
        "Grover and Leskovec, 2016, node2vec: Scalable Feature Learning for Networks, arXiv:1607.00653",
    ),
    "LINE": GraphVectorTraining(
        line,
        "Tang, Qu, Wang, Zhang, Yan and Mei, 2015, LINE: Large-scale Information Network Embedding, arXiv:1503.03578",
    ),
    "APP": GraphVectorTraining(
        app,
        "Zhou, Liu, Liu, Liu and Gao, 2017, Scalable Graph Embedding for Asymmetric Proximity, AAAI",
    ),
    "GraRep": GraphVectorTraining(
        grarep,
        "Cao, Lu and Xu, 2015, GraRep: Learning Graph Representations with Global Structural Information, CIKM",
    ),
    "HOPE": GraphVectorTraining(
        hope,
        "Ou, Cui, Pei, Zhang and Zhu, 2016, Asymmetric Transitivity Preserving Graph Embedding, KDD",
    ),
    "SDNE": GraphVectorTraining(
        sdne,
        "Wang, Cui and Zhu, 2016, Structural Deep Network Embedding, KDD",
        variants=tuple(name for name in SIZES if name not in (TYPED, "power")),
    ),
    "DNGR": GraphVectorTraining(
        dngr,
        "Cao, Lu and Xu, 2016, Deep Neural Networks for Learning Graph Representations, AAAI",
    ),
    "Metapath2Vec": GraphVectorTraining(
        metapath2vec,
        "Dong, Chawla and Swami, 2017, metapath2vec: Scalable Representation Learning for Heterogeneous Networks, KDD",
        variants=(TYPED,),
    ),
    "HIN2Vec": GraphVectorTraining(
        hin2vec,
        "Fu, Lee and Lei, 2017, HIN2Vec: Explore Meta-paths in Heterogeneous Information Networks for Representation "
        "Learning, CIKM",
        variants=(TYPED,),
    ),
}
