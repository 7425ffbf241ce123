"""A client of the service: ``Client("http://127.0.0.1:9999").post("BiLSTMCRF", text="...", task="ner")``."""

import json
import time
import uuid
from collections.abc import Callable, Mapping
from operator import itemgetter
from types import TracebackType
from typing import Any, Self

from urllib3 import BaseHTTPResponse, PoolManager
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import HTTPError, ReadTimeoutError
from urllib3.util import Retry, Timeout

CONNECT_SECONDS = 5.0
TRANSFER_SECONDS = 2.0
"""How much longer than its deadline an answer may take to arrive."""

BACKOFF_SECONDS = 0.25
MOST_SECONDS_APART = 60


class ClientError(Exception):
    """A request without the answer it was sent for; ``request_id`` finds it in the service's log."""

    def __init__(self, message: str, request_id: str):
        super().__init__(message)
        self.request_id = request_id


class RefusedError(ClientError):
    """The service answered with an error.

    Args:
        status: HTTP status.
        error: the error object: ``message``, ``code``, ``request_id`` and, where a field is to blame, ``path``.
    """

    def __init__(self, status: int, error: Mapping[str, str]):
        super().__init__(error["message"], error["request_id"])
        self.status = status
        self.code = error["code"]
        self.path = error.get("path")

    def __str__(self) -> str:
        place = f" at {self.path}" if self.path else ""
        return f"{self.args[0]}{place} ({self.code}, request {self.request_id})"


class UnansweredError(ClientError):
    """No answer came, or none that this service gives."""


class Client:
    """Connections to one service, kept alive, for use from any number of threads.

    What was not run is tried again: no connection, one that broke, 503. Proxies named in the environment are not used.

    Args:
        url: where the service is, like ``http://127.0.0.1:9999``.
        key: where it asks for one.
        timeout: seconds that each try may take; the service is told them as its deadline.
        retries: how often a request is tried again, later each time and no sooner than ``Retry-After`` asks.
        connections: how many are kept.
    """

    def __init__(
        self, url: str, *, key: str | None = None, timeout: float = 30, retries: int = 4, connections: int = 16
    ):
        self.url = url.rstrip("/")
        self._headers = {"X-API-Key": key} if key else {}
        self._deadline = f"{timeout:g}"
        self._pool = PoolManager(
            num_pools=1,
            maxsize=connections,
            timeout=Timeout(connect=CONNECT_SECONDS, read=timeout + TRANSFER_SECONDS),
            retries=_Retry(
                retries,
                redirect=False,
                allowed_methods=None,
                status_forcelist=[503],
                raise_on_status=False,
                backoff_factor=BACKOFF_SECONDS,
                backoff_jitter=BACKOFF_SECONDS,
                backoff_max=MOST_SECONDS_APART,
                retry_after_max=MOST_SECONDS_APART,
            ),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._pool.clear()

    def post(self, model: str, /, **fields: Any) -> Any:
        """The result of a model for a request with these fields.

        Raises:
            RefusedError: the service answered with an error.
            UnansweredError: it did not answer.
        """
        return self._ask("POST", f"/v1/{model}", itemgetter("result"), fields)

    def card(self, model: str) -> dict[str, Any]:
        """What a model is, knows and accepts.

        Raises:
            RefusedError: the service answered with an error.
            UnansweredError: it did not answer.
        """
        card: dict[str, Any] = self._ask("GET", f"/v1/{model}", dict)
        return card

    def models(self) -> list[dict[str, str]]:
        """Name, family, summary and href of each model.

        Raises:
            RefusedError: the service answered with an error.
            UnansweredError: it did not answer.
        """
        models: list[dict[str, str]] = self._ask("GET", "/v1", itemgetter("models"))
        return models

    def _ask(self, method: str, path: str, take: Callable[[Any], Any], body: Mapping[str, Any] | None = None) -> Any:
        """What ``take`` finds in the answer's JSON."""
        request_id = uuid.uuid4().hex
        headers = {"X-Request-ID": request_id, "X-Request-Timeout": self._deadline, **self._headers}
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        try:
            response = self._pool.request(method, self.url + path, body=content, headers=headers)
        except HTTPError as error:
            raise UnansweredError(f"No answer from {self.url}{path}: {_reason(error)}", request_id) from error
        try:
            answer = json.loads(response.data)
            if response.status == 200:
                return take(answer)
            refused = RefusedError(response.status, answer)
        except (ValueError, LookupError, TypeError):
            strange = f"{self.url}{path} answered {response.status}, but not as this service does"
            raise UnansweredError(strange, request_id) from None
        raise refused


class _Retry(Retry):
    """When to ask again, and how long to wait before."""

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Self:
        """Count a try that failed; a request that was not answered in time would not be the next time."""
        if isinstance(error, ReadTimeoutError):
            raise error
        return super().increment(method, url, response, error, _pool, _stacktrace)

    def sleep(self, response: BaseHTTPResponse | None = None) -> None:
        """Wait as long as the service asks, and longer each time, no two callers alike."""
        asked = self.get_retry_after(response) if response else None
        time.sleep((asked or 0.0) + self.get_backoff_time())


def _reason(error: HTTPError) -> str:
    """The last cause in a chain of wrapped ones, without the addresses of objects."""
    cause = getattr(error, "reason", None) or error
    return str(cause).rpartition(": ")[2]
