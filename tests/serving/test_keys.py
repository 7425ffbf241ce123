"""Keys: who is let in, who is not, and that nothing ever tells a key."""

import base64
import hashlib
import hmac
import logging

import pytest

from model_serving.utils.settings import Cors, Keys

KEY = "correct-horse_battery.staple"
OTHER = "ключ"
BODY = {"text": "a"}


def hashed(key):
    return hashlib.sha256(key.encode()).hexdigest()


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture
def client(make_app):
    return make_app(keys=Keys((hashed(OTHER), hashed(KEY).upper()))).test_client()


def refused(response):
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    body = response.get_json()
    assert body["code"] == "unauthorized"
    assert body["request_id"] == response.headers["X-Request-ID"]
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    return True


def test_without_keys_in_the_conf_everybody_is_let_in(make_app):
    assert make_app().test_client().post("/v1/Scripted", json=BODY).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"X-API-Key": KEY},
        {"X-API-Key": OTHER.encode().decode("latin-1")},  # bytes as they came, in the manner of WSGI
        bearer(KEY),
        {"Authorization": f"bearer   {KEY} "},
        {"X-API-Key": KEY, "Authorization": "Basic " + base64.b64encode(b"user:password").decode()},
    ],
)
def test_a_key_is_let_in_by_either_header(client, headers):
    assert client.post("/v1/Scripted", json=BODY, headers=headers).status_code == 200
    assert client.get("/v1", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-API-Key": ""},
        {"X-API-Key": KEY[:-1]},
        {"X-API-Key": KEY + "x"},
        {"X-API-Key": KEY.upper()},
        {"X-API-Key": hashed(KEY)},
        {"X-API-Key": f"{KEY},{KEY}"},
        {"X-API-Key": "wrong", **bearer(KEY)},
        {"Authorization": KEY},
        {"Authorization": f"Basic {KEY}"},
        {"Authorization": "Bearer"},
        bearer(hashed(KEY)),
        bearer("x" * 8000),
    ],
)
def test_anything_else_is_refused_before_any_work(client, script, headers):
    headers = {"Origin": "https://page.example", **headers}
    assert refused(client.post("/v1/Scripted", json=BODY, headers=headers))
    assert script.calls == []


def test_no_key_is_the_key_of_nobody_even_if_the_conf_has_its_hash(make_app):
    client = make_app(keys=Keys((hashed(""),))).test_client()
    for headers in ({}, {"X-API-Key": ""}, {"Authorization": "Bearer "}):
        assert client.get("/v1", headers=headers).status_code == 401


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/Scripted", "/v1/Nothing", "/%761/Scripted"])
def test_all_below_v1_asks_for_a_key(client, path):
    for method in ("GET", "HEAD", "POST", "PUT"):
        assert client.open(path, method=method).status_code == 401


@pytest.mark.parametrize("path", ["//v1/Scripted", "/./v1/Scripted", "/x/../v1/Scripted", "/V1/Scripted"])
def test_there_is_no_way_round(client, path):
    response = client.post("/", json=BODY, environ_overrides={"PATH_INFO": path})
    assert response.status_code in (401, 404)


@pytest.mark.parametrize("path", ["/", "/healthz", "/readyz", "/_ah/warmup", "/metrics"])
def test_what_tells_nothing_of_a_models_work_is_open(client, path):
    assert client.get(path).status_code == 200


def test_an_unknown_path_elsewhere_is_a_404(client):
    assert client.get("/v10").status_code == client.get("/nothing").status_code == 404


@pytest.mark.parametrize("origins", ["*", "https://page.example"])
@pytest.mark.parametrize("header", ["x-api-key", "authorization"])
def test_a_preflight_passes_and_admits_the_headers(make_app, origins, header):
    client = make_app(keys=Keys((hashed(KEY),)), cors=Cors((origins,))).test_client()
    asked = {
        "Origin": "https://page.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": f"content-type, {header}",
    }
    response = client.options("/v1/Scripted", headers=asked)
    assert response.status_code == 200
    allowed = response.headers["Access-Control-Allow-Headers"].lower().split(", ")
    assert set(allowed) == {"content-type", header}


def test_every_hash_is_compared_in_constant_time_whichever_fits(make_app, monkeypatch):
    compared = []

    def compare(one, other):
        compared.append(other)
        return one == other

    keys = [f"key-{number}" for number in range(5)]
    client = make_app(keys=Keys(tuple(map(hashed, keys)))).test_client()
    monkeypatch.setattr(hmac, "compare_digest", compare)
    for key, status in ((keys[0], 200), (keys[4], 200), ("wrong", 401)):
        compared.clear()
        assert client.get("/v1", headers={"X-API-Key": key}).status_code == status
        assert [digest.hex() for digest in compared] == list(map(hashed, keys))


def test_a_key_is_never_logged_nor_told(client, script, caplog):
    caplog.set_level(logging.DEBUG)
    secret = "a-secret-that-nobody-knows"
    script.result = ValueError()
    answers = [
        client.post("/v1/Scripted", json=BODY, headers={"X-API-Key": KEY}),
        client.post("/v1/Scripted", json=BODY, headers=bearer(KEY)),
        client.post("/v1/Scripted", json=BODY, headers={"X-API-Key": secret}),
        client.post("/v1/Scripted", json=BODY, headers=bearer(secret)),
    ]
    assert [answer.status_code for answer in answers] == [500, 500, 401, 401]
    told = caplog.text + "".join(f"{answer.headers}{answer.text}" for answer in answers)
    for word in (KEY, secret, hashed(KEY), hashed(secret)):
        assert word not in told
