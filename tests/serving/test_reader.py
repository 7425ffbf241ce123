"""The front door: what is JSON, and what is said about all that is not."""

import gzip
import json

import pytest

from model_serving.serving.errors import ServiceError
from model_serving.serving.reader import DEEPEST, LONGEST_NUMBER, loads

GOOD = '{"text":"é"}'.encode()
JSON = "application/json"


@pytest.mark.parametrize("content_type", [JSON, "Application/JSON; charset=UTF-8", 'application/json; charset="utf-8"'])
def test_json_in_utf8_is_read(post, content_type):
    assert post(GOOD, content_type).get_json() == {"result": {"echo": "é"}}


def test_a_byte_order_mark_in_front_is_passed_over(post):
    assert post(b"\xef\xbb\xbf" + GOOD).get_json() == {"result": {"echo": "é"}}


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
        "application/json; charset=zzz",
        "multipart/form-data; boundary=x",
        "image/png",
        "nonsense",
    ],
)
def test_another_media_type_or_charset_is_refused_by_name(post, content_type, failed):
    assert JSON in failed(post(GOOD, content_type), 415, "media_type")["message"]


@pytest.mark.parametrize(
    ("name", "value", "body"),
    [
        ("Content-Encoding", "gzip", gzip.compress(GOOD)),
        ("Content-Encoding", "br", GOOD),
        ("Transfer-Encoding", "gzip, chunked", GOOD),
    ],
)
def test_a_compressed_body_is_refused_unread(client, name, value, body, failed):
    response = client.post("/v1/Scripted", data=body, content_type=JSON, headers={name: value})
    failed(response, 415, "media_type")


@pytest.mark.parametrize("headers", [{}, {"Content-Type": JSON}, {"Content-Type": "text/plain"}])
def test_no_body_is_no_json_object(client, headers, failed):
    assert failed(client.post("/v1/Scripted", headers=headers), 400, "no_json")["message"] == "No JSON object"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"null", "null"),
        (b"[]", "an array"),
        (b'[{"text":"a"}]', "an array"),
        (b'"x"', "a string"),
        (b"7", "a number"),
        (b"7.5", "a number"),
        (b"true", "true or false"),
    ],
)
def test_json_that_is_no_object_is_told_what_it_is(post, body, kind, failed):
    assert kind in failed(post(body), 400, "no_json")["message"]


def test_white_space_alone_is_no_json_object(post, failed):
    assert failed(post(b"   "), 400, "no_json")["message"] == "No JSON object"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"text":"a"}garbage', "line 1, column 13"),
        (b"{'text':'a'}", "line 1, column 2"),
        (b'{"text":"a",}', "not valid JSON"),
        (b'{"text":01}', "not valid JSON"),
        (b'\x00{"text":"a"}', "not valid JSON"),
        (b'{"text":"a"}\x00', "not valid JSON"),
        (b'{"text":"a\nb"}', "not valid JSON"),
        ('{"text":"a"}'.encode("utf-16"), "not valid UTF-8 at byte 0"),
        (b'{"text":"\xff\xfe"}', "not valid UTF-8 at byte 9"),
        (b'{"text":"a","text":"b"}', "same key twice"),
        (b'{"text":"a","x":{"y":1,"y":2}}', "same key twice"),
        (b'{"text":NaN}', "NaN"),
        (b'{"text":-Infinity}', "NaN"),
        (b'{"text":1e400}', "too large"),
        (b'{"text":' + b"9" * 5000 + b"}", "more than 32 characters"),
        (b'{"text":' + b"9" * 4000 + b"}", "more than 32 characters"),
        (b'{"text":0.' + b"9" * 4000 + b"}", "more than 32 characters"),
        (rb'{"text":"\ud800"}', "surrogate"),
        (rb'{"\udfff":1}', "surrogate"),
        (b'{"text":' + b"[" * 2000 + b"]" * 2000 + b"}", "nested too deep"),
        (b'{"text":' + b"[" * 40 + b"]" * 40 + b"}", "nested too deep"),
        (b"\x89PNG\r\n\x1a\n", "not valid UTF-8"),
    ],
)
def test_what_is_not_strict_json_is_told_why(post, body, said, failed):
    assert said in failed(post(body), 400, "bad_json")["message"]


def test_numbers_and_nesting_are_read_up_to_their_bounds():
    assert loads(b"9" * LONGEST_NUMBER) == int("9" * LONGEST_NUMBER)
    nested = b"[" * DEEPEST + b"]" * DEEPEST
    assert json.dumps(loads(nested)).encode() == nested
    with pytest.raises(ServiceError):
        loads(b"[" + nested + b"]")


def test_a_whole_surrogate_pair_is_one_character(post):
    assert post(rb'{"text":"\ud83d\ude00"}').get_json() == {"result": {"echo": "😀"}}


def test_a_body_over_the_limit_is_failed(post, failed):
    failed(post(b'{"text":"' + b"a" * 9000 + b'"}'), 413, "too_large")


def test_text_comes_back_as_it_was_sent(post):
    text = '東京 Zürich 😀 \u2028 "quotes" \\ back \x00 \u200d'
    response = post({"text": text})
    assert response.get_json() == {"result": {"echo": text}}
    assert "東京" in response.data.decode("utf-8")
    assert response.headers["Content-Type"] == JSON
    assert int(response.headers["Content-Length"]) == len(response.data)
