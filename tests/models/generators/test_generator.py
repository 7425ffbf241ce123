import random

import pytest
import torch
from torch import nn

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.generators import dcgan
from model_serving.models.generators.generator import DATASETS, Artist, Generator, Networks, load_artist
from model_serving.models.generators.latent import Between, Draw, join, noise_and_class
from model_serving.models.generators.pictures import to_pixels
from model_serving.models.layers.eight_bit import pack

POINTS = [Draw(seed, number) for seed in (0, 2**53 - 1) for number in range(10)]


class Wrong(nn.Module):
    """Draws a row of values, some of which no picture has."""

    def __init__(self, values):
        super().__init__()
        self.values = torch.tensor(values)

    def forward(self, latent):
        return self.values.expand(len(latent), 1, 1, -1)


@pytest.fixture
def names(architecture):
    return ["nought", "one", "two"][: architecture.get("classes", 0)]


@pytest.fixture
def generator(networks, architecture, names):
    return Generator({"toys": Artist(networks, architecture["noise"], names)})


def same(left, right):
    return torch.equal(left.pixels, right.pixels) and (left.label, left.score) == (right.label, right.score)


def test_a_picture_is_what_the_networks_make_of_its_noise(generator, networks, architecture, names):
    noise, label = noise_and_class(Draw(4, 2), architecture["noise"], max(1, len(names)))
    weights = torch.eye(max(1, len(names)))[label]
    expected = networks.generator(join(noise[None], weights[None]))
    (drawing,) = generator.predict([Draw(4, 2)], dataset="toys", scores=True)
    assert (drawing.pixels.int() - to_pixels(expected)[0, 0].int()).abs().max() <= 1  # rounding at a batch of one
    assert drawing.label == (names[label] if names else None)
    score = networks.discriminator(expected)[0, label].sigmoid().item()
    assert drawing.score == pytest.approx(score, abs=1.01e-4)


@pytest.mark.parametrize("scores", [False, True])
def test_a_picture_alone_is_the_picture_in_any_batch_at_any_place(generator, scores):
    together = generator.predict(POINTS, dataset="toys", scores=scores)
    shuffled = random.Random(1).sample(range(len(POINTS)), len(POINTS))
    mixed = generator.predict([POINTS[place] for place in shuffled], dataset="toys", scores=scores)
    for place, point in enumerate(POINTS):
        (alone,) = generator.predict([point], dataset="toys", scores=scores)
        assert same(alone, together[place])
        assert same(alone, mixed[shuffled.index(place)])
    assert all((drawing.score is not None) == scores for drawing in together)


def test_the_global_source_of_randomness_plays_no_part_and_stays(generator):
    torch.manual_seed(1)
    first = generator.predict(POINTS[:3], dataset="toys")
    state = torch.get_rng_state()
    torch.manual_seed(2)
    second = generator.predict(POINTS[:3], dataset="toys")
    assert all(map(same, first, second))
    torch.manual_seed(1)
    assert torch.equal(torch.get_rng_state(), state)


def test_a_way_starts_and_ends_at_the_pictures_of_its_seeds(generator):
    start, end = Draw(1, 3), Draw(2, 3)
    way = generator.predict([Between(start, end, share) for share in (0.0, 0.5, 1.0)], dataset="toys", scores=True)
    ends = generator.predict([start, end], dataset="toys", scores=True)
    assert same(way[0], ends[0])
    assert same(way[2], ends[1])
    assert not same(way[1], ends[0])


def test_truncation_one_changes_nothing_and_less_pulls_pictures_together(generator):
    def spread(truncation):
        drawings = generator.predict(POINTS, dataset="toys", truncation=truncation)
        return torch.stack([drawing.pixels for drawing in drawings]).float().var(0).mean()

    whole, same_whole = (generator.predict(POINTS, dataset="toys", **given) for given in ({}, {"truncation": 1}))
    assert all(map(same, whole, same_whole))
    assert spread(0.3) < spread(0.7) < spread(1.0)


@pytest.mark.parametrize("model", [dcgan], indirect=True)
def test_a_label_replaces_the_class_of_the_draw_alone(generator, names):
    free = generator.predict(POINTS, dataset="toys", scores=True)
    for label, name in enumerate(names):
        asked = generator.predict(POINTS, dataset="toys", label=label, scores=True)
        assert {drawing.label for drawing in asked} == {name}
        for drawing, other in zip(free, asked, strict=True):
            assert same(drawing, other) == (drawing.label == name)


@pytest.mark.parametrize("size", [1, 5])
def test_wrong_values_are_clamped_or_refused(size):
    values = [-1.2, -1.0, 0.0, 1.0, 1.2][:size]
    artist = Artist(Networks(Wrong(values), nn.Flatten()), 4, [])
    drawings = Generator({"toys": artist}).predict(POINTS, dataset="toys")
    assert {tuple(drawing.pixels.flatten().tolist()) for drawing in drawings} == {(0, 0, 128, 255, 255)[:size]}
    broken = Artist(Networks(Wrong([float("nan")]), nn.Flatten()), 4, [])
    with pytest.raises(ArithmeticError):
        Generator({"toys": broken}).predict(POINTS[:1], dataset="toys")


def test_what_is_stored_draws_the_same_pictures_within_two_grey_values(
    tmp_path, model, networks, architecture, names, generator
):
    folder, card, weights = tmp_path / "toys", {"architecture": architecture}, pack(networks.state_dict())
    artifact.save(folder, card, weights, {"classes": names})
    loaded = Generator({"toys": load_artist(folder, model.build)})
    drawn, stored = (made.predict(POINTS, dataset="toys") for made in (generator, loaded))
    for left, right in zip(drawn, stored, strict=True):
        assert left.label == right.label
        assert (left.pixels.float() - right.pixels.float()).abs().mean() < 2
    artifact.save(folder, {"architecture": architecture | {"noise": 7}}, weights, {"classes": names})
    with pytest.raises(ArtifactError, match="does not fit"):
        load_artist(folder, model.build)


def test_every_data_set_has_its_networks_or_nothing_is_loaded(tmp_path, model, networks, architecture, names):
    for dataset in DATASETS:
        with pytest.raises(ArtifactError, match=f"{dataset}.*restore it or train the model"):
            model.load(tmp_path)
        artifact.save(
            tmp_path / dataset, {"architecture": architecture}, pack(networks.state_dict()), {"classes": names}
        )
    loaded = model.load(tmp_path)
    assert all(loaded.predict(POINTS[:1], dataset=dataset) for dataset in DATASETS)
