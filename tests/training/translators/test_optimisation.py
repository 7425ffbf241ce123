"""Learning, stopping and going on, on a handful of made-up sentences."""

import pytest
import torch

from model_serving.models.translators.transformer import TransformerNetwork
from model_serving.training.translators import optimisation
from model_serving.training.translators.examples import Example
from model_serving.training.translators.optimisation import Schedule, Training

EXAMPLES = [Example([4 + a, 4 + b], [2, 4 + b, 4 + a, 3]) for a in range(4) for b in range(4)]
SCHEDULE = Schedule(stages=4, rate=1e-2, warm_up=5, subwords=16)


@pytest.fixture(autouse=True)
def _short(monkeypatch):
    monkeypatch.setattr(optimisation, "UPDATES", 5)


def training(schedule=SCHEDULE, seed=1, vocabulary="one"):
    torch.manual_seed(seed)
    network = TransformerNetwork(sources=8, targets=8, size=16, heads=2, layers=1, hidden=16, dropout=0.1)
    return Training(network, schedule, seed, vocabulary)


def same(left, right):
    return all(torch.equal(left[name], right[name]) for name in left | right)


def test_an_interrupted_training_ends_with_the_same_weights(tmp_path, monkeypatch):
    whole = training()
    record = whole.run(EXAMPLES, EXAMPLES, tmp_path / "whole.pt")
    learn = Training._learn

    def interrupted(run, ahead):
        if run.stage == 2:
            raise KeyboardInterrupt
        return learn(run, ahead)

    monkeypatch.setattr(Training, "_learn", interrupted)
    with pytest.raises(KeyboardInterrupt):
        training().run(EXAMPLES, EXAMPLES, tmp_path / "broken.pt")
    monkeypatch.setattr(Training, "_learn", learn)
    resumed = training()
    resumed.run(EXAMPLES, EXAMPLES, tmp_path / "broken.pt")
    assert same(whole.network.state_dict(), resumed.network.state_dict())
    assert record["updates"] == 20
    assert record["minutes"] >= 0


def test_a_finished_training_can_go_on(tmp_path):
    short = Schedule(stages=2, rate=1e-2, warm_up=5, subwords=16)
    training(short).run(EXAMPLES, EXAMPLES, tmp_path / "checkpoint.pt")
    longer = training()
    longer.run(EXAMPLES, EXAMPLES, tmp_path / "checkpoint.pt")
    whole = training()
    whole.run(EXAMPLES, EXAMPLES, tmp_path / "whole.pt")
    assert same(longer.network.state_dict(), whole.network.state_dict())


def test_another_seed_gives_other_weights(tmp_path):
    one = training()
    one.run(EXAMPLES, EXAMPLES, tmp_path / "one.pt")
    other = training(seed=2)
    other.run(EXAMPLES, EXAMPLES, tmp_path / "other.pt")
    assert not same(one.network.state_dict(), other.network.state_dict())


def test_a_checkpoint_of_other_subwords_is_refused(tmp_path):
    training().run(EXAMPLES, EXAMPLES, tmp_path / "checkpoint.pt")
    with pytest.raises(ValueError, match="other data"):
        training(vocabulary="other").run(EXAMPLES, EXAMPLES, tmp_path / "checkpoint.pt")


def test_what_was_seen_often_enough_is_learnt(tmp_path):
    run = training(Schedule(stages=30, rate=1e-2, warm_up=20, subwords=32))
    untrained = run.loss(EXAMPLES)
    record = run.run(EXAMPLES, EXAMPLES, tmp_path / "checkpoint.pt")
    assert record["dev_loss"] == pytest.approx(run.loss(EXAMPLES), abs=1e-3)
    assert record["dev_loss"] < 0.4 < 1.5 < untrained


def test_the_rate_rises_in_a_line_and_falls_with_the_root():
    run = training(Schedule(stages=1, rate=1e-3, warm_up=10, subwords=16))
    assert [run._rate(update) for update in (0, 4, 9, 39, 999)] == pytest.approx([1e-4, 5e-4, 1e-3, 5e-4, 1e-4])


def test_the_rate_falls_to_nothing_in_the_last_stages():
    run = training(Schedule(stages=4, rate=1e-3, warm_up=10, subwords=16, cooling=2))  # of 5 updates each
    warm = training(Schedule(stages=4, rate=1e-3, warm_up=10, subwords=16))
    shares = [run._rate(update) / warm._rate(update) for update in (0, 9, 10, 15, 19, 20)]
    assert shares == pytest.approx([1, 1, 1, 0.5, 0.1, 0])


def test_the_loss_is_the_mean_over_words_whatever_the_batches(monkeypatch):
    uneven = [*EXAMPLES, Example([4], [2, 5, 6, 7, 4, 4, 3])]
    run = training()
    run.network.eval()
    alone = []
    for example in uneven:
        scores = run.network(torch.tensor([example.source]), torch.tensor([example.target[:-1]])).log_softmax(2)[0]
        alone += [-scores[place, token].item() for place, token in enumerate(example.target[1:])]
    assert run.loss(uneven) == pytest.approx(sum(alone) / len(alone), abs=1e-5)
