"""Sums that come out alike, to the last bit, whatever else is summed beside them."""

import os

import torch


def steady_sums() -> None:
    """Have MKL add up each row of a product in one order, however many rows there are.

    By itself it takes another kernel for few rows, and two hypotheses of a translator that are as good as equal would
    change places with the company they are in. This is its strict mode of reproducibility, to be asked for before the
    first product; where ``MKL_CBWR`` is set already, or another library multiplies, nothing changes.
    """
    capabilities = torch.cpu.get_capabilities()
    kernels = "AVX512" if capabilities.get("avx512_f") else "AVX2"
    if capabilities.get("avx2"):
        os.environ.setdefault("MKL_CBWR", f"{kernels},STRICT")
