"""The service around a model that fails or waits as it is told; gunicorn runs its ``app`` in test_gunicorn.py."""

import ctypes
import os
import time
from pathlib import Path

from model_serving.app import create_app
from model_serving.resources.base import ModelResource
from model_serving.resources.schemas import object_of, texts
from model_serving.serving.worker import Worker
from model_serving.utils.settings import Limits, Model, Queue, Settings


class FaultyModel:
    """Echoes its items from the process it runs in; ``fail`` raises, ``wait <file>`` waits until the file is there,
    ``block <seconds>`` calls C code that keeps the interpreter's lock."""

    def cost(self, item):
        return 1

    def predict(self, items):
        return [self._answer(item) for item in items]

    def _answer(self, item):
        word, _, name = item.partition(" ")
        if word == "fail":
            raise RuntimeError("a secret")
        if word == "wait":
            Path(f"{name}.began").touch()
            while not Path(name).exists():
                time.sleep(0.01)
        if word == "block":
            ctypes.PyDLL(None).sleep(int(name))
        return {"echo": item, "worker": os.getpid()}


class Faulty(ModelResource):
    """Do as told."""

    family = "tests"
    load = staticmethod(lambda folder: FaultyModel())
    request_schema = staticmethod(object_of("text", text=texts("what to do")))
    response_schema = {"type": "object"}
    example = {"text": "hello"}


Worker.read_seconds = int(os.environ.get("READ_SECONDS", Worker.read_seconds))
seconds = int(os.environ.get("LONGEST_SECONDS", 120))
app = create_app(
    Settings(
        queue=Queue(deadline_seconds=min(30, seconds), longest_deadline_seconds=seconds),
        models={Faulty.slug(): Model(enabled=True, limits=Limits())},
    ),
    [Faulty],
)
