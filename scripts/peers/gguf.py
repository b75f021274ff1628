"""gguf.py: reads one of our model files: its texts and vocabularies, and its matrices as numpy arrays.

Only what our own writer makes is read: version 3, little-endian, tensors of f32.
"""
import struct

import numpy

NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY, F32 = 8, 9, 0


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def string(self):
        size = self.number("Q")
        self.at += size
        return self.data[self.at - size:self.at].decode()

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            kind, count = self.number("I"), self.number("Q")
            return [self.value(kind) for _ in range(count)]
        return self.number(NUMBERS[kind])


def read(path):
    """The metadata and the tensors of a file, two dictionaries."""
    with open(path, "rb") as file:
        reader = Reader(file.read())
    if reader.data[:4] != b"GGUF":
        raise ValueError(f"{path}: not a GGUF file")
    reader.at = 8
    count, keys = reader.number("Q"), reader.number("Q")
    metadata = {}
    for _ in range(keys):
        name = reader.string()
        metadata[name] = reader.value(reader.number("I"))
    infos = []
    for _ in range(count):
        name = reader.string()
        shape = [reader.number("Q") for _ in range(reader.number("I"))][::-1]
        infos.append((name, shape, reader.number("I"), reader.number("Q")))
    alignment = metadata.get("general.alignment", 32)
    start = (reader.at + alignment - 1) // alignment * alignment
    tensors = {}
    for name, shape, kind, offset in infos:
        if kind != F32:
            raise ValueError(f"{path}: {name} is no f32 tensor")
        tensors[name] = numpy.frombuffer(reader.data, "<f4", int(numpy.prod(shape)),
                                         start + offset).reshape(shape)
    return metadata, tensors


def config(metadata):
    """The settings of a model, `name = value` by line, as a dictionary of texts."""
    lines = metadata["dragoman.config"].splitlines()
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {key.strip(): value.strip() for key, _, value in pairs}
