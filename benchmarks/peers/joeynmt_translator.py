"""JoeyNMT with the weights of our Transformer: the same network under another search.

Reads a list of texts as a line of JSON, translates them together, prints as another line the translations and the
seconds of processor time, and so on to the end of its input. Each text must be one sentence without placeholders.

Usage:
  joeynmt_translator.py <variant> <beam>
"""

import json
import sys
import time
from dataclasses import dataclass

import torch
from docopt import docopt
from joeynmt.batch import Batch
from joeynmt.model import Model, build_model
from joeynmt.search import search

from model_serving.models import artifact
from model_serving.models.translators import direction
from model_serving.models.translators.subwords import END, PADDING, START, UNKNOWN, Subwords
from model_serving.utils.settings import DATA

LENGTH_PENALTY = 1.0
LAYERS = {
    "feed_forward.layer_norm": "feed_forward_norm",
    "feed_forward.pwff_layer.0": "feed_forward.0",
    "feed_forward.pwff_layer.3": "feed_forward.2",
    "src_src_att": "attention",
    "trg_trg_att": "self_attention",
    "src_trg_att": "source_attention",
    "x_layer_norm": "self_norm",
    "dec_layer_norm": "source_norm",
    "layer_norm": "attention_norm",
    "k_layer": "key",
    "v_layer": "value",
    "q_layer": "query",
    "output_layer": "output",
}
"""What JoeyNMT calls the parts of a layer, and what we do; the first that fits counts."""
OUTSIDE = {
    "src_embed.lut.weight": "source_embedding.weight",
    "trg_embed.lut.weight": "target_embedding.weight",
    "decoder.output_layer.weight": "target_embedding.weight",
}


@dataclass(frozen=True)
class Numbering:
    """What JoeyNMT asks of a vocabulary while it translates."""

    size: int
    pad_index: int = PADDING
    unk_index: int = UNKNOWN
    bos_index: int = START
    eos_index: int = END
    sep_index: None = None
    specials: tuple[int, ...] = (UNKNOWN, PADDING, START, END)
    lang_tags: tuple[int, ...] = ()

    def __len__(self) -> int:
        return self.size

    def lookup(self, token: int) -> int:
        """Tokens are numbers here."""
        return token


class JoeyTranslator:
    """Translates sentences as JoeyNMT does.

    Args:
        trained: an artifact of our Transformer.
    """

    def __init__(self, trained: artifact.Artifact):
        self.source, self.target = (Subwords(trained.files[name]) for name in (direction.SOURCE, direction.TARGET))
        self.model = build(trained.card["architecture"], Numbering(len(self.source)), Numbering(len(self.target)))
        self.model.load_state_dict(renamed(trained.weights, list(self.model.state_dict())), strict=False)
        self.model.eval()

    def translate(self, texts: list[str], beam_size: int) -> list[str]:
        """Translate sentences together, however many there are, the longest first as JoeyNMT wants them."""
        numbers = [[*self.source.encode(text)[0]] for text in texts]
        order = sorted(range(len(texts)), key=lambda place: -len(numbers[place]))
        longest = len(numbers[order[0]])
        rows = torch.tensor([numbers[place] + [PADDING] * (longest - len(numbers[place])) for place in order])
        batch = Batch(
            src=rows,
            src_length=torch.tensor([len(numbers[place]) for place in order]),
            src_prompt_mask=None, trg=None, trg_prompt_mask=None, indices=torch.arange(len(order)),
            device=torch.device("cpu"), pad_index=PADDING, eos_index=END,
        )  # fmt: skip
        with torch.inference_mode():
            written, *_ = search(
                self.model, batch, 2 * longest + 10, beam_size, LENGTH_PENALTY, generate_unk=False, min_output_length=0
            )
        found = dict(zip(order, written.tolist(), strict=True))
        return [self.target.decode(_until_end(found[place])) for place in range(len(texts))]


def build(sizes: dict[str, int], source: Numbering, target: Numbering) -> Model:
    """JoeyNMT's network of our sizes, its weights still by chance."""
    side = {
        "type": "transformer",
        "num_layers": sizes["layers"],
        "num_heads": sizes["heads"],
        "hidden_size": sizes["size"],
        "ff_size": sizes["hidden"],
        "layer_norm": "pre",
        "embeddings": {"embedding_dim": sizes["size"], "scale": True},
    }
    return build_model({"encoder": side, "decoder": side, "tied_softmax": True}, source, target)


def renamed(weights: dict[str, torch.Tensor], names: list[str]) -> dict[str, torch.Tensor]:
    """Our weights by JoeyNMT's ``names``.

    Raises:
        KeyError: a name of theirs has no like among ours.
    """
    found = {}
    for name in names:
        if not name.endswith(".pe"):  # positions, which are computed
            found[name] = weights[OUTSIDE.get(name) or _ours(name)]
    return found


def _ours(name: str) -> str:
    for side in ("encoder", "decoder"):
        name = name.replace(f"{side}.layer_norm", f"{side}_norm").replace(f"{side}.layers", side)
    for theirs, ours in LAYERS.items():
        name = name.replace(f".{theirs}.", f".{ours}.")
    return name


def _until_end(tokens: list[int]) -> list[int]:
    return tokens[: tokens.index(END)] if END in tokens else [token for token in tokens if token != PADDING]


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    torch.set_num_threads(1)
    translator = JoeyTranslator(artifact.load(DATA / "transformer" / arguments["<variant>"]))
    for line in sys.stdin:
        texts = json.loads(line)
        began = time.process_time()
        translations = translator.translate(texts, int(arguments["<beam>"]))
        print(json.dumps({"translations": translations, "seconds": time.process_time() - began}), flush=True)


if __name__ == "__main__":
    main()
