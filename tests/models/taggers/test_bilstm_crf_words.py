import pytest
import torch
from torch import nn
from torch.testing import assert_close

from model_serving.models import artifact
from model_serving.models.taggers import bilstm_crf
from model_serving.models.taggers.bilstm_crf_words import LETTERS, build, ends_of, plain
from model_serving.models.taggers.labelling import Reading
from model_serving.models.taggers.tagger import Tagger

ARCHITECTURE = {"word_size": 4, "letter_size": 3, "filters": 5, "hidden_size": 6}
VOCABULARY = {
    "words": ["anna", "reads", "in", "rome", ".", "0000"],
    "letters": list("Anardeisom.019"),
    "labels": ["O", "B-x", "I-x", "E-x", "S-x"],
}
SENTENCES = [["Anna", "reads", "in", "Rome", "."], ["In"], ["Paris", "1999", "x" * 50]]


@pytest.fixture
def labeller():
    torch.manual_seed(12)
    labeller = build(VOCABULARY, ARCHITECTURE)
    for scores in (labeller.network.emission.weight, *labeller.network.crf.scores()):
        nn.init.normal_(scores)
    labeller.network.emission.bias.data[0] = -4
    labeller.network.eval()
    return labeller


def test_emissions_follow_from_each_word_and_the_most_of_each_filter_over_its_letters(labeller):
    """Computed again one word and one window of letters at a time."""
    network = labeller.network
    lstm = nn.LSTM(4 + 5, 6, batch_first=True, bidirectional=True)
    backwards = {f"{name}_reverse": weight for name, weight in network.lstm.backwards.state_dict().items()}
    lstm.load_state_dict(network.lstm.forwards.state_dict() | backwards)
    found = network(*labeller.encode(SENTENCES))
    for row, sentence in enumerate(SENTENCES):
        vectors = []
        for word in sentence:
            letters = network.letter_embedding.weight[labeller.letters.numbers(ends_of(word))]
            framed = torch.cat([torch.zeros(1, 3), letters, torch.zeros(1, 3)])
            windows = [framed[place : place + 3].T.flatten() for place in range(len(letters))]
            filters = network.convolution.weight.flatten(1)
            seen = torch.stack([filters @ window + network.convolution.bias for window in windows]).amax(0)
            vectors.append(torch.cat([network.word_embedding.weight[labeller.words.numbers([plain(word)])[0]], seen]))
        expected = network.emission(lstm(torch.stack(vectors).unsqueeze(0))[0][0])
        assert_close(found[row, : len(sentence)], expected)


@pytest.mark.parametrize(
    ("word", "known", "read"),
    [
        ("Rome", "rome", "Rome"),
        ("1996-08", "0000-00", "1996-08"),
        ("a" * 30 + "b" * 30, "a" * 30 + "b" * 30, "a" * 10 + "b" * 10),
    ],
)
def test_the_spellings_of_a_word(word, known, read):
    assert (plain(word), ends_of(word)) == (known, read)
    assert len(read) <= LETTERS


def test_texts_together_are_answered_as_each_alone(labeller):
    served = Tagger({}, {"pos": labeller})
    texts = ["Anna reads in Rome.", "In", "", "Rome. " * 9, "x " * 40, "Anna " + "y" * 500]
    together = served.predict(texts, task="pos", language="en", confidence=True)
    for text, tagging in zip(texts, together, strict=True):
        (alone,) = served.predict([text], task="pos", language="en", confidence=True)
        for token, other in zip(tagging["tokens"], alone["tokens"], strict=True):
            assert token.pop("confidence") == pytest.approx(other.pop("confidence"), abs=1.1e-4)
            assert token == other


def test_odd_texts_are_answered_in_place(labeller, odd_text):
    served = Tagger({}, {"pos": labeller, "ner": labeller})
    for task, name in (("pos", "tokens"), ("ner", "entities")):
        (tagging,) = served.predict([odd_text], task=task, language="en", confidence=True)
        for item in tagging[name]:
            assert odd_text[item["start"] : item["end"]] == item["text"]
            assert 0 <= item["confidence"] <= 1


def test_a_trained_variant_answers_after_saving_as_before(tmp_path, labeller, monkeypatch):
    monkeypatch.setattr(bilstm_crf, "fast_bfloat16", lambda: False)
    card = {"architecture": labeller.architecture}
    artifact.save(tmp_path / "en-pos", card, labeller.weights(), labeller.vocabulary())
    loaded = bilstm_crf.load_labeller(tmp_path / "en-pos")
    for before, after in zip(labeller.network.parameters(), loaded.network.parameters(), strict=True):
        assert_close(before, after, atol=2e-2, rtol=1e-2)
    assert loaded.vocabulary() == labeller.vocabulary()
    ours, theirs = (one.label(SENTENCES, Reading()) for one in (labeller, loaded))
    assert [found.labels for found in ours] == [found.labels for found in theirs]
