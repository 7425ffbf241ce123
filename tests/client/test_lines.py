"""Files of lines: held against asking for each line alone, however the run is cut into batches or interrupted."""

import json
from itertools import pairwise

import pytest
from docopt import DocoptExit
from hypothesis import given
from hypothesis import strategies as st

from model_serving.client import Client, RefusedError, UnansweredError
from model_serving.client.__main__ import lines_field, read_fields, run_lines
from model_serving.client.lines import LinesError, Question, answer, batches, read, run

LIMITS = {"body_bytes": 4096, "items": 3, "request_characters": 12, "item_characters": 9}
TEXTS = {"type": ["string", "array"], "maxItems": 3, "items": {"type": "string"}}
CARD = {"name": "Echo", "version": "1", "limits": LIMITS, "request_schema": {"properties": {"text": TEXTS}}}


def refused(status, code="input", path=None):
    error = {"message": "is not to my taste", "code": code, "request_id": "me"}
    return RefusedError(status, error | ({"path": path} if path else {}))


class Echo(Client):
    """A client of a model that takes short lists and refuses what begins with a word it knows."""

    def __init__(self, fails_after=None):
        super().__init__("http://127.0.0.1:9")
        self.left = fails_after
        self.asked = []

    def post(self, model, /, **fields):
        text = fields["text"]
        if self.left == 0:
            raise UnansweredError("No answer", "me")
        if self.left is not None:
            self.left -= 1
        self.asked.append(text)
        assert len(text) <= LIMITS["items"]
        for place, item in enumerate(text):
            if item.startswith("bad"):
                raise refused(400, path=f"$.text[{place}]")
        if any(item.startswith("crash") for item in text):
            raise refused(500)
        if sum(map(len, text)) > LIMITS["request_characters"]:
            raise refused(400, path="$.text")
        if fields.get("task") == "none":
            raise refused(400, "schema", "$.task")
        return [{"echo": item} for item in text]


ITEMS = st.lists(st.one_of(st.text(max_size=5), st.sampled_from(["bad", "crash", "bad 2", "x" * 13])), max_size=12)


@given(ITEMS)
def test_an_answer_of_many_is_the_answers_of_each_alone(items):
    def ask(some):
        return Echo().post("Echo", text=some)

    alone = [answer(ask, "text", [item])[0] for item in items]
    for start in range(0, len(items), 3):
        assert answer(ask, "text", items[start : start + 3]) == alone[start : start + 3]


@given(ITEMS)
def test_batches_hold_every_item_in_order_within_the_limits(items):
    made = list(batches(iter(items), LIMITS))
    assert [item for batch in made for item in batch] == items
    for batch, following in pairwise(made):
        assert len(batch) <= 3
        assert len(batch) == 1 or sum(map(len, batch)) <= 12
        assert len(batch) == 3 or sum(map(len, [*batch, following[0]])) > 12


def test_batches_fit_a_body():
    items = ["\x01" * 400] * 20
    for batch in batches(iter(items), {"body_bytes": 8192, "items": 64, "request_characters": 100_000}):
        assert len(json.dumps({"text": batch}, ensure_ascii=False).encode()) < 8192


LINES = ["a", "", "bad line", "b\u2028c", "crash", "xxxxxxxxxxxxx", "d", "e", "f", "g"]


@pytest.fixture
def files(tmp_path):
    lines = tmp_path / "lines"
    lines.write_bytes("\n".join(LINES[:4]).encode() + b"\r\n" + "\n".join(LINES[4:]).encode())
    return lines, tmp_path / "out"


@pytest.fixture
def go(files):
    """Run the lines through a client; gives the failed ones."""

    lines, output = files

    def go(client, **options):
        question = Question(CARD, "text", options)
        return [failure.line for failure in run(client, question, lines, output, 2)]

    return go


def test_the_output_has_an_answer_for_each_line_in_order(files, go):
    assert list(read(files[0])) == LINES
    assert go(Echo()) == [3, 5, 6]
    answers = [json.loads(line) for line in files[1].read_text().split("\n")[:-1]]
    assert len(answers) == len(LINES)
    for line, told in zip(LINES, answers, strict=True):
        if "result" in told:
            assert told == {"result": {"echo": line}}
        else:
            assert told == {"error": {"message": "is not to my taste", "code": "input", "request_id": "me"}}
    assert not files[1].with_name("out.run").exists()


@pytest.mark.parametrize("requests", range(8))
@pytest.mark.parametrize("torn", [b"", b'{"result": {"ech'])
def test_an_interrupted_run_goes_on_where_it_stopped(files, go, requests, torn):
    go(Echo())
    whole = files[1].read_bytes()
    files[1].unlink()
    with pytest.raises(UnansweredError):
        go(Echo(fails_after=requests))
    kept = files[1].read_bytes()
    assert whole.startswith(kept)
    files[1].write_bytes(kept + torn)
    rest = Echo()
    assert go(rest) == [3, 5, 6]
    assert files[1].read_bytes() == whole
    done = [json.loads(line) for line in kept.decode().split("\n")[:-1]]
    answered = [told["result"]["echo"] for told in done if "result" in told]
    assert not set(answered) & {item for batch in rest.asked for item in batch}


@pytest.mark.parametrize(
    ("error", "reason"), [(UnansweredError("No answer", "me"), "No answer"), (KeyboardInterrupt(), "Interrupted")]
)
def test_an_interrupted_run_says_how_to_go_on(files, capsys, error, reason):
    class Failing(Echo):
        def post(self, model, /, **fields):
            raise error

    lines, output = files
    assert run_lines(Failing(), Question(CARD, "text", {}), lines, output, 1) == 1
    told = f"{reason}\n{output} holds what is answered; run the same again to go on\n"
    assert capsys.readouterr().err == told
    assert run_lines(Echo(), Question(CARD, "text", {}), lines, output, 1) == 1
    assert capsys.readouterr().err.splitlines() == [
        *(f"line {line}: is not to my taste (input)" for line in (3, 5, 6)),
        f"{output}: all lines, 3 of them failed",
    ]


def test_an_output_of_another_run_is_left_alone(files, go):
    go(Echo())
    before = files[1].read_bytes()
    with pytest.raises(LinesError, match="is there already; move it away"):
        go(Echo())
    files[1].unlink()
    with pytest.raises(UnansweredError):
        go(Echo(fails_after=2))
    with pytest.raises(LinesError, match="begun with other lines, fields or weights"):
        go(Echo(), task="ner")
    files[0].write_text("other lines")
    with pytest.raises(LinesError, match="begun with other lines"):
        go(Echo())
    assert before.startswith(files[1].read_bytes())


def test_what_is_wrong_with_all_lines_ends_the_run(files, go):
    client = Echo()
    with pytest.raises(RefusedError, match=r"at \$\.task"):
        go(client, task="none")
    assert len(client.asked) < len(LINES)


def test_a_file_that_is_no_text_or_not_there_is_told(tmp_path):
    lines = tmp_path / "lines"
    question = Question(CARD, "text", {})
    with pytest.raises(LinesError, match="can not be read: No such file"):
        run(Echo(), question, lines, tmp_path / "out", 1)
    lines.write_bytes(b"good\nb\xffd\n")
    with pytest.raises(LinesError, match="not UTF-8 at line 2"):
        run(Echo(), question, lines, tmp_path / "out", 1)
    assert not (tmp_path / "out").exists()


def test_a_model_that_answers_no_list_is_told(tmp_path):
    class Single(Echo):
        def post(self, model, /, **fields):
            return {"echo": fields["text"]}

    (tmp_path / "lines").write_text("a\n")
    with pytest.raises(LinesError, match="does not answer a list of text with a list as long"):
        run(Single(), Question(CARD, "text", {}), tmp_path / "lines", tmp_path / "out", 1)


PROPERTIES = {
    "text": TEXTS,
    "words": {"type": "array", "items": {"type": "string"}},
    "pairs": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
    "count": {"type": "integer"},
    "rate": {"type": "number"},
    "loud": {"type": "boolean"},
    "task": {"type": "string", "enum": ["a", "b"]},
}


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        (["text=7"], {"text": "7"}),
        (["text=[1]"], {"text": "[1]"}),
        (["text=a=b"], {"text": "a=b"}),
        (["text="], {"text": ""}),
        (["text=a", "text=a"], {"text": ["a", "a"]}),
        (["words=好"], {"words": ["好"]}),
        (["words=a", "words=b"], {"words": ["a", "b"]}),
        (['pairs=[["a","b"]]'], {"pairs": [["a", "b"]]}),
        (["count=4", "rate=0.5", "loud=true"], {"count": 4, "rate": 0.5, "loud": True}),
        (["count=4.5"], {"count": 4.5}),
        (["unknown=4"], {"unknown": "4"}),
        ([], {}),
    ],
)
def test_values_are_read_as_the_schema_wants(words, fields):
    assert read_fields(words, PROPERTIES) == fields


@pytest.mark.parametrize("word", ["text", "=a", "count=many", "loud=yes", "count="])
def test_a_value_that_can_not_be_read_prints_the_usage(word):
    with pytest.raises(DocoptExit):
        read_fields([word], PROPERTIES)


def test_lines_go_into_the_only_list_of_texts_or_the_one_named():
    assert lines_field(PROPERTIES, {"text": "a"}, None) == "words"
    assert lines_field({"text": TEXTS, "task": PROPERTIES["task"]}, {}, None) == "text"
    assert lines_field(PROPERTIES, {}, "words") == "words"


@pytest.mark.parametrize(
    ("given_fields", "named", "could_be"),
    [
        ({}, None, "text, words"),
        ({"text": "a", "words": ["a"]}, None, "none"),
        ({}, "count", "text, words"),
        ({}, "unknown", "text, words"),
        ({"text": "a"}, "text", "words"),
    ],
)
def test_lines_that_have_no_field_of_their_own_print_the_usage(given_fields, named, could_be):
    with pytest.raises(DocoptExit, match=f"it could be {could_be}$"):
        lines_field(PROPERTIES, given_fields, named)
