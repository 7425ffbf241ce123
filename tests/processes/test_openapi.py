"""schemathesis against the running service: no failure of ours, and no answer that the OpenAPI document does not tell.

What it sends follows from the document alone, the same in every run: the examples, the edges of every rule, and some
requests at random, valid ones and such as break a rule. Of each family one model is tried, for all share their fields.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from model_serving.client import Client

RUN = (
    sys.executable,
    "-m",
    "schemathesis.cli",
    "run",
    "--generation-deterministic",
    "--max-examples=8",
    "--phases=examples,coverage,fuzzing",
    "--exclude-checks=positive_data_acceptance",  # fields that do not go together are 400 input, which no schema tells
    "--no-color",
)


def test_the_service_does_as_its_document_says(serve, tmp_path):
    server = serve("--pythonpath", "tests/processes", "small_service:app", WORKERS="1")
    with Client(server.url) as client:
        of_each_family = {model["family"]: model["href"] for model in client.models()}.values()
        others = {model["href"] for model in client.models()} - set(of_each_family)
    tried = subprocess.run(
        [*RUN, *(f"--exclude-path={href}" for href in others), f"{server.url}/v1/openapi.json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent), "SCHEMATHESIS_HOOKS": "schemathesis_hooks"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert tried.returncode == 0, tried.stdout + tried.stderr
    (count,) = re.findall(r"(\d+) generated, \1 passed", tried.stdout)
    assert int(count) > 50 * len(of_each_family)
    assert "Traceback" not in server.log.read_text()
