"""From a request to pictures, with a small untrained network and with one that goes wrong."""

import base64
import json
import threading
from typing import Any

import jsonschema
import pytest
import torch

from model_serving.app import create_app
from model_serving.models.generators import dcgan
from model_serving.models.generators.generator import Artist, Generator
from model_serving.models.generators.pictures import GAP, from_png
from model_serving.resources import generators
from model_serving.resources.generators import GeneratorResource
from model_serving.resources.schemas import integer
from model_serving.utils.settings import Limits, Model, Settings

SIZES: dict[str, Any] = {"noise": 6, "classes": 3, "generator": [8, 4], "discriminator": [4, 8]}
LARGEST = 2**53 - 1
MOST = 64


class Toy(GeneratorResource):
    """Draw toys."""

    load = staticmethod(lambda folder: Generator(dict.fromkeys(("mnist", "fashion-mnist"), ARTIST)))
    request_schema = staticmethod(generators.request_schema(label=integer("a class", 0, 2)))
    example = {"count": 1, "seed": 1}

    @classmethod
    def slug(cls):
        return "toy"


def _artist() -> Artist:
    torch.manual_seed(3)
    networks = dcgan.build(SIZES).eval().requires_grad_(False)
    for weights in networks.parameters():
        if weights.ndim == 4:
            weights.mul_(20)
    return Artist(networks, SIZES["noise"], ["nought", "one", "two"])


ARTIST: Artist = _artist()


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    limits = Limits(items=MOST)
    settings = Settings(limits=limits, models={"toy": Model(True, limits)}, data=tmp_path_factory.mktemp("data"))
    app = create_app(settings, [Toy])
    app.config["PROPAGATE_EXCEPTIONS"] = False
    app.extensions["model_serving"].start()
    return app.test_client()


@pytest.fixture
def draw(client):
    def send(**body):
        response = client.post("/v1/Toy", json=body)
        assert response.status_code == 200, response.text
        jsonschema.validate(response.get_json(), Toy.response_schema)
        return response.get_json()["result"]

    return send


@pytest.mark.parametrize("seed", [0, 1, LARGEST])
def test_a_seed_comes_back_exactly_and_draws_the_same_pictures(draw, seed):
    first = draw(count=3, seed=seed)
    assert first["seed"] == seed
    assert len(first["images"]) == len(first["labels"]) == 3
    assert draw(count=3, seed=seed) == first
    assert draw(count=3, seed=(seed + 1) % LARGEST)["images"] != first["images"]


def test_a_seed_that_is_left_out_is_chosen_and_told(draw):
    first, second = draw(count=2), draw(count=2)
    assert 0 <= first["seed"] <= LARGEST
    assert first["seed"] != second["seed"]
    assert draw(count=2, seed=first["seed"]) == first


def test_picture_k_depends_on_seed_and_k_alone(draw):
    whole = draw(count=MOST, seed=9, scores=True)
    for count in (1, 7, 33):
        some = draw(count=count, seed=9, scores=True)
        assert all(some[name] == whole[name][:count] for name in ("images", "labels", "scores"))


def test_arrays_hold_what_the_files_hold(draw):
    files, arrays = (draw(count=4, seed=5, format=form)["images"] for form in ("png", "array"))
    assert [from_png(base64.b64decode(file, validate=True)).tolist() for file in files] == arrays
    assert not any(character.isspace() for file in files for character in file)


def test_a_way_is_a_row_from_picture_k_of_one_seed_to_picture_k_of_the_other(draw):
    way = draw(count=3, from_seed=4, to_seed=6, steps=5)
    assert (way["from_seed"], way["to_seed"], way["steps"], len(way["images"])) == (4, 6, 5, 15)
    assert "seed" not in way
    for seed, column in ((4, 0), (6, 4)):
        assert way["images"][column::5] == draw(count=3, seed=seed)["images"]
    assert len(draw(count=1, from_seed=4, to_seed=6)["images"]) == generators.STEPS


@pytest.mark.parametrize(
    ("body", "rows", "columns"),
    [
        ({"count": 5, "seed": 1}, 2, 3),
        ({"count": 1, "seed": 1, "format": "array"}, 1, 1),
        ({"count": 2, "from_seed": 1, "to_seed": 2, "steps": 4}, 2, 4),
    ],
)
def test_one_contact_sheet_for_who_prefers_png(client, draw, body, rows, columns):
    response = client.post("/v1/Toy", json=body, headers={"Accept": "image/png"})
    assert (response.status_code, response.mimetype) == (200, "image/png")
    assert response.headers["X-Model-Version"]
    whole = from_png(response.data)
    assert whole.shape == (rows * (28 + GAP) + GAP, columns * (28 + GAP) + GAP)
    first = torch.tensor(draw(**body | {"format": "array"})["images"][0])
    assert torch.equal(whole[GAP : GAP + 28, GAP : GAP + 28].int(), first.int())


@pytest.mark.parametrize("count", [-1, 0, MOST + 1, 10**9, 1.5, "2", None, True, [1], 18446744073709551616, 1e300])
def test_a_count_that_can_not_be_is_refused_at_its_place(client, count, failed):
    body = failed(client.post("/v1/Toy", json={"count": count}), 400, "schema")
    assert body["path"] == "$.count"


@pytest.mark.parametrize("body", [b'{"count": 2.0, "seed": 1.0}', b'{"count": 2, "seed": 1, "label": 1.0}'])
def test_whole_numbers_may_be_written_with_a_point(client, body):
    response = client.post("/v1/Toy", data=body, content_type="application/json")
    result = response.get_json()["result"]
    assert (response.status_code, len(result["images"])) == (200, 2)
    assert str(result["seed"]) == "1"


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"seed": -1}, "seed"),
        ({"seed": LARGEST + 1}, "seed"),
        ({"seed": -9223372036854775809}, "seed"),
        ({"seed": "1"}, "seed"),
        ({"from_seed": LARGEST + 2, "to_seed": 1}, "from_seed"),
        ({"from_seed": 1, "to_seed": 2, "steps": 1}, "steps"),
        ({"label": 3}, "label"),
        ({"label": -1}, "label"),
        ({"truncation": 0.29}, "truncation"),
        ({"truncation": 1.01}, "truncation"),
        ({"dataset": "imagenet"}, "dataset"),
        ({"format": "gif"}, "format"),
        ({"scores": 1}, "scores"),
    ],
)
def test_a_field_out_of_bounds_is_told_its_place(client, fields, path, failed):
    assert failed(client.post("/v1/Toy", json={"count": 1} | fields), 400, "schema")["path"] == f"$.{path}"


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"from_seed": 1}, "from_seed"),
        ({"to_seed": 1}, "to_seed"),
        ({"steps": 4}, "steps"),
        ({"steps": 4, "seed": 1}, "steps"),
        ({"seed": 1, "from_seed": 1, "to_seed": 2}, "seed"),
        ({"count": 64, "from_seed": 1, "to_seed": 2}, "count"),
        ({"count": 2, "from_seed": 1, "to_seed": 2, "steps": 129}, "count"),
    ],
)
def test_fields_that_do_not_go_together_are_refused(client, fields, path, failed):
    assert failed(client.post("/v1/Toy", json={"count": 1} | fields), 400, "input")["path"] == f"$.{path}"


def test_the_largest_answers_stay_far_below_what_a_platform_lets_through(client):
    ways = {"count": 2, "from_seed": 1, "to_seed": 2, "steps": 128}
    for body in ({"count": MOST, "seed": 1}, ways):
        response = client.post("/v1/Toy", json=body | {"format": "array", "scores": True})
        assert response.status_code == 200
        assert len(response.data) < 2 << 20


def test_eight_clients_that_want_all_at_once_get_what_each_gets_alone(client, draw):
    alone = [draw(count=MOST, seed=seed) for seed in range(8)]
    answers: dict[int, object] = {}

    def ask(seed):
        response = client.application.test_client().post("/v1/Toy", json={"count": MOST, "seed": seed})
        answers[seed] = response.get_json()["result"]

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[seed] for seed in range(8)] == alone


def test_what_is_no_number_is_our_failure_and_never_a_picture(client, monkeypatch, failed):
    nothing = torch.full((8, 1, 2, 2), float("nan"))
    monkeypatch.setattr(ARTIST.networks.generator, "forward", lambda latent: nothing)
    for accept in ("application/json", "image/png"):
        response = client.post("/v1/Toy", json={"count": 2}, headers={"Accept": accept})
        assert "images" not in failed(response, 500, "internal")
    monkeypatch.undo()
    assert client.post("/v1/Toy", json={"count": 2}).status_code == 200


def test_scores_come_on_request_only(draw):
    assert "scores" not in draw(count=2, seed=1)
    assert all(0 <= score <= 1 for score in draw(count=2, seed=1, scores=True)["scores"])


def test_the_answer_is_json_of_plain_values(client):
    text = client.post("/v1/Toy", json={"count": 1, "seed": 1, "scores": True}).data
    assert list(json.loads(text)["result"]) == ["images", "labels", "scores", "seed"]
