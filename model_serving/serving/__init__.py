"""Between HTTP and the models: reading, checking, running, answering; knows no model and no family."""
