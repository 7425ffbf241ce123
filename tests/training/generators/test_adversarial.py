import copy
from typing import Any

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models.generators import dcgan, gan
from model_serving.models.generators.latent import join
from model_serving.training.generators.adversarial import Game, Recipe, count_statistics, play

SIZES: dict[Any, dict[str, Any]] = {
    gan: {"noise": 6, "generator": [16, 32], "discriminator": [32, 16]},
    dcgan: {"noise": 6, "classes": 10, "generator": [8, 4], "discriminator": [4, 8]},
}


RECIPE = Recipe(batch=20, generator_rate=2e-3, discriminator_rate=2e-3, average=0.9)


def begin(model, epochs, seed=1):
    torch.manual_seed(seed)
    sizes = SIZES[model]
    return Game(model.build(sizes), sizes["noise"], sizes.get("classes", 1), RECIPE, 20 * epochs)


@pytest.mark.parametrize("model", SIZES, ids=["gan", "dcgan"])
def test_an_interrupted_training_ends_as_a_whole_one(tmp_path, data, model):
    whole = play(begin(model, 2), data.train, 2, tmp_path / "whole.pt")
    game = begin(model, 2)
    game.train_epoch(data.train)
    game.save(tmp_path / "parts.pt")
    resumed = begin(model, 2, seed=9)
    parts = play(resumed, data.train, 2, tmp_path / "parts.pt")
    for name, weights in whole.state_dict().items():
        assert torch.equal(weights, parts.state_dict()[name]), name
    assert resumed.epoch == len(resumed.record.accuracy) == len(resumed.record.generator_loss) == 2
    assert not whole.training


def test_a_class_is_learnt_to_be_drawn_where_it_belongs(tmp_path, data):
    game = begin(dcgan, 8)
    networks = play(game, data.train, 8, tmp_path / "none.pt")
    noise = torch.randn(30, 6, generator=torch.Generator().manual_seed(3))
    means = torch.stack([data.train.pixels[data.train.labels == label].float().mean(0) for label in range(10)])
    right = 0.0
    for label in range(10):
        drawn = networks.generator(join(noise, torch.eye(10)[label].expand(30, 10))).detach().flatten(1)
        right += (torch.cdist((drawn + 1) * 127.5, means.flatten(1)).argmin(1) == label).sum().item()
    assert right > 200, "of 300; 30 by chance"
    assert [strip.shape for strip in game.record.strip] == [(10, 28, 28)] * 8
    assert game.record.summary()["epochs"] == 8


def test_a_step_is_the_game_of_the_paper(data):
    game = begin(gan, 1)
    before = copy.deepcopy(game)
    real = data.train.pixels[:20].unsqueeze(1).float() / 127.5 - 1
    state = torch.get_rng_state()
    deceived, told, accuracy = game._step(real, torch.zeros(20, dtype=torch.int64)).tolist()

    torch.set_rng_state(state)
    latent, _ = before._latent(20)
    drawn = before.generator(latent)
    of_real, of_drawn = (before.discriminator(pictures).sigmoid() for pictures in (real, drawn))
    expected = -(0.9 * of_real.log() + 0.1 * (1 - of_real).log()).mean() - (1 - of_drawn).log().mean()
    assert told == pytest.approx(expected.item(), rel=1e-4)
    assert deceived == pytest.approx(-game.discriminator(drawn).sigmoid().log().mean().item(), rel=1e-4)
    right = (of_real > 0.5).sum() + (of_drawn < 0.5).sum()
    assert accuracy == pytest.approx(right.item() / 40)
    parts = (part.parameters() for part in (game.averaged, before.generator, game.generator))
    for mean, old, new in zip(*parts, strict=True):
        assert_close(mean, 0.9 * old + 0.1 * new)
        assert not torch.equal(old, new)


def test_rates_stay_for_one_half_and_then_fall_to_zero(data):
    game = begin(gan, 2)
    rates = []
    for _ in range(40):
        rates.append(game.schedules[0].get_last_lr()[0])
        game.optimisers[0].step()
        game.schedules[0].step()
    assert rates[:21] == [2e-3] * 21
    assert rates[30] == pytest.approx(1e-3)
    assert game.schedules[0].get_last_lr()[0] == pytest.approx(0, abs=1e-9)


def test_statistics_are_the_means_over_all_that_is_drawn():
    normalisation = nn.BatchNorm1d(2, momentum=0.2)
    network = nn.Sequential(normalisation)
    batches = iter(torch.randn(4, 50, 2, generator=torch.Generator().manual_seed(1)) * 3 + 5)
    kept = []

    def latents(count):
        kept.append(next(batches))
        assert count == 50
        return kept[-1], torch.zeros(count)

    count_statistics(network, latents, 200, batch=50)
    assert_close(normalisation.running_mean, torch.stack([batch.mean(0) for batch in kept]).mean(0))
    assert_close(normalisation.running_var, torch.stack([batch.var(0) for batch in kept]).mean(0))
    assert normalisation.momentum == 0.2
    assert not network.training
