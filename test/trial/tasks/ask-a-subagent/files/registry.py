import importlib

NAMES = ["clean", "count", "join", "split", "sort"]


def load(name):
    return importlib.import_module(f"plugins.{name}")
