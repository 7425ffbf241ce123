"""Serve trained PyTorch models over HTTP.

Usage:
  main.py [--host <host>] [--port <port>] [--debug]
  main.py -h | --help
  main.py -v | --version

Options:
  --host <host>  Address to listen on; else HOST, conf/server.conf, 0.0.0.0.
  --port <port>  Port to listen on; else PORT, conf/server.conf, 9999.
  --debug        One process with Flask's debugger, on loopback only.
  -h --help      Show this text.
  -v --version   Show the version.
"""

import logging.config
import os
import sys
from typing import Any

from docopt import DocoptExit, docopt
from flask import Flask

import model_serving
from model_serving.app import create_app
from model_serving.models.errors import ArtifactError
from model_serving.resources import RESOURCES
from model_serving.utils import settings
from model_serving.utils.settings import CONF, Settings, SettingsError

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def build(flags: dict[str, Any]) -> tuple[Flask, Settings]:
    """The application and its settings, ``flags`` first; a mistake ends the process with one line."""
    logging.config.fileConfig(CONF / "logging.conf", disable_existing_loggers=False)
    try:
        chosen = settings.load(models=[resource.slug() for resource in RESOURCES]).with_server(**flags)
        return create_app(chosen), chosen
    except (SettingsError, ArtifactError) as error:
        sys.exit(f"The service can not start: {error}")


def run(arguments: dict[str, Any]) -> None:
    """Run the server as the command line asks: gunicorn in place of this process, or Flask's debugger."""
    flags = {name: arguments[f"--{name}"] for name in ("host", "port") if arguments[f"--{name}"] is not None}
    try:
        server = Settings().with_server(**flags).server
    except SettingsError as error:
        raise DocoptExit(str(error)) from None
    if arguments["--debug"]:
        debug(flags)
    else:
        os.environ.update({name.upper(): str(getattr(server, name)) for name in flags})
        os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "-c", str(CONF / "gunicorn.conf.py")])


def debug(flags: dict[str, Any]) -> None:
    """Serve from this process with Flask's debugger, which runs any code it is sent: on loopback, or not at all."""
    host = flags.setdefault("host", os.environ.get("HOST") or LOOPBACK[0])
    if host not in LOOPBACK:
        raise DocoptExit(f"--debug listens on loopback only, not on {host}")
    debugged, chosen = build(flags)
    debugged.extensions["model_serving"].start()
    debugged.run(host, chosen.server.port, debug=True, use_reloader=False)


if __name__ == "__main__":
    run(docopt(__doc__, version=model_serving.__version__))
else:
    app, _ = build({})
