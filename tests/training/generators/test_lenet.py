import pytest
import torch

from model_serving.training.generators import lenet


def test_it_learns_and_an_interrupted_training_ends_as_a_whole_one(tmp_path, data, monkeypatch):
    monkeypatch.setattr(lenet, "ARCHITECTURE", {"maps": [4, 8], "hidden": [20, 16], "classes": 10})
    monkeypatch.setattr(lenet, "LEARNING_RATE", 1e-2)
    monkeypatch.setattr(lenet, "MOVE", 0)
    monkeypatch.setattr(lenet, "BATCH", 20)
    whole, record = lenet.train(data, tmp_path / "whole.pt", seed=1, epochs=4)
    assert lenet.accuracy(whole, data.test) >= 90
    assert (record["epochs"], whole.training) == (4, False)

    train_epoch = lenet._train_epoch
    calls = []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return train_epoch(*arguments)

    monkeypatch.setattr(lenet, "_train_epoch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        lenet.train(data, tmp_path / "parts.pt", seed=1, epochs=4)
    parts, _ = lenet.train(data, tmp_path / "parts.pt", seed=1, epochs=4)
    assert len(calls) == 5
    for name, weights in whole.state_dict().items():
        assert torch.equal(weights, parts.state_dict()[name]), name


def test_the_nearest_mean_knows_simple_pictures(data):
    assert lenet.nearest_mean_accuracy(data.train, data.test) == 100
