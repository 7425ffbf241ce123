"""Train the GAN of dense layers: batches of 64, Adam at 2e-4 for both networks."""

from model_serving.training.generators.adversarial import Recipe

PAPER = "Goodfellow et al., 2014, Generative Adversarial Nets, arXiv:1406.2661"
ARCHITECTURE = {"noise": 100, "generator": [256, 512, 1024], "discriminator": [512, 256]}
RECIPE = Recipe(batch=64, generator_rate=2e-4, discriminator_rate=2e-4)
EPOCHS = {"mnist": 30, "fashion-mnist": 22}
