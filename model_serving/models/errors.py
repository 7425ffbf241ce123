"""What a model can say went wrong: the caller's input, or its own files."""


class InputError(ValueError):
    """An item the model can not answer, by the caller's fault; the message says why and never where in the batch."""


class ArtifactError(RuntimeError):
    """A trained artifact that is missing, damaged or does not fit its network; the message names file and remedy."""


class AbandonedError(RuntimeError):
    """A long computation given up because nobody waits for it any more."""
