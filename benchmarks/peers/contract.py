"""What all peers agree on: where they are asked, what the textbook validates with, what a constant handler answers."""

PATH = "/v1/BiLSTMCRF"

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "task": {"enum": ["pos", "seg", "ner"]}},
    "required": ["text", "task"],
}

ANSWER = {
    "entities": [
        {"text": "赵小兰", "start": 0, "end": 3, "label": "PER"},
        {"text": "广州", "start": 4, "end": 6, "label": "LOC"},
    ]
}
