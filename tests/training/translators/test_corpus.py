from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_serving.training.datasets.packages import PyPIPackage
from model_serving.training.datasets.parallel import Pair, ParallelSource, named
from model_serving.training.translators import corpus
from model_serving.training.translators.corpus import SentencePair, agreed, key, unseen

PACKAGE = PyPIPackage("texts", "1.0", "texts-1.0.whl", "ab" * 32, "MIT")


def source(name: str, pairs: Iterable[Pair]) -> ParallelSource:
    return ParallelSource(name, (PACKAGE,), lambda: pairs, named(dev={"d"}, test={"t"}), f"{name} by hand")


@pytest.fixture
def loaded():
    interface = [
        Pair("Open", "打开", "a"),
        Pair("Open!", "敞开", "b"),
        Pair("Open", "打开", "b"),
        Pair("Close the file", "关闭文件", "d"),
        Pair("OPEN", "开启", "d"),
        Pair("Shut the file", "关闭文件", "t"),
        Pair("Save (%s)", "保存", "t"),
        Pair("Save _all", "全部保存(_A)", "t"),
    ]
    return corpus.load([source("interface", interface), source("plain", [Pair("He left.", "他走了。", "a")])])


def test_groups_are_held_out_whole_and_share_no_sentence(loaded):
    assert loaded.train == [SentencePair("Open", "打开", "interface"), SentencePair("He left.", "他走了。", "plain")]
    assert loaded.dev == [SentencePair("Close the file", "关闭文件", "interface")]
    assert loaded.test == [SentencePair("Save all", "全部保存", "interface")]
    assert [each["name"] for each in loaded.data] == ["interface: texts", "plain: texts"]
    assert loaded.split == "held out whole: interface by hand; plain by hand"


def test_each_step_says_what_it_leaves(caplog):
    caplog.set_level("INFO")
    corpus.load(
        [source("interface", [Pair("Open", "Open", "a"), Pair("Open", "打开", "a"), Pair("open", "打开", "a")])]
    )
    text = caplog.text
    assert "interface: left out 1 not Chinese" in text
    assert "clean train: 2 pairs (2 interface)" in text
    assert "apart train: 1 pairs (1 interface)" in text


pairs = st.lists(
    st.builds(SentencePair, st.sampled_from(["Go", "go!", "Stop", "a b"]), st.sampled_from("去停。！走"), st.just("x"))
)


@given(pairs, pairs)
def test_what_is_unseen_shares_neither_side_with_what_is_known(some, known):
    found = unseen(agreed(some), known)
    for side in (0, 1):
        assert not {key(pair[side]) for pair in found} & {key(pair[side]) for pair in known}
        assert len({key(pair[side]) for pair in found}) == len(found)


def test_case_space_and_punctuation_make_no_other_sentence():
    assert key("Open the file…") == key("open THE file") == key("Openthefile!") != key("Open a file")
    assert key("打开 文件。") == key("打开文件")
