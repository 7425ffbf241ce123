from model_serving.training.datasets import jieba_words, packages


def test_words_of_two_characters_and_more_are_read_folded_and_once():
    assert jieba_words.read("的 318825 uj\n北京 34488 ns\nＡＢ股 3 n\nAB股 2 n\n\n南京市 3 ns\n") == [
        "北京",
        "AB股",
        "南京市",
    ]


def test_the_dictionary_is_read_from_its_package(monkeypatch):
    monkeypatch.setattr(packages.Package, "read", lambda package, member: f"{member[-8:-4]} 3 n\n".encode())
    assert jieba_words.load() == ["dict"]
