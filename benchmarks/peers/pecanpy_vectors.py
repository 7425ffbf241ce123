"""Node2vec by pecanpy: reads an edge list, writes vectors, and prints the processor seconds of each part.

Usage: python -m benchmarks.peers.pecanpy_vectors <edges> <vectors> <size> <walks> <length> <window> <p> <q> <seed>
"""

import sys
import time

import numpy as np
from gensim.models import Word2Vec
from pecanpy.pecanpy import SparseOTF


def main() -> None:
    """Walk, learn, write; the row of a node that no walk meets stays zero."""
    edges, target, *numbers = sys.argv[1:]
    size, walks, length, window = (int(number) for number in numbers[:4])
    p, q, seed = float(numbers[4]), float(numbers[5]), int(numbers[6])
    graph = SparseOTF(p=p, q=q, workers=1, random_state=seed)
    graph.read_edg(edges, weighted=False, directed=False)
    graph.preprocess_transition_probs()
    graph.simulate_walks(num_walks=1, walk_length=2)  # compiles
    began = time.process_time()
    found = graph.simulate_walks(num_walks=walks, walk_length=length)
    walked = time.process_time()
    settings = {"vector_size": size, "window": window, "sg": 1, "negative": 5, "min_count": 0, "epochs": 1}
    model = Word2Vec(found, **settings, workers=1, seed=seed)
    learned = time.process_time()
    np.savez(target, nodes=[int(node) for node in model.wv.index_to_key], vectors=model.wv.vectors)
    print(sum(map(len, found)), walked - began, learned - walked)


if __name__ == "__main__":
    main()
