"""The sample pictures in ``docs/generators.md`` are what the service draws."""

import json
import re
from pathlib import Path

import pytest

from model_serving.models.generators.pictures import from_png

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = (ROOT / "docs" / "generators.md").read_text(encoding="utf-8")
LINES = re.findall(r"^draw (\w+) '(\{.*\})' (docs/pictures/\S+\.png)$", DOCUMENT, re.MULTILINE)


@pytest.mark.parametrize(("model", "body", "path"), LINES)
def test_a_line_of_the_document_draws_its_picture(real_app, model, body, path):
    response = real_app.test_client().post(f"/v1/{model}", json=json.loads(body), headers={"Accept": "image/png"})
    drawn, kept = from_png(response.data).int(), from_png((ROOT / path).read_bytes()).int()
    assert drawn.shape == kept.shape
    assert (drawn - kept).abs().max() <= 2, "processors of other kinds round otherwise"
    assert f"({Path(path).relative_to('docs')})" in DOCUMENT


def test_no_picture_is_left_over():
    documents = "".join(
        path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    )
    for path in (ROOT / "docs" / "pictures").iterdir():
        assert f"pictures/{path.name})" in documents


def test_pictures_are_small():
    pictures = [*(ROOT / "docs").rglob("*.png"), *(ROOT / "data").rglob("*.png")]
    assert pictures
    assert max(path.stat().st_size for path in pictures) < 200_000
