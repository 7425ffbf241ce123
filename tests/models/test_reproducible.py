"""That a row of a product has the same bits in any company; tests of the models over it are in their families."""

import os

import pytest
import torch
from torch.nn.functional import linear

from model_serving.models.reproducible import steady_sums


@pytest.mark.skipif(not torch.backends.mkl.is_available(), reason="another library multiplies")
@pytest.mark.parametrize(("inputs", "outputs"), [(256, 256), (1024, 256), (256, 5000)])
def test_a_row_has_the_same_bits_in_any_company(inputs, outputs):
    generator = torch.Generator().manual_seed(1)
    rows, weight = (torch.randn(many, inputs, generator=generator) for many in (64, outputs))
    whole = linear(rows, weight)
    for many in (1, 2, 3, 4, 7, 10, 11, 15, 33):
        assert torch.equal(linear(rows[:many], weight), whole[:many])


def test_what_the_environment_asks_for_stands(monkeypatch):
    monkeypatch.setenv("MKL_CBWR", "COMPATIBLE")
    steady_sums()
    assert os.environ["MKL_CBWR"] == "COMPATIBLE"


@pytest.mark.parametrize(
    ("capabilities", "asked"),
    [
        ({"avx512_f": True, "avx2": True}, "AVX512,STRICT"),
        ({"avx512_f": False, "avx2": True}, "AVX2,STRICT"),
        ({}, None),
    ],
)
def test_the_kernels_are_those_of_the_processor(monkeypatch, capabilities, asked):
    monkeypatch.delenv("MKL_CBWR", raising=False)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities)
    steady_sums()
    assert os.environ.get("MKL_CBWR") == asked
