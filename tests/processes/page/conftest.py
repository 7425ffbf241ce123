"""The page in a headless Chromium, served by a gunicorn of its own."""

import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first starts fastest


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests; without one they are left out, but not where ``REQUIRE_BROWSER`` is set."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        reason = f"no browser on the PATH ({', '.join(BROWSERS)}); install Debian's {BROWSERS[0]}"
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as driver:
        # root has no sandbox, and a container little /dev/shm
        chromium = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def notes(tmp_path_factory):
    """Where the model ``Patient`` notes what it runs."""
    return tmp_path_factory.mktemp("page") / "notes"


@pytest.fixture
def gate(notes):
    """The file that lets the model ``Patient`` go on where it waits."""
    path = notes.with_name("gate")
    path.unlink(missing_ok=True)
    yield path
    path.touch()


@pytest.fixture(scope="session")
def serve_page(serve_long, notes):
    """Serve the page around the models of ``page_service.py``."""

    def start(**environment):
        command = ("--pythonpath", "tests/processes/page", "page_service:app")
        return serve_long(*command, WORKERS="1", PAGE_NOTES=str(notes), **environment)

    return start


@pytest.fixture(scope="session")
def service(serve_page):
    """The service whose models are open to all."""
    return serve_page()


@pytest.fixture
def open_page(browser):
    """Open an address in a window of its own; any error that a page did not handle fails the test."""
    contexts, errors = [], []

    def visit(url, **options):
        context = browser.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 900}} | options)
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if "Security Policy" in message.text else None)
        page.goto(url)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert errors == []


@pytest.fixture
def open_panel(open_page, service):
    """Open a model's panel, its card read."""

    def visit(name, **options):
        page = open_page(f"{service.url}/#{name}", **options)
        page.locator(".answer .caption").first.wait_for()
        return page

    return visit


@pytest.fixture(scope="session")
def run():
    """Send the form and wait for the answer or the failure."""

    def press(page):
        page.evaluate("document.querySelector('.answer').replaceChildren()")
        page.get_by_role("button", name="Run").click()
        page.locator(".answer .caption, .answer .failure").first.wait_for()

    return press
