"""Catalogues read from files."""

import pytest

from model_serving.client.catalogue import Catalogue, CatalogueError


@pytest.mark.parametrize(
    ("plural", "wanted"),
    [
        ("nplurals=1; plural=0;", {0: "%d files"}),
        ("nplurals=2; plural=n != 1;", {0: "%d file", 1: "%d files"}),
        ("nplurals=3; plural=n%3;", None),
        ("", None),
    ],
)
def test_plural_forms_are_those_of_the_header(file, catalogue_text, plural, wanted):
    file.write_text(catalogue_text.replace("nplurals=1; plural=0;", plural), encoding="utf-8")
    catalogue = Catalogue(file)
    (entry,) = [entry for entry in catalogue.blank() if entry.msgid_plural]
    found = catalogue.wanted(entry)
    if isinstance(found, str):
        assert wanted is None
        assert "one or two can be filled" in found
    else:
        assert {each.form: each.original for each in found} == wanted


def test_files_that_are_no_catalogues_are_told(tmp_path, catalogue_text):
    with pytest.raises(CatalogueError, match=r"none\.po can not be read: No such file"):
        Catalogue(tmp_path / "none.po")
    broken = tmp_path / "broken.po"
    broken.write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"broken\.po can not be read: Syntax error .*line 1"):
        Catalogue(broken)
    wrong = tmp_path / "wrong.po"
    wrong.write_bytes(catalogue_text.encode("gb18030"))
    with pytest.raises(CatalogueError, match="not in the encoding that its header names"):
        Catalogue(wrong)
