"""The models served; this tuple is the only registration."""

from model_serving.resources.base import ModelResource
from model_serving.resources.bilstm_crf import BiLSTMCRF
from model_serving.resources.crf import CRF
from model_serving.resources.cw2vec import CW2Vec
from model_serving.resources.dcgan import DCGAN
from model_serving.resources.fasttext import FastText
from model_serving.resources.gan import GAN
from model_serving.resources.glove import GloVe
from model_serving.resources.hmm import HMM
from model_serving.resources.nnlm import NNLM
from model_serving.resources.word2vec import Word2Vec
from model_serving.resources.wordrank import WordRank

RESOURCES: tuple[type[ModelResource], ...] = (
    HMM,
    CRF,
    BiLSTMCRF,
    Word2Vec,
    GloVe,
    FastText,
    WordRank,
    CW2Vec,
    NNLM,
    GAN,
    DCGAN,
)
