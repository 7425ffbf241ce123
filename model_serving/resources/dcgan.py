"""``/v1/DCGAN``."""

from model_serving.models.generators import dcgan
from model_serving.resources import generators
from model_serving.resources.generators import GeneratorResource
from model_serving.resources.schemas import integer


class DCGAN(GeneratorResource):
    """Draw digits or articles of clothing of the class asked for, with convolutions.

    A class-conditional deep convolutional adversarial network (Radford et al., 2016, arXiv:1511.06434).
    """

    load = staticmethod(dcgan.load)
    request_schema = staticmethod(
        generators.request_schema(label=integer("Number of the class to draw; any of them if left out", 0, 9))
    )
    example = {"count": 2, "seed": 1, "label": 7}
