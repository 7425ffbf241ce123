"""Fill the untranslated entries of a gettext catalogue through a translator of a running service.

Usage:
  translate-po.sh <file> [--output <file>] [--model <name>] [--target <language>] [--accelerator <mark>] [options]
  translate-po.sh -h | --help

Options:
  --output <file>       Where the filled catalogue goes; else <file> itself.
  --model <name>        The translator to ask [default: Transformer].
  --target <language>   The language wanted, like zh; else the one that the catalogue's header names.
  --accelerator <mark>  What stands before an accelerator's letter: _, & or ~, or none; else told from the catalogue.
  --under-way <n>       Requests at a time [default: 2].
  --timeout <s>         Seconds that a request may take [default: 60].
  --url <url>           Where the service is; else SERVICE_URL, http://127.0.0.1:9999.
  --key <key>           The key, where it asks for one; better API_KEY, for others see a command line.
  -h --help             Show this text.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polib
from docopt import DocoptExit, docopt

from model_serving.client import Client, ClientError
from model_serving.client.catalogue import Catalogue, CatalogueError, Wanted, fill, line_of
from model_serving.client.command_line import connect, positive
from model_serving.client.lines import LinesError, Question, answers
from model_serving.client.messages import MARKS, Message, accelerator_mark, damage

SIMPLIFIED = ("zh", "zh_cn", "zh_sg", "zh_hans", "zh_hans_cn", "zh_hans_sg")
"""What the header of a catalogue may say for Chinese as the models write it."""


class UsageError(Exception):
    """What is asked for does not go together; the message names the remedy."""


@dataclass(frozen=True)
class Left:
    """An entry that stays empty, and why."""

    entry: polib.POEntry
    reason: str


@dataclass(frozen=True)
class Outcome:
    """The entries filled and those left empty; ``broken_off`` tells why others were not answered, if so."""

    filled: list[polib.POEntry]
    left: list[Left]
    broken_off: str


def main() -> int:
    """The command line; the exit status is 1 where the service did not answer or a file could not be used."""
    arguments = docopt(__doc__)
    under_way = positive(arguments, "--under-way")
    path = Path(arguments["<file>"])
    output = Path(arguments["--output"] or path)
    try:
        catalogue = Catalogue(path)
        mark = _mark(arguments["--accelerator"], catalogue)
        with connect(arguments) as client:
            card = client.card(arguments["--model"])
            options = languages(card, arguments["--target"] or catalogue.language)
            outcome = translate(client, Question(card, "text", options), catalogue, mark, under_way)
        catalogue.write(output, outcome.filled)
    except (ClientError, CatalogueError, LinesError, UsageError) as error:
        print(error, file=sys.stderr)
        return 1
    for each in outcome.left:
        print(f"{path}:{line_of(each.entry)}: left empty: {each.reason}", file=sys.stderr)
    many = len(outcome.filled), len(outcome.left)
    print(f"{output}: {many[0]} filled and marked fuzzy, {many[1]} left empty", file=sys.stderr)
    if outcome.broken_off:
        print(f"{outcome.broken_off}\nRun the same for {output} to go on", file=sys.stderr)
    return int(bool(outcome.broken_off))


def translate(client: Client, question: Question, catalogue: Catalogue, mark: str, under_way: int) -> Outcome:
    """Fill the blank entries of a catalogue.

    Equal texts are asked for once. Where the service fails on the way, what it has answered is kept.
    """
    left, open_entries = [], []
    for entry in catalogue.blank():
        wanted = catalogue.wanted(entry)
        if isinstance(wanted, str):
            left.append(Left(entry, wanted))
        else:
            open_entries.append([(each, Message.of(each.original, mark)) for each in wanted])
    texts = list(dict.fromkeys(message.text for parts in open_entries for _, message in parts))
    found, broken_off = _ask(client, question, texts, under_way)
    filled = []
    for parts in open_entries:
        if any(message.text not in found for _, message in parts):
            continue
        entry = parts[0][0].entry
        translations = _translations(parts, found)
        if isinstance(translations, str):
            left.append(Left(entry, translations))
        else:
            worst = min(found[message.text]["result"]["score"] for _, message in parts)
            fill(entry, translations, f"{question.card['name']}, score {worst:.2f}")
            filled.append(entry)
    return Outcome(filled, sorted(left, key=lambda each: line_of(each.entry)), broken_off)


def _ask(
    client: Client, question: Question, texts: list[str], under_way: int
) -> tuple[dict[str, Mapping[str, Any]], str]:
    """The answers to texts, and what broke them off, if anything did."""
    found: list[Mapping[str, Any]] = []
    broken_off = ""
    try:
        for batch in answers(client, question, iter(texts), under_way):
            found += batch
    except (ClientError, KeyboardInterrupt) as error:
        broken_off = str(error) or "Interrupted"
    return dict(zip(texts, found, strict=False)), broken_off


def languages(card: Mapping[str, Any], target: str) -> dict[str, str]:
    """The fields that ask a model for a language, as a header or a person names it.

    Raises:
        UsageError: the model is no translator, or writes no such language.
    """
    properties = card["request_schema"]["properties"]
    known = properties.get("target", {}).get("enum", [])
    if not known:
        raise UsageError(f"{card['name']} is no translator; name one with --model")
    plain = target.replace("-", "_").partition(".")[0].lower()
    wanted = "zh" if plain in SIMPLIFIED else plain
    if wanted.partition("_")[0] in known and not wanted.startswith("zh_"):
        return {"target": wanted.partition("_")[0]}
    named = f"not {target}" if target else "and the catalogue's header has no Language"
    raise UsageError(f"{card['name']} translates into {', '.join(known)}, {named}; choose with --target")


def _translations(
    parts: Sequence[tuple[Wanted, Message]], answered: Mapping[str, Mapping[str, Any]]
) -> dict[int | None, str] | str:
    """The translations of an entry by plural form, or why it has to stay empty."""
    found = {}
    for wanted, message in parts:
        answer = answered[message.text]
        if "error" in answer:
            return str(answer["error"]["message"])
        result = answer["result"]
        if not result["finished"]:
            return "the translation was cut off"
        if not result["translation"]:
            return "nothing was translated"
        text = message.put_together(result["translation"])
        formatted = any(flag.endswith("-format") and not flag.startswith("no-") for flag in wanted.entry.flags)
        fault = damage(wanted.original, text, formatted=formatted)
        if fault:
            return fault
        found[wanted.form] = text
    return found


def _mark(asked: str | None, catalogue: Catalogue) -> str:
    if asked is None:
        return accelerator_mark(catalogue.pairs())
    if asked != "none" and asked not in tuple(MARKS):
        raise DocoptExit(f"--accelerator {asked} must be {', '.join(MARKS)} or none")
    return "" if asked == "none" else asked


if __name__ == "__main__":
    sys.exit(main())
