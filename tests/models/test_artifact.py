import hashlib
import io
import json
import math
import pickle
from pathlib import Path

import pytest
import torch
from safetensors.torch import save as save_tensors
from torch import nn

from model_serving.models import artifact
from model_serving.models.artifact import CARD, VOCABULARY, WEIGHTS
from model_serving.models.errors import ArtifactError

SYMBOLS = {"characters": ["京", "\n", "\u2028", '"'], "labels": []}
FILES = [CARD, WEIGHTS, VOCABULARY]


@pytest.fixture
def network():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 2))


@pytest.fixture
def folder(tmp_path, network):
    folder = tmp_path / "zh-pos"
    artifact.save(folder, {"architecture": {"inputs": 3}, "seed": 1}, network.state_dict(), SYMBOLS)
    return folder


def replace_weights(folder, content):
    """Put ``content`` in place of the weights, with a card that vouches for it."""
    files = json.loads((folder / CARD).read_text(encoding="utf-8"))["files"]
    (folder / WEIGHTS).write_bytes(content)
    artifact.update_card(folder, files=files | {WEIGHTS: hashlib.sha256(content).hexdigest()})


def test_what_is_saved_is_loaded(folder, network):
    loaded = artifact.load(folder)
    assert loaded.folder == folder
    assert loaded.vocabulary == SYMBOLS
    assert {name: tensor.tolist() for name, tensor in loaded.weights.items()} == {
        name: tensor.tolist() for name, tensor in network.state_dict().items()
    }
    assert {"architecture": {"inputs": 3}, "seed": 1}.items() <= loaded.card.items()


def test_the_card_holds_the_format_and_the_hashes(folder):
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    assert card["format"] == artifact.FORMAT
    assert card["files"] == {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in (WEIGHTS, VOCABULARY)
    }


def test_files_hold_chinese_as_chinese_and_repeat_byte_for_byte(folder, tmp_path, network):
    card = {"architecture": {"inputs": 3}, "seed": 1}
    artifact.save(tmp_path / "again", card, network.state_dict(), SYMBOLS)
    for name in FILES:
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    assert "京" in (folder / VOCABULARY).read_text(encoding="utf-8")


def test_a_card_updated_keeps_the_artifact_whole(folder):
    before = artifact.load(folder).card
    artifact.update_card(folder, metrics=[{"value": 90.5}], note="重测", seed=2)
    assert artifact.load(folder).card == before | {"metrics": [{"value": 90.5}], "note": "重测", "seed": 2}


def test_cards_are_listed_by_variant(folder, network):
    artifact.save(folder.parent / "en-ner", {"seed": 2}, network.state_dict(), SYMBOLS)
    (folder.parent / "notes").mkdir()
    found = artifact.cards(folder.parent)
    assert {variant: card["seed"] for variant, card in found.items()} == {"en-ner": 2, "zh-pos": 1}
    assert artifact.cards(folder.parent / "absent") == {}


@pytest.mark.parametrize("precision", [torch.float16, torch.bfloat16, torch.float64])
def test_a_network_is_filled_in_its_own_precision_and_set_to_answer(tmp_path, network, precision):
    stored = {name: tensor.to(precision) for name, tensor in network.state_dict().items()}
    artifact.save(tmp_path, {}, stored, SYMBOLS)
    other = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 2))
    artifact.load(tmp_path).fill(other)
    for name, weight in other.named_parameters():
        assert weight.dtype == torch.float32
        assert torch.equal(weight, stored[name].float())
        assert not weight.requires_grad
    assert not any(module.training for module in other.modules())


def test_views_and_gradients_are_saved_as_plain_values(tmp_path):
    weight = torch.arange(6.0).view(2, 3).requires_grad_()
    artifact.save(tmp_path, {}, {"turned": weight.T}, {})
    assert artifact.load(tmp_path).weights["turned"].tolist() == [[0, 3], [1, 4], [2, 5]]


@pytest.mark.parametrize("name", FILES)
def test_a_missing_file_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(ArtifactError, match=f"{name} can not be read .*; restore it or train the model"):
        artifact.load(folder)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(ArtifactError, match="absent"):
        artifact.load(tmp_path / "absent")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("left", [0.0, 0.5], ids=["zero bytes", "cut at half"])
def test_a_cut_file_is_named(folder, name, left):
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: int(len(content) * left)])
    with pytest.raises(ArtifactError, match=name):
        artifact.load(folder)


@pytest.mark.parametrize("name", [WEIGHTS, VOCABULARY])
def test_a_file_changed_by_one_bit_is_refused(folder, name):
    content = bytearray((folder / name).read_bytes())
    content[-2] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ArtifactError, match=f"{name} differs from the hash"):
        artifact.load(folder)


@pytest.mark.parametrize(
    "card", [{}, {"format": 0}, {"format": 2}, {"format": "1"}, [], None, {"format": artifact.FORMAT}], ids=str
)
def test_a_card_of_another_format_or_without_hashes_is_refused(folder, card):
    (folder / CARD).write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(ArtifactError, match=r"has format|differs from the hash"):
        artifact.load(folder)


def test_a_card_can_not_point_outside_its_folder(folder):
    outside = folder.parent / "outside"
    outside.write_bytes(b"{}")
    artifact.update_card(folder, files={"../outside": hashlib.sha256(b"{}").hexdigest()})
    with pytest.raises(ArtifactError, match="differs from the hash"):
        artifact.load(folder)


@pytest.mark.parametrize("left", [0, 4, 60], ids="{} bytes".format)
def test_weights_cut_before_their_hash_was_taken_are_refused(folder, left):
    replace_weights(folder, (folder / WEIGHTS).read_bytes()[:left])
    with pytest.raises(ArtifactError, match="is no safetensors file"):
        artifact.load(folder)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("precision", [torch.float32, torch.float16])
def test_weights_that_are_not_finite_are_refused_by_name(folder, network, value, precision):
    weights = {name: tensor.to(precision) for name, tensor in network.state_dict().items()}
    weights["2.bias"][1] = value
    replace_weights(folder, save_tensors(weights))
    with pytest.raises(ArtifactError, match=r"not finite in 2\.bias"):
        artifact.load(folder)


def test_weights_that_do_not_fit_are_refused_and_named(folder, network):
    loaded = artifact.load(folder)
    for wrong, named in (
        ({name: tensor for name, tensor in loaded.weights.items() if name != "2.bias"}, "2.bias"),
        (loaded.weights | {"3.weight": torch.zeros(1)}, "3.weight"),
        (loaded.weights | {"0.weight": torch.zeros(4, 2)}, "0.weight"),
    ):
        replace_weights(folder, save_tensors(wrong))
        with pytest.raises(ArtifactError, match=f"{WEIGHTS} does not fit its network(?s:.*){named}"):
            artifact.load(folder).fill(network)


class Malice:
    """Touches ``marker`` when it is unpickled."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return Path.touch, (self.marker,)


def torch_saved(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("write", [pickle.dumps, torch_saved])
def test_a_pickle_named_weights_is_refused_and_never_run(folder, tmp_path, write):
    marker = tmp_path / "pwned"
    pickle.loads(pickle.dumps(Malice(marker)))
    assert marker.exists(), "the pickle must be live for this test to tell anything"
    marker.unlink()
    replace_weights(folder, write(Malice(marker)))
    with pytest.raises(ArtifactError, match="is no safetensors file"):
        artifact.load(folder)
    assert not marker.exists()


def test_files_of_a_form_of_their_own_are_kept_and_checked(folder, network):
    artifact.save(folder, {"seed": 1}, network.state_dict(), {}, {"source.model": b"\x00\xff"})
    assert artifact.load(folder).files == {"source.model": b"\x00\xff"}
    (folder / "source.model").write_bytes(b"\x00")
    with pytest.raises(ArtifactError, match=r"source\.model differs from the hash"):
        artifact.load(folder)
    (folder / "source.model").unlink()
    with pytest.raises(ArtifactError, match=r"source\.model can not be read"):
        artifact.load(folder)


def test_an_artifact_of_three_files_has_no_others(folder):
    assert artifact.load(folder).files == {}
