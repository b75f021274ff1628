"""import_ctranslate2.py: models of CTranslate2, imported, beside CTranslate2 itself.

    import_ctranslate2.py DRAGOMAN [AREN]

Makes models with random weights in each form that `import` reads (types of numbers, orders of norms,
tied tables, positions, ends of sentences), and, where the folder AREN is named (f32 and i8 in it: the
real model of CTranslate2's own tests), takes that. Of each: how many of 100 lines have the same
translation, greedy and with a beam of 4, how far log-probabilities of forced ones lie apart, and how
long the import took. Wants ctranslate2 and numpy.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

import ctranslate2
import numpy
from ctranslate2.specs import common_spec, transformer_spec

LINES = 100


def sinusoids(rows, dim):
    """Those of "Attention is all you need", sines and cosines in turn, as OpenNMT-py has them."""
    angles = numpy.arange(rows)[:, None] * 10000.0 ** (-(numpy.arange(dim) // 2 * 2) / dim)
    return numpy.where(numpy.arange(dim) % 2 == 0, numpy.sin(angles), numpy.cos(angles)).astype("float32")


def to_bfloat16(path):
    """The same model.bin (version 6) with bfloat16 (type 5) for float32 (0): the program wants PyTorch
    for that. Rounded to the nearest, ties to even."""
    data, at, out = open(path, "rb").read(), 0, bytearray()

    def copy(count):
        nonlocal at
        out.extend(data[at:at + count])
        at += count
        return data[at - count:at]

    def number(count):
        return int.from_bytes(copy(count), "little")

    copy(4), copy(number(2)), copy(4)
    for _ in range(number(4)):
        copy(number(2))
        rank = number(1)
        copy(4 * rank)
        kind, size = data[at], int.from_bytes(data[at + 1:at + 5], "little")
        if kind != 0 or rank == 0:
            copy(5 + size)
            continue
        bits = numpy.frombuffer(data[at + 5:at + 5 + size], "<u4")
        rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2").tobytes()
        out.extend(bytes([5]) + len(rounded).to_bytes(4, "little") + rounded)
        at += 5 + size
    out.extend(data[at:])
    open(path, "wb").write(out)


class Maker:
    def __init__(self, seed, dim, heads, ffn, layers, vocab, pre_norm, activation, bias):
        self.rng = numpy.random.default_rng(seed)
        self.dim, self.ffn, self.bias = dim, ffn, bias
        self.spec = transformer_spec.TransformerSpec.from_config(
            layers, heads, pre_norm=pre_norm, activation=activation)
        for side, stack in (("source", self.spec.encoder), ("target", self.spec.decoder)):
            if pre_norm:
                self.norm(stack.layer_norm)
            for layer in stack.layer:
                self.attention(layer.self_attention, True)
                if side == "target":
                    self.attention(layer.attention, False)
                self.norm(layer.ffn.layer_norm)
                self.linear(layer.ffn.linear_0, ffn, dim, True)
                self.linear(layer.ffn.linear_1, dim, ffn, True)
        self.source, self.target = vocab, vocab

    def draw(self, *shape, scale):
        return (self.rng.standard_normal(shape) * scale).astype("float32")

    def norm(self, spec):
        spec.gamma, spec.beta = 1 + self.draw(self.dim, scale=0.1), self.draw(self.dim, scale=0.1)

    def linear(self, spec, rows, columns, bias):
        spec.weight = self.draw(rows, columns, scale=1.2 * columns ** -0.5)
        if bias:
            spec.bias = self.draw(rows, scale=0.1)

    def attention(self, spec, own):
        for linear, parts in zip(spec.linear, (3, 1) if own else (1, 2, 1)):
            self.linear(linear, parts * self.dim, self.dim, self.bias)
        self.norm(spec.layer_norm)

    def tables(self, source, target, tied, bias=True, positions=None, scale=None):
        """Of the vocabularies: lists of tokens. tied: all, decoder or none."""
        dim, spec = self.dim, self.spec
        encoder, decoder = spec.encoder, spec.decoder
        encoder.embeddings[0].weight = self.draw(len(source), dim, scale=dim ** -0.5)
        decoder.embeddings.weight = (encoder.embeddings[0].weight if tied == "all"
                                     else self.draw(len(target), dim, scale=dim ** -0.5))
        decoder.projection.weight = (decoder.embeddings.weight if tied != "none"
                                     else self.draw(len(target), dim, scale=2 * dim ** -0.5))
        if bias:
            decoder.projection.bias = self.draw(len(target), scale=0.3)
            for number, token in enumerate(target): # those that no text holds are never likely
                decoder.projection.bias[number] += {"</s>": 1, "<s>": -9, "<blank>": -9}.get(token, 0)
        for stack in (encoder, decoder):
            if positions is not None:
                stack.position_encodings.encodings = positions
            if scale is not None:
                stack.scale_embeddings = scale
        spec.register_source_vocabulary(source)
        spec.register_target_vocabulary(target)
        self.source, self.target = source, target

    def save(self, folder, quantization=None):
        self.spec.validate()
        is_bfloat16 = quantization == "bfloat16"
        self.spec.optimize(quantization=None if is_bfloat16 else quantization)
        os.makedirs(folder)
        self.spec.save(folder)
        if is_bfloat16:
            to_bfloat16(os.path.join(folder, "model.bin"))


def words(first, count, specials):
    return specials + [f"{first}{i}" for i in range(count - len(specials))]


def opennmt(folder):
    """As OpenNMT-py's models become: no end of the source, <s> first, two vocabularies."""
    maker = Maker(1, 64, 4, 128, (2, 2), None, True, common_spec.Activation.RELU, True)
    specials = ["<blank>", "<s>", "</s>"]
    maker.tables(words("s", 90, ["<unk>"] + specials), words("t", 80, ["<unk>"] + specials), "none",
                 positions=sinusoids(512, 64))
    maker.spec.config.layer_norm_epsilon = 1e-6
    maker.save(folder)
    return maker


def opennmt_tf(folder, quantization=None, post=False):
    """Positions that nobody keeps, one vocabulary, tables of which all are one."""
    maker = Maker(2, 48, 3, 96, (3, 2), None, not post, common_spec.Activation.SWISH, True)
    vocab = words("w", 70, ["<blank>", "<s>", "</s>", "<unk>"])
    maker.tables(vocab, vocab, "all")
    maker.spec.config.add_source_eos = True
    maker.save(folder, quantization)
    return maker


def marian(folder, quantization=None):
    """The decoder starts with zeros; </s> is the only end."""
    maker = Maker(3, 32, 8, 64, (1, 3), None, False, common_spec.Activation.GELU, True)
    vocab = words("m", 60, ["</s>", "<unk>"])
    maker.tables(vocab, vocab, "all", scale=True)
    maker.spec.decoder.start_from_zero_embedding = True
    maker.spec.config.decoder_start_token = "</s>"
    maker.spec.config.add_source_eos = True
    maker.save(folder, quantization)
    return maker


def fairseq(folder, quantization=None):
    """No biases of attention and of scores, embeddings that are not scaled, </s> first."""
    maker = Maker(4, 40, 2, 72, (2, 1), None, False, common_spec.Activation.RELU, False)
    specials = ["<s>", "<pad>", "</s>", "<unk>"]
    maker.tables(words("s", 50, specials), words("t", 64, specials), "decoder", bias=False, scale=False)
    maker.spec.config.decoder_start_token = "</s>"
    maker.spec.config.add_source_eos = True
    maker.save(folder, quantization)
    return maker


FORMS = [
    ("OpenNMT-py, float32", opennmt, {}),
    ("OpenNMT-tf, float32", opennmt_tf, {}),
    ("OpenNMT-tf, post-norm, float16", opennmt_tf, {"quantization": "float16", "post": True}),
    ("OpenNMT-tf, int16", opennmt_tf, {"quantization": "int16"}),
    ("OpenNMT-tf, bfloat16", opennmt_tf, {"quantization": "bfloat16"}),
    ("Marian, float32", marian, {}),
    ("Marian, int8", marian, {"quantization": "int8"}),
    ("fairseq, float32", fairseq, {}),
    ("fairseq, int8", fairseq, {"quantization": "int8"}),
]


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def compare(dragoman, name, folder, sources, scratch, ends):
    """ends: 1 where sources get an end, 0 where not."""
    translator = ctranslate2.Translator(folder, compute_type="float32", intra_threads=1)
    # What whoever cuts the text would add: the program adds it itself where the model says so.
    model, text, forced = (os.path.join(scratch, end) for end in ("model.gguf", "text", "forced"))
    began = time.time()
    run(dragoman, "import", folder, "-o", model, "--overwrite", "-q")
    took = time.time() - began
    with open(text, "w", encoding="utf-8") as out:
        out.writelines(" ".join(line) + "\n" for line in sources)
    same = []
    most = [2 * (len(line) + ends) + 10 for line in sources] # tokens of a translation of ours
    for beam in (1, 4):
        # No </s> can come first, here and there; theirs takes the probabilities of that step of the
        # rest alone, which a beam notices where </s> was likely.
        theirs = [" ".join(translator.translate_batch([line], beam_size=beam, length_penalty=1,
                                                      max_decoding_length=limit)[0].hypotheses[0])
                  for line, limit in zip(sources, most)]
        ours = run(dragoman, "translate", "-q", "-m", model, "-i", text, "--beam-size", str(beam),
                   "--normalize", "1").splitlines()
        # What the limit cuts off ends otherwise in a beam: such lines do not count there.
        counted = [a == b for a, b, limit in zip(theirs, ours, most) if beam == 1 or len(a.split()) + 1 < limit]
        same.append(f"{sum(counted)} of {len(counted)}")
        if beam == 1:
            given = [line for line in theirs]
    given = [line if line else "</s>" for line in given]
    with open(forced, "w", encoding="utf-8") as out:
        out.writelines(line + "\n" for line in given)
    ours = [float(line) for line in run(dragoman, "rescore", "-q", text, forced, "-m", model).split()]
    theirs = [sum(one.log_probs) for one in translator.score_batch(sources, [line.split() for line in given])]
    apart = max(abs(a - b) / max(1, abs(b)) for a, b in zip(ours, theirs))
    print(f"{name} | {apart:.1e} | {same[0]} | {same[1]} | {took:.2f} s", flush=True)


def main():
    dragoman, rng = sys.argv[1], random.Random(5)
    print("model | log-probabilities apart | greedy | beam 4 | import")
    with tempfile.TemporaryDirectory() as scratch:
        for number, (name, make, options) in enumerate(FORMS):
            folder = os.path.join(scratch, str(number))
            maker = make(folder, **options)
            known = [token for token in maker.source if token[0] != "<"]
            sources = [[rng.choice(known) for _ in range(rng.randint(1, 12))] for _ in range(LINES)]
            compare(dragoman, name, folder, sources, scratch, int(maker.spec.config.add_source_eos))
        for kind in ("f32", "i8") if len(sys.argv) > 2 else ():
            folder = os.path.join(sys.argv[2], kind)
            with open(os.path.join(folder, "source_vocabulary.txt"), encoding="utf-8") as lines:
                letters = [line.rstrip("\n") for line in lines if line[0] != "<"]
            sources = [[rng.choice(letters[:30]) for _ in range(rng.randint(1, 10))] for _ in range(LINES)]
            compare(dragoman, f"Arabic-English, {kind}", folder, sources, scratch, 0)


main()
