"""The service with its real models and small limits, at whose edges requests are soon answered."""

from dataclasses import replace

from model_serving.app import create_app
from model_serving.resources import RESOURCES
from model_serving.utils import settings
from model_serving.utils.settings import Limits

LIMITS = Limits(body_bytes=65536, items=4, item_characters=200, request_characters=800)

chosen = settings.load(models=[resource.slug() for resource in RESOURCES], environment={})
models = {name: replace(model, limits=LIMITS) for name, model in chosen.models.items()}
app = create_app(replace(chosen, limits=LIMITS, models=models), RESOURCES)
