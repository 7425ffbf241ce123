"""What the README shows is what happens, in both languages: each curl line prints the JSON below it."""

import json
import re
import subprocess
import sys

import pytest
from PIL import Image

NAMES = ("README.md", "README.zh-CN.md")


@pytest.fixture(scope="module")
def readmes(root):
    return {name: (root / name).read_text(encoding="utf-8") for name in NAMES}


@pytest.fixture(scope="module", params=NAMES)
def readme(readmes, request):
    return readmes[request.param]


@pytest.fixture(scope="module")
def server(serve):
    return serve(WORKERS="1")


def here(text, server):
    """A command or program for the usual address, turned to the server of the tests."""
    assert "http://127.0.0.1:9999" in text
    return text.replace("http://127.0.0.1:9999", server.url)


def test_every_curl_line_prints_what_is_shown(readme, server):
    examples = re.findall(r"```sh\n(curl [^`]*)```\s*```json\n(.*?)```", readme, re.DOTALL)
    assert len(examples) >= 3
    for command, shown in examples:
        run = here(command, server).replace("curl ", "curl --noproxy '*' ", 1)
        printed = subprocess.run(["bash", "-c", run], capture_output=True, text=True, check=True, timeout=60)
        assert json.loads(printed.stdout) == json.loads(shown), command


def test_the_python_of_the_client_prints_what_is_shown(root, server):
    text = (root / "docs" / "client.md").read_text(encoding="utf-8")
    ((code, shown),) = re.findall(r"```python\n(.*?)```\s*```\n(.*?)```", text, re.DOTALL)
    program = [sys.executable, "-X", "utf8", "-c", here(code, server)]
    printed = subprocess.run(program, cwd=root, capture_output=True, text=True, check=True, timeout=60)
    assert printed.stdout == shown


def test_the_picture_is_drawn_where_the_curl_line_says(readme, server, tmp_path):
    (command,) = re.findall(r"```sh\n(curl [^`]* -o [^`]*)```", readme)
    run = here(command, server).replace("curl ", "curl --noproxy '*' ", 1)
    subprocess.run(["bash", "-c", run], check=True, timeout=60, cwd=tmp_path)
    with Image.open(tmp_path / "digits.png") as image:
        assert (image.format, image.size) == ("PNG", (152, 152))


def test_the_table_shows_the_best_figure_of_each_task(readme, root):
    cards = [json.loads(path.read_text(encoding="utf-8")) for path in (root / "data").glob("*/*/model.json")]
    shown = re.findall(r"^\| (\w+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([\d.]+) \| ([\d.]+) \|$", readme, re.MULTILINE)
    assert len(shown) > 4
    for model, *task, value, baseline in shown:
        found = {}
        for card in cards:
            for metric in card["metrics"]:
                if [metric["task"], metric["metric"], metric["dataset"]] == task:
                    found[card["model"]] = (metric["value"], metric["baseline"]["value"])
        better = min if "distance" in task[1] else max
        best = better(found, key=lambda name: found[name])
        assert (model, value, baseline) == (best, *(f"{number:.2f}" for number in found[best]))


def code(readme):
    """Its blocks, without the comments."""
    return [re.sub(r" +# .*", "", block) for block in re.findall(r"```\w+\n.*?```", readme, re.DOTALL)]


def words(readme):
    """What is no prose, section by section: code in the text, and where links lead."""
    sections = re.split(r"^## ", re.sub(r"```.*?```", "", readme, flags=re.DOTALL), flags=re.MULTILINE)
    return [re.findall(r"`[^`]+`|\]\([^)]+\)", section) for section in sections[1:]]


def test_both_languages_say_the_same(readmes):
    english, chinese = readmes.values()
    assert code(english) == code(chinese)
    assert len(words(english)) == len(words(chinese)) > 3
    for ours, theirs in zip(words(english), words(chinese), strict=True):
        assert sorted(ours) == sorted(theirs)
    tables = [re.findall(r"^\|(?: [^|]+ \|){6}$", readme, re.MULTILINE) for readme in (english, chinese)]
    assert tables[0] == tables[1] != []


def test_each_language_names_the_other_in_its_first_line(readmes):
    for name, other in (NAMES, NAMES[::-1]):
        assert f"]({other})" in readmes[name].splitlines()[0]


def test_the_readme_is_about_one_screen_long(readme):
    assert len(readme.splitlines()) < 140
