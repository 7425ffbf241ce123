import pytest

from model_serving.training.datasets import help_pages
from model_serving.training.datasets.packages import DebianPackage
from model_serving.training.datasets.parallel import Pair

PAGE = """<html><head><title>Buttons</title></head><body><p dir="auto">no id</p>
<h1 id="hd_id1">Buttons</h1><a name="bm_id9"></a>
<p id="par_id2" class="paragraph">Click <span class="emph">Cancel</span> &amp; leave.</p>
<ol><li><p id="par_id3"> </p></li></ol> outside <p id="par_id4">Last<br>line</p></body></html>"""
CHINESE = '<h1 id="hd_id1">按钮</h1><p id="par_id2">点击「<span>取消</span>」离开。</p><p id="par_id7">别的</p>'


def test_paragraphs_and_headings_are_read_by_their_ids():
    assert help_pages.paragraphs(PAGE) == {
        "hd_id1": "Buttons",
        "par_id2": "Click Cancel & leave.",
        "par_id4": "Lastline",
    }


@pytest.fixture
def _archives(monkeypatch):
    folder = "usr/share/libreoffice/help/{}/text/"
    files = {
        help_pages.ENGLISH: [(folder.format("en-US") + name, PAGE.encode()) for name in ("a.html", "b.html", "c.js")],
        help_pages.CHINESE: [(folder.format("zh-CN") + "a.html", CHINESE.encode())],
    }
    monkeypatch.setattr(DebianPackage, "files", lambda package, prefix="": iter(files[package]))


@pytest.mark.usefixtures("_archives")
def test_what_both_languages_have_is_paired_and_the_page_is_the_group():
    assert list(help_pages.load()) == [
        Pair("Buttons", "按钮", "a.html"),
        Pair("Click Cancel & leave.", "点击「取消」离开。", "a.html"),
    ]
