"""The documents do what they say: the model that ``docs/adding-a-model.md`` adds is added and called."""

import re
import sys
import types
from pathlib import Path

import pytest

from model_serving.app import create_app
from model_serving.utils import settings

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.fixture
def blocks():
    """The code blocks of the document by the path in the heading before each."""
    text = (DOCS / "adding-a-model.md").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    path = ""
    for named, code in re.findall(r"\*\*, `([\w/.]+)`|```(?:python|ini)\n(.*?)```", text, re.DOTALL):
        path = named or path
        if code:
            found.setdefault(path, code)
    return found


@pytest.fixture
def resource(blocks, monkeypatch):
    """The resource class that the document's modules make."""

    def module(name, code=""):
        made = types.ModuleType(name)
        made.__dict__["__path__"] = []
        monkeypatch.setitem(sys.modules, name, made)
        exec(compile(code, name, "exec"), made.__dict__)
        return made

    toys = module("model_serving.models.toys")
    toys.reverse = module("model_serving.models.toys.reverse", blocks["model_serving/models/toys/reverse.py"])
    return module("model_serving.resources.reverse", blocks["model_serving/resources/reverse.py"]).Reverse


def test_the_model_of_the_document_answers(resource, blocks, tmp_path):
    (tmp_path / "server.conf").write_text("")
    (tmp_path / "reverse.conf").write_text(blocks["conf/reverse.conf"])
    app = create_app(settings.load(tmp_path, [resource.slug()], {}), [resource])
    app.extensions["model_serving"].start()
    client = app.test_client()
    assert client.post("/v1/Reverse", json={"text": "stressed"}).get_json() == {"result": "desserts"}
    assert client.post("/v1/Reverse", json={"text": ["ab", ""], "capitals": True}).get_json() == {"result": ["BA", ""]}
    refused = client.post("/v1/Reverse", json={"text": ["ab", "a\nb"]}).get_json()
    assert (refused["path"], refused["message"]) == ("$.text[1]", "must be one line")
    assert client.get("/v1/Reverse").get_json()["summary"] == "Write text backwards."


def test_every_link_between_the_documents_leads_somewhere():
    for document in [*DOCS.glob("*.md"), DOCS.parent / "README.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
