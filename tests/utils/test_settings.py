"""Settings: read whole, or refused with file, key and remedy."""

import dataclasses

import pytest

from model_serving.resources import RESOURCES
from model_serving.utils import settings
from model_serving.utils.settings import Cors, Keys, Limits, Server, SettingsError


@pytest.fixture
def load(tmp_path):
    """Write ``server.conf`` and, where given, ``toy.conf``, and read them."""

    def read(server="", toy=None, **environment):
        (tmp_path / "server.conf").write_text(server, encoding="utf-8")
        if toy is not None:
            (tmp_path / "toy.conf").write_text(toy, encoding="utf-8")
        return settings.load(tmp_path, [] if toy is None else ["toy"], environment)

    return read


def test_an_empty_file_gives_the_defaults(load):
    read = load()
    assert (read.server, read.limits, read.cors) == (Server(), Limits(), Cors())
    assert (read.server.host, read.server.port) == ("0.0.0.0", 9999)
    assert read.limits.body_bytes == 1024 * 1024


def test_files_before_defaults_environment_before_files_flags_before_all(load):
    conf = "[server]\nhost = 127.0.0.2\nport = 1000\nworkers = 3\n"
    assert load(conf).server.port == 1000
    read = load(conf, PORT="2000", HOST="127.0.0.3", WORKERS="4")
    assert (read.server.host, read.server.port, read.server.workers) == ("127.0.0.3", 2000, 4)
    assert load(conf, PORT="2000").with_server(port="3000").server.port == 3000


def test_a_model_has_the_limits_of_the_service_with_its_own_changes(load):
    read = load("[limits]\nitems = 7\n", toy="[model]\nenabled = no\n[limits]\nitem_characters = 9\n")
    toy = read.models["toy"]
    assert not toy.enabled
    assert (toy.limits.items, toy.limits.item_characters) == (7, 9)


def test_values_can_not_be_changed_afterwards(load):
    with pytest.raises(dataclasses.FrozenInstanceError):
        load().server.port = 1


@pytest.mark.parametrize(
    ("conf", "said"),
    [
        ("[server]\nprot = 80\n", ["server.conf", "[server] prot", "known are", "port"]),
        ("[sever]\n", ["server.conf", "[sever]", "server"]),
        ("[server]\nport = 0\n", ["server.conf", "port = '0'", "from 1 to 65535"]),
        ("[server]\nport = 65536\n", ["whole number"]),
        ("[server]\nport = 80.5\n", ["whole number"]),
        ("[server]\nport = ８０\n", ["whole number"]),
        ("[server]\nport = " + "9" * 500, ["whole number"]),
        ("[server]\nport =\n", ["whole number"]),
        ("[server]\nhost =\n", ["leave the key out"]),
        ("[server]\nport = 1\nport = 2\n", ["server.conf", "already exists"]),
        ("port = 1\n", ["server.conf", "no INI file"]),
        ("[limits]\nbody_bytes = 33554432\n", ["body_bytes", "from 1024"]),
        ("[queue]\ndeadline_seconds = 31\n", ["graceful_seconds", "at least"]),
        ("[queue]\nlongest_deadline_seconds = 29\n", ["deadline_seconds must be at most"]),
        ("[queue]\nwaiting_per_worker = 128\n", ["waiting_per_worker must be below"]),
        ("[cors]\norigins = example.org\n", ["[cors] origins", "'example.org'", "https://"]),
        ("[cors]\norigins = https://*.example.org\n", ["is no origin"]),
        ("[cors]\norigins = https://.*[.]org\n", ["is no origin"]),
        ("[cors]\norigins = * https://example.org\n", ["either * or a list"]),
        ("[keys]\nsha256 =\n", ["[keys] sha256", "leave the key out"]),
        (f"[keys]\nsha256 = {'a' * 64} {'b' * 63}\n", ["server.conf: [keys] sha256", "entry 2", "sha256sum"]),
        (f"[keys]\nsha256 = {'a' * 63}g\n", ["entry 1", "64 hex digits"]),
        (f"[keys]\nsha256 = {'１' * 64}\n", ["entry 1"]),
        (f"[keys]\nmd5 = {'a' * 32}\n", ["[keys] md5", "known are sha256"]),
    ],
)
def test_a_mistake_is_told_with_place_and_remedy(load, conf, said):
    with pytest.raises(SettingsError) as caught:
        load(conf)
    for words in said:
        assert words in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("conf", "said"),
    [
        ("[model]\nenabled = maybe\n", "yes or no"),
        ("[model]\nenable = yes\n", "known are enabled"),
        ("[limits]\nbody_bytes = 5000\n", "server.conf"),
    ],
)
def test_a_mistake_in_the_file_of_a_model_is_told(load, conf, said):
    with pytest.raises(SettingsError, match=r"toy\.conf") as caught:
        load(toy=conf)
    assert said in str(caught.value)


def test_a_bad_environment_variable_is_named(load):
    with pytest.raises(SettingsError, match="environment variable PORT port = 'x': write a whole number"):
        load(PORT="x")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"server\.conf can not be read"):
        settings.load(tmp_path)


def test_origins_are_a_list(load):
    origins = load("[cors]\norigins = https://a.example, http://localhost:8000\n").cors.origins
    assert origins == ("https://a.example", "http://localhost:8000")


def test_hashes_of_keys_are_a_list_and_none_by_default(load):
    assert load().keys.sha256 == load("[keys]\n").keys.sha256 == ()
    one, other = "0123456789abcdef" * 4, "ABCDEF0123456789" * 4
    assert load(f"[keys]\nsha256 = {one}, {other}\n").keys.sha256 == (one, other)
    assert load(f"[keys]\nsha256 =\n  {one}\n  {other}\n").keys.sha256 == (one, other)


def test_a_key_in_the_place_of_its_hash_is_not_repeated(load):
    with pytest.raises(SettingsError) as caught:
        load("[keys]\nsha256 = my-dear-secret\n")
    assert "dear" not in str(caught.value)


def test_the_files_of_the_repository_say_the_defaults():
    read = settings.load(models=[resource.slug() for resource in RESOURCES], environment={})
    assert (read.server, read.limits, read.cors, read.keys) == (Server(), Limits(), Cors(), Keys())
    assert all(model.enabled for model in read.models.values())
