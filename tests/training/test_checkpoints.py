"""Checkpoints survive what kills a training."""

import pytest
import torch

from model_serving.training import checkpoints


def test_a_checkpoint_is_read_as_it_was_written(tmp_path):
    checkpoint = tmp_path / "model" / "variant-1.pt"
    for number in (1, 2):
        checkpoints.save({"numbers": torch.arange(number), "stage": number}, checkpoint)
        state = checkpoints.load(checkpoint)
        assert (state["numbers"].tolist(), state["stage"]) == (list(range(number)), number)
    assert list(checkpoint.parent.iterdir()) == [checkpoint]


def test_one_cut_off_while_it_is_written_leaves_the_one_before(tmp_path, monkeypatch):
    checkpoint = tmp_path / "variant-1.pt"
    checkpoints.save({"stage": 1}, checkpoint)

    def cut_off(state, file):
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(torch, "save", cut_off)
    with pytest.raises(KeyboardInterrupt):
        checkpoints.save({"stage": 2}, checkpoint)
    assert checkpoints.load(checkpoint) == {"stage": 1}
