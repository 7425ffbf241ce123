"""The served model over small untrained networks of each kind (shared/CASES.md, BB-31 and BB-33 to BB-37)."""

import pytest
import torch

from model_serving.models import artifact
from model_serving.models.errors import ArtifactError
from model_serving.models.layers.eight_bit import pack, unpack
from model_serving.models.translators import direction as directions
from model_serving.models.translators import translator
from model_serving.models.translators.direction import Direction, Search
from model_serving.models.translators.placeholders import MARKS
from model_serving.models.translators.subwords import START
from model_serving.models.translators.translator import Translator
from model_serving.models.translators.units import units
from model_serving.training.translators import (
    bahdanau_attention,
    convs2s,
    luong_attention,
    rnn_encoder_decoder,
    seq2seq,
    transformer,
)

RECIPES = (transformer, bahdanau_attention, rnn_encoder_decoder, seq2seq, luong_attention, convs2s)
SEARCHES = (Search(beam_size=1, max_length=12), Search(beam_size=4, max_length=12))
TEXTS = ["Open the file.", "", "Stop", " ", "Save all files! Close the window.\n\nGo on", "12345", "Open %s and {name}"]


@pytest.fixture
def served(direction):
    return Translator({("en", "zh"): direction})


@pytest.fixture
def translate(served):
    def translate(*texts, **options):
        return served.predict(list(texts), source="en", target="zh", **options)

    return translate


def assert_alike(one, other):
    assert one["translation"] == other["translation"]
    assert one["score"] == pytest.approx(other["score"], abs=1.1e-4)
    assert one["finished"] == other["finished"]
    assert [each["translation"] for each in one.get("alternatives", [])] == [
        each["translation"] for each in other.get("alternatives", [])
    ]
    weights, other_weights = (each.get("attention", {"weights": []})["weights"] for each in (one, other))
    for row, other_row in zip(weights, other_weights, strict=True):
        assert row == pytest.approx(other_row, abs=1.1e-4)


@pytest.mark.parametrize("options", [{"beam_size": 1}, {"beam_size": 5, "n_best": 3}, {"max_length": 2}])
def test_texts_together_are_answered_as_each_alone(translate, options, attention):
    together = translate(*TEXTS, **attention, **options)
    assert len(together) == len(TEXTS)
    for text, answer in zip(TEXTS, together, strict=True):
        assert_alike(answer, translate(text, **attention, **options)[0])
    assert translate(*TEXTS, **options) == translate(*TEXTS, **options)


def test_the_score_is_the_log_probability_by_length(direction, english):
    """Recomputed by running the network over the translation that was found."""
    (unit,) = units("Save all files", "en", english)
    for penalty in (0.0, 1.0):
        for candidate in direction.translate([unit], Search(beam_size=4, length_penalty=penalty))[0]:
            written = [*candidate.tokens, 3] if candidate.finished else candidate.tokens
            target = torch.tensor([[START, *written[:-1]]])
            log_probs = direction.network(torch.tensor([unit.numbers]), target).log_softmax(2)[0]
            total = sum(log_probs[place, token].item() for place, token in enumerate(written))
            assert candidate.score == pytest.approx(total / len(written) ** penalty, abs=1e-4)


def test_the_score_of_a_text_is_the_mean_of_its_sentences(translate):
    sentences = translate("Stop.", "Open the file.", "Go on")
    (text,) = translate("Stop. Open the file.\nGo on")
    assert text["score"] == pytest.approx(sum(each["score"] for each in sentences) / 3, abs=1e-4)
    first, second, third = (each["translation"] for each in sentences)
    assert text["translation"] == f"{first}{second}\n{third}".strip()
    assert text["finished"] == all(each["finished"] for each in sentences)


def test_alternatives_come_best_first_and_differ(translate):
    (answer,) = translate("Open the file.", beam_size=6, n_best=6)
    texts = [answer["translation"], *(each["translation"] for each in answer["alternatives"])]
    assert 1 < len(texts) == len(set(texts)) <= 6
    ranks = [(each["finished"], each["score"]) for each in (answer, *answer["alternatives"])]
    assert ranks == sorted(ranks, reverse=True)
    (alone,) = translate("Open the file.", beam_size=6)
    assert "alternatives" not in alone
    assert alone["translation"] == answer["translation"]


def test_alternatives_of_several_sentences_are_the_best_of_all_combinations(translate):
    one, two = translate("Open the file.", "Stop", beam_size=3, n_best=3)
    combined = [
        ((first["finished"] + second["finished"]), (first["score"] + second["score"]) / 2)
        for first in (one, *one["alternatives"])
        for second in (two, *two["alternatives"])
    ]
    (text,) = translate("Open the file. \nStop", beam_size=3, n_best=3)
    expected = [score for _, score in sorted(combined, reverse=True)[:3]]
    assert [each["score"] for each in (text, *text["alternatives"])] == pytest.approx(expected, abs=2e-4)


def test_attention_has_a_row_for_each_word_that_sums_to_one(translate, small):
    if not small.attentive:
        pytest.skip("reads a sentence into one vector")
    (answer,) = translate("Save all files! Open %s.", attention=True)
    attention = answer["attention"]
    assert {"Save", "all", "%s"} <= set(attention["source"])
    assert "".join(attention["target"]) == "".join(answer["translation"].split())
    assert len(attention["weights"]) == len(attention["target"])
    for row in attention["weights"]:
        assert len(row) == len(attention["source"])
        assert sum(row) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("text", ["", " ", "\t\n\r\n", "\u3000", "\u2028"])
def test_an_empty_text_is_translated_into_an_empty_one(translate, text):
    expected = {"translation": "", "score": 0.0, "finished": True}
    assert translate(text) == [expected]
    (answer,) = translate(text, beam_size=2, n_best=2, attention=True)  # nothing to look at, so any network can
    empty = {"alternatives": [], "attention": {"source": [], "target": [], "weights": []}}
    assert answer == expected | empty


def test_odd_texts_are_answered(translate, odd_text, attention):
    (answer,) = translate(odd_text, beam_size=2, **attention)
    assert isinstance(answer["translation"], str)
    if attention:
        assert not {"<unk>", "<s>", "</s>", "<pad>", "\u2047"} & set(answer["attention"]["target"])
    assert "\u2047" not in answer["translation"]
    assert not set(MARKS) & set(answer["translation"]) - set(odd_text)


@pytest.mark.parametrize("text", [".", "12345", "3.14 + 2", "😀", "https://example.org/a?b=1", "жук", "%s", "中"])
def test_what_can_not_be_read_stays_as_it_is(translate, text):
    (answer,) = translate(text, attention=True)
    attention = {"source": [text], "target": [text], "weights": [[1.0]]}
    assert answer == {"translation": text, "score": 0.0, "finished": True, "attention": attention}


@pytest.mark.parametrize("most", [1, 7, 256])
def test_translations_keep_their_bounds(direction, english, most):
    read = [unit for text in ("Open the file.", "ha " * 70, "go" * 200) for unit in units(text, "en", english)]
    for unit, candidates in zip(read, direction.translate(read, Search(beam_size=2, max_length=most)), strict=True):
        for candidate in candidates:
            length = len(candidate.tokens) + candidate.finished
            bound = min(most, 2 * len(unit.numbers) + 10)
            assert length <= bound
            assert candidate.finished or length == bound


def test_placeholders_are_never_spelt_otherwise(direction, english, monkeypatch):
    """A decoder that writes every mark there is: those of the text come back, the others vanish."""
    marks = direction.target.encode("".join(MARKS))[0]

    def step(tokens, memory, past):
        place = past["place"]
        log_probs = torch.full((*tokens.shape, len(direction.target)), -9.0)
        following = torch.tensor([*marks, 3])[place.clamp(max=len(marks))].expand_as(tokens)
        return log_probs.scatter(2, following.unsqueeze(2), -0.1), {"place": place + 1}

    monkeypatch.setattr(direction.network, "step", step)
    monkeypatch.setattr(direction.network, "start", lambda memory: {"place": torch.zeros(1, 1).long()})
    (answer,) = Translator({("en", "zh"): direction}).predict(
        ["Open %1$s on https://a.org/x now"], source="en", target="zh", beam_size=1
    )
    assert answer["translation"] == "%1$shttps://a.org/x"


def test_answering_changes_nothing(translate, direction, attention):
    before = {name: weight.clone() for name, weight in direction.network.state_dict().items()}
    first, second = (translate(*TEXTS, **attention) for _ in range(2))
    assert first == second
    assert all(torch.equal(weight, before[name]) for name, weight in direction.network.state_dict().items())


@pytest.fixture
def save(tmp_path, direction, small):
    """Write the direction's network as a trained variant, with these tensors."""

    def save(weights):
        files = {directions.SOURCE: direction.source.model, directions.TARGET: direction.target.model}
        artifact.save(tmp_path / "en-zh", {"architecture": small.architecture}, weights, {}, files)
        return tmp_path

    return save


@pytest.fixture
def folder(save, direction):
    return save(direction.network.state_dict())


@pytest.mark.parametrize("half", [True, False], ids=["half precision", "eight bits"])
def test_a_trained_variant_answers_after_saving_as_before(save, half, direction, small, translate):
    weights = direction.network.state_dict()
    stored = {name: weight.half() for name, weight in weights.items()} if half else pack(weights)
    loaded = small.module.load(save(stored))
    direction.network.load_state_dict(unpack(stored))
    assert loaded.predict(TEXTS, source="en", target="zh") == translate(*TEXTS)


def test_a_variant_without_its_subwords_is_refused(folder, direction):
    weights = direction.network.state_dict()
    artifact.save(folder / "en-zh", {"architecture": {}}, weights, {}, {directions.SOURCE: direction.source.model})
    with pytest.raises(ArtifactError, match=r"lacks source\.model or target\.model"):
        translator.load(folder, type(direction.network))


def test_subwords_of_another_number_than_the_weights_are_refused(folder, direction):
    card = artifact.load(folder / "en-zh").card
    files = {directions.SOURCE: direction.target.model, directions.TARGET: direction.target.model}
    artifact.save(folder / "en-zh", card, direction.network.state_dict(), {}, files)
    with pytest.raises(ArtifactError, match="does not fit its network"):
        translator.load(folder, type(direction.network))


def test_batches_hold_sentences_of_like_length(direction, english, monkeypatch):
    seen = []
    search = Direction._search
    monkeypatch.setattr(directions, "BATCH_SUBWORDS", 40)

    def watched(way, batch, how):
        seen.append(batch)
        return search(way, batch, how)

    monkeypatch.setattr(Direction, "_search", watched)
    read = [next(units("go " * count, "en", english)) for count in (9, 1, 2, 30, 1, 3)]
    direction.translate(read, Search(beam_size=2))
    sizes = [[len(unit.numbers) for unit in batch] for batch in seen]
    assert [size for batch in sizes for size in batch] == sorted(len(unit.numbers) for unit in read)
    assert all(len(batch) == 1 or 2 * max(batch) * len(batch) <= 40 for batch in sizes)
    assert len(sizes) > 2


@pytest.mark.parametrize("search", SEARCHES, ids=lambda search: f"beam {search.beam_size}")
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.BUILD.__name__)
def test_no_bit_of_a_score_hangs_on_the_company(recipe, search, english, chinese):
    """Else two hypotheses as good as equal would change places, and the translation with them."""
    torch.manual_seed(7)
    network = recipe.BUILD(sources=len(english), targets=len(chinese), **recipe.ARCHITECTURE).eval()
    way = Direction(network, english, chinese)
    sentences = [next(units("open the file and stop ! " * many, "en", english)) for many in range(1, 8)]
    alone = [way.translate([sentence], search)[0] for sentence in sentences]
    for places in ([0, 1], [1, 2, 3], [6, 1, 0, 5], [*range(7)] * 3):
        together = way.translate([sentences[place] for place in places], search)
        assert together == [alone[place] for place in places]
