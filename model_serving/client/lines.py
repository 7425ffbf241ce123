"""A file of items, one a line, through a model: in batches, several under way, answers in the order of the lines.

The answers go to another file, each as a line of JSON: ``{"result": ...}`` or ``{"error": {"message", "code",
"request_id"}}``. While it is written a note lies beside it, so that an interrupted run goes on where it stopped.
"""

import hashlib
import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from tqdm import tqdm

from model_serving.client import Client, RefusedError

Answer = dict[str, Any]
Ask = Callable[[list[str]], list[Any]]

OWN_STATUSES = (413, 500, 504)
"""Besides a 400 that names the field: failures that may be the fault of one item among many."""


class LinesError(Exception):
    """A file that can not be read, or an output that belongs to another run; the message names the remedy."""


@dataclass(frozen=True)
class Question:
    """What is asked of each line: the model of ``card``, with the line in ``field`` beside the others, ``options``."""

    card: Mapping[str, Any]
    field: str
    options: Mapping[str, Any]

    def identity(self, digest: str) -> str:
        """What makes the same answers from lines with this hash."""
        parts = [self.card["name"], self.card["version"], self.field, self.options, digest]
        return json.dumps(parts, ensure_ascii=False, sort_keys=True)

    def limits(self) -> dict[str, int]:
        """Those of a request, with what the field takes at most as ``items``."""
        limits = self.card["limits"]
        schema = self.card["request_schema"]["properties"].get(self.field, {})
        return {**limits, "items": min(limits["items"], schema.get("maxItems", limits["items"]))}


@dataclass(frozen=True)
class Failure:
    """A line that was not answered, counted from 1, and why."""

    line: int
    reason: str


def run(client: Client, question: Question, lines: Path, output: Path, under_way: int) -> list[Failure]:
    """Answer every line, or those that an interrupted run has left.

    Raises:
        LinesError: a file can not be used.
        ClientError: the service is not there, or refuses what is not the fault of a line.
    """
    count, digest = _measure(lines)
    note = output.with_name(f"{output.name}.run")
    done = _begin(output, note, question.identity(digest))
    left = islice(read(lines), done, None)
    with output.open("ab") as file, tqdm(total=count, initial=done, unit="lines", disable=None) as bar:
        for answered in answers(client, question, left, under_way):
            file.write("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in answered).encode())
            file.flush()
            bar.update(len(answered))
    note.unlink()
    return _failures(output)


def answers(client: Client, question: Question, items: Iterator[str], under_way: int) -> Iterator[Sequence[Answer]]:
    """The answers to items in their order, batch by batch, with so many requests at a time.

    Raises:
        LinesError: the model does not take lists.
        ClientError: the service is not there, or refuses what is not the fault of an item.
    """
    model, field = question.card["name"], question.field

    def ask(some: list[str]) -> list[Any]:
        results = client.post(model, **{field: some}, **question.options)
        if not isinstance(results, list) or len(results) != len(some):
            raise LinesError(f"{model} does not answer a list of {field} with a list as long")
        return results

    return _in_order(lambda some: answer(ask, field, some), batches(items, question.limits()), under_way)


def read(lines: Path) -> Iterator[str]:
    """The lines of a UTF-8 file, of which only a line feed ends one, with or without a carriage return before it."""
    with lines.open("rb") as file:
        for line in file:
            yield line.decode().removesuffix("\n").removesuffix("\r")


def batches(items: Iterator[str], limits: Mapping[str, int]) -> Iterator[list[str]]:
    """Items put together as far as the limits of one request allow; one alone that is beyond them is left to fail."""
    room = limits["body_bytes"] // 2  # the options and what JSON puts around each item fit the other half
    batch: list[str] = []
    characters = size = 0
    for item in items:
        weight = len(json.dumps(item, ensure_ascii=False).encode())
        full = (
            len(batch) == limits["items"]
            or characters + len(item) > limits["request_characters"]
            or size + weight > room
        )  # fmt: skip
        if batch and full:
            yield batch
            batch, characters, size = [], 0, 0
        batch.append(item)
        characters, size = characters + len(item), size + weight
    if batch:
        yield batch


def answer(ask: Ask, field: str, items: list[str]) -> list[Answer]:
    """An answer to each item; where some fail a request, the others are asked again without them.

    Raises:
        ClientError: the failure is not that of items.
    """
    if not items:
        return []
    try:
        return [{"result": result} for result in ask(items)]
    except RefusedError as refused:
        if not _is_of_items(refused, field):
            raise
        error = {"message": refused.args[0], "code": refused.code, "request_id": refused.request_id}
        if len(items) == 1:
            return [{"error": error}]
        named = re.match(rf"\$\.{field}\[(\d+)\]", refused.path or "")
    if not named:
        half = len(items) // 2
        return answer(ask, field, items[:half]) + answer(ask, field, items[half:])
    place = int(named[1])
    others = answer(ask, field, items[:place] + items[place + 1 :])
    return [*others[:place], {"error": error}, *others[place:]]


def _is_of_items(refused: RefusedError, field: str) -> bool:
    blamed = (refused.path or "").partition("[")[0] == f"$.{field}"
    return (refused.status == 400 and blamed) or refused.status in OWN_STATUSES


def _in_order(
    work: Callable[[list[str]], list[Answer]], todo: Iterator[list[str]], under_way: int
) -> Iterator[Sequence[Answer]]:
    """What ``work`` gives for each batch, ``under_way`` of them at a time and as many ready to follow."""
    pending: deque[Future[list[Answer]]] = deque()
    with ThreadPoolExecutor(under_way) as pool:
        try:
            for batch in todo:
                pending.append(pool.submit(work, batch))
                if len(pending) == 2 * under_way:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            for future in pending:
                future.cancel()


def _measure(lines: Path) -> tuple[int, str]:
    """How many lines there are, and their SHA-256."""
    digest = hashlib.sha256()
    count = 0
    try:
        with lines.open("rb") as file:
            for line in file:
                count += 1
                line.decode()
                digest.update(line)
    except OSError as error:
        raise LinesError(f"{lines} can not be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise LinesError(f"{lines} is not UTF-8 at line {count}; convert it, for instance with iconv") from None
    return count, digest.hexdigest()


def _begin(output: Path, note: Path, identity: str) -> int:
    """Make the output, or keep the whole lines of one that was interrupted; how many there are."""
    try:
        if not output.exists():
            note.write_text(identity, encoding="utf-8")
            output.touch()
            return 0
        if not note.exists():
            raise LinesError(f"{output} is there already; move it away, or name another with --output")
        if note.read_text(encoding="utf-8") != identity:
            raise LinesError(
                f"{output} was begun with other lines, fields or weights; move it away, or name another with --output"
            )
        with output.open("rb+") as file:
            whole = [len(line) for line in file if line.endswith(b"\n")]
            file.truncate(sum(whole))
            return len(whole)
    except OSError as error:
        raise LinesError(f"{output} can not be written: {error.strerror}") from error


def _failures(output: Path) -> list[Failure]:
    with output.open(encoding="utf-8") as file:
        answers = enumerate(map(json.loads, file), start=1)
        return [
            Failure(line, f"{each['error']['message']} ({each['error']['code']})")
            for line, each in answers
            if "error" in each
        ]
