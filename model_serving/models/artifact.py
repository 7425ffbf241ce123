"""One trained model on disk: a folder with ``model.json``, ``weights.safetensors`` and ``vocabulary.json``.

``model.json`` is what people read: architecture, data and licence, split, metrics, seed, paper, and the SHA-256 of
the other files; a family may keep more than the two, of a form of its own. Nothing is ever unpickled.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import safetensors
import torch
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from model_serving.models.errors import ArtifactError

FORMAT = 1
CARD = "model.json"
WEIGHTS = "weights.safetensors"
VOCABULARY = "vocabulary.json"


@dataclass(frozen=True)
class Artifact:
    """A loaded artifact: its ``card`` (``model.json``), its tensors and its lists of symbols by name.

    ``files`` holds the contents of what else the card lists.
    """

    folder: Path
    card: dict[str, Any]
    weights: dict[str, Tensor]
    vocabulary: dict[str, list[str]]
    files: dict[str, bytes] = field(default_factory=dict)

    def fill(self, network: nn.Module) -> None:
        """Copy the weights into ``network``, in its own precision, and set it to evaluation.

        Raises:
            ArtifactError: names or shapes do not fit the network.
        """
        try:
            network.load_state_dict(self.weights, strict=True)
        except RuntimeError as error:
            raise ArtifactError(f"{self.folder / WEIGHTS} does not fit its network: {error}") from error
        network.eval().requires_grad_(False)


def save(
    folder: Path,
    card: dict[str, Any],
    weights: dict[str, Tensor],
    vocabulary: dict[str, list[str]],
    files: Mapping[str, bytes] | None = None,
) -> None:
    """Write the three files, and others by name and content; ``card`` gains the format and the hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        WEIGHTS: save_tensors({name: tensor.detach().clone().contiguous() for name, tensor in weights.items()}),
        VOCABULARY: (json.dumps(vocabulary, ensure_ascii=False, indent=0) + "\n").encode(),
        **(files or {}),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    _write_card(folder, {"format": FORMAT, **card, "files": {name: _digest(c) for name, c in contents.items()}})


def update_card(folder: Path, **changes: Any) -> None:
    """Change entries of ``model.json`` alone, for instance the metrics."""
    _write_card(folder, _read_card(folder / CARD) | changes)


def _write_card(folder: Path, card: dict[str, Any]) -> None:
    (folder / CARD).write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def cards(folder: Path) -> dict[str, dict[str, Any]]:
    """The cards of all variants under a model's folder, by variant."""
    return {path.parent.name: _read_card(path) for path in sorted(folder.glob(f"*/{CARD}"))}


def load(folder: Path) -> Artifact:
    """Read an artifact and check it whole.

    Raises:
        ArtifactError: a file is missing, damaged, of another format or hash, or holds values that are not finite.
    """
    card = _read_card(folder / CARD)
    contents = {}
    digests = card.get("files", {})
    for name in dict.fromkeys((WEIGHTS, VOCABULARY, *digests)):
        contents[name] = _read(folder / name)
        if _digest(contents[name]) != digests.get(name):
            raise ArtifactError(f"{folder / name} differs from the hash in {CARD}; restore both from one commit")
    try:
        weights = load_tensors(contents[WEIGHTS])
    except safetensors.SafetensorError as error:
        raise ArtifactError(f"{folder / WEIGHTS} is no safetensors file: {error}") from error
    for name, tensor in weights.items():
        if not torch.isfinite(tensor).all():
            raise ArtifactError(f"{folder / WEIGHTS} holds values that are not finite in {name}; train it again")
    files = {name: content for name, content in contents.items() if name not in (WEIGHTS, VOCABULARY)}
    return Artifact(folder, card, weights, json.loads(contents[VOCABULARY]), files)


def _read_card(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(_read(path))
    except ValueError as error:
        raise ArtifactError(f"{path} is no JSON ({error}); restore it or train the model") from error
    card: dict[str, Any] = content if isinstance(content, dict) else {}
    if card.get("format") != FORMAT:
        raise ArtifactError(f"{path} has format {card.get('format')!r}, not {FORMAT}; train the model again")
    return card


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ArtifactError(f"{path} can not be read ({error.strerror}); restore it or train the model") from error


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
