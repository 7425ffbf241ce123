"""The page as it is sent: its policy, its files, and what they weigh."""

import gzip
import json
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[2] / "model_serving" / "static"
KIB = 1 << 10


@pytest.fixture
def get(client):
    """GET a path, and close what was opened to answer."""

    def fetch(path, **headers):
        with client.get(path, headers={name.replace("_", "-"): value for name, value in headers.items()}) as response:
            response.get_data()
        return response

    return fetch


@pytest.fixture
def zipped(get):
    """GET a path as browsers do."""

    def fetch(path):
        response = get(path, Accept_Encoding="gzip, br")
        assert response.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in response.headers["Vary"]
        return response

    return fetch


@pytest.fixture
def page(get):
    return get("/").text


@pytest.fixture
def files(get, page):
    """The body of each file that the page loads, by its path: what the page names, and what that names in turn."""
    found = {}
    waiting = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path] = get(path).text
            folder = path.rpartition("/")[0]
            named = re.findall(r'from "(\.[^"]+)"', found[path])
            waiting += [f"/static/{(Path(folder) / name).resolve().relative_to('/static')}" for name in named]
    return found


def test_the_page_lists_models_by_family_without_a_script(page):
    assert re.search(r'<h2 data-family="tests">Tests</h2>\s*<ul>\s*<li><a href="/v1/Scripted"', page)
    assert "Answer what the test says." in page


def test_the_policy_allows_files_of_this_host_alone_and_nothing_inline(get, page):
    policy = dict(part.split(" ", 1) for part in get("/").headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert "unsafe" not in " ".join(policy.values())
    assert re.findall(r"<script[^>]*>(.+?)</script>", page, re.DOTALL) == []
    assert not re.search(r"<style|\bstyle=|\bon\w+=", page)


def test_no_file_names_another_host_or_makes_markup_or_code_of_text(files, page):
    assert len(files) > 20
    for path, content in [("/", page), *files.items()]:
        addresses = set(re.findall(r"https?://[^\"'\s`]*", content))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path
        assert not re.search(r"(inner|outer|Adjacent)HTML|document\.write|\beval\(|new Function", content), path


def test_the_page_preloads_the_modules_it_imports_and_no_others(files, page):
    preloaded = set(re.findall(r'<link rel="modulepreload" href="([^"]+)"', page))
    assert preloaded == {path for path in files if path.endswith(".js")} - {"/static/page.js"}


def test_every_file_is_used(files):
    present = {str(path.relative_to(STATIC)) for path in STATIC.rglob("*") if path.is_file()}
    templates = "".join(path.read_text(encoding="utf-8") for path in (STATIC.parent / "templates").glob("*.html"))
    unused = present - {path.removeprefix("/static/") for path in files}
    assert {path for path in unused if path not in templates and not path.startswith("vendor/")} == set()


def test_modules_and_sheets_are_short(files):
    for path, content in files.items():
        if path.endswith((".js", ".css")):
            assert len(content.splitlines()) < 300, path
            assert max(map(len, content.splitlines())) <= 120, path


def test_page_and_files_weigh_less_than_300_kib_compressed(zipped, files):
    weights = {path: len(zipped(path).data) for path in ["/", *files]}
    assert sum(weights.values()) < 300 * KIB, weights


@pytest.mark.parametrize("path", ["/", "/static/page.js"])
def test_compressed_is_the_same_and_only_for_those_who_read_it(client, get, zipped, path):
    plain = get(path)
    assert "Content-Encoding" not in plain.headers
    assert gzip.decompress(zipped(path).data) == plain.data
    assert "Content-Encoding" not in get(path, Accept_Encoding="gzip;q=0").headers
    with client.head(path, headers={"Accept-Encoding": "gzip"}) as head:
        assert head.data == b""


@pytest.mark.parametrize("path", ["/", "/static/page.js"])
def test_what_has_not_changed_is_not_sent_again(get, zipped, path):
    first = zipped(path)
    assert first.headers["Cache-Control"] == "no-cache"
    assert first.headers["X-Content-Type-Options"] == "nosniff"
    again = get(path, If_None_Match=first.headers["ETag"], Accept_Encoding="gzip")
    assert (again.status_code, again.data) == (304, b"")
    assert get(path, If_None_Match='"other"').status_code == 200


def test_answers_of_models_are_not_compressed(client):
    response = client.post("/v1/Scripted", json={"text": "a" * 100}, headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in response.headers


def test_a_file_that_is_not_there_is_a_json_404(client, failed):
    for path in ("/static/nothing.js", "/static/../app.py", "/static/%2e%2e/app.py", "/static/"):
        failed(client.get(path), 404, "not_found")


@pytest.fixture
def words():
    """The words of each language."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (STATIC / "i18n").glob("*.json")}


def test_every_language_has_words_for_the_same_things(words):
    assert set(words) == {"en", "zh"}
    assert words["en"].keys() == words["zh"].keys()
    for key in words["en"].keys() - {"cards"}:
        assert re.findall(r"\{\w+\}", words["en"][key]) == re.findall(r"\{\w+\}", words["zh"][key]), key


def test_the_words_are_those_the_page_says(words, files):
    text = (STATIC.parent / "templates" / "index.html").read_text(encoding="utf-8") + "".join(files.values())
    said = set(re.findall(r'(?:\bsay\(|data-(?:say|label)=)"([^"]+)"', text))
    assert len(said) > 50
    assert said <= words["en"].keys()
    made_of_parts = tuple({key[: key.index("${")] for key in re.findall(r"say\(`([^`]+)`", text)})
    headings = {"entity", "label", "place", "confidence"}
    unused = words["en"].keys() - said - headings - {"cards"}
    assert {key for key in unused if not key.startswith(made_of_parts)} == set()
