"""The models served; this tuple is the only registration."""

from model_serving.resources.base import ModelResource
from model_serving.resources.bilstm_crf import BiLSTMCRF
from model_serving.resources.dcgan import DCGAN
from model_serving.resources.gan import GAN
from model_serving.resources.hmm import HMM

RESOURCES: tuple[type[ModelResource], ...] = (
    HMM,
    BiLSTMCRF,
    GAN,
    DCGAN,
)
