"""The application around a scripted model: routes, errors, CORS, lists, cards."""

import pytest

from model_serving.utils.settings import Cors, Limits

JSON = "application/json"
ORIGIN = "https://good.example"


@pytest.mark.parametrize("path", ["/nothing", "/v1/Nothing", "/v1/Scripted/", "//v1/Scripted", "/V1/scripted", "/%00"])
def test_an_unknown_path_is_a_json_404_and_never_a_redirect(client, path, failed):
    failed(client.post(path, json={"text": "a"}), 404, "not_found")
    failed(client.get(path), 404, "not_found")


@pytest.mark.parametrize(("method", "path"), [("PUT", "/v1/Scripted"), ("DELETE", "/v1"), ("POST", "/healthz")])
def test_a_wrong_method_is_told_the_right_ones(client, method, path, failed):
    response = client.open(path, method=method)
    failed(response, 405, "method")
    assert "GET" in response.headers["Allow"]


@pytest.mark.parametrize("script_result", [ValueError("secret"), KeyError("secret"), MemoryError("secret"), [], [1, 2]])
def test_our_own_failure_is_a_constant_json_500(client, script, caplog, script_result, failed):
    script.result = script_result
    response = client.post("/v1/Scripted", json={"text": "a"})
    body = failed(response, 500, "internal")
    assert "secret" not in response.text
    assert any(body["request_id"] in record.message and record.exc_info for record in caplog.records)
    script.result = None
    assert client.post("/v1/Scripted", json={"text": "a"}).status_code == 200


def test_a_result_that_is_no_json_is_our_failure(client, script, failed):
    script.result = [float("nan")]
    failed(client.post("/v1/Scripted", json={"text": "a"}), 500, "internal")


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, JSON),
        ("*/*", JSON),
        (JSON, JSON),
        ("text/csv", "text/csv"),
        ("text/csv, */*;q=0.5", "text/csv"),
        ("text/csv;q=0.1, application/json", JSON),
        ("image/png", JSON),
    ],
)
def test_a_result_is_written_as_the_caller_prefers(client, accept, media_type):
    response = client.post("/v1/Scripted", json={"text": "a"}, headers={"Accept": accept} if accept else {})
    assert (response.status_code, response.mimetype) == (200, media_type)
    assert response.text == "a" if media_type == "text/csv" else response.get_json() == {"result": {"echo": "a"}}
    assert response.headers["X-Model-Version"]


def test_a_result_that_can_be_shown_is_asked_for_by_its_address(client, failed):
    shown = client.get("/v1/Scripted?text=a&loud=true", headers={"Accept": "image/*, text/csv"})
    assert (shown.status_code, shown.mimetype, shown.text) == (200, "text/csv", "a")
    assert client.get("/v1/Scripted?text=7").get_json() == {"result": {"echo": "7"}}
    assert failed(client.get("/v1/Scripted?text=a&loud=si"), 400, "schema")["path"] == "$.loud"
    assert failed(client.get("/v1/Scripted?text=a&nonsense=1"), 400, "schema")["path"] == "$.nonsense"
    failed(client.get("/v1/Scripted?text=a&text=b"), 400, "bad_json")
    failed(client.get("/v1/Scripted?loud=true"), 400, "schema")
    assert client.get("/v1/Scripted").get_json()["name"] == "Scripted"


def test_an_error_is_json_whatever_the_caller_prefers(client, failed):
    failed(client.post("/v1/Scripted", json={"text": 7}, headers={"Accept": "text/csv"}), 400, "schema")


def test_one_item_gives_one_result_and_a_list_gives_a_list(client):
    assert client.post("/v1/Scripted", json={"text": "a"}).get_json() == {"result": {"echo": "a"}}
    assert client.post("/v1/Scripted", json={"text": ["b", "", "a"]}).get_json() == {
        "result": [{"echo": "b"}, {"echo": ""}, {"echo": "a"}]
    }
    assert client.post("/v1/Scripted", json={"text": []}).get_json() == {"result": []}


def test_options_reach_the_model_with_their_defaults(client, script):
    client.post("/v1/Scripted", json={"text": "a"})
    client.post("/v1/Scripted", json={"text": ["a"], "mood": "wild", "loud": True})
    assert script.calls == [(["a"], {"mood": "calm", "loud": False}), (["a"], {"mood": "wild", "loud": True})]


def test_one_bad_item_fails_the_request_by_its_place(client, failed):
    body = failed(client.post("/v1/Scripted", json={"text": ["a", "b", "bad"]}), 400, "input")
    assert (body["path"], body["message"]) == ("$.text[2]", "is not to my taste")
    assert failed(client.post("/v1/Scripted", json={"text": "bad"}), 400, "input")["path"] == "$.text"


def test_all_characters_of_a_request_are_bounded_together(client, failed):
    body = failed(client.post("/v1/Scripted", json={"text": ["a" * 100, "b" * 51]}), 400, "input")
    assert (body["path"], body["message"]) == ("$.text", "must have at most 150 characters in all, not 151")


def test_an_error_never_repeats_the_input(client):
    for value in ({"text": "a", "<script>": 1}, {"text": 1, "loud": "<script>"}, {"text": "a", "mood": "<script>"}):
        assert "<script>" not in client.post("/v1/Scripted", json=value).text


def test_the_request_id_is_echoed_or_made(client):
    assert client.get("/v1", headers={"X-Request-ID": "a.b-c_1"}).headers["X-Request-ID"] == "a.b-c_1"
    for bad in ("", "a b", "x" * 65, "é"):
        made = client.get("/v1", headers={"X-Request-ID": bad}).headers["X-Request-ID"]
        assert made != bad
        assert len(made) == 32


def test_each_request_is_one_line_in_the_log_without_control_characters(client, caplog):
    client.get("/v1/\x1b[31m%0A\nfake", headers={"X-Request-ID": "me"})
    lines = [record.getMessage() for record in caplog.records if record.name == "request"]
    assert len(lines) == 1
    assert lines[0].startswith("me GET /v1/")
    assert " 404 " in lines[0]
    assert lines[0].isprintable()


def test_the_list_and_the_page_name_the_models(client):
    (entry,) = client.get("/v1").get_json()["models"]
    assert entry == {
        "name": "Scripted",
        "family": "tests",
        "summary": "Answer what the test says.",
        "href": "/v1/Scripted",
    }
    page = client.get("/")
    assert page.mimetype == "text/html"
    assert 'href="/v1/Scripted"' in page.text


def test_the_card_holds_schemas_limits_and_an_answered_example(client):
    card = client.get("/v1/Scripted").get_json()
    assert card["example"] == {"request": {"text": "hello"}, "response": {"result": {"echo": "hello"}}}
    assert card["limits"]["items"] == card["request_schema"]["properties"]["text"]["maxItems"] == 3


def test_health_and_readiness(make_app, failed):
    client = make_app().test_client()
    for path in ("/healthz", "/readyz", "/_ah/warmup"):
        assert client.get(path).status_code == 200
    client = make_app(start=False).test_client()
    assert client.get("/healthz").status_code == 200
    response = client.get("/readyz")
    failed(response, 503, "not_ready")
    assert response.headers["Retry-After"] == "1"


def test_a_stopping_process_asks_for_no_more_and_answers_what_comes(make_app, failed):
    app = make_app()
    app.extensions["model_serving"].draining = True
    response = app.test_client().get("/readyz")
    failed(response, 503, "draining")
    assert response.headers["Retry-After"] == "1"
    assert app.test_client().post("/v1/Scripted", json={"text": "a"}).status_code == 200


def test_a_model_that_is_switched_off_says_so(make_app, script, failed):
    client = make_app(enabled=False).test_client()
    for answer in (client.post("/v1/Scripted", json={"text": "a"}), client.get("/v1/Scripted")):
        assert "enabled = no" in failed(answer, 404, "not_found")["message"]
    assert client.get("/v1").get_json() == {"models": []}
    assert script.calls == []


def every_kind_of_answer(client, script, **headers):
    def post(path, **keywords):
        return client.post(path, headers=headers | keywords.pop("headers", {}), **keywords)

    yield post("/v1/Scripted", json={"text": "a"}), 200
    yield post("/v1/Scripted"), 400
    yield post("/v1/Scripted", json={"text": 1}), 400
    yield post("/nothing"), 404
    yield client.put("/v1/Scripted", headers=headers), 405
    yield post("/v1/Scripted", data=b"x" * 10_000, content_type=JSON), 413
    yield post("/v1/Scripted", data="a", content_type="text/plain"), 415
    script.result = ValueError()
    yield post("/v1/Scripted", json={"text": "a"}), 500
    script.result = None


def test_every_answer_can_be_read_by_pages_of_any_origin_without_credentials(client, script):
    for response, status in every_kind_of_answer(client, script, Origin="https://evil.example"):
        assert response.status_code == status
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in response.headers
        assert "X-Request-ID" in response.headers["Access-Control-Expose-Headers"]


def test_listed_origins_are_matched_whole_and_alone(make_app, script):
    client = make_app(cors=Cors((ORIGIN,))).test_client()
    for response, _ in every_kind_of_answer(client, script, Origin=ORIGIN):
        assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert "Origin" in response.headers["Vary"]
    for other in ("https://evil.example", "null", "https://good.example.evil.io", "https://goodXexample",
                  "https://a.good.example", "http://good.example"):  # fmt: skip
        answers = client.post("/v1/Scripted", json={"text": "a"}, headers={"Origin": other})
        assert "Access-Control-Allow-Origin" not in answers.headers


@pytest.mark.parametrize("path", ["/v1/Scripted", "/v1"])
def test_a_preflight_is_answered_without_work(client, script, path):
    asked = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
        "Access-Control-Request-Private-Network": "true",
    }
    response = client.options(path, headers=asked)
    assert response.status_code in (200, 204)
    assert set(response.headers["Access-Control-Allow-Methods"].split(", ")) == {"GET", "POST"}
    assert response.headers["Access-Control-Allow-Headers"].lower() == "content-type"
    assert response.headers.get("Access-Control-Allow-Private-Network") != "true"
    assert script.calls == []


def test_limits_of_one_model_bound_its_own_schema(make_app):
    client = make_app(limits=Limits(items=1)).test_client()
    assert client.post("/v1/Scripted", json={"text": ["a", "b"]}).get_json()["path"] == "$.text"
