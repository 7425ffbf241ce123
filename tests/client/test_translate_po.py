"""Catalogues filled by a service that knows a few words, over HTTP."""

import re
import shutil
import subprocess
import threading

import polib
import pytest
from werkzeug.serving import make_server

from model_serving.app import create_app
from model_serving.client import Client, UnansweredError, translate_po
from model_serving.client.catalogue import Catalogue, CatalogueError
from model_serving.client.lines import Question
from model_serving.models.errors import InputError
from model_serving.resources import translators
from model_serving.resources.base import ModelResource
from model_serving.utils.settings import Limits, Model, Settings

HEADER = r"""# Some program
msgid ""
msgstr ""
"Project-Id-Version: toy 1.0\n"
"PO-Revision-Date: 2026-11-01 10:00+0000\n"
"Last-Translator: Nobody <nobody@example.org>\n"
"Language-Team: none\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Language: zh_CN\n"
"Plural-Forms: nplurals=1; plural=0;\n"

"""
BODY = r"""#. what the button says
#: main.c:7
msgid "_Open…"
msgstr ""

msgid   "Close"
msgstr "关  闭"

# by hand
#, fuzzy
msgid "Stop"
msgstr "停"

#: main.c:9
#, c-format
msgid "Copy %s to %s\n"
msgstr ""

#, c-format
msgid "Lost %d"
msgstr ""

#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""

msgctxt "noun"
msgid "Open…"
msgstr ""

msgid "translator-credits"
msgstr ""

msgid "Refused"
msgstr ""

msgid "Endless"
msgstr ""

msgid "_Close"
msgstr "关闭(_C)"

#~ msgid "Gone"
#~ msgstr ""
"""
WORDS = {
    "Open…": "打开…",
    "Copy %s to %s": "把%s复制到%s",
    "Lost %d": "丢了",
    "%d files": "%d个文件",
    "Endless": "啊啊啊",
}


class Dictionary:
    """Knows ``WORDS``."""

    def __init__(self):
        self.asked = []

    def cost(self, text):
        return len(text)

    def predict(self, texts, *, source, target, **_):
        assert (source, target) == ("en", "zh")
        self.asked += texts
        return [
            InputError("is not to my taste")
            if text == "Refused"
            else {"translation": WORDS[text], "score": -len(text) / 10, "finished": text != "Endless"}
            for text in texts
        ]


DICTIONARY = Dictionary()


class Transformer(ModelResource):
    """Look words up."""

    family = translators.FAMILY
    load = staticmethod(lambda folder: DICTIONARY)
    request_schema = staticmethod(translators.request_schema((("en", "zh"),)))
    response_schema = translators.RESPONSE_SCHEMA
    example = {"text": "Open…"}
    split = classmethod(lambda cls, field, body: translators.split(field, body, (("en", "zh"),)))

    @classmethod
    def slug(cls):
        return "transformer"


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    settings = Settings(models={"transformer": Model(True, Limits(items=2))}, data=tmp_path_factory.mktemp("data"))
    app = create_app(settings, [Transformer])
    app.extensions["model_serving"].start()
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "zh_CN.po"
    path.write_text(HEADER + BODY, encoding="utf-8")
    return path


@pytest.fixture
def run(url, monkeypatch, capsys):
    """Run the command: its exit status and what it says."""

    def run(*arguments):
        DICTIONARY.asked.clear()
        monkeypatch.setattr("sys.argv", ["translate-po.sh", "--url", url, *map(str, arguments)])
        return translate_po.main(), capsys.readouterr().err

    return run


def check(file, *options):
    """What msgfmt has against a catalogue."""
    if not shutil.which("msgfmt"):
        pytest.skip("msgfmt is not installed")
    command = ["msgfmt", "--check", *options, "--output-file=/dev/null", file]
    return subprocess.run(command, capture_output=True, text=True).stderr


def test_empty_entries_are_filled_and_no_other_line_changes(run, file):
    before = file.read_text(encoding="utf-8")
    status, told = run(file)
    assert status == 0
    expected = before.replace(
        '#. what the button says\n#: main.c:7\nmsgid "_Open…"\nmsgstr ""\n',
        "# Transformer, score -0.50\n#. what the button says\n#: main.c:7\n#, fuzzy\n"
        'msgid "_Open…"\nmsgstr "打开(_O)…"\n',
    )
    expected = expected.replace(
        '#: main.c:9\n#, c-format\nmsgid "Copy %s to %s\\n"\nmsgstr ""\n',
        "# Transformer, score -1.30\n#: main.c:9\n#, fuzzy, c-format\n"
        'msgid "Copy %s to %s\\n"\nmsgstr "把%s复制到%s\\n"\n',
    )
    expected = expected.replace(
        '#, c-format\nmsgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] ""\n',
        "# Transformer, score -0.80\n#, fuzzy, c-format\n"
        'msgid "%d file"\nmsgid_plural "%d files"\nmsgstr[0] "%d个文件"\n',
    )
    expected = expected.replace(
        'msgctxt "noun"\nmsgid "Open…"\nmsgstr ""\n',
        '# Transformer, score -0.50\n#, fuzzy\nmsgctxt "noun"\nmsgid "Open…"\nmsgstr "打开…"\n',
    )
    assert file.read_text(encoding="utf-8") == expected
    assert f"{file}: 4 filled and marked fuzzy, 4 left empty" in told
    assert DICTIONARY.asked.count("Open…") == 1


def test_what_is_left_empty_is_listed_with_its_line_and_reason(run, file):
    _, told = run(file)
    lines = file.read_text(encoding="utf-8").splitlines()
    for text, reason in {
        "Lost %d": "%d would be lost",
        "translator-credits": "names the translators",
        "Refused": "is not to my taste",
        "Endless": "the translation was cut off",
    }.items():
        (line,) = [line for line in told.splitlines() if line.endswith(f"left empty: {reason}")]
        assert line.startswith(f"{file}:")
        assert lines[lines.index(f'msgid "{text}"') + 1] == 'msgstr ""'


def test_the_result_is_a_sound_catalogue_also_where_it_is_no_longer_fuzzy(run, file):
    assert check(file) == ""
    run(file)
    assert check(file) == ""
    catalogue = polib.pofile(str(file))
    for entry in catalogue:
        entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
    catalogue.save()
    assert check(file, "--check-accelerators=_") == ""


def test_a_filled_catalogue_has_nothing_to_fill(run, file):
    run(file)
    once = file.read_bytes()
    status, told = run(file)
    assert file.read_bytes() == once
    assert (status, "0 filled" in told) == (0, True)
    assert set(DICTIONARY.asked) == {"Lost %d", "Refused", "Endless"}


def test_another_output_leaves_the_file_alone(run, file, tmp_path):
    before = file.read_bytes()
    run(file, "--output", tmp_path / "other.po")
    assert file.read_bytes() == before
    assert "把%s复制到%s" in (tmp_path / "other.po").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.po", "zh_CN.po"]


def test_line_ends_and_encoding_stay(run, file):
    text = (HEADER + BODY).replace("UTF-8", "GB18030").replace("\n", "\r\n")
    file.write_bytes(text.encode("gb18030"))
    assert run(file)[0] == 0
    found = file.read_bytes().decode("gb18030")
    assert found.count("\r\n") == found.count("\n")
    assert "把%s复制到%s" in found


def test_what_was_answered_before_the_service_failed_is_kept(file):
    class Failing(Client):
        calls = 0

        def post(self, model, /, **fields):
            self.calls += 1
            if self.calls > 1:
                raise UnansweredError("No answer", "me")
            return [{"translation": WORDS[text], "score": -1.0, "finished": True} for text in fields["text"]]

    limits = {"body_bytes": 4096, "items": 2, "request_characters": 1000, "item_characters": 900}
    card = {"name": "Transformer", "limits": limits, "request_schema": {"properties": {"text": {"maxItems": 2}}}}
    catalogue = Catalogue(file)
    outcome = translate_po.translate(
        Failing("http://127.0.0.1:9"), Question(card, "text", {"target": "zh"}), catalogue, "_", 1
    )
    assert outcome.broken_off == "No answer"
    assert [entry.msgid for entry in outcome.filled] == ["_Open…", "Copy %s to %s\n", "Open…"]
    catalogue.write(file, outcome.filled)
    assert len(polib.pofile(str(file)).fuzzy_entries()) == 4


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("fr", "Transformer translates into zh, not fr; choose with --target"),
        ("zh_TW", "Transformer translates into zh, not zh_TW; choose with --target"),
        ("", "and the catalogue's header has no Language; choose with --target"),
    ],
)
def test_a_language_that_the_model_does_not_write_is_refused(run, file, language, told):
    file.write_text((HEADER + BODY).replace("Language: zh_CN", f"Language: {language}"), encoding="utf-8")
    before = file.read_bytes()
    status, said = run(file)
    assert (status, told in said) == (1, True)
    assert file.read_bytes() == before
    assert run(file, "--target", "zh")[0] == 0


@pytest.mark.parametrize("language", ["zh_CN", "zh", "zh-Hans", "zh_CN.UTF-8", "ZH_cn"])
def test_simplified_chinese_has_many_names(language):
    card = {"name": "T", "request_schema": {"properties": {"target": {"enum": ["zh", "en"]}}}}
    assert translate_po.languages(card, language) == {"target": "zh"}
    assert translate_po.languages(card, "en_GB") == {"target": "en"}


def test_a_model_that_is_no_translator_is_refused():
    with pytest.raises(translate_po.UsageError, match="HMM is no translator"):
        translate_po.languages({"name": "HMM", "request_schema": {"properties": {}}}, "zh")


@pytest.mark.parametrize(
    ("plural", "wanted"),
    [
        ("nplurals=1; plural=0;", {0: "%d files"}),
        ("nplurals=2; plural=n != 1;", {0: "%d file", 1: "%d files"}),
        ("nplurals=3; plural=n%3;", None),
        ("", None),
    ],
)
def test_plural_forms_are_those_of_the_header(file, plural, wanted):
    file.write_text((HEADER + BODY).replace("nplurals=1; plural=0;", plural), encoding="utf-8")
    catalogue = Catalogue(file)
    (entry,) = [entry for entry in catalogue.blank() if entry.msgid_plural]
    found = catalogue.wanted(entry)
    if isinstance(found, str):
        assert wanted is None
        assert "one or two can be filled" in found
    else:
        assert {each.form: each.original for each in found} == wanted


def test_files_that_are_no_catalogues_are_told(tmp_path, run):
    with pytest.raises(CatalogueError, match=r"none\.po can not be read: No such file"):
        Catalogue(tmp_path / "none.po")
    broken = tmp_path / "broken.po"
    broken.write_text("nonsense\n", encoding="utf-8")
    status, told = run(broken)
    assert status == 1
    assert re.search(r"broken\.po can not be read: Syntax error .*line 1", told)
    wrong = tmp_path / "wrong.po"
    wrong.write_bytes((HEADER + BODY).encode("gb18030"))
    with pytest.raises(CatalogueError, match="not in the encoding that its header names"):
        Catalogue(wrong)
