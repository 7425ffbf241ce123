"""Train and measure the graph vectors: what each card says, and of which data."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from model_serving.models import artifact
from model_serving.models.graph_vectors.method import Vectors
from model_serving.models.graph_vectors.vectors import load_vectors, pack_vectors
from model_serving.training.datasets import graphs
from model_serving.training.datasets.graphs import PACKAGES, Dataset
from model_serving.training.graph_vectors import links
from model_serving.training.graph_vectors.classification import SHARES, classify, degree_features
from model_serving.training.trainable import Metrics

LABELLED = ("football", "polbooks", "polblogs")
LINKED = ("power",)
TYPED = "debian"
SIZES = {"karate": 32, "football": 64, "polbooks": 64, "polblogs": 64, "netscience": 32, "power": 32, TYPED: 32}
"""Numbers of a vector, of each of two where there are such."""
SPLIT = "classes: ten random splits with 10, 50 and 90 % known; links: 20 % of the edges are held out and found again"


@dataclass(frozen=True)
class GraphVectorTraining:
    """How graph vectors are trained and measured.

    Args:
        model: the module of the served model, which embeds a caller's graph by the same function.
        paper: where it is from.
        settings: of the method, where they are not its defaults, by graph.
        variants: the graphs.
    """

    model: ModuleType
    paper: str
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    variants: tuple[str, ...] = tuple(name for name in SIZES if name != TYPED)
    packages = PACKAGES

    @property
    def slug(self) -> str:
        """The name of the model's module."""
        return self.model.__name__.rpartition(".")[2]

    def train(self, name: str, folder: Path, checkpoint: Path, seed: int) -> Metrics:
        """Embed the graph that ``folder`` is named after and write its artifact there; it takes no checkpoint."""
        data = graphs.load(folder.name)
        began = time.monotonic()
        found = self._embed(data, seed)
        card = {
            "model": name,
            "variant": data.name,
            "paper": self.paper,
            "architecture": {"nodes": data.graph.nodes, "size": SIZES[data.name]} | self._settings(data.name),
            "data": [data.source],
            "split": SPLIT,
            "seed": seed,
            "training": {"seconds": round(time.monotonic() - began, 1), "arcs": data.graph.arcs},
            "metrics": [],
        }
        artifact.save(folder, card, pack_vectors(found), {"nodes": data.names})
        metrics = self.measure(folder)
        artifact.update_card(folder, metrics=metrics)
        return metrics

    def measure(self, folder: Path) -> Metrics:
        """What the artifact in ``folder`` reaches; for links the vectors of the graph without the edges held out."""
        trained = artifact.load(folder)
        data = graphs.load(folder.name)
        metrics = []
        if data.name in LABELLED:
            metrics += classes(data, load_vectors(trained.weights))
        if data.name == TYPED:
            hidden = graphs.debian(sections=False)
            metrics += classes(hidden, self._embed(hidden, trained.card["seed"]))
        if data.name in (*LINKED, TYPED):
            held = links.hold_out(data.graph)
            found = self._embed(Dataset(data.name, data.names, held.graph, None, data.source), trained.card["seed"])
            metrics += likely_links(data, held, found)
        return metrics

    def _settings(self, graph: str) -> dict[str, Any]:
        return dict(self.settings.get(graph, {}))

    def _embed(self, data: Dataset, seed: int) -> Vectors:
        random = torch.Generator().manual_seed(seed)
        found: Vectors = self.model.embed(data.graph, SIZES[data.name], random, **self._settings(data.name))
        return found


def classes(data: Dataset, found: Vectors) -> Metrics:
    """How well classes are told by vectors, beside degrees."""
    assert data.labels is not None
    both = found.sources if found.targets is None else torch.cat([found.sources, found.targets], 1)
    degrees = degree_features(data.graph)
    metrics = []
    for share in SHARES:
        own, simple = classify(both, data.labels, share), classify(degrees, data.labels, share)
        for way in ("micro", "macro"):
            name = f"{way} F1 with {share} % known"
            metrics.append(_metric("classes", data, name, getattr(own, way), "degrees", getattr(simple, way)))
    return metrics


def likely_links(data: Dataset, held: links.Held, found: Vectors) -> Metrics:
    """How well held-out edges are told from other pairs, beside the neighbours in common."""
    own = links.score(held, links.by_vectors(found))
    simple = links.score(held, links.common_neighbours(held.graph))
    return [
        _metric("links", data, "AUC", own.area, "common neighbours", simple.area),
        _metric("links", data, "average precision", own.precision, "common neighbours", simple.precision),
    ]


def _metric(task: str, data: Dataset, metric: str, value: float, baseline: str, simple: float) -> dict[str, object]:
    return {
        "task": task,
        "dataset": data.name,
        "split": "test",
        "metric": metric,
        "value": round(value, 2),
        "baseline": {"name": baseline, "value": round(simple, 2)},
    }
