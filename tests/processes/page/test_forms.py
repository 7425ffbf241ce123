"""Forms made from schemas: what they send, and how a mistake is shown where it was made."""

import json

import pytest


def sent(page):
    return json.loads(page.locator("pre.curl").text_content().partition(" -d '")[2].removesuffix("'"))


def error_of(page, name):
    """The message at a field, which must be marked and in focus, and be read to those who do not see it."""
    field = page.locator(f"[data-name={name}]")
    control = field.locator("[aria-invalid=true]")
    error = field.locator(".error")
    error.wait_for()
    assert error.get_attribute("id") in control.get_attribute("aria-describedby").split()
    assert field.evaluate("field => field.contains(document.activeElement)")
    return error.inner_text().strip()


def test_a_form_begins_with_the_example_and_has_a_control_for_every_field(open_panel, service):
    page = open_panel("Generator")
    card = service.get("/v1/Generator").json()
    names = page.locator(".field").evaluate_all("fields => fields.map((field) => field.dataset.name)")
    assert set(names) == set(card["request_schema"]["properties"])
    assert names[0] == "count"
    assert page.get_by_label("count", exact=True).input_value() == "16"
    assert page.get_by_label("label", exact=True).input_value() == ""


def test_a_family_that_the_page_does_not_know_gets_a_working_form(open_panel, run):
    page = open_panel("Patient")
    page.get_by_label("mood", exact=True).select_option("d")
    page.get_by_text("More options").click()
    page.get_by_label("more", exact=True).fill('{"a": [1]}')
    run(page)
    assert sent(page) == {"text": "hello", "mood": "d", "more": {"a": [1]}}
    page.get_by_role("button", name="Example").click()
    run(page)
    assert sent(page) == {"text": "hello"}


def test_a_field_that_can_not_be_sent_is_marked_without_asking_the_service(open_panel):
    page = open_panel("Patient")
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.get_by_text("More options").click()
    page.get_by_label("more", exact=True).fill("{a")
    page.get_by_role("button", name="Run").click()
    assert error_of(page, "more").startswith("This is no JSON")
    assert requests == []


def test_a_bad_item_of_a_list_is_marked_by_its_line_which_is_selected(open_panel):
    page = open_panel("HMM")
    field = page.get_by_label("text", exact=True)
    page.get_by_label("A list").check()
    field.fill("好\n" + "长" * 20_001 + "\n好")
    page.get_by_role("button", name="Run").click()
    assert error_of(page, "text") == "Line 2: must have at most 20000 characters, not 20001"
    assert field.evaluate("field => field.selectionEnd - field.selectionStart") == 20_001
    assert "$.text[1]" in page.locator(".failure").inner_text()
    assert page.get_by_role("alert").inner_text().startswith("The request does not fit the schema.")
    field.fill("好")
    page.get_by_role("button", name="Run").click()
    page.locator(".answer .tagged").wait_for()
    assert page.locator("[aria-invalid]").count() == 0
    assert page.locator(".field .error:visible").count() == 0


@pytest.mark.parametrize(
    ("model", "name", "value", "message"),
    [
        ("Translator", "text", "two\nlines", "must be one line"),
        ("Translator", "beam_size", "11", "must be at most 10"),
        ("Translator", "length_penalty", "-1", "must be at least 0"),
        ("Generator", "count", "0.5", "must be an integer"),
        ("Generator", "count", "", "'count' is a required property"),
    ],
)
def test_a_field_that_the_service_refuses_is_marked(open_panel, model, name, value, message):
    page = open_panel(model)
    page.get_by_label(name, exact=True).fill(value)
    page.get_by_role("button", name="Run").click()
    assert error_of(page, name) == message
    assert message in page.locator(".failure").inner_text()


def test_an_optional_field_can_be_left_out_again(open_panel, run):
    page = open_panel("Generator")
    page.get_by_label("label slider", exact=True).fill("3")
    run(page)
    assert sent(page)["label"] == 3
    page.get_by_role("button", name="Leave label out").click()
    run(page)
    assert "label" not in sent(page)


def test_the_card_is_told_below_the_answer(open_panel, service):
    page = open_panel("BiLSTMCRF")
    card = service.get("/v1/BiLSTMCRF").json()
    page.get_by_text("About this model").click()
    about = page.locator(".about").inner_text()
    for metric in card["metrics"]:
        assert f"{metric['value']:.2f}" in about
    assert card["paper"] in about
    assert card["data"][0]["licence"] in about
