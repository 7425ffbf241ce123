"""The command that measures again what is committed."""

import pytest

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.training import __main__ as command


class Planned:
    """A model of two variants, of which as many are trained as its test writes."""

    slug = "toy"
    variants = ("one", "two")

    def measure(self, folder):
        return [{"task": folder.name, "dataset": "a b", "metric": "F1", "value": 1.5}]


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "DATA", tmp_path)
    monkeypatch.setitem(command.TRAINABLE, "Toy", Planned())
    return tmp_path


def test_a_variant_that_is_not_trained_yet_is_not_measured(data, capsys):
    artifact.save(data / "toy" / "two", {}, {}, {})
    command.evaluate("Toy")
    assert capsys.readouterr().out == "Toy two a-b F1 1.5\n"


@pytest.mark.usefixtures("data")
def test_a_model_that_is_not_trained_at_all_is_told():
    with pytest.raises(ArtifactError, match="train Toy first"):
        command.evaluate("Toy")
