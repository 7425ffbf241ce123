"""A catalogue with entries of each kind."""

import pytest

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

msgid "Save {name}"
msgstr ""

msgid "Endless"
msgstr ""

msgid "_Close"
msgstr "关闭(_C)"

#~ msgid "Gone"
#~ msgstr ""
"""


@pytest.fixture(scope="session")
def catalogue_text():
    """What the file holds."""
    return HEADER + BODY


@pytest.fixture
def file(tmp_path, catalogue_text):
    path = tmp_path / "zh_CN.po"
    path.write_text(catalogue_text, encoding="utf-8")
    return path
