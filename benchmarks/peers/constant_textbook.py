"""Textbook handlers with a constant answer: ``/v1/Bare`` reads JSON and answers, ``/v1/Validated`` validates too."""

from flask import Flask, Response, jsonify, request
from flask_cors import CORS
from flask_restful import Api, Resource
from jsonschema import validate

from benchmarks.peers.contract import ANSWER, SCHEMA


class Bare(Resource):
    """Read, answer."""

    def post(self) -> Response:
        """Answer one request."""
        request.get_json()
        return jsonify(result=ANSWER)


class Validated(Resource):
    """Read, validate, answer."""

    def post(self) -> Response:
        """Answer one request."""
        validate(request.get_json(), SCHEMA)
        return jsonify(result=ANSWER)


app = Flask(__name__)
CORS(app)
api = Api(app)
api.add_resource(Bare, "/v1/Bare")
api.add_resource(Validated, "/v1/Validated")
