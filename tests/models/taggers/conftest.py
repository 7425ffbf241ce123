"""Inputs that users type and programmers forget (shared/CASES.md, BB-33 and BB-35)."""

import pytest

ODD_TEXTS = [
    "",
    " ",
    "\t\n\r\n",
    "\u00a0",
    "\u3000",
    "\u2028",
    "a  b",
    " a ",
    "a\u200bb",
    "\u200d",
    "ක්\u200dෂ",
    "می\u200cخواهم",
    "Anna\u0000Bob",
    "\u0007\u001b[31m",
    "\u202eabc\u202c",
    "\u2066x\u2069",
    "soft\u00adhyphen",
    "\ufffd",
    "\ue000",
    "\uffff",
    "❤\ufe0f",
    "a" + "\u0301" * 1000,
    "👩\u200d👩\u200d👧 和 🇨🇳",
    "cafe\u0301 caf\u00e9",
    "ﬁ ㎏ ① ½ ™",
    "北\u3000京\u2028上 海",
    "！？。!?",
    "”）。」",
    "\n\n。\n",
    "Ａ１，ｂ！？",
]


@pytest.fixture(params=ODD_TEXTS, ids=lambda text: ascii(text[:12]))
def odd_text(request):
    return request.param
