import torch
from torch.testing import assert_close

from model_serving.models.layers.maxout import MaxoutPairs


def test_each_unit_is_the_larger_of_two_sums():
    layer = MaxoutPairs(2, 2)
    layer.weight.data = torch.tensor([[1.0, 0], [0, 1], [-1, -1], [2, 0]])
    layer.bias.data = torch.tensor([0.0, 0, 0, -10])
    assert_close(layer(torch.tensor([[[3.0, 5.0]], [[4.0, -1.0]]])), torch.tensor([[[5.0, -4.0]], [[4.0, -2.0]]]))
