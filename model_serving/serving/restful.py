"""The typed boundary to Flask-RESTful, which has no types and answers errors its own way."""

from flask import Response
from flask_restful import Api as UntypedApi
from flask_restful import Resource as UntypedResource

from model_serving.serving import errors


class Api(UntypedApi):
    """Flask-RESTful's router, answering errors as the rest of the service does.

    In production Flask-RESTful passes over ``app.errorhandler`` for its own routes.
    """

    def handle_error(self, e: Exception) -> Response:
        """Answer an exception raised in a resource."""
        return errors.answer(e)


class Resource(UntypedResource):
    """A class of handlers, one method an HTTP method."""
