"""The tagger behind LitServe, its batching switched on.

Usage:
  litserve_tagger.py <port> <workers>
"""

from typing import Any

import litserve
import torch
from docopt import docopt

from benchmarks.peers.contract import PATH
from model_serving.models.taggers import bilstm_crf
from model_serving.utils.settings import DATA


class BiLSTMCRF(litserve.LitAPI):
    """Names in texts; a request's task is taken to be ``ner``, for LitServe batches whatever comes together."""

    def setup(self, device: str) -> None:
        """Load the model, once in each worker."""
        torch.set_num_threads(1)
        self.tagger = bilstm_crf.load(DATA / "bilstm_crf")

    def decode_request(self, request: dict[str, Any]) -> str:
        """The text of a request."""
        text: str = request["text"]
        return text

    def predict(self, texts: list[str]) -> list[Any]:
        """The names in each text of a batch."""
        return [*self.tagger.predict(texts, task="ner")]

    def encode_response(self, output: Any) -> dict[str, Any]:
        """The body of an answer."""
        return {"result": output}


if __name__ == "__main__":
    arguments = docopt(__doc__)
    api = BiLSTMCRF(max_batch_size=32, batch_timeout=0.005, api_path=PATH)
    server = litserve.LitServer(api, accelerator="cpu", workers_per_device=int(arguments["<workers>"]), timeout=60)
    server.run(
        host="127.0.0.1",
        port=int(arguments["<port>"]),
        log_level="warning",
        generate_client_file=False,
    )
