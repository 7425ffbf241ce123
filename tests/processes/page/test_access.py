"""The page for everybody: screen readers, keyboards, phones, dark rooms, and readers of Chinese."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

MODELS = ("HMM", "Translator", "Vectors", "Generator", "Patient")
PHONE = {"width": 360, "height": 740}
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


def violations(page, rules=RULES):
    """What axe-core finds, each as its rule and the elements."""
    found = Axe().run(page, options=rules).response["violations"]
    return [(rule["id"], [node["html"][:150] for node in rule["nodes"]]) for rule in found]


@pytest.mark.parametrize("model", MODELS)
def test_axe_finds_nothing_in_light_and_dark(open_panel, run, model):
    page = open_panel(model, reduced_motion="reduce")
    run(page)
    if model == "Vectors":
        page.locator(".scatter").wait_for()
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    assert violations(page, CONTRAST) == []


def test_axe_finds_nothing_in_a_failure_nor_in_the_list_on_a_phone(open_panel, open_page, service):
    page = open_panel("HMM", reduced_motion="reduce")
    page.get_by_text("About this model").click()
    page.get_by_label("A list").check()
    page.get_by_label("text", exact=True).fill("长" * 20_001)
    page.get_by_role("button", name="Run").click()
    page.locator(".failure").wait_for()
    assert violations(page) == []
    assert violations(open_page(service.url, viewport=PHONE, color_scheme="dark")) == []


def test_a_model_is_chosen_filled_in_and_run_with_the_keyboard_alone(open_page, service):
    page = open_page(service.url)
    page.locator(".answer .caption").wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the model"
    link = page.get_by_role("link", name=re.compile("^BiLSTMCRF"))
    for _ in range(10):
        page.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.locator("#panel-title:focus").get_by_text("BiLSTMCRF").wait_for()
    assert link.get_attribute("aria-current") == "page"
    page.keyboard.press("Tab")
    page.keyboard.press("Control+a")
    page.keyboard.type("我爱北京")
    page.keyboard.press("Tab")  # the list switch
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("radio", name="seg").is_checked()
    page.keyboard.press("Control+Enter")
    page.get_by_text("X-Request-ID").wait_for()
    assert page.locator(".tagged mark").all_inner_texts() == ["我", "爱", "北京"]
    assert page.get_by_role("status").inner_text().startswith("Answered in")


def test_tabs_are_walked_with_arrows(open_panel):
    page = open_panel("HMM")
    page.get_by_role("tab", name="curl").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", name="fetch").get_attribute("aria-selected") == "true"
    assert page.get_by_role("tabpanel").count() == 1
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role=tab]:focus").inner_text() == "JSON"


def test_a_phone_shows_list_or_panel_and_nothing_is_wider_than_it(open_page, service):
    page = open_page(service.url, viewport=PHONE, has_touch=True, is_mobile=True)
    assert page.locator(".panel").count() == 0
    for model in MODELS:
        page.get_by_role("link", name=re.compile(f"^{model}")).tap()
        page.locator("#panel-title:focus").get_by_text(model).wait_for()
        assert not page.locator(".models").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        small = page.locator("button:visible, a:visible:not(.skip), select:visible, summary:visible").evaluate_all(
            "all => all.filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.outerHTML)"
        )
        assert small == []
        page.get_by_role("link", name="All models").tap()
        page.locator(".models").wait_for()


def test_the_page_speaks_the_browsers_language_until_another_is_chosen(open_page, service):
    page = open_page(f"{service.url}/#HMM", locale="zh-CN")
    page.locator(".answer .caption").wait_for()
    assert page.title() == "HMM · 模型服务"
    assert page.locator("html").get_attribute("lang") == "zh-Hans"
    field = page.get_by_label("text", exact=True)
    field.fill("好\n好")
    page.get_by_role("button", name="运行").click()
    page.get_by_text(re.compile("^用时 [\\d,]+ 毫秒$")).first.wait_for()
    assert "a 形容词" in " ".join(page.locator(".legend").inner_text().split())
    page.get_by_role("button", name="English").click()
    page.get_by_text(re.compile("^Answered in [\\d,]+ ms$")).first.wait_for()
    assert field.input_value() == "好\n好"
    assert page.title() == "HMM · Model serving"
    page.reload()
    assert page.title() == "HMM · Model serving"
    assert open_page(service.url, locale="fr-FR", viewport=PHONE).title() == "Model serving"


def test_without_scripts_the_list_leads_to_the_cards(open_page, service):
    page = open_page(service.url, java_script_enabled=False)
    page.get_by_role("link", name=re.compile("^HMM")).click()
    assert page.url == f"{service.url}/v1/HMM"
