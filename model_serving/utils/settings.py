"""The files under ``conf/``, read once into frozen values.

Precedence: command-line flag, environment (``HOST``, ``PORT``, ``WORKERS``), file, default. A mistake stops the start
with file, key and remedy.
"""

import os
import re
from collections.abc import Iterable, Mapping
from configparser import ConfigParser
from configparser import Error as ConfigParserError
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[2]
CONF = ROOT / "conf"
DATA = ROOT / "data"

ENVIRONMENT = {"HOST": "host", "PORT": "port", "WORKERS": "workers"}
"""Environment variables that override a key of ``[server]``."""

_ORIGIN = re.compile(r"https?://[\w.-]+(:\d+)?", re.ASCII)
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")

Section = TypeVar("Section")


class SettingsError(ValueError):
    """A setting that can not be used; the message names the place and the remedy."""


def _number(default: int, least: int, most: int) -> Any:
    return field(default=default, metadata={"least": least, "most": most})


@dataclass(frozen=True)
class Server:
    """Where and how the service runs; times in seconds. ``workers = 0`` means one a processor."""

    host: str = "0.0.0.0"
    port: int = _number(9999, 1, 65_535)
    workers: int = _number(0, 0, 256)
    threads: int = _number(128, 1, 1024)
    graceful_seconds: int = _number(30, 1, 3600)
    keep_alive_seconds: int = _number(5, 1, 3600)
    read_seconds: int = _number(10, 1, 3600)


@dataclass(frozen=True)
class Limits:
    """How much one request may ask for; more is an error, never a silent cut."""

    body_bytes: int = _number(1 << 20, 1024, 31 << 20)
    items: int = _number(64, 1, 10_000)
    item_characters: int = _number(20_000, 1, 10_000_000)
    request_characters: int = _number(100_000, 1, 10_000_000)


@dataclass(frozen=True)
class Queue:
    """How requests wait for a model, in each worker; times in seconds, ``batch_cost`` in the model's own units."""

    waiting_per_model: int = _number(64, 1, 10_000)
    waiting_per_worker: int = _number(96, 1, 10_000)
    waiting_long: int = _number(8, 1, 1000)
    batch_cost: int = _number(4096, 1, 10_000_000)
    deadline_seconds: int = _number(30, 1, 3600)
    longest_deadline_seconds: int = _number(120, 1, 3600)


@dataclass(frozen=True)
class Cors:
    """The origins whose pages may read answers: ``*`` for all, or a list, matched whole."""

    origins: tuple[str, ...] = ("*",)


@dataclass(frozen=True)
class Keys:
    """The SHA-256 of each key that opens ``/v1``, in hex digits; without any it is open to all."""

    sha256: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModelSwitch:
    """Whether a model is loaded and served."""

    enabled: bool = True


@dataclass(frozen=True)
class Model:
    """The settings of one model: its switch, and the limits with its own changes."""

    enabled: bool
    limits: Limits


@dataclass(frozen=True)
class Settings:
    """All settings of a process; ``models`` by the name of their file, ``data`` the folder of the artifacts."""

    server: Server = Server()
    limits: Limits = Limits()
    queue: Queue = Queue()
    cors: Cors = Cors()
    keys: Keys = Keys()
    models: Mapping[str, Model] = field(default_factory=dict)
    data: Path = DATA

    def with_server(self, **changes: Any) -> "Settings":
        """The same settings with other values under ``[server]``, as the command line gives them."""
        return replace(self, server=_checked(self.server, changes, "command line"))


def load(folder: Path = CONF, models: Iterable[str] = (), environment: Mapping[str, str] = os.environ) -> Settings:
    """Read ``server.conf``, the environment, and ``<model>.conf`` for each of ``models``.

    Raises:
        SettingsError: a file is missing, a section or key unknown, a value bad.
    """
    parser = _parse(folder / "server.conf", {"server", "limits", "queue", "cors", "keys"})
    server = _section(parser, "server", Server(), folder / "server.conf")
    for variable, key in ENVIRONMENT.items():
        if environment.get(variable):
            server = _checked(server, {key: environment[variable]}, f"environment variable {variable}")
    limits = _section(parser, "limits", Limits(), folder / "server.conf")
    queue = _section(parser, "queue", Queue(), folder / "server.conf")
    _check_queue(server, queue, folder / "server.conf")
    cors = _section(parser, "cors", Cors(), folder / "server.conf")
    _check_origins(cors, folder / "server.conf")
    keys = _section(parser, "keys", Keys(), folder / "server.conf")
    _check_keys(keys, folder / "server.conf")
    own = {model: _model(folder / f"{model}.conf", limits) for model in models}
    return Settings(server, limits, queue, cors, keys, own)


def _model(path: Path, limits: Limits) -> Model:
    parser = _parse(path, {"model", "limits"})
    switch = _section(parser, "model", ModelSwitch(), path)
    own = _section(parser, "limits", limits, path)
    if own.body_bytes != limits.body_bytes:
        raise SettingsError(f"{path}: [limits] body_bytes holds for all models; set it in server.conf")
    return Model(switch.enabled, own)


def _parse(path: Path, sections: set[str]) -> ConfigParser:
    parser = ConfigParser(interpolation=None)
    try:
        parser.read_string(path.read_text(encoding="utf-8"), source=str(path))
    except OSError as error:
        raise SettingsError(f"{path} can not be read ({error.strerror}); restore it from the repository") from error
    except (ConfigParserError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is no INI file: {error}") from error
    for section in parser.sections():
        if section not in sections:
            raise SettingsError(f"{path}: section [{section}] is not known; known are {_listed(sections)}")
    return parser


def _section(parser: ConfigParser, section: str, base: Section, path: Path) -> Section:
    values = dict(parser[section]) if parser.has_section(section) else {}
    return _checked(base, values, f"{path}: [{section}]")


def _checked(base: Section, values: Mapping[str, Any], place: str) -> Section:
    """``base`` with ``values``, each turned into its field's type and held against its bounds."""
    known = {item.name: item for item in fields(base)}  # type: ignore[arg-type]  # every section is a dataclass
    changes = {}
    for key, value in values.items():
        if key not in known:
            raise SettingsError(f"{place} {key} is not known; known are {_listed(known)}")
        try:
            changes[key] = _converted(str(value).strip(), known[key].type, known[key].metadata)
        except ValueError as error:
            raise SettingsError(f"{place} {key} = {str(value)[:80]!r}: {error}") from None
    return replace(base, **changes)  # type: ignore[type-var]


def _converted(text: str, kind: Any, bounds: Mapping[str, int]) -> Any:
    if kind is int:
        return _integer(text, bounds["least"], bounds["most"])
    if kind is bool:
        states = ConfigParser.BOOLEAN_STATES
        if text.lower() not in states:
            raise ValueError("write yes or no")
        return states[text.lower()]
    if not text:
        raise ValueError("write a value, or leave the key out for the default")
    return text if kind is str else tuple(text.replace(",", " ").split())


def _integer(text: str, least: int, most: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most:
        return int(text)
    raise ValueError(f"write a whole number from {least} to {most}")


def _check_queue(server: Server, queue: Queue, path: Path) -> None:
    if queue.deadline_seconds > queue.longest_deadline_seconds:
        raise SettingsError(f"{path}: [queue] deadline_seconds must be at most longest_deadline_seconds")
    if queue.deadline_seconds > server.graceful_seconds:
        raise SettingsError(
            f"{path}: [server] graceful_seconds must be at least [queue] deadline_seconds, or a stop cuts requests"
        )
    if queue.waiting_per_worker + queue.waiting_long + 1 >= server.threads:
        raise SettingsError(
            f"{path}: [queue] waiting_per_worker must be below [server] threads by more than waiting_long, "
            "or nobody is left to refuse the rest"
        )


def _check_origins(cors: Cors, path: Path) -> None:
    for origin in cors.origins:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            raise SettingsError(f"{path}: [cors] origins: {origin!r} is no origin; write *, or https://host[:port] ...")
    if "*" in cors.origins and len(cors.origins) > 1:
        raise SettingsError(f"{path}: [cors] origins: * allows all; write either * or a list")


def _check_keys(keys: Keys, path: Path) -> None:
    for place, digits in enumerate(keys.sha256, start=1):
        if not _SHA256.fullmatch(digits):  # it may be the key itself, so it is not repeated
            remedy = 'write the 64 hex digits that printf %s "$key" | sha256sum prints'
            raise SettingsError(f"{path}: [keys] sha256: entry {place} is no hash of a key; {remedy}")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
