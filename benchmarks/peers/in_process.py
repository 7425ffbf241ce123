"""The model alone, without any server: how fast one thread runs batch after batch.

Loads, prints its answers to the sentences one by one as a line of JSON, and then for every line on stdin runs for some
seconds and prints what it measured as another.

Usage:
  in_process.py <batch> <seconds>
"""

import json
import sys
import time
from itertools import cycle, islice

import torch
from docopt import docopt

from benchmarks.load import percentile
from benchmarks.sentences import SENTENCES
from model_serving.models.taggers import bilstm_crf
from model_serving.models.taggers.tagger import Tagger
from model_serving.utils.settings import DATA


def main() -> None:
    """The command line."""
    arguments = docopt(__doc__)
    batch, seconds = int(arguments["<batch>"]), float(arguments["<seconds>"])
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    tagger = bilstm_crf.load(DATA / "bilstm_crf")
    print(json.dumps([tagger.predict([sentence], task="ner")[0] for sentence in SENTENCES]), flush=True)
    for _ in sys.stdin:
        print(json.dumps(measure(tagger, batch, seconds)), flush=True)


def measure(tagger: Tagger, batch: int, seconds: float) -> dict[str, float]:
    """Sentences answered, their rate a second, and the latencies of batches in milliseconds."""
    upcoming = cycle(SENTENCES)
    latencies = []
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        tagger.predict(list(islice(upcoming, batch)), task="ner")
        latencies.append(time.monotonic() - now)
    p50, p99 = (1000 * percentile(latencies, share) for share in (0.5, 0.99))
    answers = batch * len(latencies)
    return {"answers": answers, "rate": answers / sum(latencies), "p50": p50, "p99": p99}


if __name__ == "__main__":
    main()
