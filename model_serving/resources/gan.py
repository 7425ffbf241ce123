"""``/v1/GAN``."""

from model_serving.models.generators import gan
from model_serving.resources import generators
from model_serving.resources.generators import GeneratorResource


class GAN(GeneratorResource):
    """Draw digits or articles of clothing with the plain generative adversarial network.

    Dense layers and nothing known of classes (Goodfellow et al., 2014, arXiv:1406.2661).
    """

    load = staticmethod(gan.load)
    request_schema = staticmethod(generators.request_schema())
    example = {"count": 2, "seed": 1}
