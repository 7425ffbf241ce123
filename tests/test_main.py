"""The command line; nothing here starts a server."""

import os
import sys

import docopt
import pytest

import main
import model_serving
from model_serving.utils.settings import Settings


@pytest.fixture
def run(monkeypatch):
    """Run the command line; gives what would be executed, its environment, and what would be debugged."""

    def go(*words, **environment):
        seen: dict[str, object] = {}
        for name in ("HOST", "PORT", "WORKERS"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)

        def execute(path, argv):
            seen.update(path=path, argv=argv, host=os.environ.get("HOST"), port=os.environ.get("PORT"))

        class Debugged:
            extensions = {"model_serving": type("Service", (), {"start": lambda self: None})()}

            def run(self, host, port, **options):
                seen.update(options, address=(host, port))

        def build(flags):
            return Debugged(), Settings().with_server(**flags)

        monkeypatch.setattr(os, "execv", execute)
        monkeypatch.setattr(main, "build", build)
        main.run(docopt.docopt(main.__doc__, list(words), version=model_serving.__version__))
        return seen

    return go


def test_gunicorn_takes_over_with_the_flags_as_environment(run):
    seen = run("--host", "127.0.0.1", "--port", "8123", PORT="9000")
    assert seen["argv"][:3] == [sys.executable, "-m", "gunicorn"]
    assert (seen["host"], seen["port"]) == ("127.0.0.1", "8123")


def test_without_flags_environment_and_conf_decide(run):
    seen = run(PORT="9000")
    assert (seen["host"], seen["port"]) == (None, "9000")


@pytest.mark.parametrize("port", ["0", "65536", "x", "-1", "80.5", ""])
def test_a_bad_port_prints_usage_and_exits_1(run, port):
    with pytest.raises(SystemExit) as caught:
        run("--port", port)
    assert "whole number from 1 to 65535" in str(caught.value)
    assert "Usage:" in str(caught.value)


@pytest.mark.parametrize("words", [["--verbose"], ["start"], ["--port"]])
def test_an_unknown_option_prints_usage_and_exits_1(run, words):
    with pytest.raises(SystemExit) as caught:
        run(*words)
    assert "Usage:" in str(caught.value)


def test_the_version_and_the_help_are_printed(run, capsys):
    for words, said in (["-v"], model_serving.__version__), (["--help"], "Usage:"):
        with pytest.raises(SystemExit) as caught:
            run(*words)
        assert not caught.value.code
        assert said in capsys.readouterr().out


def test_debug_listens_on_loopback(run):
    seen = run("--debug", "--port", "8123")
    assert seen["address"] == ("127.0.0.1", 8123)
    assert seen["use_reloader"] is False
    assert run("--debug", "--host", "localhost")["address"] == ("localhost", 9999)


@pytest.mark.parametrize("environment", [{}, {"HOST": "0.0.0.0"}])
def test_debug_refuses_any_other_host(run, environment):
    words = ["--debug"] if environment else ["--debug", "--host", "0.0.0.0"]
    with pytest.raises(SystemExit) as caught:
        run(*words, **environment)
    assert "loopback only" in str(caught.value)
