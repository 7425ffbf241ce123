"""Which numbers this processor multiplies fastest."""

import torch


def fast_bfloat16() -> bool:
    """Whether matrix products in bfloat16 outrun float32 here: by AMX tiles or AVX-512 BF16."""
    capabilities = torch.cpu.get_capabilities()
    return bool(capabilities.get("amx_bf16") or capabilities.get("avx512_bf16"))
