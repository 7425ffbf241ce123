"""Ask a model of a running service, for one request or for a file of lines.

Usage:
  client.sh <model> [<field=value>...] [--lines <file>] [--field <name>] [--output <file>] [options]
  client.sh -h | --help

Options:
  --lines <file>    Run each line of a UTF-8 file through the model; answers go to --output as lines of JSON.
  --field <name>    The field that takes the lines; else the one that takes a list of texts.
  --output <file>   Where the answers go; else <file>.<model>.jsonl beside the lines.
  --under-way <n>   Requests at a time [default: 4].
  --timeout <s>     Seconds that a request may take [default: 30].
  --url <url>       Where the service is; else SERVICE_URL, http://127.0.0.1:9999.
  --key <key>       The key, where it asks for one; better API_KEY, for others see a command line.
  -h --help         Show this text.

Values are read as the model's card wants them: text as it stands, all others as JSON. A field that is given again
holds a list: text=好 text=坏.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docopt import DocoptExit, docopt

from model_serving.client import Client, ClientError
from model_serving.client.command_line import connect, positive
from model_serving.client.lines import LinesError, Question, run


def main() -> int:
    """The command line; the exit status is 1 where something was not answered."""
    arguments = docopt(__doc__)
    under_way = positive(arguments, "--under-way")
    try:
        with connect(arguments) as client:
            card = client.card(arguments["<model>"])
            properties = card["request_schema"]["properties"]
            fields = read_fields(arguments["<field=value>"], properties)
            if arguments["--lines"] is None:
                print(json.dumps(client.post(card["name"], **fields), ensure_ascii=False, indent=2))
                return 0
            field = lines_field(properties, fields, arguments["--field"])
            lines = Path(arguments["--lines"])
            output = Path(arguments["--output"] or f"{lines}.{card['name']}.jsonl")
            return run_lines(client, Question(card, field, fields), lines, output, under_way)
    except (ClientError, LinesError) as error:
        print(error, file=sys.stderr)
        return 1


def read_fields(words: Sequence[str], properties: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that ``name=value`` words give, each as its schema in ``properties`` wants it.

    Raises:
        DocoptExit: a word is no such pair, or a value no JSON where its field takes no text.
    """
    values: dict[str, list[Any]] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not (name and sign):
            raise DocoptExit(f"{word} is no <field=value>")
        values.setdefault(name, []).append(_value(name, text, properties.get(name, {"type": "string"})))
    return {
        name: given[0] if len(given) == 1 and not _is_list_of_texts(properties.get(name, {})) else given
        for name, given in values.items()
    }


def lines_field(properties: Mapping[str, Any], given: Mapping[str, Any], named: str | None) -> str:
    """The field that the lines go into: the one ``named``, else the only one that takes a list of texts.

    Raises:
        DocoptExit: there is none beside those ``given``, or there are several.
    """
    names = [
        name
        for name, part in properties.items()
        if name not in given and "array" in _types(part) and "string" in _types(part.get("items", {}))
    ]
    if named in names:
        return str(named)
    if named is not None or len(names) != 1:
        raise DocoptExit(f"Name the field of the lines with --field; it could be {', '.join(names) or 'none'}")
    return names[0]


def run_lines(client: Client, question: Question, lines: Path, output: Path, under_way: int) -> int:
    """Run a file, and tell which lines failed; the exit status."""
    try:
        failures = run(client, question, lines, output, under_way)
    except (ClientError, KeyboardInterrupt) as error:
        reason = str(error) or "Interrupted"
        print(f"{reason}\n{output} holds what is answered; run the same again to go on", file=sys.stderr)
        return 1
    for failure in failures:
        print(f"line {failure.line}: {failure.reason}", file=sys.stderr)
    print(f"{output}: all lines, {len(failures)} of them failed", file=sys.stderr)
    return int(bool(failures))


def _value(name: str, text: str, schema: Mapping[str, Any]) -> Any:
    if "string" in _types(schema) or _is_list_of_texts(schema):
        return text
    try:
        return json.loads(text)
    except ValueError:
        raise DocoptExit(f"{name}={text} must be JSON of type {' or '.join(_types(schema))}") from None


def _is_list_of_texts(schema: Mapping[str, Any]) -> bool:
    """Whether a field takes a list of texts and nothing else, so that each value given for it is one of them."""
    return _types(schema) == ["array"] and "string" in _types(schema.get("items", {}))


def _types(schema: Mapping[str, Any]) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


if __name__ == "__main__":
    sys.exit(main())
