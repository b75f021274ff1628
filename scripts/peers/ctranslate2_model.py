"""ctranslate2_model.py: writes a plain Transformer of ours as a model folder of CTranslate2.

    ctranslate2_model.py MODEL.gguf FOLDER

Taken are Transformers with fairseq's sinusoids and without syntax, post-norm or pre-norm, whatever
embeddings are tied. The end of a sentence starts the decoder, as it does here. Codes of BPE, where
the model has some, are put beside it, in a file named codes.
"""
import math
import os
import sys

import ctranslate2
import numpy

import gguf

ROWS = 512  # of the table of positions: CTranslate2 grows it no further


def sinusoids(rows, dim):
    """fairseq's positions, from the row of the first token on (spec: transformer_variants.md)."""
    rates = numpy.exp(numpy.arange(dim // 2) * -(math.log(10000) / (dim // 2 - 1)))
    angles = numpy.arange(2, rows + 2)[:, None] * rates
    return numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], axis=1).astype("float32")


class Converter:
    def __init__(self, path):
        self.metadata, self.tensors = gguf.read(path)
        self.config = gguf.config(self.metadata)
        for key, value in (("encoder", "transformer"), ("positions", "fairseq"),
                           ("syntax", "none"), ("attention-bias", "1")):
            if self.config[key] != value:
                sys.exit(f"{path}: expected {key} = {value}; found {self.config[key]}")

    def matrix(self, *names):
        """One of several names: tied matrices are stored once."""
        return next(self.tensors[name] for name in names if name in self.tensors)

    def linear(self, spec, *names):
        """One layer of those named, one under the other."""
        spec.weight = numpy.concatenate([self.tensors[name + ".weight"] for name in names])
        spec.bias = numpy.concatenate([self.tensors[name + ".bias"] for name in names])

    def norm(self, spec, name):
        spec.gamma, spec.beta = self.tensors[name + ".weight"], self.tensors[name + ".bias"]

    def attention(self, spec, name, own):
        q, k, v = (f"{name}.{part}_proj" for part in "qkv")
        groups = ((q, k, v),) if own else ((q,), (k, v))
        for linear, group in zip(spec.linear, groups + ((f"{name}.out_proj",),)):
            self.linear(linear, *group)
        self.norm(spec.layer_norm, name + "_layer_norm")

    def stack(self, spec, side, embeddings):
        dim = int(self.config["dim-emb"])
        spec.scale_embeddings = True
        spec.position_encodings.encodings = sinusoids(ROWS, dim)
        embeddings.weight = self.matrix(f"{side}.embed_tokens.weight",
                                        "decoder.embed_tokens.weight",
                                        "encoder.embed_tokens.weight")
        for i, layer in enumerate(spec.layer):
            name = f"{side}.layers.{i}"
            self.attention(layer.self_attention, name + ".self_attn", True)
            if side == "decoder":
                self.attention(layer.attention, name + ".encoder_attn", False)
            self.linear(layer.ffn.linear_0, name + ".fc1")
            self.linear(layer.ffn.linear_1, name + ".fc2")
            self.norm(layer.ffn.layer_norm, name + ".final_layer_norm")
        if self.config["transformer-norm"] == "pre":
            self.norm(spec.layer_norm, f"{side}.layer_norm")

    def convert(self):
        config = self.config
        spec = ctranslate2.specs.TransformerSpec.from_config(
            (int(config["enc-depth"]), int(config["dec-depth"])),
            int(config["transformer-heads"]), pre_norm=config["transformer-norm"] == "pre")
        self.stack(spec.encoder, "encoder", spec.encoder.embeddings[0])
        self.stack(spec.decoder, "decoder", spec.decoder.embeddings)
        spec.decoder.projection.weight = self.matrix("decoder.output_projection.weight",
                                                     "decoder.embed_tokens.weight",
                                                     "encoder.embed_tokens.weight")
        source = self.metadata["dragoman.vocab.source"]
        spec.register_source_vocabulary(source)
        spec.register_target_vocabulary(self.metadata.get("dragoman.vocab.target", source))
        spec.config.layer_norm_epsilon = float(config["norm-eps"])
        spec.config.decoder_start_token = spec.config.eos_token
        spec.config.add_source_eos = True
        spec.validate()
        spec.optimize()
        return spec


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[2].strip())
    folder = sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    converter = Converter(sys.argv[1])
    converter.convert().save(folder)
    codes = converter.metadata.get("dragoman.bpe.codes")
    if codes is not None:
        with open(os.path.join(folder, "codes"), "w", encoding="utf-8") as file:
            file.write(codes)


if __name__ == "__main__":
    main()
