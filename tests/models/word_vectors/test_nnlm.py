import pytest
import torch

from model_serving.models import artifact
from model_serving.models.errors import InputError
from model_serving.models.word_vectors import nnlm
from model_serving.models.word_vectors.nnlm import RESERVED, START, UNKNOWN, LanguageModel, NNLMNetwork
from model_serving.models.word_vectors.words import Words

SYMBOLS = ["中国", "人民", "the", "书"]


@pytest.fixture
def network():
    torch.manual_seed(1)
    return NNLMNetwork(rows=len(SYMBOLS) + RESERVED, size=3, hidden_size=4, before=2).double().requires_grad_(False)


@pytest.fixture
def model(network):
    return LanguageModel(network, Words(SYMBOLS), "zh")


def by_hand(network, context):
    """Equation 1, y = b + Wx + U tanh(d + Hx), row by row."""
    x = torch.cat([network.embedding.weight[row] for row in context])
    hidden = torch.tanh(network.hidden.bias + network.hidden.weight @ x)
    scores = []
    for row in network.output.weight:
        u, w, b = row[:4], row[4:-1], row[-1]
        scores.append(b + w @ x + u @ hidden)
    return torch.cat([torch.zeros(1), torch.stack(scores)[1:].softmax(0)])  # START never comes next


@pytest.mark.parametrize(("context", "rows"), [
    (["人民", "书"], [3, 5]), (["中国", "人民", "书"], [3, 5]), (["书"], [START, 5]), ([], [START, START]),
    (["龘", "THE"], [UNKNOWN, 4]),
])  # fmt: skip
def test_the_next_words_are_those_of_equation_1(model, network, context, rows):
    (answer,) = model.predict([context], action="next", variant="zh")
    expected = by_hand(network, rows)[RESERVED:].tolist()
    assert answer["context"] == context
    assert answer["known"] == [word != "龘" for word in context]
    found = {each["word"]: each["probability"] for each in answer["next"]}
    assert found == pytest.approx(dict(zip(SYMBOLS, expected, strict=True)), abs=1e-6)
    assert list(found.values()) == sorted(found.values(), reverse=True)


def test_a_batch_is_answered_as_its_contexts_alone(model):
    contexts = [["中国"], [], ["书", "书", "书"], ["x", "the"]]
    together = model.predict(contexts, action="next", variant="zh", top=2)
    assert together == [model.predict([context], action="next", variant="zh", top=2)[0] for context in contexts]
    assert all(len(answer["next"]) == 2 for answer in together)


def test_it_answers_the_questions_of_the_family_too(model, network):
    (answer,) = model.predict([["中国", "书"]], action="similarity", variant="zh")
    first, second = network.embedding.weight[RESERVED], network.embedding.weight[RESERVED + 3]
    assert answer["score"] == pytest.approx(float(torch.cosine_similarity(first, second, dim=0)), abs=1e-5)
    assert isinstance(model.predict([["中国"]], action="analogy", variant="zh")[0], InputError)


def test_a_stored_model_is_loaded_again(network, tmp_path):
    sizes = {"size": 3, "hidden_size": 4, "before": 2}
    weights = {name: tensor.half() for name, tensor in network.state_dict().items()}
    artifact.save(tmp_path / "zh", {"architecture": sizes}, weights, {"words": SYMBOLS})
    stored = nnlm.load(tmp_path).predict([["书"]], action="next", variant="zh")[0]["next"]
    made = LanguageModel(network, Words(SYMBOLS), "zh").predict([["书"]], action="next", variant="zh")[0]["next"]
    assert [each["word"] for each in stored] == [each["word"] for each in made]
    for one, other in zip(stored, made, strict=True):
        assert one["probability"] == pytest.approx(other["probability"], abs=2e-3)
