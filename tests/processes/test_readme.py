"""What the README shows is what happens: each curl line runs as it stands and prints the JSON below it."""

import json
import re
import subprocess

import pytest
from PIL import Image


@pytest.fixture(scope="module")
def readme(root):
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def examples(readme):
    """The curl lines, each with the JSON shown below it."""
    return re.findall(r"```sh\n(curl [^`]*)```\s*```json\n(.*?)```", readme, re.DOTALL)


def test_every_curl_line_prints_what_is_shown(examples, serve):
    server = serve(WORKERS="1")
    assert len(examples) >= 3
    for command, shown in examples:
        assert "http://127.0.0.1:9999" in command
        here = command.replace("http://127.0.0.1:9999", server.url).replace("curl ", "curl --noproxy '*' ", 1)
        printed = subprocess.run(["bash", "-c", here], capture_output=True, text=True, check=True, timeout=60)
        assert json.loads(printed.stdout) == json.loads(shown), command


def test_the_picture_is_drawn_where_the_curl_line_says(readme, serve, tmp_path):
    server = serve(WORKERS="1")
    (command,) = re.findall(r"```sh\n(curl [^`]* -o [^`]*)```", readme)
    here = command.replace("http://127.0.0.1:9999", server.url).replace("curl ", "curl --noproxy '*' ", 1)
    subprocess.run(["bash", "-c", here], check=True, timeout=60, cwd=tmp_path)
    with Image.open(tmp_path / "digits.png") as image:
        assert (image.format, image.size) == ("PNG", (152, 152))


def test_the_table_of_models_shows_the_figures_of_the_cards(readme, root):
    rows = {}
    for path in sorted((root / "data").glob("*/*/model.json")):
        card = json.loads(path.read_text(encoding="utf-8"))
        for metric in card["metrics"]:
            value, baseline = metric["value"], metric["baseline"]["value"]
            if metric["metric"].endswith(("F1", "Frechet distance")):
                key = (card["model"], metric["task"], metric["metric"], metric["dataset"])
                rows[key] = f"{value:.2f} | {baseline:.2f} |"
    shown = re.findall(r"^\| (\w+) \| (\w+) \| ([^|]+) \| ([^|]+) \| ([\d.]+ \| [\d.]+ \|)$", readme, re.MULTILINE)
    assert {(model, task, metric, data): figures for model, task, metric, data, figures in shown} == rows


def test_the_readme_is_about_one_screen_long(readme):
    assert len(readme.splitlines()) < 120
