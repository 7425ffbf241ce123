import io

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from model_serving.training.datasets import catalogues, stories
from model_serving.training.datasets.packages import DebianPackage
from model_serving.training.datasets.parallel import Pair, drawn, named


def compiled(*messages):
    catalogue = Catalog(locale="zh_CN")
    for identifier, string, *context in messages:
        catalogue.add(identifier, string, context=context[0] if context else None)
    buffer = io.BytesIO()
    write_mo(buffer, catalogue)
    return buffer.getvalue()


CONTENT = compiled(
    ("Open", "打开"), ("Open", "敞开", "a door"), (("%d file", "%d files"), ("%d 个文件",)), ("Untranslated", "")
)  # fmt: skip


def test_every_translated_string_is_read_and_of_plurals_the_form_for_many():
    assert sorted(catalogues.read(CONTENT)) == [("%d files", "%d 个文件"), ("Open", "打开"), ("Open", "敞开")]


@pytest.fixture
def _archives(monkeypatch):
    files = [
        ("usr/share/locale/zh_CN/LC_MESSAGES/app.mo", CONTENT),
        ("usr/share/locale/zh_TW/LC_MESSAGES/app.mo", compiled(("Open", "開啟"))),
        ("usr/share/doc/zh_CN/copyright", b"GPL"),
    ]
    monkeypatch.setattr(DebianPackage, "files", lambda package, prefix="": iter(files))


@pytest.mark.usefixtures("_archives")
def test_simplified_chinese_alone_is_read_and_the_package_is_the_group():
    pairs = list(catalogues.load())
    assert Pair("Open", "打开", "inkscape") in pairs
    assert {pair.group for pair in pairs} == {package.name for package in catalogues.PACKAGES}
    assert "開啟" not in {pair.chinese for pair in pairs}


@pytest.mark.usefixtures("_archives")
def test_a_story_loses_the_context_before_a_circumflex(monkeypatch):
    monkeypatch.setattr(catalogues, "read", lambda content: [("female^Elvish^Archer", "精灵射手"), ("Archer", "射手")])
    assert [pair for pair in stories.load() if pair.group == "tsg"] == [
        Pair("Archer", "精灵射手", "tsg"),
        Pair("Archer", "射手", "tsg"),
    ]


@pytest.mark.parametrize("source", [catalogues.SOURCE, stories.SOURCE])
def test_held_out_groups_are_among_those_read(source):
    groups = [package.name.removeprefix("wesnoth-1.16-") for package in source.packages]
    parts = [source.part_of(group) for group in groups]
    assert parts.count("dev") >= 2
    assert parts.count("test") >= 2
    assert parts.count("train") > len(parts) * 0.7


def test_groups_are_named_or_drawn():
    part_of = named(dev={"a"}, test={"b"})
    assert [part_of(group) for group in "abc"] == ["dev", "test", "train"]
    parts = [drawn(dev=10, test=20)(f"page {number}") for number in range(2000)]
    assert 150 < parts.count("dev") < 250
    assert 340 < parts.count("test") < 460
    assert parts == [drawn(dev=10, test=20)(f"page {number}") for number in range(2000)]
