"""What the graph vectors' resources share: the questions, trained graphs and callers' own, and the form of answers."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import torch

from model_serving.models.graph_vectors.graph import Graph
from model_serving.models.graph_vectors.vectors import OwnGraph
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.schemas import Schema, flag, integer, object_of, texts
from model_serving.serving.errors import ServiceError
from model_serving.utils.settings import Limits

FAMILY = "graph vectors"
GRAPHS = ("karate", "football", "polbooks", "polblogs", "netscience", "power")
TYPED_GRAPHS = ("debian",)
FIELDS = {"neighbors": "nodes", "vectors": "nodes", "links": "pairs"}
"""Where the items of an action stand."""
MOST_NODES = 5000
MOST_EDGES = 50_000
MOST_KINDS = 16
LONGEST_NAME = 200
MOST_NEIGHBORS = 100
MOST_SIZE = 128
SEEDS = 2**53
_LARGEST = 2**53 - 1
_LIGHTEST, _HEAVIEST = 1e-6, 1e6


def request_schema(graphs: Sequence[str] = GRAPHS, **further: Schema) -> Schema:
    """The fields of a model: what is asked, of which graph, and how a caller's own is embedded."""
    return object_of(
        "action",
        action=_choice(FIELDS, "What is asked; links reads pairs, the others nodes"),
        graph=_choice(graphs, f"A trained graph; {graphs[0]} if left out and there are no edges"),
        nodes=texts("For vectors and neighbors: a node, or a list of nodes; of your own graph all if left out"),
        pairs=_pairs,
        top=integer("How many nodes answer neighbors", 1, MOST_NEIGHBORS, default=10),
        edges=_edges,
        directed=flag("Whether your edges lead one way, for methods that tell directions"),
        dimensions=integer("Of your graph's vectors", 2, MOST_SIZE, default=64),
        seed=integer("Of all chance in the embedding of your graph: same seed, same answer", 0, SEEDS - 1, default=1),
        **further,
    )


def _choice(values: Sequence[str] | Mapping[str, str], description: str) -> Schema:
    return lambda _: {"description": description, "type": "string", "enum": list(values)}


def _pairs(limits: Limits) -> dict[str, Any]:
    return {
        "description": "For links: two nodes, or a list of such pairs; from the first to the second where directed",
        "type": "array",
        "maxItems": limits.items,
        "items": {
            "type": ["string", "array"],
            "maxLength": limits.item_characters,
            "maxItems": limits.items,
            "items": {"type": "string", "maxLength": limits.item_characters},
        },
    }


def _edges(limits: Limits) -> dict[str, Any]:
    """Each edge is checked when it is read: a schema takes half a second to find a bad one of so many."""
    return {
        "description": (
            f"A graph of your own: [a, b] or [a, b, weight] for each edge, of at most {MOST_NODES:,} nodes, "
            "which are strings or whole numbers"
        ),
        "type": "array",
        "minItems": 1,
        "maxItems": MOST_EDGES,
    }


def node_types(limits: Limits) -> dict[str, Any]:
    """The field of methods for graphs of several kinds of nodes."""
    return {
        "description": f"The kind of each node of your graph: [node, kind], at most {MOST_KINDS} kinds",
        "type": "array",
        "maxItems": MOST_NODES,
    }


_KNOWN = {"description": "whether the graph holds the node", "type": "boolean"}
_NODE = {"type": "string"}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


_KINDS = [
    _object(node=_NODE, known=_KNOWN, vector={"type": ["array", "null"], "items": {"type": "number"}}),
    _object(
        node=_NODE,
        known=_KNOWN,
        neighbors={
            "type": "array",
            "items": _object(node=_NODE, score={"type": "number", "minimum": -1, "maximum": 1}),
        },
    ),
    _object(
        nodes={"type": "array", "items": _NODE},
        known={"type": "array", "items": {"type": "boolean"}},
        score={"type": ["number", "null"]},
    ),
]


class GraphVectorResource(ModelResource):
    """Answers questions about the nodes of a trained graph, or embeds a caller's graph and answers about its nodes."""

    family = FAMILY
    response_schema = _object(result={"anyOf": [*_KINDS, {"type": "array", "items": {"anyOf": _KINDS}}]})
    further_limits = {"graph_nodes": MOST_NODES, "graph_edges": MOST_EDGES}
    graphs: ClassVar[Sequence[str]] = GRAPHS
    settings: ClassVar[Sequence[str]] = ()
    """The method's own fields, which shape the embedding of a caller's graph."""

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """The items of the action, of a trained graph; or one item, a caller's graph with what is asked of it.

        Raises:
            ServiceError: 400 ``input`` for fields that do not go together, and for edges that make no graph.
        """
        action = body[field]
        wanted = FIELDS[action]
        _check_fields(body, wanted)
        options: dict[str, Any] = {"action": action, "top": int(body["top"])}
        if "edges" not in body:
            graph = body.get("graph", cls.graphs[0])
            given = body.get(wanted)
            if given is None:
                raise ServiceError(400, "input", "is needed for a trained graph", f"$.{wanted}")
            items, single = _items(wanted, given)
            return Work(items, options | {"graph": graph}, wanted, single)
        own, single = _own_graph(body, wanted)
        if not own.asked:
            return Work([], options, wanted)
        settings = {name: _whole(body[name]) for name in cls.settings}
        options |= {"size": int(body["dimensions"]), "seed": int(body["seed"])} | settings
        return Own([own], options, wanted, single, long=True)

    @classmethod
    def join(cls, work: Work, results: list[Any]) -> Any:
        """One answer an item; of a caller's graph the answers are one result."""
        answers = results[0] if isinstance(work, Own) else results
        return answers[0] if work.single else answers


class TypedGraphVectorResource(GraphVectorResource):
    """The same for methods that tell kinds of nodes apart; a caller's graph names the kind of each node."""

    graphs = TYPED_GRAPHS

    @classmethod
    def split(cls, field: str, body: dict[str, Any]) -> Work:
        """See :meth:`GraphVectorResource.split`.

        Raises:
            ServiceError: also 400 ``input`` for edges without the kinds of their nodes.
        """
        if "edges" in body and "types" not in body:
            raise ServiceError(400, "input", "is needed with edges: the kind of each node", "$.types")
        return super().split(field, body)


class Own(Work):
    """A work whose only item is a caller's graph."""


def _whole(value: Any) -> Any:
    """A whole number where it is written like 2.0, which JSON Schema takes for an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _check_fields(body: Mapping[str, Any], wanted: str) -> None:
    """Refuse fields that do not go together."""
    for name in set(FIELDS.values()) - {wanted}:
        if name in body:
            raise ServiceError(400, "input", f"is not read by this action, which reads {wanted}", f"$.{name}")
    if "edges" in body and "graph" in body:
        raise ServiceError(400, "input", "can not go with edges, which are another graph", "$.graph")
    if "types" in body and "edges" not in body:
        raise ServiceError(400, "input", "goes with edges, which are missing", "$.types")


def _items(field: str, given: Any) -> tuple[list[Any], bool]:
    """The items of a field, and whether it holds a single one: a node, or a pair of two."""
    if field == "nodes":
        return ([given], True) if isinstance(given, str) else (given, False)
    single = bool(given) and isinstance(given[0], str)
    for place, item in enumerate(given):
        if isinstance(item, str) != single:
            kind = "node" if single else "pair of nodes"
            raise ServiceError(400, "input", f"must be a {kind} like those before it", f"$.{field}[{place}]")
    pairs = [given] if single else given
    for place, pair in enumerate(pairs):
        if len(pair) != 2:
            path = f"$.{field}" if single else f"$.{field}[{place}]"
            raise ServiceError(400, "input", f"must be two nodes, not {len(pair)}", path)
    return pairs, single


def _own_graph(body: Mapping[str, Any], wanted: str) -> tuple[OwnGraph, bool]:
    rows: dict[str, int] = {}
    sources, targets, weights = [], [], []
    for place, edge in enumerate(body["edges"]):
        if not isinstance(edge, list) or not 2 <= len(edge) <= 3:
            raise ServiceError(400, "input", "must be [a, b] or [a, b, weight]", f"$.edges[{place}]")
        source, target = (rows.setdefault(_name(edge[end], f"$.edges[{place}][{end}]"), len(rows)) for end in (0, 1))
        sources.append(source)
        targets.append(target)
        weights.append(_weight(edge[2], place) if len(edge) == 3 else 1.0)
        if len(rows) > MOST_NODES:
            raise ServiceError(400, "input", f"must hold at most {MOST_NODES} nodes", "$.edges")
    types = _types(body["types"], rows) if "types" in body else None
    names = list(rows)
    asked, single = _items(wanted, body[wanted]) if wanted in body else (names, False)
    if wanted == "pairs" and wanted not in body:
        raise ServiceError(400, "input", "is needed for this action", "$.pairs")
    graph = Graph.of(
        len(names),
        torch.tensor(sources),
        torch.tensor(targets),
        torch.tensor(weights),
        directed=body["directed"],
        types=types,
    )
    return OwnGraph(names, graph, asked), single


def _name(given: Any, path: str) -> str:
    """A node's name; a whole number is the string of its digits."""
    if isinstance(given, str) and len(given) <= LONGEST_NAME:
        return given
    if isinstance(given, int) and not isinstance(given, bool) and abs(given) <= _LARGEST:
        return str(given)
    message = f"must be a string of at most {LONGEST_NAME} characters or a whole number within 2^53"
    raise ServiceError(400, "input", message, path)


def _weight(given: Any, place: int) -> float:
    number = isinstance(given, int | float) and not isinstance(given, bool)
    if number and math.isfinite(given) and _LIGHTEST <= given <= _HEAVIEST:
        return float(given)
    message = f"must be a weight from {_LIGHTEST:g} to {_HEAVIEST:g}"
    raise ServiceError(400, "input", message, f"$.edges[{place}][2]")


def _types(given: list[Any], rows: dict[str, int]) -> torch.Tensor:
    """The number of each node's kind; nodes that no edge names are in the graph too, without edges."""
    kinds: dict[str, int] = {}
    of: dict[str, int] = {}
    for place, entry in enumerate(given):
        if not isinstance(entry, list) or len(entry) != 2:
            raise ServiceError(400, "input", "must be [node, kind]", f"$.types[{place}]")
        name, kind = (_name(part, f"$.types[{place}][{end}]") for end, part in enumerate(entry))
        rows.setdefault(name, len(rows))
        if of.setdefault(name, kinds.setdefault(kind, len(kinds))) != kinds[kind]:
            raise ServiceError(400, "input", "is of another kind above", f"$.types[{place}]")
    if missing := next((name for name in rows if name not in of), None):
        raise ServiceError(400, "input", f"must name the kind of each node; {missing[:40]!r} has none", "$.types")
    if len(kinds) > MOST_KINDS or len(rows) > MOST_NODES:
        raise ServiceError(400, "input", f"must be at most {MOST_KINDS} kinds and {MOST_NODES} nodes", "$.types")
    return torch.tensor([of[name] for name in rows])
