"""The documents do what they say: the model that ``docs/adding-a-model.md`` adds is added and called."""

import dataclasses
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from model_serving.app import create_app
from model_serving.serving.errors import FAILURES
from model_serving.utils import settings
from model_serving.utils.settings import Settings

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


def test_the_key_and_hash_that_the_document_makes_fit(tmp_path):
    text = (DOCS / "operations.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^key=.*$", text, re.MULTILINE)
    key, digits = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True).stdout.split()
    (tmp_path / "server.conf").write_text(f"[keys]\nsha256 = {digits}\n")
    client = create_app(settings.load(tmp_path, environment={}), []).test_client()
    assert client.get("/v1", headers={"X-API-Key": key}).status_code == 200
    assert client.get("/v1", headers={"X-API-Key": digits}).status_code == 401


def test_the_document_names_every_metric_and_setting():
    text = (DOCS / "operations.md").read_text(encoding="utf-8")
    client = create_app(Settings(), []).test_client()
    families = re.findall(r"^# TYPE model_serving_(\w+)", client.get("/metrics").text, re.MULTILINE)
    named = set(re.findall(r"^\| `(\w+)` \| (?:counter|gauge|histogram) ", text, re.MULTILINE))
    assert named == set(families)
    sections = (Settings().server, Settings().limits, Settings().queue, Settings().cors, Settings().keys)
    for section in sections:
        for field in dataclasses.fields(section):
            assert re.search(rf"\b{field.name}`", text), field.name


def test_the_contract_names_every_failure():
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d{3}) \| `(\w+)` \| (.*) \|$", text, re.MULTILINE)
    told = [(str(status), code, when) for status, codes in FAILURES.items() for code, when in codes.items()]
    assert rows == told


def test_every_link_between_the_documents_leads_somewhere():
    for document in [*DOCS.glob("*.md"), *DOCS.parent.glob("README*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name}: {target}"
