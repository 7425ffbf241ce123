"""The models served; this tuple is the only registration."""

from model_serving.resources.app import APP
from model_serving.resources.bahdanau_attention import BahdanauAttention
from model_serving.resources.base import ModelResource
from model_serving.resources.bilstm_crf import BiLSTMCRF
from model_serving.resources.convs2s import ConvS2S
from model_serving.resources.crf import CRF
from model_serving.resources.cw2vec import CW2Vec
from model_serving.resources.dcgan import DCGAN
from model_serving.resources.deepwalk import DeepWalk
from model_serving.resources.dngr import DNGR
from model_serving.resources.fasttext import FastText
from model_serving.resources.gan import GAN
from model_serving.resources.glove import GloVe
from model_serving.resources.grarep import GraRep
from model_serving.resources.hin2vec import HIN2Vec
from model_serving.resources.hmm import HMM
from model_serving.resources.hope import HOPE
from model_serving.resources.line import LINE
from model_serving.resources.luong_attention import LuongAttention
from model_serving.resources.metapath2vec import Metapath2Vec
from model_serving.resources.nnlm import NNLM
from model_serving.resources.node2vec import Node2Vec
from model_serving.resources.rnn_encoder_decoder import RNNEncoderDecoder
from model_serving.resources.sdne import SDNE
from model_serving.resources.seq2seq import Seq2Seq
from model_serving.resources.transformer import Transformer
from model_serving.resources.word2vec import Word2Vec
from model_serving.resources.wordrank import WordRank

RESOURCES: tuple[type[ModelResource], ...] = (
    HMM,
    CRF,
    BiLSTMCRF,
    ConvS2S,
    Transformer,
    BahdanauAttention,
    LuongAttention,
    Seq2Seq,
    RNNEncoderDecoder,
    Word2Vec,
    GloVe,
    FastText,
    WordRank,
    CW2Vec,
    NNLM,
    DeepWalk,
    Node2Vec,
    LINE,
    APP,
    GraRep,
    HOPE,
    SDNE,
    DNGR,
    Metapath2Vec,
    HIN2Vec,
    GAN,
    DCGAN,
)
