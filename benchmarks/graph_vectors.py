"""Measure the graph vectors beside other libraries on the same splits, the walks, and callers' graphs.

Usage:
  graph_vectors.py compare [--graphs <names>] [--seed <seed>]
  graph_vectors.py walks [--threads <n>]
  graph_vectors.py requests [--nodes <n>] [--edges <n>]
  graph_vectors.py map <graph> <model> <file>
  graph_vectors.py -h | --help

Options:
  --graphs <names>  Some of football, polbooks, polblogs, power, hep-th [default: football,polbooks,polblogs,power].
  --seed <seed>     Of all methods [default: 1].
  --threads <n>     Of the walks [default: 2].
  --nodes <n>       Of a caller's graph [default: 5000].
  --edges <n>       Of it [default: 50000].
  -h --help         Show this text.

compare holds all methods for one type of nodes beside gensim on our walks, pecanpy in an environment of its own,
singular vectors of the adjacency matrix (scipy svds), spectral embedding (scikit-learn), degrees, and for links common
neighbours and Adamic-Adar. For classes ours are the vectors that are served; for links they are made anew. walks counts
steps a second; requests measures how long a caller's graph takes. map draws a labelled graph in the plane of its first
two principal components.
"""

import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from docopt import docopt
from gensim.models import Word2Vec
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds
from sklearn.manifold import SpectralEmbedding
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import environment
from benchmarks.svg import picture
from benchmarks.tables import machine_class, number, table
from benchmarks.word_map import HEIGHT, WIDTH, plane
from model_serving.models import artifact
from model_serving.models.graph_vectors import deepwalk, node2vec, skipgram
from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.method import Vectors
from model_serving.models.graph_vectors.vectors import load_vectors
from model_serving.models.graph_vectors.walks import FirstOrder, SecondOrder, starts
from model_serving.training.datasets import graphs
from model_serving.training.datasets.graphs import Dataset
from model_serving.training.graph_vectors import links
from model_serving.training.graph_vectors.classification import SHARES, classify, degree_features
from model_serving.training.graph_vectors.recipes import GRAPH_VECTORS
from model_serving.training.graph_vectors.training import SIZES
from model_serving.utils.settings import DATA

Way = Callable[[Graph, int, int], Vectors]
PECANPY = "pecanpy"
UNSERVED = 128
"""The numbers of a vector on a graph that is not served."""
COLOURS = ("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#566573", "#16a085", "#d35400", "#2c3e50", "#c71585",
           "#808000", "#4b0082")  # fmt: skip
HOMOGENEOUS = [name for name, recipe in GRAPH_VECTORS.items() if "debian" not in recipe.variants]


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    torch.set_num_threads(1)
    if arguments["compare"]:
        environment.make(PECANPY)
        for name in arguments["--graphs"].split(","):
            print(compare(graphs.load(name), int(arguments["--seed"])), flush=True)
    elif arguments["walks"]:
        print(walks(int(arguments["--threads"])))
    elif arguments["requests"]:
        print(requests(int(arguments["--nodes"]), int(arguments["--edges"])))
    else:
        model, graph = arguments["<model>"], arguments["<graph>"]
        picture = draw(graphs.load(graph), served(model, graph).sources, model)
        Path(arguments["<file>"]).write_text(picture, encoding="utf-8")


def compare(data: Dataset, seed: int) -> str:
    """All ways on one graph: classes where it has some, else links."""
    size = SIZES.get(data.name, UNSERVED)
    ours: dict[str, Way] = {name: _ours(name) for name in HOMOGENEOUS}
    ours["HOPE, rooted PageRank"] = _ours("HOPE", proximity="pagerank")
    others: dict[str, Way] = {
        "gensim on DeepWalk's walks": by_gensim(deepwalk_walks, hs=1, negative=0),
        "gensim on Node2Vec's walks": by_gensim(node2vec_walks, hs=0, negative=5),
        "pecanpy": by_pecanpy,
        "svds": by_svds,
        "spectral embedding": by_spectrum,
    }
    if data.labels is None:
        held = links.hold_out(data.graph)
        rows = [[way, *_links(held, embed(held.graph, size, seed))] for way, embed in (ours | others).items()]
        rows += [
            [name, *(f"{figure:.1f}" for figure in links.score(held, likely(held.graph)))]
            for name, likely in (("common neighbours", links.common_neighbours), ("Adamic-Adar", links.adamic_adar))
        ]
        return table([data.name, "AUC", "average precision"], rows)
    rows = [[name, *_classes(data, served(name, data.name))] for name in HOMOGENEOUS]
    rows += [[way, *_classes(data, embed(data.graph, size, seed))] for way, embed in others.items()]
    rows.append(["degrees", *_classes(data, Vectors(degree_features(data.graph)))])
    return table([data.name, *(f"{way} {share} %" for share in SHARES for way in ("micro", "macro"))], rows)


def _links(held: links.Held, found: Vectors) -> list[str]:
    return [f"{figure:.1f}" for figure in links.score(held, links.by_vectors(found))]


def _classes(data: Dataset, found: Vectors) -> list[str]:
    assert data.labels is not None
    both = found.sources if found.targets is None else torch.cat([found.sources, found.targets], 1)
    scores = [classify(both, data.labels, share) for share in SHARES]
    return [f"{figure:.1f}" for score in scores for figure in score]


def served(name: str, graph: str) -> Vectors:
    """The committed vectors of a model."""
    return load_vectors(artifact.load(DATA / GRAPH_VECTORS[name].slug / graph).weights)


def _ours(name: str, **options: str) -> Way:
    embed = GRAPH_VECTORS[name].model.embed

    def way(graph: Graph, size: int, seed: int) -> Vectors:
        found: Vectors = embed(graph, size, torch.Generator().manual_seed(seed), **options)
        return found

    return way


def deepwalk_walks(graph: Graph, random: torch.Generator) -> Tensor:
    """The walks that our DeepWalk learns from."""
    rounds = skipgram.rounds(graph.nodes, deepwalk.LENGTH, deepwalk.WALKS, deepwalk.MOST_PLACES)
    return FirstOrder(graph).walk(starts(graph, rounds, random), deepwalk.LENGTH, random)


def node2vec_walks(graph: Graph, random: torch.Generator) -> Tensor:
    """The walks that our Node2Vec learns from."""
    rounds = node2vec.rounds(graph.nodes)
    return SecondOrder(graph, 1, 1).walk(starts(graph, rounds, random), node2vec.LENGTH, random)


def by_gensim(walk: Callable[[Graph, torch.Generator], Tensor], **settings: int) -> Way:
    """Skip-gram by gensim over some walks."""

    def way(graph: Graph, size: int, seed: int) -> Vectors:
        found = walk(graph.undirected(), torch.Generator().manual_seed(seed)).tolist()
        # As text: gensim would take a number for a word's place and give it the path of another in the Huffman tree
        sentences = [[str(node) for node in nodes if node >= 0] for nodes in found]
        model = Word2Vec(
            sentences, vector_size=size, sg=1, window=10, min_count=0, epochs=1, workers=1, seed=seed, **settings
        )
        return _placed(graph, np.array(model.wv.index_to_key, dtype=int), model.wv.vectors)

    return way


def by_pecanpy(graph: Graph, size: int, seed: int) -> Vectors:
    """Node2vec by pecanpy with as many walks as ours."""
    both = graph.undirected()
    once = both.sources() < both.targets
    with tempfile.TemporaryDirectory() as folder:
        edges, target = Path(folder) / "edges.edg", Path(folder) / "vectors.npz"
        lines = zip(both.sources()[once].tolist(), both.targets[once].tolist(), strict=True)
        edges.write_text("".join(f"{source}\t{target}\n" for source, target in lines))
        numbers = [size, node2vec.rounds(graph.nodes), node2vec.LENGTH, node2vec.WINDOW, 1, 1, seed]
        command = [str(environment.python(PECANPY)), "-m", "benchmarks.peers.pecanpy_vectors", str(edges), str(target)]
        root = Path(__file__).resolve().parents[1]
        subprocess.run([*command, *map(str, numbers)], check=True, cwd=root, stdout=subprocess.DEVNULL)
        found = np.load(target)
        return _placed(graph, found["nodes"], found["vectors"])


def _placed(graph: Graph, nodes: np.ndarray, vectors: np.ndarray) -> Vectors:
    """Vectors in the order of nodes, their mean taken away as from ours."""
    found = torch.zeros(graph.nodes, vectors.shape[1])
    found[torch.from_numpy(nodes)] = torch.from_numpy(vectors - vectors.mean(0))
    return Vectors(found)


def by_svds(graph: Graph, size: int, seed: int) -> Vectors:
    """The largest singular vectors of the adjacency matrix, each times the root of its value."""
    size = min(size, graph.nodes - 2)
    found: tuple[np.ndarray, np.ndarray, np.ndarray] = svds(_matrix(graph), k=size, rng=np.random.default_rng(seed))
    left, values, right = found
    root = np.sqrt(values)
    return Vectors(*(torch.from_numpy(np.ascontiguousarray(side * root)) for side in (left, right.T)))


def by_spectrum(graph: Graph, size: int, seed: int) -> Vectors:
    """The smallest eigenvectors of the normalised Laplacian (Belkin and Niyogi, 2003)."""
    embedding = SpectralEmbedding(min(size, graph.nodes - 2), affinity="precomputed", random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # graphs in several parts
        found = embedding.fit_transform(_matrix(graph.undirected()))
    return Vectors(torch.from_numpy(np.ascontiguousarray(found)).float())


def _matrix(graph: Graph) -> csr_array:
    arrays = (graph.weights.numpy(), graph.targets.numpy().astype(np.int32), graph.offsets.numpy().astype(np.int32))
    return csr_array(arrays, shape=(graph.nodes, graph.nodes))


def walks(threads: int) -> str:
    """Steps a second of both kinds of walks."""
    torch.set_num_threads(threads)
    rows = []
    for name in ("polblogs", "power"):
        graph = graphs.load(name).graph.undirected()
        for way, walker in (
            ("first order", FirstOrder(graph)),
            ("p = 0.25, q = 4", SecondOrder(graph, 0.25, 4)),
            ("p = 4, q = 0.25", SecondOrder(graph, 4, 0.25)),
        ):
            random = torch.Generator().manual_seed(1)
            begin = starts(graph, 200_000 // graph.nodes, random)
            wall, processor = time.perf_counter(), time.process_time()
            steps = walker.walk(begin, 40, random).numel()
            wall, processor = time.perf_counter() - wall, time.process_time() - processor
            rows.append([name, way, number(steps / wall / 1e6), number(steps / processor / 1e6)])
    headings = ["graph", "walks", "million steps a second", "a processor second"]
    return f"{machine_class(threads)}\n\n{table(headings, rows)}"


def requests(nodes: int, edges: int) -> str:
    """How long a caller's graph of that size takes, with the default settings, and until a wish to stop is heard."""
    random = torch.Generator().manual_seed(1)
    ends = torch.randint(nodes, (2, edges), generator=random)
    graph = Graph.of(nodes, ends[0], ends[1], types=torch.arange(nodes) % 2)
    rows = []
    for name, recipe in GRAPH_VECTORS.items():
        beats: list[float] = []
        began = time.process_time()
        recipe.model.embed(
            graph, 64, torch.Generator().manual_seed(1), lambda beats=beats: beats.append(time.process_time())
        )
        ended = time.process_time()
        gaps = [after - before for before, after in zip([began, *beats], [*beats, ended], strict=True)]
        rows.append([name, f"{nodes:,} nodes, {edges:,} edges", number(ended - began), number(max(gaps))])
    headings = ["model", "graph", "processor seconds", "longest step, s"]
    return f"{machine_class(1)}\n\n{table(headings, rows)}"


def draw(data: Dataset, vectors: Tensor, title: str) -> str:
    """The picture of a labelled graph: nodes in the colour of their class, edges behind them."""
    assert data.labels is not None
    places = plane(torch.nn.functional.normalize(vectors, dim=1)).tolist()
    once = data.graph.sources() < data.graph.targets
    edges = zip(data.graph.sources()[once].tolist(), data.graph.targets[once].tolist(), strict=True)
    lines = [
        f'<path d="M{places[one][0]:.0f} {places[one][1]:.0f}L{places[other][0]:.0f} {places[other][1]:.0f}"/>'
        for one, other in islice(edges, 2000)
    ]
    dots = [
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="6" fill="{COLOURS[label % len(COLOURS)]}"/>'
        for (x, y), label in zip(places, data.labels.tolist(), strict=True)
    ]
    return picture(WIDTH, HEIGHT, f"{title}, {data.name}", ['<g stroke="#ddd">', *lines, "</g>", *dots])


if __name__ == "__main__":
    main()
