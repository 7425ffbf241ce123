"""The page of all models."""

from benchmarks import figures
from model_serving.resources import RESOURCES
from model_serving.utils.settings import ROOT


def test_the_page_of_models_is_what_the_cards_say():
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    assert page == figures.page(RESOURCES), "write it anew: benchmarks/figures.py"
