"""The service as the page is tested against it: the real taggers, and a scripted model of every other family."""

import base64
import math
import os
import struct
import time
import zlib
from pathlib import Path

from model_serving.app import create_app
from model_serving.models.errors import InputError
from model_serving.resources.base import ModelResource, Work
from model_serving.resources.bilstm_crf import BiLSTMCRF
from model_serving.resources.hmm import HMM
from model_serving.resources.schemas import flag, object_of, one_of, texts
from model_serving.serving.errors import ServiceError
from model_serving.utils.settings import Keys, Limits, Model, Settings


def integer(least, most, **more):
    return lambda _: {"description": "a number", "type": "integer", "minimum": least, "maximum": most, **more}


def word_lists(description):
    return lambda limits: {
        "description": description,
        "type": "array",
        "maxItems": limits.items,
        "items": {
            "type": ["string", "array"],
            "maxLength": 40,
            "maxItems": limits.items,
            "items": {"type": "string", "maxLength": 40},
        },
    }


def real(least, most, **more):
    return lambda _: {"description": "a number", "type": "number", "minimum": least, "maximum": most, **more}


class Words:
    """Translates word by word, turned round, and looks mostly at the word it translates."""

    def cost(self, text):
        return len(text)

    def predict(self, texts, **options):
        return [self._translate(text, **options) for text in texts]

    def _translate(self, text, *, attention, n_best, reference=None, **_):
        if "\n" in text:
            return InputError("must be one line")
        source = text.split()
        target = [f"{word}译" for word in reversed(source)]
        far = range(len(source))
        weights = [[0.8 if column == len(source) - 1 - row else 0.2 / len(source) for column in far] for row in far]
        answer = {"translation": "".join(target), "score": -0.25, "finished": True}
        others = [{"translation": "".join(source), "score": -0.25 - k, "finished": True} for k in range(1, n_best)]
        answer |= {"alternatives": others} if others else {}
        if reference is not None:
            tokens = [{"text": word, "log_probability": -place} for place, word in enumerate([*reference.split(), ""])]
            answer["reference"] = {"score": -1.5, "tokens": tokens}
        return answer | ({"attention": {"source": source, "target": target, "weights": weights}} if attention else {})


class Translator(ModelResource):
    """Translate word by word, the last first."""

    family = "translators"
    load = staticmethod(lambda folder: Words())
    request_schema = staticmethod(
        object_of(
            "text",
            text=texts("English text"),
            beam_size=integer(1, 10, default=4),
            n_best=integer(1, 10, default=1),
            length_penalty=real(0, 2, default=1.0),
            max_length=integer(1, 256),
            attention=flag("Give the attention matrix"),
            reference=lambda _: {"description": "a translation", "type": "string", "maxLength": 80},
        )
    )
    response_schema = {"type": "object"}
    example = {"text": "The quick brown fox jumps over the lazy dog"}


class Circle:
    """Words on a circle, each beside the next."""

    WORDS = ("北京", "上海", "广州", "深圳", "天津", "重庆", "杭州", "南京", "武汉", "成都")

    def vector(self, word):
        angle = 2 * math.pi * self.WORDS.index(word) / len(self.WORDS)
        return [3 * math.cos(angle), 2 * math.sin(angle), 0.1 * (self.WORDS.index(word) % 2)]

    def cost(self, item):
        return 1

    def predict(self, items, *, action, top=10, **_):
        return [self._answer(item, action, top) for item in items]

    def _answer(self, item, action, top):
        if action == "similarity":
            return {"words": item, "known": [word in self.WORDS for word in item], "score": 0.5}
        if action == "odd_one_out":
            return {"words": item, "known": [word in self.WORDS for word in item], "odd": item[-1]}
        if item not in self.WORDS:
            return {"word": item, "known": False, **({"neighbors": []} if action == "neighbors" else {"vector": None})}
        if action == "vectors":
            return {"word": item, "known": True, "vector": self.vector(item)}
        here = self.vector(item)
        near = sorted((math.dist(here, self.vector(word)), word) for word in self.WORDS if word != item)
        neighbors = [{"word": word, "score": round(1 - distance / 7, 4)} for distance, word in near[:top]]
        return {"word": item, "known": True, "neighbors": neighbors}


class Vectors(ModelResource):
    """Find what stands beside a word on a circle."""

    family = "word vectors"
    load = staticmethod(lambda folder: Circle())
    request_schema = staticmethod(
        object_of(
            "action",
            action=one_of("neighbors", "vectors", "similarity", "odd_one_out", description="what to do"),
            words=texts("a word, or a list of words"),
            pairs=word_lists("two words, or a list of pairs"),
            groups=word_lists("words, or a list of lists"),
            top=integer(1, 100, default=10),
        )
    )
    response_schema = {"type": "object"}
    example = {"action": "neighbors", "words": ["北京", "武汉"], "top": 6}

    @classmethod
    def split(cls, field, body):
        place = {"similarity": "pairs", "odd_one_out": "groups"}.get(body["action"], "words")
        if others := {"words", "pairs", "groups"} & body.keys() - {place}:
            raise ServiceError(400, "input", "is not read by this action", f"$.{others.pop()}")
        if place not in body:
            raise ServiceError(400, "input", "is needed for this action", f"$.{place}")
        options = {name: body[name] for name in ("action", "top")}
        given = body[place]
        single = isinstance(given, str) or (place != "words" and isinstance(given[0], str))
        return Work([given] if single else given, options, place, single=single)


class Ring:
    """Answers about nodes what the circle does about words."""

    def __init__(self):
        self.circle = Circle()

    def cost(self, item):
        return 1

    def predict(self, items, *, action, top):
        words = {"links": "similarity"}.get(action, action)
        return [self._named(answer) for answer in self.circle.predict(items, action=words, top=top)]

    def _named(self, answer):
        names = {"word": "node", "words": "nodes"}
        return {
            names.get(key, key): [self._named(item) for item in value] if key == "neighbors" else value
            for key, value in answer.items()
        }


class GraphVectors(ModelResource):
    """Find what stands beside a node on a ring."""

    family = "graph vectors"
    load = staticmethod(lambda folder: Ring())
    request_schema = staticmethod(
        object_of(
            "action",
            action=one_of("neighbors", "vectors", "links", description="what to do"),
            nodes=texts("a node, or a list of nodes"),
            pairs=word_lists("two nodes, or a list of pairs"),
            top=integer(1, 100, default=10),
        )
    )
    response_schema = {"type": "object"}
    example = {"action": "neighbors", "nodes": ["北京", "武汉"], "top": 6}

    @classmethod
    def split(cls, field, body):
        place = {"links": "pairs"}.get(body["action"], "nodes")
        if others := {"nodes", "pairs"} & body.keys() - {place}:
            raise ServiceError(400, "input", "is not read by this action", f"$.{others.pop()}")
        return Work(body[place], {name: body[name] for name in ("action", "top")}, place)


def png(rows):
    """A grey picture, after the PNG specification."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


class Rings:
    """Draws rings, as wide as the seed says and round a centre of their own."""

    SIZE = 28

    def cost(self, item):
        return 1

    def predict(self, items, *, format, **_):
        drawn = [self._draw(width, number) for width, number in items]
        return [base64.b64encode(png(rows)).decode() if format == "png" else rows for rows in drawn]

    def _draw(self, width, number):
        centre = (8 + 5 * (number % 3), 8 + 5 * (number // 3 % 3))
        radius = 3 + 6 * (math.sin(width) + 1)
        return [
            [max(0, 255 - int(60 * abs(math.dist(centre, (x, y)) - radius))) for x in range(self.SIZE)]
            for y in range(self.SIZE)
        ]


class Generator(ModelResource):
    """Draw rings."""

    family = "generators"
    load = staticmethod(lambda folder: Rings())
    request_schema = staticmethod(
        object_of(
            "count",
            count=integer(1, 64),
            seed=integer(0, 2**53 - 1),
            dataset=one_of("mnist", "fashion-mnist", description="what was learned"),
            label=integer(0, 9),
            truncation=real(0.3, 1, default=1),
            from_seed=integer(0, 2**53 - 1),
            to_seed=integer(0, 2**53 - 1),
            steps=integer(2, 32),
            format=one_of("png", "array", description="how pictures are written"),
            scores=flag("Give each picture its score"),
        )
    )
    response_schema = {"type": "object"}
    example = {"count": 16, "seed": 7}

    @classmethod
    def split(cls, field, body):
        origin = {name: body[name] for name in ("from_seed", "to_seed", "steps") if name in body}
        origin = origin or {"seed": body.get("seed", 5)}
        begin, *end = origin.values()
        widths = [begin + (end[0] - begin) * step / (end[1] - 1) for step in range(end[1])] if end else [begin]
        items = [(width, number) for number in range(body["count"]) for width in widths]
        return Work(items, {"format": body["format"], "scores": body["scores"], "origin": origin}, "count")

    @classmethod
    def join(cls, work, results):
        scores = {"scores": [round(k / len(results), 4) for k in range(len(results))]} if work.options["scores"] else {}
        return {"images": results, **work.options["origin"], **scores}


class Gatekeeper:
    """Notes what it runs in a file; an item that says ``wait`` waits until the gate, a file beside it, is there."""

    def cost(self, item):
        return 10_000  # one a batch

    def predict(self, items, **_):
        notes = Path(os.environ["PAGE_NOTES"])
        with notes.open("a") as lines:
            lines.writelines(f"{item}\n" for item in items)
        while any("wait" in item for item in items) and not notes.with_name("gate").exists():
            time.sleep(0.01)
        return [{"echo": item} for item in items]


class Patient(ModelResource):
    """Echo, when the gate is open; a family that the page does not know."""

    family = "tests"
    load = staticmethod(lambda folder: Gatekeeper())
    request_schema = staticmethod(
        object_of(
            "text",
            text=texts("what to echo"),
            mood=one_of(*"abcdefg", description="a mood of many"),
            more=lambda _: {"type": "object", "maxProperties": 3, "description": "anything"},
        )
    )
    response_schema = {"type": "object"}
    example = {"text": "hello"}


# One module holds them all, so their own names stand for the modules'
for scripted in (Translator, Vectors, GraphVectors, Generator, Patient):
    scripted.slug = classmethod(lambda cls: cls.__name__.lower())  # type: ignore[method-assign,assignment]

RESOURCES = (HMM, BiLSTMCRF, Translator, Vectors, GraphVectors, Generator, Patient)
app = create_app(
    Settings(
        keys=Keys(tuple(os.environ.get("PAGE_KEYS", "").split())),
        models={resource.slug(): Model(enabled=True, limits=Limits()) for resource in RESOURCES},
    ),
    RESOURCES,
)
