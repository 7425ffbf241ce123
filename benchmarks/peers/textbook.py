"""The design of the textbooks: Flask-RESTful, the body validated by ``jsonschema.validate``, the model called at once.

Run by gunicorn with its default workers, one a processor, each with a model of its own.
"""

from typing import Any

import torch
from flask import Flask, request
from flask_cors import CORS
from flask_restful import Api, Resource
from jsonschema import ValidationError, validate

from benchmarks.peers.contract import PATH, SCHEMA
from model_serving.models.taggers import bilstm_crf
from model_serving.utils.settings import DATA

torch.set_num_threads(1)
tagger = bilstm_crf.load(DATA / "bilstm_crf")


class BiLSTMCRF(Resource):
    """One text in, its names out."""

    def post(self) -> Any:
        """Answer one request."""
        body = request.get_json()
        try:
            validate(body, SCHEMA)
        except ValidationError as error:
            return {"message": error.message}, 400
        return {"result": tagger.predict([body["text"]], task=body["task"])[0]}


app = Flask(__name__)
CORS(app)
Api(app).add_resource(BiLSTMCRF, PATH)
