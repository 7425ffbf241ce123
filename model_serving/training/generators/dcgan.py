"""Train the DCGAN: batches of 32, Adam at 2e-4 for the generator and 3e-4 for the discriminator."""

from model_serving.training.generators.adversarial import Recipe

PAPER = (
    "Radford, Metz and Chintala, 2016, Unsupervised Representation Learning with Deep Convolutional Generative "
    "Adversarial Networks, arXiv:1511.06434"
)
ARCHITECTURE = {"noise": 100, "classes": 10, "generator": [64, 32], "discriminator": [32, 64]}
RECIPE = Recipe(batch=32, generator_rate=2e-4, discriminator_rate=3e-4)
EPOCHS = {"mnist": 8, "fashion-mnist": 6}
