from typing import Any

import torch
from torch.testing import assert_close

from model_serving.models import artifact
from model_serving.models.generators.lenet import LeNet, load_network

SIZES: dict[str, Any] = {"maps": [3, 4], "hidden": [6, 5], "classes": 10}


def test_scores_come_from_the_penultimate_features():
    network = LeNet(**SIZES).eval()
    pictures = torch.randn(2, 1, 28, 28, generator=torch.Generator().manual_seed(1))
    features = network.features(pictures)
    assert features.shape == (2, 5)
    assert (features >= 0).all()
    assert_close(network(pictures), features @ network.classifier.weight.T + network.classifier.bias)


def test_what_is_stored_scores_the_same_and_leaves_nothing_out(tmp_path):
    network = LeNet(**SIZES, dropout=0.5).eval()
    pictures = torch.randn(4, 1, 28, 28, generator=torch.Generator().manual_seed(1))
    artifact.save(tmp_path, {"architecture": SIZES}, network.state_dict(), {"classes": []})
    assert torch.equal(load_network(tmp_path)(pictures), network(pictures))
