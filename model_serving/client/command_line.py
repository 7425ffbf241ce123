"""What the commands that ask a service have in common: where it is, and numbers among their options."""

import os
from collections.abc import Mapping
from typing import Any

from docopt import DocoptExit

from model_serving.client import Client


def connect(arguments: Mapping[str, Any]) -> Client:
    """A client for the service that ``--url``, ``--key`` and ``--timeout`` name, or else the environment."""
    url = arguments["--url"] or os.environ.get("SERVICE_URL") or "http://127.0.0.1:9999"
    key = arguments["--key"] or os.environ.get("API_KEY")
    return Client(url, key=key, timeout=positive(arguments, "--timeout"))


def positive(arguments: Mapping[str, Any], name: str) -> int:
    """The whole number above 0 that an option holds.

    Raises:
        DocoptExit: it is none.
    """
    text = str(arguments[name])
    if not (text.isascii() and text.isdigit() and int(text)):
        raise DocoptExit(f"{name} {text} must be a whole number above 0")
    return int(text)
