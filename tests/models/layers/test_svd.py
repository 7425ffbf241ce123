import pytest
import torch

from model_serving.models.layers import svd


@pytest.fixture
def matrix():
    random = torch.Generator().manual_seed(1)
    return torch.randn(60, 40, generator=random) @ torch.diag(0.8 ** torch.arange(40.0))


def test_the_largest_values_are_those_of_the_whole_decomposition(matrix):
    found = svd.of_matrix(matrix, 6, torch.Generator().manual_seed(2))
    left, values, right = torch.linalg.svd(matrix)
    torch.testing.assert_close(found.values, values[:6], rtol=1e-4, atol=1e-4)
    best = left[:, :6] @ torch.diag(values[:6]) @ right[:6]
    torch.testing.assert_close(found.left @ torch.diag(found.values) @ found.right.T, best, rtol=1e-2, atol=1e-2)


def test_vectors_are_orthogonal_and_their_signs_fixed(matrix):
    found = svd.of_matrix(matrix, 5, torch.Generator().manual_seed(3))
    other = svd.of_matrix(matrix, 5, torch.Generator().manual_seed(4))
    torch.testing.assert_close(found.left.T @ found.left, torch.eye(5), atol=1e-4, rtol=0)
    torch.testing.assert_close(found.left, other.left, atol=1e-2, rtol=0)
    assert (found.left.gather(0, found.left.abs().argmax(0, keepdim=True)) > 0).all()


def test_what_a_small_matrix_does_not_have_is_zero():
    found = svd.of_matrix(torch.diag(torch.tensor([3.0, 2.0])), 5, torch.Generator().manual_seed(1))
    assert found.values.tolist() == pytest.approx([3, 2, 0, 0, 0])
    assert found.left.shape == found.right.shape == (2, 5)
