import torch

from model_serving.models.layers.eight_bit import pack, unpack


def test_each_value_comes_back_within_half_a_step_of_its_row():
    source = torch.Generator().manual_seed(1)
    weights = {
        "dense.weight": torch.randn(6, 50, generator=source) * torch.logspace(-3, 3, 6)[:, None],
        "convolution.weight": torch.randn(4, 3, 5, 5, generator=source),
        "dense.bias": torch.randn(6, generator=source),
        "counted": torch.tensor(7),
    }
    packed = pack(weights)
    back = unpack(packed)
    assert back.keys() == weights.keys()
    assert packed["dense.weight"].dtype == packed["convolution.weight"].dtype == torch.int8
    for name in ("dense.weight", "convolution.weight"):
        step = weights[name].flatten(1).abs().amax(1) / 127
        assert ((back[name] - weights[name]).flatten(1).abs().amax(1) <= step * 0.501).all()
    assert torch.equal(back["dense.bias"], weights["dense.bias"])
    assert back["counted"] == 7


def test_a_row_of_zeros_stays_one():
    weights = {"weight": torch.tensor([[0.0, 0.0], [3.0, -1.5]])}
    back = unpack(pack(weights))["weight"]
    assert torch.equal(back[0], torch.zeros(2))
    assert back[1, 0] == 3.0
