"""What the page sends: cancelled, refused, with a key, from elsewhere; and the lines it shows to send the same."""

import hashlib
import http.server
import json
import re
import subprocess
import threading
from functools import partial
from urllib.parse import urlsplit

import pytest

KEY = "open sesame"


@pytest.mark.parametrize("text", ['It\'s "quoted" \\ $HOME `id`\n第二行', "<b>&amp;</b>"])
def test_the_curl_line_and_the_fetch_lines_do_what_the_page_did(open_panel, run, text):
    page = open_panel("Patient")
    page.get_by_label("text", exact=True).fill(text)
    run(page)
    line = page.locator("pre.curl").text_content().replace("curl ", "curl --silent --noproxy '*' ", 1)
    printed = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True, timeout=30)
    assert json.loads(printed.stdout) == {"result": {"echo": text}}
    page.get_by_role("tab", name="fetch").click()
    lines = page.locator("pre.fetch").inner_text().replace("console.log(answer.result);", "return answer.result;")
    assert page.evaluate(f"async () => {{ {lines} }}") == {"echo": text}
    page.get_by_role("tab", name="JSON").click()
    assert json.loads(page.locator("pre.json").inner_text()) == {"result": {"echo": text}}


def test_copying_puts_the_line_on_the_clipboard(open_panel):
    page = open_panel("HMM")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").first.click()
    assert page.get_by_role("status").inner_text() == "Copied."
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("pre.curl").inner_text()


def waiting(service):
    """How many requests wait for the model ``Patient``."""
    return int(float(re.findall(r'queue_depth\{model="Patient"\} (\S+)', service.get("/metrics").text)[0]))


def test_a_cancelled_request_is_dropped_by_the_service(open_panel, service, notes, gate, wait_until):
    page = open_panel("Patient")
    busy = threading.Thread(target=service.post, args=("/v1/Patient",), kwargs={"json": {"text": "wait"}})
    busy.start()
    wait_until(lambda: "wait\n" in notes.read_text())
    page.get_by_label("text", exact=True).fill("not wanted any more")
    page.get_by_role("button", name="Run").click()
    assert page.get_by_role("status").inner_text() == "Running …"
    wait_until(lambda: waiting(service) == 1)
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled.").first.wait_for()
    assert not page.get_by_role("button", name="Cancel").is_visible()
    gate.touch()
    busy.join()
    service.post("/v1/Patient", json={"text": "after it"})
    assert "after it" in notes.read_text()
    assert "not wanted" not in notes.read_text()


def test_escape_cancels_and_another_request_replaces_the_one_that_runs(open_panel, notes, gate, wait_until):
    page = open_panel("Patient")
    field = page.get_by_label("text", exact=True)
    field.fill("wait a while")
    field.press("Control+Enter")
    wait_until(lambda: "wait a while" in notes.read_text())
    field.press("Escape")
    page.get_by_text("Cancelled.").first.wait_for()
    for text in ("first of two", "second of two"):
        field.fill(text)
        field.press("Control+Enter")
    gate.touch()
    page.locator(".picture").get_by_text('"second of two"').wait_for()
    assert "first of two" not in page.locator(".answer").inner_text()


def test_a_service_that_is_gone_is_told_in_words(open_panel):
    page = open_panel("HMM")
    page.context.set_offline(True)
    page.get_by_role("button", name="Run").click()
    assert page.get_by_role("alert").inner_text().startswith("The service can not be reached.")


def test_a_refusal_says_when_to_come_again(open_panel):
    page = open_panel("HMM")
    busy = {"message": "Too many requests wait", "code": "busy", "request_id": "me"}
    page.route("**/v1/HMM", lambda route: route.fulfill(status=503, json=busy, headers={"Retry-After": "2"}))
    page.get_by_role("button", name="Run").click()
    shown = page.get_by_role("alert").inner_text()
    assert "Try again in 2 s." in shown
    assert "503 · busy · me" in shown


def test_where_keys_are_on_the_page_asks_for_one_and_keeps_it_in_the_tab(serve_page, open_page, run):
    server = serve_page(PAGE_KEYS=hashlib.sha256(KEY.encode()).hexdigest())
    page = open_page(f"{server.url}/#HMM")
    page.get_by_label("Key", exact=True).fill("wrong")
    page.get_by_role("button", name="Use key").click()
    page.get_by_label("Key", exact=True).wait_for()
    page.get_by_label("Key", exact=True).fill(KEY)
    page.get_by_label("Key", exact=True).press("Enter")
    page.locator(".answer .caption").wait_for()
    run(page)
    page.locator(".tagged mark").first.wait_for()
    assert KEY not in page.locator("main").inner_text()
    assert page.get_by_role("button", name="API key").is_visible()
    line = page.locator("pre.curl").text_content().replace("curl ", "curl --silent --noproxy '*' ", 1)
    printed = subprocess.run(["bash", "-c", f"KEY='{KEY}'; {line}"], capture_output=True, text=True, check=True)
    assert "tokens" in json.loads(printed.stdout)["result"]
    page.reload()
    page.locator(".answer .caption").wait_for()
    other = open_page(f"{server.url}/#HMM")
    other.get_by_label("Key", exact=True).wait_for()


def test_the_page_asks_nobody_but_its_own_host_and_breaks_no_policy(open_page, service):
    page = open_page("about:blank")
    hosts = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.goto(f"{service.url}/#Generator")
    page.locator(".tile img").first.wait_for()
    assert hosts - {""} == {urlsplit(service.url).netloc}  # the pictures are data in the answer


def test_the_policy_lets_no_text_become_code_or_markup(browser, service):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(service.url)
        tries = """() => [
          () => setTimeout("document.title = 1"),
          () => (document.body.innerHTML = "<p>"),
          () => (document.createElement("script").text = "0"),
        ].map((act) => { try { return act(); } catch (error) { return error.name; } })"""
        assert page.evaluate(tries) == ["TypeError"] * 3


@pytest.fixture
def elsewhere(root):
    """Another origin that serves ``docs/examples``."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format, *args):
            pass

    handler = partial(Handler, directory=root / "docs" / "examples")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_static_page_of_another_origin_is_answered(elsewhere, open_page, service):
    page = open_page(f"{elsewhere}/static-page.html?service={service.url}")
    page.get_by_role("button").click()
    page.locator("mark").first.wait_for()
    assert page.locator("mark").all_inner_texts() == ["江泽民 PER", "北京 LOC", "克林顿 PER"]
    page.get_by_label("Chinese text").fill("长" * 20_001)
    page.get_by_role("button").click()
    page.get_by_text("$.text must have at most 20000 characters, not 20001 (request ").wait_for()
