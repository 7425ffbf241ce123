from model_serving.models.taggers.schemes import Span
from model_serving.training.datasets import peoples_daily, peoples_daily_words
from model_serving.training.datasets.corpus import Corpus, TaggedSentence


def test_words_keep_their_places_and_lose_their_tags(monkeypatch):
    tagged = [TaggedSentence("我爱你", [Span(0, 1, "r"), Span(1, 2, "v"), Span(2, 3, "r")])]
    monkeypatch.setattr(peoples_daily, "load", lambda: Corpus(tagged, [], tagged * 2, {"name": "x"}, "by line"))
    corpus = peoples_daily_words.load()
    words = TaggedSentence("我爱你", [Span(0, 1, "w"), Span(1, 2, "w"), Span(2, 3, "w")])
    assert (corpus.train, corpus.dev, corpus.test) == ([words], [], [words, words])
    assert (corpus.source, corpus.split) == ({"name": "x"}, "by line")
