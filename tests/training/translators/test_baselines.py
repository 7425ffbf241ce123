from model_serving.training.translators import baselines
from model_serving.training.translators.baselines import Lexicon, NearestNeighbour
from model_serving.training.translators.vocabulary import learn

ENGLISH = ["open file", "open window", "close file", "close window", "save file", "open all"]
CHINESE = ["打开文件", "打开窗口", "关闭文件", "关闭窗口", "保存文件", "打开全部"]


def test_the_nearest_neighbour_is_the_sentence_with_most_in_common(monkeypatch):
    monkeypatch.setattr(baselines, "ROWS", 2)
    subwords = learn(ENGLISH, 40, spaced=True)
    model = NearestNeighbour(ENGLISH, CHINESE, subwords)
    assert model.translate(ENGLISH) == CHINESE
    assert model.translate(["close file now"]) == ["关闭文件"]
    assert len(model.translate(["xyz"])) == 1


def test_the_lexicon_writes_what_each_word_goes_with():
    source, target = learn(ENGLISH * 4, 30, spaced=True), learn(CHINESE * 4, 40, spaced=False)
    model = Lexicon(ENGLISH, CHINESE, source, target)
    (found,) = model.translate(["close window"])
    assert set("关闭窗口") & set(found)
    assert not set("打开保存全部") & set(found)
    assert model.translate([""]) == [""]
