"""Smoothing is done again in fractions, inference by going through every path."""

import itertools
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import pytest
import torch
from torch.testing import assert_close

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.layers import linear_chain
from model_serving.models.taggers import hmm, schemes
from model_serving.models.taggers.hmm import BackOff, Counts, HMMLabeller, label_of, permitted_moves, states_of
from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.tagger import Tagger
from model_serving.models.vocabulary import PADDING, UNKNOWN, Vocabulary

CHARACTERS = Vocabulary("小明在北京读")
STATES = ["<O>", "B-x", "E-x", "S-x", "<O>x", "x<O>", "I-x"]
BACK_OFF = BackOff(moves=0.5, characters=0.25, pairs=2.0)
SENTENCES = ["京", "小明", "在北京", "小明在北", "x京读了书"]


def some_counts(states, seed):
    """Every state written and left at least once, most characters after most others never seen."""
    generator = torch.Generator().manual_seed(seed)
    moves = torch.randint(0, 20, (len(states) + 1, len(states) + 1), generator=generator, dtype=torch.int32)
    pairs = product(range(len(CHARACTERS)), range(UNKNOWN, len(CHARACTERS)), range(len(states)))
    seen = [(*pair, state) for *pair, state in pairs if torch.rand((), generator=generator) < 0.3]
    times = torch.randint(1, 9, (len(seen),), generator=generator, dtype=torch.int16)
    return Counts(moves * permitted_moves(states), torch.tensor(seen, dtype=torch.int16), times)


@pytest.fixture
def labeller():
    return HMMLabeller(some_counts(STATES, seed=32), CHARACTERS, STATES, BACK_OFF)


@pytest.fixture
def folder(tmp_path, labeller):
    """A folder with the same labeller as both variants."""
    for variant in ("zh-pos", "zh-ner"):
        card = {"architecture": labeller.architecture}
        artifact.save(tmp_path / variant, card, labeller.weights(), labeller.vocabulary())
    return tmp_path


@pytest.fixture
def paths(enumerate_paths):
    """For a labeller and a sentence, all paths of states that can be and their log probabilities."""

    def paths(labeller, sentence):
        found, scores = enumerate_paths(labeller.hmm.emissions(labeller.encode([sentence])[0])[0], labeller.hmm.chain)
        possible = scores > -torch.inf
        return [[labeller.states[state] for state in path] for path in found[possible].tolist()], scores[possible]

    return paths


def whole_sequences(kinds, length):
    """All label sequences of complete spans."""
    labels = ["O", *(f"{place}-{kind}" for place in "BIES" for kind in kinds)]
    sequences = map(list, product(labels, repeat=length))
    return [row for row in sequences if schemes.encode(schemes.decode(row), length) == row]


def smoothed(counts, outcome, factor, rest):
    """Witten and Bell: the share of an outcome among ``counts`` and ``rest`` of what is left for the unseen."""
    if not counts:
        return rest
    novel = factor * len(counts)
    return (counts[outcome] + novel * rest) / (sum(counts.values()) + novel)


def test_states_outside_name_the_kinds_of_span_beside_them():
    labels = ["O", "O", "S-PER", "O", "B-LOC", "E-LOC", "O", "O", "O", "S-LOC", "S-LOC", "O"]
    states = states_of(labels)
    assert states == [
        *("<O>", "<O>PER", "S-PER", "PER<O>LOC", "B-LOC", "E-LOC"),
        *("LOC<O>", "<O>", "<O>LOC", "S-LOC", "S-LOC", "LOC<O>"),
    ]
    assert list(map(label_of, states)) == labels
    assert states_of(["O"]) == ["<O>"]
    assert states_of([]) == []


def test_the_permitted_moves_are_those_of_all_whole_sequences():
    """Five characters are enough to show every pair of neighbours."""
    rows = [states_of(row) for length in range(1, 6) for row in whole_sequences(("x", "y"), length)]
    found = {move for row in rows for move in pairwise(["", *row, ""])}
    states = sorted({state for row in rows for state in row})
    assert len(states) == 4 * 2 + 3 * 3
    framed = [*states, ""]
    expected = [[(before, after) in found for after in framed] for before in framed]
    expected[-1][-1] = False
    assert permitted_moves(states).tolist() == expected


@pytest.mark.parametrize("back_off", [BACK_OFF, BackOff(1.0, 1.0, 1.0), BackOff(0.0, 3.0, 0.5)])
def test_emissions_back_off_from_pairs_to_states_to_all_characters(back_off):
    counts = some_counts(STATES, seed=4)
    labeller = HMMLabeller(counts, CHARACTERS, STATES, back_off)
    rows = [(*row, times) for row, times in zip(counts.written.tolist(), counts.times.tolist(), strict=True)]
    characters, lengths = labeller.encode(["小明在北京", "京", "北x明"])
    found = labeller.hmm.emissions(characters)
    assert found.dtype == torch.float32
    for row, length in enumerate(lengths):
        framed = [PADDING, *characters[row, :length].tolist()]
        for place, (before, character) in enumerate(pairwise(framed)):
            for state in range(len(STATES)):
                written: Counter[int] = Counter()
                after: Counter[int] = Counter()
                for previous, outcome, writer, times in rows:
                    if writer == state:
                        written[outcome] += times
                        if previous == before:
                            after[outcome] += times
                alike = Fraction(1, len(CHARACTERS) - 1)
                alone = smoothed(written, character, Fraction(back_off.characters), alike)
                expected = smoothed(after, character, Fraction(back_off.pairs), alone)
                assert found[row, place, state].exp().item() == pytest.approx(float(expected), rel=1e-5)


def test_moves_back_off_to_all_permitted_moves_alike(labeller):
    permitted = permitted_moves(STATES)
    chain = labeller.hmm.chain
    found = torch.cat([chain.transitions, chain.end.unsqueeze(1)], dim=1)
    found = torch.cat([found, torch.cat([chain.start, torch.tensor([-torch.inf])]).unsqueeze(0)]).exp()
    for before, row in enumerate(labeller.counts.moves.tolist()):
        seen = Counter({after: times for after, times in enumerate(row) if times})
        alike = Fraction(1, int(permitted[before].sum()))
        for after, may in enumerate(permitted[before].tolist()):
            expected = smoothed(seen, after, Fraction(BACK_OFF.moves), alike) if may else 0
            assert found[before, after].item() == pytest.approx(float(expected), rel=1e-5)


@pytest.mark.parametrize("factor", [0.0, 0.1, 5.0])
def test_every_distribution_sums_to_one(factor):
    hmm = HMMLabeller(some_counts(STATES, seed=5), CHARACTERS, STATES, BackOff(factor, factor, factor)).hmm
    every = torch.arange(len(CHARACTERS))
    pairs = torch.cartesian_prod(every, every[UNKNOWN:])
    after = hmm.emissions(pairs)[:, 1].exp().view(len(every), -1, len(STATES))
    first = hmm.emissions(every[UNKNOWN:].unsqueeze(1))[:, 0].exp()
    assert_close(after.sum(1), torch.ones(len(every), len(STATES)))
    assert_close(first.sum(0), torch.ones(len(STATES)))
    assert_close(hmm.chain.transitions.exp().sum(1) + hmm.chain.end.exp(), torch.ones(len(STATES)))
    assert_close(hmm.chain.start.exp().sum(), torch.tensor(1.0))


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_the_probabilities_of_all_texts_of_a_length_sum_to_that_of_the_length(labeller, length):
    known = range(UNKNOWN, len(CHARACTERS))
    texts = torch.tensor(list(product(known, repeat=length)))
    chain = labeller.hmm.chain
    found = linear_chain.log_partition(labeller.hmm.emissions(texts), torch.full((len(texts),), length), chain)
    along = torch.linalg.matrix_power(chain.transitions.double().exp(), length - 1)
    assert_close(found.exp().sum(), chain.start.double().exp() @ along @ chain.end.double().exp(), rtol=1e-5, atol=0)


@pytest.mark.parametrize("sentence", SENTENCES)
def test_forward_and_backward_sum_over_all_paths_by_enumeration(labeller, paths, sentence):
    _, scores = paths(labeller, sentence)
    characters, lengths = labeller.encode([sentence])
    inputs = labeller.hmm.emissions(characters), lengths, labeller.hmm.chain
    forward = linear_chain.forward_scores(*inputs)[0]
    backward = linear_chain.backward_scores(*inputs)[0]
    ahead = (forward[-1] + labeller.hmm.chain.end).logsumexp(0)
    back = (labeller.hmm.chain.start + inputs[0][0, 0] + backward[0]).logsumexp(0)
    assert_close(ahead, scores.logsumexp(0))
    assert_close(back, scores.logsumexp(0))


@pytest.mark.parametrize("sentence", SENTENCES)
def test_labels_are_the_likeliest_path_by_enumeration(labeller, paths, sentence):
    found, scores = paths(labeller, sentence)
    (labelling,) = labeller.label([sentence], Reading())
    assert states_of(labelling.labels) == found[scores.argmax()]
    assert labelling.opening is labelling.closing is None


@pytest.mark.parametrize("sentence", SENTENCES)
def test_only_paths_of_whole_sequences_are_possible(labeller, paths, sentence):
    found, _ = paths(labeller, sentence)
    possible = {tuple(states_of(row)) for row in whole_sequences("x", len(sentence))}
    expected = {path for path in possible if set(path) <= set(STATES)}  # "x<O>x" is none of them
    assert set(map(tuple, found)) == expected


@pytest.mark.parametrize("sentence", SENTENCES)
def test_confidence_is_the_share_of_paths_with_that_span_by_enumeration(labeller, paths, sentence):
    found, scores = paths(labeller, sentence)
    read = [schemes.decode([label_of(state) for state in path]) for path in found]
    (labelling,) = labeller.label([sentence], Reading(confidence=True))
    spans = schemes.decode(labelling.labels)
    assert spans
    for span in spans:
        expected = itertools.compress(scores.softmax(0).tolist(), [span in others for others in read])
        assert labelling.confidence(span) == pytest.approx(sum(expected), abs=1e-4)
        assert 0 < labelling.confidence(span) <= 1


def test_all_unknown_characters_are_one(labeller):
    first, second = labeller.label(["小甲在乙", "小丙在丁"], Reading(confidence=True))
    assert first == second


def test_texts_together_are_answered_as_each_alone(labeller):
    served = Tagger({"pos": labeller})
    texts = ["小明在北京读书。", "京", "", "小明在北京读书。" * 9, "x" * 300, "明 在", "北京。小明！读书"]
    together = served.predict(texts, task="pos", confidence=True)
    assert together == [served.predict([text], task="pos", confidence=True)[0] for text in texts]
    assert together[2] == {"tokens": []}
    assert served.predict([], task="pos") == []


def test_odd_texts_are_answered_in_place(labeller, odd_text):
    served = Tagger({"ner": labeller})
    (tagging,) = served.predict([odd_text], task="ner", confidence=True)
    for item in tagging["entities"]:
        assert odd_text[item["start"] : item["end"]] == item["text"]
        assert 0 <= item["confidence"] <= 1


def test_answering_changes_nothing(labeller):
    tables = {name: value.clone() for name, value in vars(labeller.hmm).items() if isinstance(value, torch.Tensor)}
    first, second = (labeller.label(SENTENCES, Reading(confidence=True)) for _ in range(2))
    assert first == second
    assert tables
    assert all(torch.equal(vars(labeller.hmm)[name], value) for name, value in tables.items())


def test_a_trained_variant_answers_after_saving_as_before(folder, labeller):
    served = hmm.load(folder)
    for task in ("pos", "seg", "ner"):
        expected = Tagger({task: labeller}).predict(SENTENCES, task=task, confidence=True)
        assert served.predict(SENTENCES, task=task, confidence=True) == expected


def test_the_artifact_holds_whole_counts(folder, labeller):
    stored = hmm.load_labeller(folder / "zh-ner")
    for name, counts in stored.weights().items():
        assert counts.dtype == labeller.weights()[name].dtype
        assert torch.equal(counts, labeller.weights()[name])
        assert not counts.is_floating_point()
    assert stored.vocabulary() == labeller.vocabulary()
    assert stored.architecture == labeller.architecture == {"back_off": BACK_OFF._asdict()}


@pytest.mark.parametrize(
    "change", [{"characters": list("小明在北京")}, {"states": STATES[:-1]}, {"states": [*STATES, "x<O>x"]}]
)
def test_a_vocabulary_that_is_not_that_of_its_counts_is_refused(folder, labeller, change):
    vocabulary = labeller.vocabulary() | change
    artifact.save(folder / "zh-ner", {"architecture": labeller.architecture}, labeller.weights(), vocabulary)
    with pytest.raises(ArtifactError, match="does not fit its vocabulary"):
        hmm.load(folder)
