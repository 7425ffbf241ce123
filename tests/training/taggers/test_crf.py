"""The recipe against python-crfsuite, on the same features and sentences."""

import pycrfsuite
import pytest
import torch

from model_serving.models.taggers.crf import TEMPLATES, build
from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.schemes import Span, decode
from model_serving.models.vocabulary import RESERVED
from model_serving.training.datasets.corpus import Corpus, TaggedSentence, labels_of
from model_serving.training.taggers import crf as recipe
from model_serving.training.taggers import likelihood
from model_serving.training.taggers.likelihood import Likelihood

PLACES = ("北京", "上海", "青海湖", "京")
SENTENCES = [
    TaggedSentence(f"{who}{verb}{where}", [Span(len(who) + 1, len(who) + 1 + len(where), "LOC")])
    for who in ("我", "小明")
    for verb in "在去"
    for where in PLACES
] + [
    TaggedSentence("京在上海", [Span(0, 1, "LOC"), Span(2, 4, "LOC")]),
    TaggedSentence("北京人去", [Span(0, 2, "LOC")]),
    TaggedSentence("我去上", []),
]
CORPUS = Corpus(SENTENCES, SENTENCES, SENTENCES, {"name": "places"}, "none")


@pytest.fixture(autouse=True)
def _every_feature(monkeypatch):
    monkeypatch.setattr(recipe, "RAREST", 1)
    monkeypatch.setattr(recipe, "PENALTY", 0.1)


def climb(sentences, iterations):
    labeller = build(recipe._features(sentences, "zh"), recipe._label_names(sentences), "zh")
    climb = recipe.Climb(Likelihood(labeller, sentences, 500_000))
    climb.ascend(iterations)
    return climb


@pytest.fixture
def suite(tmp_path, monkeypatch):
    """What python-crfsuite makes of ``SENTENCES``; START and END are features there.

    There they have weights for all labels only when all features do, so here all do too.
    """
    monkeypatch.setattr(likelihood, "mark", lambda seen, chunk: seen[RESERVED:].fill_(True))
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": 0, "c2": 0.1, "max_iterations": 500, "epsilon": 1e-9, "delta": 1e-12})
    trainer.set_params({"feature.possible_states": True, "feature.possible_transitions": True})
    for sentence in SENTENCES:
        trainer.append(described(sentence), labels_of(sentence))
    trainer.train(str(tmp_path / "crfsuite"))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "crfsuite"))
    return tagger


def described(sentence):
    """Features in a form that crfsuite's report can hold: without line breaks."""
    found = [[feature.replace("\n", "|") for feature in place] for place in TEMPLATES["zh"](sentence.units)]
    found[0] = [*found[0], "START"]
    found[-1] = [*found[-1], "END"]
    return found


def test_weights_are_those_of_crfsuite(suite):
    """The penalised likelihood has one summit, so both must come to the same."""
    climbed = climb(SENTENCES, 120)
    labeller = climbed.likelihood.labeller
    climbed.likelihood.fill(climbed.weights.detach())
    crf, info = labeller.network.crf, suite.info()
    numbers = {label: number for number, label in enumerate(labeller.labels)}
    ends = {"START": crf.start, "END": crf.end}
    for (feature, label), weight in info.state_features.items():
        (row,) = labeller.features.numbers([feature.replace("|", "\n")])
        ours = ends[feature] if feature in ends else labeller.network.votes.weight[row]
        assert ours[numbers[label]].item() == pytest.approx(weight, abs=2e-3), (feature, label)
    for (before, after), weight in info.transitions.items():
        assert crf.transitions[numbers[before], numbers[after]].item() == pytest.approx(weight, abs=2e-3)


def test_likelihood_and_labels_are_those_of_crfsuite(suite):
    climbed = climb(SENTENCES, 120)
    labeller = climbed.likelihood.labeller
    total, _ = climbed.likelihood(climbed.weights.detach())
    theirs = 0.0
    for sentence in SENTENCES:
        suite.set(described(sentence))
        theirs += torch.tensor(suite.probability(labels_of(sentence))).log().item()
        (labelling,) = labeller.label([sentence.units], Reading())
        assert labelling.labels == suite.tag()
    assert total == pytest.approx(theirs, abs=0.01)


def test_the_gradient_is_the_slope_of_the_likelihood(monkeypatch):
    labeller = build(recipe._features(SENTENCES, "zh"), recipe._label_names(SENTENCES), "zh")
    likelihood = Likelihood(labeller, SENTENCES, 10)
    assert len(likelihood.chunks) > 2
    random = torch.Generator().manual_seed(3)
    weights = torch.randn(len(likelihood), generator=random, dtype=torch.float64) / 4
    _, gradient = likelihood(weights)
    for _ in range(5):
        way = torch.randn(len(likelihood), generator=random, dtype=torch.float64)
        above, below = (likelihood(weights + step * way)[0] for step in (1e-2, -1e-2))
        assert (above - below) / 2e-2 == pytest.approx(float(gradient @ way), rel=1e-2)


def test_the_value_never_falls_and_what_was_seen_is_learnt(tmp_path):
    values = [climb(SENTENCES, iterations).value for iterations in (1, 3, 10, 40)]
    assert values == sorted(values)
    labeller, record = recipe.train(CORPUS, tmp_path / "checkpoint.pt", seed=1)
    assert record["dev_f1"] == 100
    assert record["kept_weights"] < record["weights"]
    found = labeller.label([sentence.units for sentence in SENTENCES], Reading())
    assert [decode(labelling.labels) for labelling in found] == [sentence.spans for sentence in SENTENCES]


@pytest.mark.parametrize("cut", [0, 1, 3])
def test_an_interrupted_training_ends_with_the_same_weights(tmp_path, monkeypatch, cut):
    monkeypatch.setattr(recipe, "CHUNK", 25)
    monkeypatch.setattr(recipe, "ITERATIONS", 4)
    whole, _ = recipe.train(CORPUS, tmp_path / "whole.pt", seed=1, blocks=4)
    recipe.train(CORPUS, tmp_path / "broken.pt", seed=1, blocks=cut)
    resumed, _ = recipe.train(CORPUS, tmp_path / "broken.pt", seed=1, blocks=4)
    ours, theirs = whole.weights(), resumed.weights()
    assert all(torch.equal(weight, theirs[name]) for name, weight in ours.items())


def test_a_checkpoint_of_other_data_is_refused(tmp_path):
    recipe.train(CORPUS, tmp_path / "checkpoint.pt", seed=1, blocks=1)
    fewer = Corpus(SENTENCES[:3], SENTENCES, SENTENCES, CORPUS.source, CORPUS.split)
    with pytest.raises(ValueError, match="other data"):
        recipe.train(fewer, tmp_path / "checkpoint.pt", seed=1, blocks=1)


def test_pruning_drops_small_weights_and_features_without_any():
    climbed = climb(SENTENCES, 10)
    climbed.likelihood.fill(climbed.weights.detach())
    labeller = climbed.likelihood.labeller
    smaller = recipe.prune(labeller, least=0.2)
    assert 0 < len(smaller.features) < len(labeller.features)
    for name in labeller.features.symbols:
        ours = labeller.network.votes.weight[labeller.features.numbers([name])[0]]
        kept = smaller.network.votes.weight[smaller.features.numbers([name])[0]]
        assert torch.equal(kept, torch.where(ours.abs() < 0.2, 0, ours))


def test_the_approach_comes_near_the_summit_and_leaves_unseen_pairs_alone():
    labeller = build(recipe._features(SENTENCES, "zh"), recipe._label_names(SENTENCES), "zh")
    function = Likelihood(labeller, SENTENCES, 25)
    assert len(function.chunks) > 2
    before, _ = function(torch.zeros(len(function), dtype=torch.float64))
    near = recipe.approach(function, passes=5, random=torch.Generator().manual_seed(1))
    after, _ = function(near)
    assert after > before / 10
    table = labeller.network.votes.weight.detach()
    assert not table[~function.seen].any()
    assert torch.equal(function.read(), near)
